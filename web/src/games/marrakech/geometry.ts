/**
 * Where things are on the board, in the units of its drawing: squares of 80, the corner of a7 at
 * 0 0, y downwards. The printed arcs are ornament and way at once: walks are drawn along them.
 */
import type { MarrakechFacing as Facing, MarrakechStep } from '../../lib/protocol';

export const CELL = 80;
export const SIZE = 7;
export const SIDE = SIZE * CELL;
export const FRAME = 20; // the cedar frame round the squares
export const COURT = 52; // the tiled court round the frame, where the arcs run
export const EDGE = FRAME + COURT;
export const FACINGS: readonly Facing[] = ['N', 'E', 'S', 'W'];
export const FILES = 'abcdefg';
export const SQUARES: readonly string[] = [...'1234567'].flatMap((rank) => [...FILES].map((file) => file + rank));

export type Point = readonly [x: number, y: number];
/** A square on the edge and the side one leaves it by. */
export interface Gate {
  square: string;
  side: Facing;
}

const STEP: Record<Facing, Point> = { N: [0, -1], E: [1, 0], S: [0, 1], W: [-1, 0] };

export function turned(facing: Facing, quarters: number): Facing {
  return FACINGS[(FACINGS.indexOf(facing) + quarters + 4) % 4] as Facing;
}

export function centre(square: string): Point {
  return [(FILES.indexOf(square.charAt(0)) + 0.5) * CELL, (SIZE - Number(square.charAt(1)) + 0.5) * CELL];
}

export function ahead([x, y]: Point, side: Facing, distance: number): Point {
  return [x + STEP[side][0] * distance, y + STEP[side][1] * distance];
}

export function squareAt([x, y]: Point): string | null {
  if (x < 0 || y < 0 || x >= SIDE || y >= SIDE) return null;
  return `${FILES.charAt(Math.floor(x / CELL))}${SIZE - Math.floor(y / CELL)}`;
}

/** The square beside this one, or null at the edge. */
export function neighbour(square: string, side: Facing): string | null {
  return squareAt(ahead(centre(square), side, CELL));
}

const PAIRS: Record<Facing, string> = { N: 'a7b7 c7d7 e7f7', E: 'g6g5 g4g3 g2g1', S: 'b1c1 d1e1 f1g1', W: 'a7a6 a5a4 a3a2' };

/** Each printed arc once, from gate to gate; the last two are the loops at the corners. */
export const ARCS: readonly (readonly [Gate, Gate])[] = [
  ...FACINGS.flatMap((side) =>
    PAIRS[side].split(' ').map((pair): [Gate, Gate] => [
      { square: pair.slice(0, 2), side },
      { square: pair.slice(2), side },
    ]),
  ),
  [{ square: 'g7', side: 'N' }, { square: 'g7', side: 'E' }],
  [{ square: 'a1', side: 'S' }, { square: 'a1', side: 'W' }],
];

export const GATES: readonly Gate[] = ARCS.flat();

/** The other end of the arc that begins at a gate. */
export function across(gate: Gate): Gate | null {
  for (const [one, other] of ARCS) {
    if (one.square === gate.square && one.side === gate.side) return other;
    if (other.square === gate.square && other.side === gate.side) return one;
  }
  return null;
}

export function gatePoint({ square, side }: Gate): Point {
  return ahead(centre(square), side, (CELL + FRAME) / 2);
}

const xy = ([x, y]: Point) => `${x} ${y}`;

