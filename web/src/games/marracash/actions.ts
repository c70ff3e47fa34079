/** The texts of actions, parsed and formatted. Which ones are legal is up to the server. */
export type End = 'head' | 'tail';
export type Action =
  | { kind: 'move'; from: string; to: string }
  | { kind: 'auction'; shop: string }
  | { kind: 'bid'; amount: number }
  | { kind: 'bring'; gate: string; end: End; count: number }
  | { kind: 'card'; value: number }
  | { kind: 'pass' }
  | { kind: 'other' };

export function parseAction(action: string): Action {
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

/** Return the actions of one kind. */
export function actionsOfKind<K extends Action['kind']>(legal: readonly string[], kind: K): Extract<Action, { kind: K }>[] {
  return legal.map(parseAction).filter((one): one is Extract<Action, { kind: K }> => one.kind === kind);
}

/** Return the values without duplicates, in order. */
export const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];

/** Return the fountains whose groups may move, each with the fountains they may go to. */
export function movesByStart(legal: readonly string[]): Map<string, string[]> {
  const moves = new Map<string, string[]>();
  for (const { from, to } of actionsOfKind(legal, 'move')) moves.set(from, [...(moves.get(from) ?? []), to]);
  return moves;
}

const MAX_ABOVE = 3; // one row of buttons, with the lowest bid and passing

/** Return the bids that have a button: the lowest, some rounder ones above the current bid, and the hinted one. */
export function quickBids(amounts: readonly number[], current: number | null, hinted: number | null = null): { amount: number; by: number }[] {
  const lowest = amounts[0];
  if (lowest === undefined) return [];
  const base = current ?? lowest;
  const candidates = [hinted ?? lowest, base + 50, base + 100, base + 200];
  const above = unique(candidates).filter((amount) => amount > lowest && amounts.includes(amount)).slice(0, MAX_ABOVE);
  return [{ amount: lowest, by: 0 }, ...above.sort((a, b) => a - b).map((amount) => ({ amount, by: amount - base }))];
}

/** Return why an amount is no possible bid; null if it is one. */
export function bidProblem(
  amount: number,
  amounts: readonly number[],
): { problem: 'none' | 'low' | 'high' | 'between'; low: number; high: number } | null {
  const [lowest, highest] = [amounts[0], amounts[amounts.length - 1]];
  if (lowest === undefined || highest === undefined) return { problem: 'none', low: 0, high: 0 };
  if (amounts.includes(amount)) return null;
  if (!(amount >= lowest)) return { problem: 'low', low: lowest, high: highest };
  if (amount > highest) return { problem: 'high', low: lowest, high: highest };
  const low = amounts.filter((one) => one < amount).at(-1) ?? lowest;
  return { problem: 'between', low, high: amounts.find((one) => one > amount) ?? highest };
}
