/**
 * Everything the page says, in the reader's language. English is the source; the other languages
 * are files of the same keys, loaded when they are needed. Games bring texts of their own.
 */
import type en from '../texts/en';
import type marracash from '../games/marracash/texts/en';
import type marrakech from '../games/marrakech/texts/en';
import { filled, joined, locale, type Fillings } from './textFormat';
import { set, settings } from './settings.svelte';

export const LANGUAGES = {
  en: 'English',
  fr: 'Français',
  it: 'Italiano',
  de: 'Deutsch',
  es: 'Español',
  nl: 'Nederlands',
  pt: 'Português',
} as const;

export type Language = keyof typeof LANGUAGES;
export type Key = keyof typeof en | keyof typeof marrakech | keyof typeof marracash;
type Dictionary = Record<string, string>;
type Loader = () => Promise<{ default: Dictionary }>;

const sources: Record<string, Record<string, Loader>> = {
  page: import.meta.glob('../texts/??.ts') as Record<string, Loader>,
  marrakech: import.meta.glob('../games/marrakech/texts/*.ts') as Record<string, Loader>,
  marracash: import.meta.glob('../games/marracash/texts/*.ts') as Record<string, Loader>,
};

class Texts {
  language: Language = $state('en');
  /** The same for `Intl`. */
  readonly locale = $derived(locale(this.language));
  ready: Promise<void>;
  #texts: Dictionary = $state.raw({});
  #loaded = new Set<string>(['page']);
  #wanted: Language = 'en';

  constructor() {
    this.ready = this.speak(chosen());
  }

  /** Load a game's texts, and keep them in step with the language. */
  async add(source: string): Promise<void> {
    this.#loaded.add(source);
    const language = this.language;
    const found = await load(source, language);
    if (language === this.language) this.#texts = { ...this.#texts, ...found };
  }

  /** Change the language. If its texts cannot be loaded, the one before stays. */
  async speak(language: Language): Promise<void> {
    this.#wanted = language;
    const sources = [...this.#loaded];
    const found = await Promise.all(sources.map((source) => load(source, language)));
    if (this.#wanted !== language) return; // somebody chose again meanwhile
    this.#texts = Object.assign({}, ...found);
    this.language = language;
    document.documentElement.lang = language;
    for (const source of this.#loaded) if (!sources.includes(source)) void this.add(source);
  }

  /** A text that may be missing: a server can have games, boards and levels we know nothing of. */
  find(key: string): string | null {
    return this.#texts[key] ?? null;
  }

  get(key: string, fillings: Fillings): string {
    const text = this.#texts[key];
    return text === undefined ? key : filled(text, fillings, this.language);
  }
}

async function load(source: string, language: string): Promise<Dictionary> {
  const files = Object.entries(sources[source] ?? {});
  const inLanguage = (one: string) => files.find(([path]) => path.endsWith(`/${one}.ts`));
  const found = inLanguage(language) ?? inLanguage('en'); // better English than nothing
  return found ? (await found[1]()).default : {};
}

function chosen(): Language {
  const wanted = [settings.language, ...navigator.languages].map((one) => one?.slice(0, 2));
  return (wanted.find((one) => one && one in LANGUAGES) as Language | undefined) ?? 'en';
}

export const texts = new Texts();

/** A text in the reader's language. */
export function t(key: Key, fillings: Fillings = {}): string {
  return texts.get(key, fillings);
}

/** Words in a row, as the language joins them. */
export function listed(words: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string {
  return joined(words, texts.language, type);
}

/** Choose a language for good. */
export function speak(language: Language): void {
  set('language', language);
  texts.speak(language).catch(() => {}); // the line is cut: the language stays as it was
}
