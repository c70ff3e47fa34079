/**
 * Coordinates of the board, in units of its drawing: squares are 80 wide, the upper left corner of
 * a7 is at 0 0, y points down.
 */
import { squaresOf } from './actions';
import type { MarrakechFacing as Facing, MarrakechStep } from './protocol';

export const CELL = 80;
export const SIZE = 7;
export const SIDE = SIZE * CELL;
export const FRAME = 20; // width of the frame around the squares
export const COURT = 52; // width of the court around the frame, where the arcs are
export const EDGE = FRAME + COURT;
export const FACINGS: readonly Facing[] = ['N', 'E', 'S', 'W'];
export const FILES = 'abcdefg';
export const SQUARES: readonly string[] = [...'1234567'].flatMap((rank) => [...FILES].map((file) => file + rank));

export type Point = readonly [x: number, y: number];
/** The end of an arc: a square on the edge, and the side by which Assam leaves it. */
export interface ArcEnd {
  square: string;
  side: Facing;
}

const DIRECTIONS: Record<Facing, Point> = { N: [0, -1], E: [1, 0], S: [0, 1], W: [-1, 0] };

export function turn(facing: Facing, quarters: number): Facing {
  return FACINGS[(FACINGS.indexOf(facing) + quarters + 4) % 4] as Facing;
}

export function centre(square: string): Point {
  return [(FILES.indexOf(square.charAt(0)) + 0.5) * CELL, (SIZE - Number(square.charAt(1)) + 0.5) * CELL];
}

export function offset([x, y]: Point, side: Facing, distance: number): Point {
  return [x + DIRECTIONS[side][0] * distance, y + DIRECTIONS[side][1] * distance];
}

export function squareAt([x, y]: Point): string | null {
  if (x < 0 || y < 0 || x >= SIDE || y >= SIDE) return null;
  return `${FILES.charAt(Math.floor(x / CELL))}${SIZE - Math.floor(y / CELL)}`;
}

/** Return the square beside this one, or null at the edge. */
export function neighbour(square: string, side: Facing): string | null {
  return squareAt(offset(centre(square), side, CELL));
}

const PAIRS: Record<Facing, string> = { N: 'a7b7 c7d7 e7f7', E: 'g6g5 g4g3 g2g1', S: 'b1c1 d1e1 f1g1', W: 'a7a6 a5a4 a3a2' };

/** Each arc once; the last two are the corner loops. */
export const ARCS: readonly (readonly [ArcEnd, ArcEnd])[] = [
  ...FACINGS.flatMap((side) =>
    PAIRS[side].split(' ').map((pair): [ArcEnd, ArcEnd] => [
      { square: pair.slice(0, 2), side },
      { square: pair.slice(2), side },
    ]),
  ),
  [{ square: 'g7', side: 'N' }, { square: 'g7', side: 'E' }],
  [{ square: 'a1', side: 'S' }, { square: 'a1', side: 'W' }],
];

export const ARC_ENDS: readonly ArcEnd[] = ARCS.flat();

/** Return the other end of an arc. */
export function otherEnd(end: ArcEnd): ArcEnd | null {
  for (const [one, other] of ARCS) {
    if (one.square === end.square && one.side === end.side) return other;
    if (other.square === end.square && other.side === end.side) return one;
  }
  return null;
}

export function arcEndPoint({ square, side }: ArcEnd): Point {
  return offset(centre(square), side, (CELL + FRAME) / 2);
}

const xy = ([x, y]: Point) => `${x} ${y}`;

