/** What the texts of actions mean. Which of them are legal is the server's business. */
export type End = 'head' | 'tail';
export type Action =
  | { kind: 'move'; from: string; to: string }
  | { kind: 'auction'; shop: string }
  | { kind: 'bid'; amount: number }
  | { kind: 'bring'; gate: string; end: End; count: number }
  | { kind: 'card'; value: number }
  | { kind: 'pass' }
  | { kind: 'other' };

export function read(action: string): Action {
  const [word, first = '', second = '', third = ''] = action.split(' ');
  if (word === 'move') {
    const [from = '', to = ''] = first.split('>');
    return { kind: 'move', from, to };
  }
  if (word === 'auction') return { kind: 'auction', shop: first };
  if (word === 'bid') return { kind: 'bid', amount: Number(first) };
  if (word === 'bring') return { kind: 'bring', gate: first, end: second === 'tail' ? 'tail' : 'head', count: Number(third) };
  if (word === 'card') return { kind: 'card', value: Number(first) };
  return { kind: word === 'pass' ? 'pass' : 'other' };
}

export const move = (from: string, to: string) => `move ${from}>${to}`;
export const auction = (shop: string) => `auction ${shop}`;
export const bring = (gate: string, end: End, count: number) => `bring ${gate} ${end} ${count}`;
export const card = (value: number) => `card ${value}`;
export const bid = (amount: number) => `bid ${amount}`;

/** Everything of one kind among the legal actions. */
export function all<K extends Action['kind']>(legal: readonly string[], kind: K): Extract<Action, { kind: K }>[] {
  return legal.map(read).filter((one): one is Extract<Action, { kind: K }> => one.kind === kind);
}

/** Values, each once, in order. */
export const once = <T>(values: readonly T[]): T[] => [...new Set(values)];

/** Where the groups are that may move, and where each may go. */
export function moves(legal: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { from, to } of all(legal, 'move')) found.set(from, [...(found.get(from) ?? []), to]);
  return found;
}

const MOST_ABOVE = 3; // a row of buttons with the least and passing

/** Raises worth a button: the least, some rounder ones above what is bid now, and what is hinted. */
export function raises(amounts: readonly number[], now: number | null, hinted: number | null = null): { amount: number; by: number }[] {
  const least = amounts[0];
  if (least === undefined) return [];
  const base = now ?? least;
  const wanted = [hinted ?? least, base + 50, base + 100, base + 200];
  const above = once(wanted).filter((amount) => amount > least && amounts.includes(amount)).slice(0, MOST_ABOVE);
  return [{ amount: least, by: 0 }, ...above.sort((a, b) => a - b).map((amount) => ({ amount, by: amount - base }))];
}

/** Why a number is no bid that one may make; null if it is one. */
export function whyNot(
  amount: number,
  amounts: readonly number[],
): { why: 'none' | 'low' | 'high' | 'between'; low: number; high: number } | null {
  const [least, most] = [amounts[0], amounts[amounts.length - 1]];
  if (least === undefined || most === undefined) return { why: 'none', low: 0, high: 0 };
  if (amounts.includes(amount)) return null;
  if (!(amount >= least)) return { why: 'low', low: least, high: most };
  if (amount > most) return { why: 'high', low: least, high: most };
  const low = amounts.filter((one) => one < amount).at(-1) ?? least;
  return { why: 'between', low, high: amounts.find((one) => one > amount) ?? most };
}
