/** Coordinates of the board. The server sends them; here the board is rotated and paths are measured. */
import { boardOf } from '..';
import type { MarraCashColour } from './protocol';

export type Point = readonly [number, number];
export type Side = 'top' | 'right' | 'bottom' | 'left';

export interface Fountain {
  id: string;
  x: number;
  y: number;
  dark: boolean;
}
export interface Shop {
  id: string;
  colour: MarraCashColour;
  x: number;
  y: number;
  width: number;
  height: number;
}
export interface Door {
  shop: string;
  at: number; // along the street, from 0 to 1
}
export interface Street {
  start: string;
  end: string;
  way: Point[];
  doors: Door[];
  doors_back: Door[];
}
export interface Gate {
  fountain: string;
  side: Side;
  x: number;
  y: number;
}

/** The response of `GET /api/games/marracash/board`. */
export interface BoardData {
  width: number;
  height: number;
  unit: number; // scale of fountains, shops and streets
  open_side: Side; // the side without a queue
  fountains: Fountain[];
  shops: Shop[];
  payments: number[]; // for a shop's 1st, 2nd, … customer; the last for all later ones
  touching: Record<string, string[]>; // by shop
  streets: Street[];
  gates: Gate[];
  gardens: Point[];
  queue: Point[]; // the road of the queue, head first
}

export const boardData = (game: string): BoardData | undefined => boardOf(game);

const ROTATED_SIDE: Record<Side, Side> = { top: 'right', right: 'bottom', bottom: 'left', left: 'top' };

/** Return the board after a quarter turn to the right. */
export function rotated(board: BoardData): BoardData {
  const point = ([x, y]: Point): Point => [board.height - y, x];
  const at = <T extends { x: number; y: number }>(thing: T): T => {
    const [x, y] = point([thing.x, thing.y]);
    return { ...thing, x, y };
  };
  return {
    ...board,
    width: board.height,
    height: board.width,
    open_side: ROTATED_SIDE[board.open_side],
    fountains: board.fountains.map(at),
    shops: board.shops.map((shop) => ({
      ...shop,
      x: board.height - shop.y - shop.height,
      y: shop.x,
      width: shop.height,
      height: shop.width,
    })),
    streets: board.streets.map((street) => ({ ...street, way: street.way.map(point) })),
    gates: board.gates.map((gate) => ({ ...at(gate), side: ROTATED_SIDE[gate.side] })),
    gardens: board.gardens.map(point),
    queue: board.queue.map(point),
  };
}

/** A street in one direction. */
export interface Path {
  points: Point[];
  doors: Door[];
}

export function pathBetween(board: BoardData, start: string, end: string): Path | null {
  for (const street of board.streets) {
    if (street.start === start && street.end === end) return { points: street.way, doors: street.doors };
    if (street.start === end && street.end === start)
      return { points: [...street.way].reverse(), doors: street.doors_back };
  }
  return null;
}

/** Return the path of a walk given its end and the shops ahead: positions do not contain its start. */
export function pathTo(board: BoardData, end: string, shops: readonly string[]): Path | null {
  const ahead = shops.join();
  for (const street of board.streets) {
    for (const from of [street.start, street.end]) {
      const to = from === street.start ? street.end : street.start;
      const path = to === end ? pathBetween(board, from, to) : null;
      const doors = path?.doors.map((door) => door.shop) ?? [];
      if (path && doors.slice(doors.length - shops.length).join() === ahead) return path;
    }
  }
  return null;
}

/** Return where on a path the door of a shop is, from 0 to 1. */
export const doorAt = (path: Path, shop: string): number => path.doors.find((door) => door.shop === shop)?.at ?? 1;

const distance = (a: Point, b: Point) => Math.hypot(a[0] - b[0], a[1] - b[1]);

export function lengthOf(line: readonly Point[]): number {
  return line.slice(1).reduce((sum, point, i) => sum + distance(line[i]!, point), 0);
}

/** Return the point at a distance from the start of a line, clamped to its ends. */
export function pointAlong(line: readonly Point[], fromStart: number): Point {
  for (let i = 1; i < line.length; i++) {
    const [a, b] = [line[i - 1]!, line[i]!];
    const step = distance(a, b);
    if (step > 0 && fromStart <= step) {
      const share = Math.max(0, fromStart) / step;
      return [a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])];
    }
    fromStart -= step;
  }
  return line[line.length - 1]!;
}

/** Return the section of a line between two fractions of its length. */
export function section(line: readonly Point[], from: number, to: number): Point[] {
  const length = lengthOf(line);
  const inner: Point[] = [];
  let fromStart = 0;
  for (let i = 1; i < line.length; i++) {
    fromStart += distance(line[i - 1]!, line[i]!);
    if (fromStart > from * length && fromStart < to * length) inner.push(line[i]!);
  }
  return [pointAlong(line, from * length), ...inner, pointAlong(line, to * length)];
}

const round = (value: number) => Math.round(value * 10) / 10;

/** Return path data through points. */
export const pathData = (line: readonly Point[]): string => 'M' + line.map(([x, y]) => `${round(x)} ${round(y)}`).join('L');

/** Return the spots of the visitors in the queue, with one more at each end for its label. */
export function queueSpots(board: BoardData, count: number): Point[] {
  const slots = Math.max(45, count) + 1;
  const step = lengthOf(board.queue) / slots;
  return Array.from({ length: slots + 1 }, (_, i) => pointAlong(board.queue, step * i));
}

/** Return the width of the court on each side: for the wall and, where it is, the queue. */
function margins(board: BoardData, hasCards: boolean): Record<Side, number> {
  const all: Record<Side, number> = { top: 84, right: 84, bottom: 84, left: 84 };
  return { ...all, [board.open_side]: hasCards ? 132 : 34 };
}

/** Return the box of the whole drawing: the town and the court around it. */
export function drawingBox(board: BoardData, hasCards: boolean) {
  const around = margins(board, hasCards);
  return {
    x: -around.left,
    y: -around.top,
    width: around.left + board.width + around.right,
    height: around.top + board.height + around.bottom,
  };
}

/** Return the four towers at the corners of the wall, which show the players' signs. */
export function towers(board: BoardData): Point[] {
  const [near, right, bottom] = [-9, board.width + 9, board.height + 9];
  return [
    [near, near],
    [right, near],
    [right, bottom],
    [near, bottom],
  ];
}

export const boxCentre = (box: { x: number; y: number; width: number; height: number }): Point => [
  box.x + box.width / 2,
  box.y + box.height / 2,
];