/** Return path data along an arc, without the first point. */
export function arcSegment(leave: ArcEnd, enter: ArcEnd): string {
  const start = offset(arcEndPoint(leave), leave.side, FRAME / 2);
  const end = offset(arcEndPoint(enter), enter.side, FRAME / 2);
  const direction = DIRECTIONS[leave.side];
  const sweep = direction[0] * (end[1] - start[1]) - direction[1] * (end[0] - start[0]) > 0 ? 1 : 0;
  const last = `L${xy(arcEndPoint(enter))}`;
  if (leave.side === enter.side) return `L${xy(start)}A${CELL / 2} ${CELL / 2} 0 0 ${sweep} ${xy(end)}${last}`;
  const [small, wide] = [24, 42];
  const rise = offset(offset(start, leave.side, small), enter.side, small);
  const fall = offset(offset(end, enter.side, small), leave.side, small);
  const tip: Point = leave.side === 'N' || leave.side === 'S' ? [fall[0], rise[1]] : [rise[0], fall[1]];
  return (
    `L${xy(start)}A${small} ${small} 0 0 ${sweep} ${xy(rise)}L${xy(offset(tip, enter.side, -wide))}` +
    `A${wide} ${wide} 0 0 ${sweep} ${xy(offset(tip, leave.side, -wide))}L${xy(fall)}` +
    `A${small} ${small} 0 0 ${sweep} ${xy(end)}${last}`
  );
}

export const arcPath = ([one, other]: readonly [ArcEnd, ArcEnd]) => `M${xy(arcEndPoint(one))}${arcSegment(one, other)}`;

/** One step of a walk. */
export interface WalkLeg {
  path: string; // path data, from centre to centre
  arc: boolean;
}

/** Return the legs of a walk, with arcs where it leaves the board. */
export function walkLegs(start: string, steps: readonly MarrakechStep[]): WalkLeg[] {
  let here = start;
  return steps.map((step) => {
    const from = here;
    here = step.square;
    const end = `L${xy(centre(step.square))}`;
    if (!step.arc) return { path: `M${xy(centre(from))}${end}`, arc: false };
    const enter: ArcEnd = { square: step.square, side: turn(step.facing, 2) };
    const leave = otherEnd(enter) ?? enter;
    return { path: `M${xy(centre(from))}L${xy(arcEndPoint(leave))}${arcSegment(leave, enter)}${end}`, arc: true };
  });
}

/** Return where Assam faced at the start of a walk. */
export function facingAtStart(steps: readonly MarrakechStep[], fallback: Facing): Facing {
  const first = steps[0];
  if (!first) return fallback;
  if (!first.arc) return first.facing;
  return otherEnd({ square: first.square, side: turn(first.facing, 2) })?.side ?? fallback;
}

/** Return the centre of a place: the middle of the edge between its squares. */
export function placeCentre(place: string): Point {
  const [one, other] = squaresOf(place).map(centre) as [Point, Point];
  return [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2];
}

/** Return the place nearest to a pointer, if one is near. */
export function placeAt(places: readonly string[], [x, y]: Point): string | null {
  let best: string | null = null;
  let bestDistance = CELL * 1.05;
  for (const place of places) {
    const [px, py] = placeCentre(place);
    const distance = Math.hypot(px - x, py - y);
    if (distance < bestDistance) [best, bestDistance] = [place, distance];
  }
  return best;
}

/** Return the place of two squares, in either order. */
export function placeFromSquares(places: readonly string[], one: string, other: string): string | null {
  return places.find((place) => place === one + other || place === other + one) ?? null;
}

/** Return the next place in a direction; if there is none, the next in the list. */
export function nextPlace(places: readonly string[], place: string, side: Facing): string {
  const [x, y] = placeCentre(place);
  const [dx, dy] = DIRECTIONS[side];
  const nearest = places
    .filter((other) => other !== place)
    .map((other) => {
      const [ox, oy] = placeCentre(other);
      const distance = (ox - x) * dx + (oy - y) * dy;
      return { other, distance, cost: distance + 2.2 * Math.abs((ox - x) * dy + (oy - y) * dx) };
    })
    .filter(({ distance }) => distance > 1)
    .sort((one, other) => one.cost - other.cost)[0];
  if (nearest) return nearest.other;
  const next = places.indexOf(place) + (side === 'E' || side === 'S' ? 1 : -1);
  return places.at(next % places.length) ?? place;
}
