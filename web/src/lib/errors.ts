/** Error messages in the reader's language. */
import { ApiError } from './api';
import { t, texts } from './texts.svelte';

/** Return the text of an error code; the server's own message for an unknown code. */
export const textOfCode = (code: string, message: string): string => texts.find(`error.${code}`) ?? (message || code);

export const errorText = (error: unknown): string =>
  error instanceof ApiError ? textOfCode(error.code, error.message) : t('error.internal-error');
