/**
 * Texts with holes: `{name}` is filled in, and `{n|one:# dirham|other:# dirhams}` chooses by the
 * plural rules of the language; `#` is the number as that language writes it.
 */
export type Fillings = Record<string, string | number>;

export function filled(text: string, fillings: Fillings, language: string): string {
  return text.replace(/\{(\w+)(?:\|([^}]*))?\}/g, (hole, name: string, forms?: string) => {
    const value = fillings[name];
    if (value === undefined) return hole;
    const shown = typeof value === 'number' ? new Intl.NumberFormat(language).format(value) : value;
    if (forms === undefined) return shown;
    const kind = new Intl.PluralRules(language).select(Number(value));
    const found = Object.fromEntries(
      forms.split('|').map((form) => [form.slice(0, form.indexOf(':')), form.slice(form.indexOf(':') + 1)]),
    );
    return (found[kind] ?? found.other ?? hole).replaceAll('#', shown);
  });
}
