/** Why something was refused, in a sentence of the reader's language where we have one. */
import { Refusal } from './api';
import { texts } from './texts.svelte';

export function explained(error: unknown): string {
  if (error instanceof Refusal) return texts.find(`frame.refused.${error.code}`) ?? (error.message || error.code);
  return texts.find('frame.refused.failed') ?? String(error);
}
