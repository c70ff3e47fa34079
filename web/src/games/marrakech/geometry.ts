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
export const FACINGS: readonly Facing[] = ['N', 'E', 'S', 'W'];
export const FILES = 'abcdefg';
export const SQUARES: readonly string[] = [...'1234567'].flatMap((rank) => [...FILES].map((file) => file + rank));

export type Point = readonly [x: number, y: number];
/** The end of an arc: a square on the edge, and the side by which Assam leaves it. */
export interface ArcEnd {
  square: string;
  side: Facing;
}

/** The side to which a key points. */
export const ARROW_KEYS: Record<string, Facing> = { ArrowUp: 'N', ArrowRight: 'E', ArrowDown: 'S', ArrowLeft: 'W' };

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

/** The response of `GET /api/games/marrakech/board`, as far as it is used: squares and facings on leaving and re-entering. */
export interface BoardData {
  arcs: { out: [string, Facing]; in: [string, Facing] }[];
}

/** Each arc once, with both ends. */
export type Arcs = readonly (readonly [ArcEnd, ArcEnd])[];

/** What surrounds the frame: the court with its arcs. On a small board they are flat, so that the squares are large. */
export interface Court {
  arcs: Arcs;
  isSmall: boolean;
  rise: number; // from the frame to the middle of an arc
  edge: number; // from the squares to the edge of the drawing
}

export function courtOf(board: BoardData | undefined, isSmall: boolean): Court {
  const arcs = arcsOf(board);
  return isSmall ? { arcs, isSmall, rise: 10, edge: 36 } : { arcs, isSmall, rise: CELL / 2, edge: 72 };
}

/** The shown part of the drawing: its upper left corner and its side. */
export interface Clip {
  x: number;
  y: number;
  side: number;
}

const FINGER = 44; // pixels that a finger needs

/** Return the whole drawing, or the part around a point in which squares are large enough for a finger. */
export function clipOf({ edge }: Court, pixels: number, around: Point | null): Clip {
  const all = SIDE + 2 * edge;
  const side = around ? Math.min(all, Math.max(5.5 * CELL, (pixels / FINGER) * CELL)) : all;
  const [x, y] = (around ?? [0, 0]).map((middle) => Math.min(SIDE + edge - side, Math.max(-edge, middle - side / 2))) as [number, number];
  return { x, y, side };
}

/** Return the arcs of a board, which has each of them in both directions. */
function arcsOf(board: BoardData | undefined): Arcs {
  const arcs: [ArcEnd, ArcEnd][] = [];
  for (const { out, in: back } of board?.arcs ?? []) {
    const end = { square: out[0], side: out[1] };
    const other = { square: back[0], side: turn(back[1], 2) };
    if (!otherEnd(arcs, end)) arcs.push([end, other]);
  }
  return arcs;
}

/** Return the other end of an arc. */
export function otherEnd(arcs: Arcs, { square, side }: ArcEnd): ArcEnd | null {
  const isHere = (end: ArcEnd) => end.square === square && end.side === side;
  const arc = arcs.find((ends) => ends.some(isHere));
  return arc ? (isHere(arc[0]) ? arc[1] : arc[0]) : null;
}

export function arcEndPoint({ square, side }: ArcEnd): Point {
  return offset(centre(square), side, (CELL + FRAME) / 2);
}

const xy = ([x, y]: Point) => `${x} ${y}`;

const isVertical = (side: Facing) => side === 'N' || side === 'S';

