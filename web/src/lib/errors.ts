/** Why something was refused, in a sentence of the reader's language where we have one. */
import { Refusal } from './api';
import { t, texts } from './texts.svelte';

/** The text of a code; the server's own sentence for one that we do not know. */
export const refusedAs = (code: string, sentence: string): string => texts.find(`frame.refused.${code}`) ?? (sentence || code);

export const explained = (error: unknown): string =>
  error instanceof Refusal ? refusedAs(error.code, error.message) : t('frame.refused.internal-error');
