/** What can be chosen on the board now, where it is and what choosing it means. */
import { t } from '../../lib/texts.svelte';
import { all, auction, bring, card, move, moves } from './actions';
import type { Choosing } from './selection.svelte';
import { middle, places, type Plan, type Point } from './geometry';
import { named, colourWord, people } from './words';

export interface Target {
  key: string; // of the thing on the board: fountain:F1, shop:R3, queue:4, card:150
  at: Point;
  reach: number; // how large it is
  label: string;
  action: string | null; // null: picks a group or a gate
  isPicked: boolean;
  chip?: number; // stands beside the road and says how many: both ends reach the same visitors
}

export const CARD_STEP = 92;

/** Where the open souvenir cards lie: in the court, on the side without a queue. */
export function cardPlace(plan: Plan, index: number): Point {
  const aside = (index - 0.5) * CARD_STEP;
  if (plan.open_side === 'right') return [plan.width + 78, plan.height / 2 + aside * 1.2];
  if (plan.open_side === 'left') return [-78, plan.height / 2 + aside * 1.2];
  if (plan.open_side === 'top') return [plan.width / 2 + aside, -76];
  return [plan.width / 2 + aside, plan.height + 76];
}

export function targets(choosing: Choosing, plan: Plan): Target[] {
  const { desk, position, from } = choosing;
  const { legal } = desk;
  const found: Target[] = [];
  const name = (action: string) => named(action, position);

  const walks = moves(legal);
  const ways = from === null ? [] : (walks.get(from) ?? []);
  for (const { id, x, y } of plan.fountains) {
    const place = { key: `fountain:${id}`, at: [x, y] as const, reach: 34 * plan.unit };
    const group = people(position.groups[id] ?? {});
    if (from !== null && ways.includes(id)) {
      const action = move(from, id);
      found.push({ ...place, label: name(action), action, isPicked: desk.considered === action });
    } else if (walks.has(id)) {
      const isPicked = id === from;
      const label = t(isPicked ? 'marracash.picked' : 'marracash.pick', { from: id, group });
      found.push({ ...place, label, action: null, isPicked });
    } else if (choosing.gates.length > 1 && choosing.gates.includes(id)) {
      found.push({ ...place, label: t('marracash.toGate', { gate: id }), action: null, isPicked: id === choosing.gate });
    }
  }

  const auctions = new Set(all(legal, 'auction').map(({ shop }) => shop));
  for (const shop of plan.shops) {
    if (!auctions.has(shop.id)) continue;
    const action = auction(shop.id);
    const reach = Math.min(shop.width, shop.height) / 2;
    found.push({ key: `shop:${shop.id}`, at: middle(shop), reach, label: name(action), action, isPicked: desk.considered === action });
  }

  const count = position.queue.length;
  const spots = places(plan, count);
  const brought = all(legal, 'bring')
    .filter(({ gate }) => gate === choosing.gate)
    .map(({ gate, end, count: n }) => ({ end, n, action: bring(gate, end, n), spot: end === 'head' ? n : count - n + 1 }));
  const isShort = brought.some((one) => brought.some((other) => other.end !== one.end && other.spot === one.spot));
  for (const { end, n, action, spot } of brought) {
    const apart = () => (end === 'head' ? between(spots, spot - 1, -BESIDE) : between(spots, spot, BESIDE));
    const at = isShort ? apart() : spots[spot]!;
    const target = { key: `queue:${end}:${n}`, at, reach: 11, label: name(action), action, isPicked: desk.considered === action };
    found.push(isShort ? { ...target, chip: n } : target);
  }

  const cards = all(legal, 'card');
  position.cards?.open.forEach(([colour, value], index) => {
    if (!cards.some((one) => one.value === value)) return;
    const action = card(value);
    const label = `${name(action)} (${colourWord(colour)})`;
    found.push({ key: `card:${value}`, at: cardPlace(plan, index), reach: 40, label, action, isPicked: desk.considered === action });
  });
  return found;
}

const BESIDE = 17; // from the middle of the queue's road

/** Between a spot of the queue and the next, to the right or, below zero, the left of whoever looks to the tail. */
function between(spots: readonly Point[], spot: number, aside: number): Point {
  const [[ax, ay], [bx, by]] = [spots[spot]!, spots[spot + 1]!];
  const long = Math.hypot(bx - ax, by - ay) || 1;
  return [(ax + bx) / 2 - ((by - ay) / long) * aside, (ay + by) / 2 + ((bx - ax) / long) * aside];
}

/** The target nearest to a point, if one is within reach of it. */
export function nearest(found: readonly Target[], at: Point, slack: number): Target | null {
  let best: Target | null = null;
  let least = Infinity;
  for (const target of found) {
    const away = Math.hypot(target.at[0] - at[0], target.at[1] - at[1]) - target.reach;
    if (away < Math.min(least, slack)) [best, least] = [target, away];
  }
  return best;
}

const KEYS: Record<string, Point> = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

/** Where a key leads from a target: the nearest in that direction, or the first and last. */
export function stepped(found: readonly Target[], here: Target, key: string): Target | null {
  if (key === 'Home') return found[0] ?? null;
  if (key === 'End') return found[found.length - 1] ?? null;
  const way = KEYS[key];
  if (!way) return null;
  let best: Target | null = null;
  let least = Infinity;
  for (const target of found) {
    const [dx, dy] = [target.at[0] - here.at[0], target.at[1] - here.at[1]];
    const ahead = dx * way[0] + dy * way[1];
    const aside = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
    if (target === here || ahead <= 1) continue;
    const cost = ahead + 2.2 * aside;
    if (cost < least) [best, least] = [target, cost];
  }
  return best;
}

/** Whether a key is one that leads somewhere. */
export const isStep = (key: string): boolean => key in KEYS || key === 'Home' || key === 'End';
