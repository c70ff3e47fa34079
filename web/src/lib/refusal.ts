/** Why something was refused, in a sentence of the reader's language where we have one. */
import { Refusal } from './api';
import { texts } from './texts.svelte';

/** The same of a code and the server's own sentence. */
export const refusedAs = (code: string, sentence: string): string => texts.find(`frame.refused.${code}`) ?? sentence;

export function explained(error: unknown): string {
  if (error instanceof Refusal) return texts.find(`frame.refused.${error.code}`) ?? (error.message || error.code);
  return texts.find('frame.refused.failed') ?? String(error);
}