/** Path data from one gate along the printed arc to the other, without the first point. */
export function along(leave: Gate, enter: Gate): string {
  const start = ahead(gatePoint(leave), leave.side, FRAME / 2);
  const end = ahead(gatePoint(enter), enter.side, FRAME / 2);
  const out = STEP[leave.side];
  const sweep = out[0] * (end[1] - start[1]) - out[1] * (end[0] - start[0]) > 0 ? 1 : 0;
  const home = `L${xy(gatePoint(enter))}`;
  if (leave.side === enter.side) return `L${xy(start)}A${CELL / 2} ${CELL / 2} 0 0 ${sweep} ${xy(end)}${home}`;
  const [small, wide] = [24, 42];
  const rise = ahead(ahead(start, leave.side, small), enter.side, small);
  const fall = ahead(ahead(end, enter.side, small), leave.side, small);
  const tip: Point = leave.side === 'N' || leave.side === 'S' ? [fall[0], rise[1]] : [rise[0], fall[1]];
  return (
    `L${xy(start)}A${small} ${small} 0 0 ${sweep} ${xy(rise)}L${xy(ahead(tip, enter.side, -wide))}` +
    `A${wide} ${wide} 0 0 ${sweep} ${xy(ahead(tip, leave.side, -wide))}L${xy(fall)}` +
    `A${small} ${small} 0 0 ${sweep} ${xy(end)}${home}`
  );
}

export const arcPath = ([one, other]: readonly [Gate, Gate]) => `M${xy(gatePoint(one))}${along(one, other)}`;

/** One step of a walk as drawn. */
export interface Leg {
  path: string; // path data, from centre to centre
  arc: boolean;
}

/** A walk, leg by leg, round the arcs on the drawn way. */
export function legs(start: string, steps: readonly MarrakechStep[]): Leg[] {
  let here = start;
  return steps.map((step) => {
    const from = here;
    here = step.square;
    const end = `L${xy(centre(step.square))}`;
    if (!step.arc) return { path: `M${xy(centre(from))}${end}`, arc: false };
    const enter: Gate = { square: step.square, side: turned(step.facing as Facing, 2) };
    const leave = across(enter) ?? enter;
    return { path: `M${xy(centre(from))}L${xy(gatePoint(leave))}${along(leave, enter)}${end}`, arc: true };
  });
}

/** Where Assam looked when he set out. */
export function facingAtStart(steps: readonly MarrakechStep[], fallback: Facing): Facing {
  const first = steps[0];
  if (!first) return fallback;
  if (!first.arc) return first.facing as Facing;
  return across({ square: first.square, side: turned(first.facing as Facing, 2) })?.side ?? fallback;
}

/** The two squares of a place where a rug can lie. */
export function squaresOf(place: string): [string, string] {
  return [place.slice(0, 2), place.slice(2)];
}

export function isPlace(action: string): boolean {
  return /^[a-g][1-7][a-g][1-7]$/.test(action);
}

/** The middle of a place: that of the edge between its squares. */
export function middle(place: string): Point {
  const [one, other] = squaresOf(place).map(centre) as [Point, Point];
  return [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2];
}

/** The place that a pointer means: the nearest, if one is near. */
export function placeAt(places: readonly string[], [x, y]: Point): string | null {
  let best: string | null = null;
  let least = CELL * 1.05;
  for (const place of places) {
    const [px, py] = middle(place);
    const distance = Math.hypot(px - x, py - y);
    if (distance < least) [best, least] = [place, distance];
  }
  return best;
}

/** The place that two squares make, in whichever order they were named. */
export function placeOf(places: readonly string[], one: string, other: string): string | null {
  return places.find((place) => place === one + other || place === other + one) ?? null;
}

/** From one place to the next in a direction; where there is none, on through the list. */
export function placeBeside(places: readonly string[], place: string, side: Facing): string {
  const [x, y] = middle(place);
  const [dx, dy] = STEP[side];
  const found = places
    .filter((other) => other !== place)
    .map((other) => {
      const [ox, oy] = middle(other);
      const far = (ox - x) * dx + (oy - y) * dy;
      return { other, far, off: far + 2.2 * Math.abs((ox - x) * dy + (oy - y) * dx) };
    })
    .filter(({ far }) => far > 1)
    .sort((one, other) => one.off - other.off)[0];
  if (found) return found.other;
  const next = places.indexOf(place) + (side === 'E' || side === 'S' ? 1 : -1);
  return places.at(next % places.length) ?? place;
}
