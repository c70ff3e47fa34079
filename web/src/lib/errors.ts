/** Error messages in the reader's language. */
import { ApiError } from './api';
import { t, texts } from './texts.svelte';

/** Return the text of an error code; the server's own message for an unknown code. */
export function textOfCode(code: string, message: string): string {
  const text = texts.find(`error.${code}`) ?? (message || code);
  const why = code === 'banned' ? /banned you: (.*?)\.(?: Contact: |$)/.exec(message)?.[1] : undefined;
  return why ? `${text} ${why}` : text; // the operator's own words
}

/** Return why a connection to a table ended. */
export function textOfEnd(reason: string): string {
  if (reason === 'not-loaded') return t('table.notLoaded');
  if (reason.includes(' has banned you')) return textOfCode('banned', reason);
  return texts.find(`error.${reason}`) ?? (reason || t('table.ended'));
}

export const errorText = (error: unknown): string =>
  error instanceof ApiError ? textOfCode(error.code, error.message) : t('error.internal-error');
