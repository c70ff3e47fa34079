/**
 * Where everything of a board is. The server lays out the town; here it is turned for a narrow
 * screen, and ways are measured.
 */
import { api } from '../../lib/api';
import type { MarraCashColour } from '../../lib/protocol';

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
  at: number; // along the way, from 0 to 1
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

/** As `GET /api/games/marracash/board` tells it. */
export interface Plan {
  width: number;
  height: number;
  unit: number; // how large things are drawn
  open_side: Side; // where no queue is
  fountains: Fountain[];
  shops: Shop[];
  touching: Record<string, string[]>; // by shop
  streets: Street[];
  gates: Gate[];
  gardens: Point[];
  queue: Point[]; // the road on which it waits, head first
}

const asked = new Map<string, Promise<Plan>>();
const known = new Map<string, Plan>();

/** The board of a game, asked for once. */
export function planOf(game: string): Promise<Plan> {
  let plan = asked.get(game);
  if (!plan) {
    plan = api.get<Plan>(`/games/marracash/board?game=${encodeURIComponent(game)}`);
    asked.set(game, plan);
    plan.then(
      (found) => known.set(game, found),
      () => asked.delete(game), // next time it may be there
    );
  }
  return plan;
}

/** The board of a game, if it is there already. */
export const knownPlan = (game: string): Plan | undefined => known.get(game);

const TURNED: Record<Side, Side> = { top: 'right', right: 'bottom', bottom: 'left', left: 'top' };

/** The town after a quarter turn to the right. */
export function turned(plan: Plan): Plan {
  const point = ([x, y]: Point): Point => [plan.height - y, x];
  const at = <T extends { x: number; y: number }>(thing: T): T => {
    const [x, y] = point([thing.x, thing.y]);
    return { ...thing, x, y };
  };
  return {
    ...plan,
    width: plan.height,
    height: plan.width,
    open_side: TURNED[plan.open_side],
    fountains: plan.fountains.map(at),
    shops: plan.shops.map((shop) => ({
      ...shop,
      x: plan.height - shop.y - shop.height,
      y: shop.x,
      width: shop.height,
      height: shop.width,
    })),
    streets: plan.streets.map((street) => ({ ...street, way: street.way.map(point) })),
    gates: plan.gates.map((gate) => ({ ...at(gate), side: TURNED[gate.side] })),
    gardens: plan.gardens.map(point),
    queue: plan.queue.map(point),
  };
}

/** A street in one direction. */
export interface Way {
  points: Point[];
  doors: Door[];
}

export function wayOf(plan: Plan, start: string, end: string): Way | null {
  for (const street of plan.streets) {
    if (street.start === start && street.end === end) return { points: street.way, doors: street.doors };
    if (street.start === end && street.end === start)
      return { points: [...street.way].reverse(), doors: street.doors_back };
  }
  return null;
}

/** The way on which a group walks that has these shops before it: where it came from is not told. */
export function wayTo(plan: Plan, end: string, shops: readonly string[]): Way | null {
  const ahead = shops.join();
  for (const street of plan.streets) {
    for (const from of [street.start, street.end]) {
      const to = from === street.start ? street.end : street.start;
      const way = to === end ? wayOf(plan, from, to) : null;
      const doors = way?.doors.map((door) => door.shop) ?? [];
      if (way && doors.slice(doors.length - shops.length).join() === ahead) return way;
    }
  }
  return null;
}

/** Where on a way a shop's door is. */
export const doorAt = (way: Way, shop: string): number => way.doors.find((door) => door.shop === shop)?.at ?? 1;

const apart = (a: Point, b: Point) => Math.hypot(a[0] - b[0], a[1] - b[1]);

export function length(way: readonly Point[]): number {
  return way.slice(1).reduce((sum, point, i) => sum + apart(way[i]!, point), 0);
}

/** The point that far along a way; before its start or past its end, that end. */
export function along(way: readonly Point[], distance: number): Point {
  for (let i = 1; i < way.length; i++) {
    const [a, b] = [way[i - 1]!, way[i]!];
    const step = apart(a, b);
    if (step > 0 && distance <= step) {
      const part = Math.max(0, distance) / step;
      return [a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])];
    }
    distance -= step;
  }
  return way[way.length - 1]!;
}

/** Part of a way, from one share of its length to another. */
export function part(way: readonly Point[], from: number, to: number): Point[] {
  const whole = length(way);
  const inner: Point[] = [];
  let gone = 0;
  for (let i = 1; i < way.length; i++) {
    gone += apart(way[i - 1]!, way[i]!);
    if (gone > from * whole && gone < to * whole) inner.push(way[i]!);
  }
  return [along(way, from * whole), ...inner, along(way, to * whole)];
}

const num = (value: number) => Math.round(value * 10) / 10;

/** Path data through points. */
export const path = (way: readonly Point[]): string => 'M' + way.map(([x, y]) => `${num(x)} ${num(y)}`).join('L');

/** Where the visitors of the queue stand, with a place more at each end for its name. */
export function places(plan: Plan, count: number): Point[] {
  const slots = Math.max(45, count) + 1;
  const step = length(plan.queue) / slots;
  return Array.from({ length: slots + 1 }, (_, i) => along(plan.queue, step * i));
}

/** How far the court reaches beyond the town on each side: the wall, and the queue's road where it is. */
export function margins(plan: Plan, cards: boolean): Record<Side, number> {
  const all: Record<Side, number> = { top: 84, right: 84, bottom: 84, left: 84 };
  return { ...all, [plan.open_side]: cards ? 132 : 34 };
}

/** The whole drawing: the town and the court round it. */
export function courtOf(plan: Plan, cards: boolean) {
  const around = margins(plan, cards);
  return {
    x: -around.left,
    y: -around.top,
    width: around.left + plan.width + around.right,
    height: around.top + plan.height + around.bottom,
  };
}

/** The four corners of the wall; a player's sign flies on each. */
export function towers(plan: Plan): Point[] {
  const [near, right, bottom] = [-9, plan.width + 9, plan.height + 9];
  return [
    [near, near],
    [right, near],
    [right, bottom],
    [near, bottom],
  ];
}

export const middle = (box: { x: number; y: number; width: number; height: number }): Point => [
  box.x + box.width / 2,
  box.y + box.height / 2,
];
