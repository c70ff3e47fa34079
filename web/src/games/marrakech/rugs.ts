/**
 * Rugs from what the squares show. A position tells what is seen from above: two squares with one
 * number are a whole rug, a lone half is a rug whose other half is covered. Where that half lies
 * we remember from when it was seen, or guess once and stay with it.
 */
import type { MarrakechColour as Colour, MarrakechPosition } from '../../lib/protocol';
import { FACINGS, neighbour } from './geometry';

export interface Rug {
  id: number; // stays as long as the rug is to be seen
  colour: Colour;
  squares: readonly [string, string] | readonly [string]; // one: nobody can tell where the rest is
}

type Squares = MarrakechPosition['squares'];

let ids = 0;

/** The rugs of a position, bottom first; those of the position shown before help to tell. */
export function rugsOf(squares: Squares, before: readonly Rug[] = []): Rug[] {
  const rugs = remembered(squares, before);
  return looksRight(rugs, squares) ? rugs : remembered(squares, []);
}

/** Tells rugs one position after the other, and remembers how they lay. */
export function remembering(): (squares: Squares) => Rug[] {
  let before: Rug[] = [];
  return (squares) => {
    before = rugsOf(squares, before);
    return before;
  };
}

/** What we remember may be of another game: the rug on top must be the one that is seen. */
function looksRight(rugs: readonly Rug[], squares: Squares): boolean {
  const top = new Map(rugs.flatMap((rug) => rug.squares.map((square) => [square, rug.colour] as const)));
  return Object.entries(squares).every(([square, half]) => top.get(square) === half.colour);
}

function remembered(squares: Squares, before: readonly Rug[]): Rug[] {
  const seen = new Map<number, string[]>();
  for (const [square, half] of Object.entries(squares)) seen.set(half.rug, [...(seen.get(half.rug) ?? []), square]);
  const known: { rug: Rug; order: number }[] = [];
  const lone: string[] = [];
  for (const shown of seen.values()) {
    const colour = squares[shown[0] as string]?.colour as Colour;
    const order = before.findLastIndex((rug) => shown.some((square) => rug.squares.some((one) => one === square)));
    const old = before[order];
    const isTaken = known.some(({ rug }) => rug === old);
    if (old?.colour === colour && isSame(old, shown, squares) && !isTaken) known.push({ rug: old, order });
    else if (shown.length === 2) known.push({ rug: { id: ++ids, colour, squares: shown.toSorted() as [string, string] }, order: Infinity });
    else lone.push(shown[0] as string);
  }
  const whole = new Set([...seen.values()].filter((shown) => shown.length === 2).flat());
  const rugs = known.sort((one, other) => one.order - other.order).map(({ rug }) => rug);
  // Nothing lies on a whole rug: those come last, in whatever order.
  return [...guess(lone, squares, whole), ...rugs.filter((rug) => !isWhole(rug, squares)), ...rugs.filter((rug) => isWhole(rug, squares))];
}

function isWhole(rug: Rug, squares: Squares): boolean {
  return rug.squares.length === 2 && squares[rug.squares[0]]?.rug === squares[rug.squares[1]]?.rug;
}

function isSame(rug: Rug, shown: readonly string[], squares: Squares): boolean {
  if (shown.length === 2) return rug.squares.length === 2 && rug.squares.every((square) => shown.includes(square));
  const half = shown[0] as string;
  const other = rug.squares.find((square) => square !== half);
  return other === undefined || other in squares; // something must cover what is not seen
}

/** A lone half goes under a neighbour: a whole rug if it can, else another half, never in a ring. */
function guess(lone: readonly string[], squares: Squares, whole: ReadonlySet<string>): Rug[] {
  const under = new Map<string, string>();
  const leads = (from: string, to: string): boolean => from === to || (under.has(from) && leads(under.get(from) as string, to));
  const rugs = lone.map((square): Rug => {
    const beside = FACINGS.map((side) => neighbour(square, side)).filter((at) => at !== null && at in squares) as string[];
    const over = beside.find((at) => whole.has(at)) ?? beside.find((at) => !leads(at, square));
    if (over) under.set(square, over);
    const colour = squares[square]?.colour as Colour;
    return { id: ++ids, colour, squares: over ? ([square, over].toSorted() as [string, string]) : [square] };
  });
  // What goes under another half is drawn before it.
  const depth = (square: string): number => (under.has(square) ? 1 + depth(under.get(square) as string) : 0);
  return rugs
    .map((rug, number) => ({ rug, depth: depth(lone[number] as string) }))
    .sort((one, other) => other.depth - one.depth)
    .map(({ rug }) => rug);
}

/** How far a rug is turned from straight: cloth never lies quite straight. It depends on the rug alone. */
export function askew(rug: Pick<Rug, 'colour' | 'squares'>): number {
  let chance = 7;
  for (const letter of rug.colour + rug.squares.join('')) chance = (chance * 31 + letter.charCodeAt(0)) % 9973;
  return ((chance % 13) - 6) * 0.12;
}