/** Return path data along an arc, without the first point. */
export function arcSegment({ rise: height }: Court, leave: ArcEnd, enter: ArcEnd): string {
  const start = offset(arcEndPoint(leave), leave.side, FRAME / 2);
  const end = offset(arcEndPoint(enter), enter.side, FRAME / 2);
  const direction = DIRECTIONS[leave.side];
  const sweep = direction[0] * (end[1] - start[1]) - direction[1] * (end[0] - start[0]) > 0 ? 1 : 0;
  const last = `L${xy(arcEndPoint(enter))}`;
  if (leave.side === enter.side) {
    const radii = isVertical(leave.side) ? `${CELL / 2} ${height}` : `${height} ${CELL / 2}`;
    return `L${xy(start)}A${radii} 0 0 ${sweep} ${xy(end)}${last}`;
  }
  const [small, wide] = [height * 0.6, height * 1.05];
  const rise = offset(offset(start, leave.side, small), enter.side, small);
  const fall = offset(offset(end, enter.side, small), leave.side, small);
  const tip: Point = isVertical(leave.side) ? [fall[0], rise[1]] : [rise[0], fall[1]];
  return (
    `L${xy(start)}A${small} ${small} 0 0 ${sweep} ${xy(rise)}L${xy(offset(tip, enter.side, -wide))}` +
    `A${wide} ${wide} 0 0 ${sweep} ${xy(offset(tip, leave.side, -wide))}L${xy(fall)}` +
    `A${small} ${small} 0 0 ${sweep} ${xy(end)}${last}`
  );
}

/** Return path data of all arcs. */
export const arcPaths = (court: Court) =>
  court.arcs.map(([one, other]) => `M${xy(arcEndPoint(one))}${arcSegment(court, one, other)}`).join('');

/** One step of a walk. */
export interface WalkLeg {
  path: string; // path data, from centre to centre
  arc: boolean;
}

/** Return the legs of a walk, with arcs where it leaves the board. */
export function walkLegs(court: Court, start: string, steps: readonly MarrakechStep[]): WalkLeg[] {
  let here = start;
  return steps.map((step) => {
    const from = here;
    here = step.square;
    const end = `L${xy(centre(step.square))}`;
    if (!step.arc) return { path: `M${xy(centre(from))}${end}`, arc: false };
    const enter: ArcEnd = { square: step.square, side: turn(step.facing, 2) };
    const leave = otherEnd(court.arcs, enter) ?? enter;
    return { path: `M${xy(centre(from))}L${xy(arcEndPoint(leave))}${arcSegment(court, leave, enter)}${end}`, arc: true };
  });
}

/** Return where Assam faced at the start of a walk. */
export function facingAtStart({ arcs }: Court, steps: readonly MarrakechStep[], fallback: Facing): Facing {
  const first = steps[0];
  if (!first) return fallback;
  if (!first.arc) return first.facing;
  return otherEnd(arcs, { square: first.square, side: turn(first.facing, 2) })?.side ?? fallback;
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

/**
 * Return the place that a tap means, given the square tapped before and the place selected by now:
 * the one of both squares; another one of the same square; else the nearest, if possible of this square.
 */
export function placeTapped(places: readonly string[], point: Point, before: string | null, selected: string | null): string | null {
  const square = squareAt(point);
  const own = square ? places.filter((place) => squaresOf(place).includes(square)) : [];
  if (square === before && selected && own.includes(selected)) return own[(own.indexOf(selected) + 1) % own.length] as string;
  const both = own.find((place) => before && squaresOf(place).includes(before) && square !== before);
  return both ?? placeAt(own.length ? own : places, point);
}

/** Return the next place in a direction; the same if there is none. */
export function nextPlace(places: readonly string[], place: string, side: Facing): string {
  const [x, y] = placeCentre(place);
  const [dx, dy] = DIRECTIONS[side];
  const nearest = places
    .filter((other) => other !== place)
    .map((other) => {
      const [ox, oy] = placeCentre(other);
      const distance = (ox - x) * dx + (oy - y) * dy;
      const aside = Math.abs((ox - x) * dy + (oy - y) * dx);
      return { other, distance, aside, cost: distance + 2.2 * aside };
    })
    .filter(({ distance, aside }) => distance > 0 && aside <= distance)
    .sort((one, other) => one.cost - other.cost)[0];
  return nearest?.other ?? place;
}
