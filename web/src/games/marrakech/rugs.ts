/**
 * Reconstructs rugs from the visible squares of a position: two squares with the same number are
 * a whole rug; a single half belongs to a rug whose other half is covered. The covered half is
 * known from earlier positions, or guessed once.
 */
import type { MarrakechColour as Colour, MarrakechPosition } from './protocol';
import { FACINGS, neighbour } from './geometry';

export interface Rug {
  id: number; // constant while the rug is visible
  colour: Colour;
  squares: readonly [string, string] | readonly [string]; // one: the other half is unknown
}

type Squares = MarrakechPosition['squares'];

let lastId = 0;

/** Return the rugs of a position, bottom first, given those of the position before. */
export function rugsOf(squares: Squares, before: readonly Rug[] = []): Rug[] {
  const rugs = reconstruct(squares, before);
  return isConsistent(rugs, squares) ? rugs : reconstruct(squares, []);
}

/** Return a function that reconstructs the rugs of one position after the other. */
export function rugTracker(): (squares: Squares) => Rug[] {
  let before: Rug[] = [];
  return (squares) => {
    before = rugsOf(squares, before);
    return before;
  };
}

/** Return whether the topmost rugs are the visible ones: `before` may be from another game. */
function isConsistent(rugs: readonly Rug[], squares: Squares): boolean {
  const top = new Map(rugs.flatMap((rug) => rug.squares.map((square) => [square, rug.colour] as const)));
  return Object.entries(squares).every(([square, half]) => top.get(square) === half.colour);
}

function reconstruct(squares: Squares, before: readonly Rug[]): Rug[] {
  const visible = new Map<number, string[]>();
  for (const [square, half] of Object.entries(squares)) visible.set(half.rug, [...(visible.get(half.rug) ?? []), square]);
  const known: { rug: Rug; order: number }[] = [];
  const single: string[] = [];
  for (const shown of visible.values()) {
    const colour = squares[shown[0] as string]?.colour as Colour;
    const order = before.findLastIndex((rug) => shown.some((square) => rug.squares.some((one) => one === square)));
    const old = before[order];
    const isTaken = known.some(({ rug }) => rug === old);
    if (old?.colour === colour && isSame(old, shown, squares) && !isTaken) known.push({ rug: old, order });
    else if (shown.length === 2) known.push({ rug: { id: ++lastId, colour, squares: shown.toSorted() as [string, string] }, order: Infinity });
    else single.push(shown[0] as string);
  }
  const whole = new Set([...visible.values()].filter((shown) => shown.length === 2).flat());
  const rugs = known.sort((one, other) => one.order - other.order).map(({ rug }) => rug);
  // Whole rugs are not covered: they come last.
  return [...guess(single, squares, whole), ...rugs.filter((rug) => !isWhole(rug, squares)), ...rugs.filter((rug) => isWhole(rug, squares))];
}

function isWhole(rug: Rug, squares: Squares): boolean {
  return rug.squares.length === 2 && squares[rug.squares[0]]?.rug === squares[rug.squares[1]]?.rug;
}

function isSame(rug: Rug, shown: readonly string[], squares: Squares): boolean {
  if (shown.length === 2) return rug.squares.length === 2 && rug.squares.every((square) => shown.includes(square));
  const half = shown[0] as string;
  const other = rug.squares.find((square) => square !== half);
  return other === undefined || other in squares; // the hidden half must be covered
}

/** Put each single half under a neighbour: a whole rug if possible, else another half, without cycles. */
function guess(single: readonly string[], squares: Squares, whole: ReadonlySet<string>): Rug[] {
  const under = new Map<string, string>();
  const isUnder = (from: string, to: string): boolean => from === to || (under.has(from) && isUnder(under.get(from) as string, to));
  const rugs = single.map((square): Rug => {
    const beside = FACINGS.map((side) => neighbour(square, side)).filter((at) => at !== null && at in squares) as string[];
    const over = beside.find((at) => whole.has(at)) ?? beside.find((at) => !isUnder(at, square));
    if (over) under.set(square, over);
    const colour = squares[square]?.colour as Colour;
    return { id: ++lastId, colour, squares: over ? ([square, over].toSorted() as [string, string]) : [square] };
  });
  // Lower halves are drawn first.
  const depth = (square: string): number => (under.has(square) ? 1 + depth(under.get(square) as string) : 0);
  return rugs
    .map((rug, number) => ({ rug, depth: depth(single[number] as string) }))
    .sort((one, other) => other.depth - one.depth)
    .map(({ rug }) => rug);
}

/** Return a small angle in degrees by which a rug is drawn askew, always the same for the same rug. */
export function askew(rug: Pick<Rug, 'colour' | 'squares'>): number {
  let hash = 7;
  for (const letter of rug.colour + rug.squares.join('')) hash = (hash * 31 + letter.charCodeAt(0)) % 9973;
  return ((hash % 13) - 6) * 0.12;
}
