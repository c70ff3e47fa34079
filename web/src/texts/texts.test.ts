import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../lib/texts.svelte';

type Dictionary = Record<string, string>;

const files = import.meta.glob<Dictionary>(['./??.ts', '../games/*/texts/??.ts', '../games/*/lessons/??.ts'], { import: 'default', eager: true });
const sources = import.meta.glob<string>(['../**/*.{ts,svelte}', '!../**/texts/**', '!../**/lessons/**', '!../**/*.test.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});
const offline = import.meta.glob<string>('../../public/offline.js', { query: '?raw', import: 'default', eager: true });
const code = Object.values(sources).join('\n');

const FOLDERS = [...new Set(Object.keys(files).map((path) => path.slice(0, path.lastIndexOf('/'))))];
const GAMES = FOLDERS.flatMap((folder) => folder.match(/games\/(\w+)\/texts/)?.[1] ?? []);
const english: Dictionary = Object.assign({}, ...FOLDERS.map((folder) => files[`${folder}/en.ts`]));

/** Prefixes of keys whose end is known only at run time: `start.level.${level}`, and `${name}.preset` for all games. */
const prefixes = [...code.matchAll(/`(?:\$\{[\w.]*name\}\.(\w+)|((?:\w+\.)+)\$\{)/g)].map(([, ofGame, prefix]) =>
  ofGame ? GAMES.map((name) => `${name}.${ofGame}`) : [prefix!],
);

/** Return the placeholders of a text, each once; whether a number chooses a plural depends on the language. */
function placeholders(text: string): string[] {
  return [...new Set([...text.matchAll(/\{(\w+)/g)].map(([, name]) => name!))].sort();
}

/** Return the forms of each plural: `one`, `other` … */
function plurals(text: string): string[][] {
  return [...text.matchAll(/\{\w+\|([^}]*)\}/g)].map(([, forms]) => forms!.split('|').map((form) => form.split(':')[0]!));
}

describe.each(Object.keys(LANGUAGES))('in %s', (language) => {
  it('says the same on the offline page', () => {
    const texts = files[`./${language}.ts`]!;
    expect(Object.values(offline)[0]).toContain(`['${texts['app.serverAway']}', '${texts['app.serverAway.retry']}']`);
  });

  describe.each(FOLDERS)('%s', (folder) => {
    const source = files[`${folder}/en.ts`]!;
    const translation = files[`${folder}/${language}.ts`] ?? {};

    it('has the same keys as English', () => {
      expect(Object.keys(translation).sort()).toEqual(Object.keys(source).sort());
    });

    it('has no empty text', () => {
      expect(Object.keys(translation).filter((key) => !translation[key]?.trim())).toEqual([]);
    });

    it('has the same placeholders as English', () => {
      const all = (texts: Dictionary) =>
        Object.fromEntries(Object.keys(source).map((key) => [key, placeholders(texts[key] ?? '')]));
      expect(all(translation)).toEqual(all(source));
    });

    it('has the plural forms of the language', () => {
      const categories: string[] = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
      const isRight = (forms: string[]) => forms.includes('other') && forms.every((form) => categories.includes(form));
      expect(Object.keys(translation).filter((key) => !plurals(translation[key]!).every(isRight))).toEqual([]);
    });
  });
});

describe('the keys', () => {
  const isDynamic = (key: string) => prefixes.flat().some((prefix) => key.startsWith(prefix));

  it('are all used', () => {
    const isUsed = (key: string) => ["'", '"', '`'].some((quote) => code.includes(quote + key + quote));
    expect(Object.keys(english).filter((key) => !isDynamic(key) && !isUsed(key))).toEqual([]);
  });

  it('exist for every dynamic prefix', () => {
    const exists = (prefix: string) => Object.keys(english).some((key) => key.startsWith(prefix));
    expect(prefixes.length).toBeGreaterThan(20); // else nothing was read
    expect(prefixes.filter((some) => !some.some(exists))).toEqual([]);
  });

  it('all exist', () => {
    const requested = [...code.matchAll(/\bt\((?:[^'"`;]*\?\s*)?'([^']+)'(?:\s*:\s*'([^']+)')?/g)].flatMap(([, one, other]) =>
      other === undefined ? [one!] : [one!, other],
    );
    expect(requested.length).toBeGreaterThan(100); // else nothing was read
    expect(requested.filter((key) => !(key in english))).toEqual([]);
  });
});
