/**
 * Texts with holes: `{name}` is filled in, and `{n|one:# dirham|other:# dirhams}` chooses by the
 * plural rules of the language; `#` is the number as that language writes it,
 * 1625 as everywhere on the boards.
 */
export type Fillings = Record<string, string | number>;

/** The language as `Intl` knows it: our Portuguese is the European one. */
export function locale(language: string): string {
  return language === 'pt' ? 'pt-PT' : language;
}

// Hebrew, Arabic and whatever else is written from right to left.
const TURNED = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Somebody's words in a sentence of ours: they turn nothing around them (FSI … PDI). */
export function isolated(words: string): string {
  return TURNED.test(words) ? `\u2068${words}\u2069` : words;
}

/** Words in a row, as the language joins them. */
export function joined(words: readonly string[], language: string, type: 'conjunction' | 'disjunction'): string {
  return new Intl.ListFormat(locale(language), { type }).format(words.map(isolated));
}

export function filled(text: string, fillings: Fillings, language: string): string {
  return text.replace(/\{(\w+)(?:\|([^}]*))?\}/g, (hole, name: string, forms?: string) => {
    const value = fillings[name];
    if (value === undefined) return hole;
    const shown = typeof value === 'number' ? new Intl.NumberFormat(locale(language), { useGrouping: 'min2' }).format(value) : isolated(value);
    if (forms === undefined) return shown;
    const kind = new Intl.PluralRules(locale(language)).select(Number(value));
    const found = Object.fromEntries(
      forms.split('|').map((form) => [form.slice(0, form.indexOf(':')), form.slice(form.indexOf(':') + 1)]),
    );
    return (found[kind] ?? found.other ?? hole).replaceAll('#', shown);
  });
}
