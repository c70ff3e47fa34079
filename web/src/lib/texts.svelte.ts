/**
 * All texts of the page in the reader's language. English is the source; the other languages are
 * files with the same keys, loaded when they are needed. Each game has texts of its own.
 */
import type en from '../texts/en';
import { saveSetting, settings } from './settings.svelte';
import { capitalise, fillText, joinList, localeOf, percentage, type Values } from './textFormat';

export const LANGUAGES = {
  en: 'English',
  fr: 'Français',
  it: 'Italiano',
  de: 'Deutsch',
  es: 'Español',
  nl: 'Nederlands',
  pt: 'Português (Portugal)',
} as const;

export type Language = keyof typeof LANGUAGES;
export type Key = keyof typeof en;
type Dictionary = Record<string, string>;

const FILES = import.meta.glob<Dictionary>(['../texts/??.ts', '../games/*/texts/??.ts', '../games/*/lessons/??.ts'], { import: 'default' });
const PAGE = '../texts';

class Texts {
  language: Language = $state('en');
  /** The language as `Intl` knows it. */
  readonly locale = $derived(localeOf(this.language));
  ready: Promise<void>;
  #texts: Dictionary = $state.raw({});
  #folders = new Set<string>([PAGE]);
  #requested: Language = 'en';

  constructor() {
    this.ready = this.setLanguage(preferredLanguage());
  }

  /** Load a game's texts; they follow the language from then on. */
  addGame(game: string): Promise<void> {
    return this.#add(`../games/${game}/texts`);
  }

  addLessons(game: string): Promise<void> {
    return this.#add(`../games/${game}/lessons`);
  }

  async #add(folder: string): Promise<void> {
    this.#folders.add(folder);
    const language = this.language;
    const added = await load(folder, language);
    if (language === this.language) this.#texts = { ...this.#texts, ...added };
  }

  /** Change the language. If its texts cannot be loaded, the former language stays. */
  async setLanguage(language: Language): Promise<void> {
    this.#requested = language;
    const folders = [...this.#folders];
    const loaded = await Promise.all(folders.map((folder) => load(folder, language)));
    if (this.#requested !== language) return; // another one was chosen meanwhile
    this.#texts = Object.assign({}, ...loaded);
    this.language = language;
    document.documentElement.lang = language;
    document.querySelector('meta[name=description]')?.setAttribute('content', this.get('start.tagline', {}));
    for (const folder of this.#folders) if (!folders.includes(folder)) void this.#add(folder);
  }

  /** Return a text that may be missing: a server can have games, boards and levels unknown to the page. */
  find(key: string): string | null {
    return this.#texts[key] ?? null;
  }

  get(key: string, values: Values): string {
    const text = this.#texts[key];
    return text === undefined ? key : fillText(text, values, this.language);
  }
}

async function load(folder: string, language: string): Promise<Dictionary> {
  const file = FILES[`${folder}/${language}.ts`] ?? FILES[`${folder}/en.ts`];
  return file ? await file() : {};
}

function preferredLanguage(): Language {
  const codes = [settings.language, ...navigator.languages].map((code) => code?.slice(0, 2));
  return (codes.find((code) => code && code in LANGUAGES) as Language | undefined) ?? 'en';
}

export const texts = new Texts();

/** Return the text of a key if the page has one, else the server's own word. */
export const textOr = (key: string, word: string): string => texts.find(key) ?? capitalise(word);

/** Return a function that returns texts by their keys. */
export const translator =
  <K extends string>() =>
  (key: K, values: Values = {}): string =>
    texts.get(key, values);

/** Return a text of the page in the reader's language; games have a `t` of their own. */
export const t = translator<Key>();

/** Join words as the reader's language does. */
export function joinWords(words: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string {
  return joinList(words, texts.language, type);
}

/** Write a share in per cent as the reader's language does. */
export const percent = (share: number): string => percentage(share, texts.language);

/** Change the language and store the choice. */
export function chooseLanguage(language: Language): void {
  saveSetting('language', language);
  texts.setLanguage(language).catch(() => {}); // the server is away: the language stays
}
