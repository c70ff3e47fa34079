/** English without a browser, for tests: `vi.mock('../../lib/texts.svelte', () => import('./testTexts'))`. */
import { filled, joined, type Fillings } from '../../lib/textFormat';
import en from './texts/en';

export const texts = { language: 'en' };
export const t = (key: string, fillings: Fillings = {}): string =>
  filled((en as Record<string, string>)[key] ?? `no text ${key}`, fillings, 'en');
export const listed = (words: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string =>
  joined(words, 'en', type);
