/**
 * Texts with holes: `{name}` is filled in, and `{n|one:# dirham|other:# dirhams}` chooses by the
 * plural rules of the language; `#` is the number as that language writes it.
 */
export type Fillings = Record<string, string | number>;

/** The language as `Intl` knows it: our Portuguese is the European one. */
export function locale(language: string): string {
  return language === 'pt' ? 'pt-PT' : language;
}

export function filled(text: string, fillings: Fillings, language: string): string {
  return text.replace(/\{(\w+)(?:\|([^}]*))?\}/g, (hole, name: string, forms?: string) => {
    const value = fillings[name];
    if (value === undefined) return hole;
    const shown = typeof value === 'number' ? new Intl.NumberFormat(locale(language)).format(value) : value;
    if (forms === undefined) return shown;
    const kind = new Intl.PluralRules(locale(language)).select(Number(value));
    const found = Object.fromEntries(
      forms.split('|').map((form) => [form.slice(0, form.indexOf(':')), form.slice(form.indexOf(':') + 1)]),
    );
    return (found[kind] ?? found.other ?? hole).replaceAll('#', shown);
  });
}
