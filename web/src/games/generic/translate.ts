import { translator } from '../../lib/texts.svelte';
import type en from './texts/en';

export type Key = keyof typeof en;

/** Return a text of the generic table in the reader's language. */
export const t = translator<Key>();
