/**
 * Fills texts: `{name}` is replaced by a value, and `{n|one:# dirham|other:# dirhams}` chooses by
 * the plural rules of the language, where `#` is the number as the language writes it (without
 * a separator up to 9999, as on the boards).
 */
export type Values = Record<string, string | number>;

const LOCALES: Record<string, string> = { en: 'en-GB', pt: 'pt-PT' };

/** Return the language as `Intl` knows it: English is British, Portuguese European. */
export function localeOf(language: string): string {
  return LOCALES[language] ?? language;
}

// Hebrew, Arabic and other scripts written from right to left.
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Isolate text from right to left (FSI … PDI), so that the sentence around it keeps its order. */
export function isolate(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text;
}

/** Join words as the language does: "a, b and c". */
export function joinList(words: readonly string[], language: string, type: 'conjunction' | 'disjunction'): string {
  return new Intl.ListFormat(localeOf(language), { type }).format(words.map(isolate));
}

/** Write a share in per cent as the language does: "52%", "52 %". */
export function percentage(share: number, language: string): string {
  const hundredths = Math.round(share * 100) || 0; // not −0
  return new Intl.NumberFormat(localeOf(language), { style: 'percent' }).format(hundredths / 100);
}

export function fillText(text: string, values: Values, language: string): string {
  return text.replace(/\{(\w+)(?:\|([^}]*))?\}/g, (placeholder, name: string, forms?: string) => {
    const value = values[name];
    if (value === undefined) return placeholder;
    const written =
      typeof value === 'number' ? new Intl.NumberFormat(localeOf(language), { useGrouping: 'min2' }).format(value) : isolate(value);
    if (forms === undefined) return written;
    const category = new Intl.PluralRules(localeOf(language)).select(Number(value));
    const byCategory = Object.fromEntries(
      forms.split('|').map((form) => [form.slice(0, form.indexOf(':')), form.slice(form.indexOf(':') + 1)]),
    );
    return (byCategory[category] ?? byCategory.other ?? placeholder).replaceAll('#', written);
  });
}

/** Return a text with a capital at its beginning. */
export const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
