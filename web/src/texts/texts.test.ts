import { describe, expect, it, vi } from 'vitest';

vi.hoisted(() => {
  vi.stubGlobal('document', { documentElement: {} });
  vi.stubGlobal('navigator', { languages: ['en'] });
});
const { LANGUAGES } = await import('../lib/texts.svelte');

type Dictionary = Record<string, string>;

const files = import.meta.glob<Dictionary>(['./??.ts', '../games/*/texts/??.ts'], { import: 'default', eager: true });
const sources = import.meta.glob<string>(['../**/*.{ts,svelte}', '!../**/texts/**', '!../**/*.test.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});
const code = Object.values(sources).join('\n');

const FOLDERS = { page: '.', marrakech: '../games/marrakech/texts', marracash: '../games/marracash/texts' };
const english: Dictionary = Object.assign({}, ...Object.values(FOLDERS).map((folder) => files[`${folder}/en.ts`]));

/** Beginnings of keys whose end is known only when the page runs. */
const BUILT = [
  'start.about.',
  'start.preset.',
  'start.level.',
  'start.knob.',
  'frame.refused.',
  'marrakech.colour.',
  'marrakech.facing.',
  'marrakech.told.turned.',
  'marrakech.todo.',
  'marrakech.act.',
  'marrakech.turn.',
  'marrakech.hint.',
  'marrakech.edition.',
  'marracash.board.',
  'marracash.hint.',
  'marracash.colour.',
  'marracash.count.',
  'marracash.do.',
  'marracash.wait.',
  'marracash.not.',
  'marracash.why.',
];
const NAMES = ['marrakech.name', 'marracash.name']; // `${game}.name`

/** Each `{name}` once; whether a number bends the words around it is each language's own affair. */
function fillings(text: string): string[] {
  return [...new Set([...text.matchAll(/\{(\w+)/g)].map(([, name]) => name!))].sort();
}

/** The forms of each plural: `one`, `other` … */
function plurals(text: string): string[][] {
  return [...text.matchAll(/\{\w+\|([^}]*)\}/g)].map(([, forms]) => forms!.split('|').map((form) => form.split(':')[0]!));
}

describe.each(Object.keys(LANGUAGES))('in %s', (language) => {
  describe.each(Object.entries(FOLDERS))('%s', (_, folder) => {
    const source = files[`${folder}/en.ts`]!;
    const found = files[`${folder}/${language}.ts`] ?? {};

    it('says everything that English says, and nothing else', () => {
      expect(Object.keys(found).sort()).toEqual(Object.keys(source).sort());
    });

    it('leaves nothing empty', () => {
      expect(Object.keys(found).filter((key) => !found[key]?.trim())).toEqual([]);
    });

    it('fills in what English fills in', () => {
      const filled = (texts: Dictionary) =>
        Object.fromEntries(Object.keys(source).map((key) => [key, fillings(texts[key] ?? '')]));
      expect(filled(found)).toEqual(filled(source));
    });

    it('counts as the language counts', () => {
      const kinds = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
      const isRight = (forms: string[]) => forms.includes('other') && forms.every((form) => (kinds as string[]).includes(form));
      expect(Object.keys(found).filter((key) => !plurals(found[key]!).every(isRight))).toEqual([]);
    });
  });
});

describe('the keys', () => {
  const isBuilt = (key: string) => NAMES.includes(key) || BUILT.some((start) => key.startsWith(start));

  it('are all used', () => {
    const isUsed = (key: string) => ["'", '"', '`'].some((quote) => code.includes(quote + key + quote));
    expect(Object.keys(english).filter((key) => !isBuilt(key) && !isUsed(key))).toEqual([]);
  });

  it('begin as listed only where there are such keys', () => {
    expect(BUILT.filter((start) => !Object.keys(english).some((key) => key.startsWith(start)))).toEqual([]);
  });

  it('all exist', () => {
    const asked = [...code.matchAll(/\bt\((?:[^'"`;]*\?\s*)?'([^']+)'(?:\s*:\s*'([^']+)')?/g)].flatMap(([, one, other]) =>
      other === undefined ? [one!] : [one!, other],
    );
    expect(asked.length).toBeGreaterThan(100); // else nothing was read
    expect(asked.filter((key) => !(key in english))).toEqual([]);
  });
});
