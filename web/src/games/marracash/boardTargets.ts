/** The targets on the board: what can be selected now, where it is, and its action. */
import { t } from './translate';
import { actionsOfKind, auction, bring, card, move, movesByStart } from './actions';
import { boxCentre, queueSpots, type BoardData, type Point } from './geometry';
import type { Selection } from './selection.svelte';
import { colourName, describeAction, describeGroup } from './words';

export interface Target {
  key: string; // fountain:F1, shop:R3, queue:head:4, card:150
  at: Point;
  radius: number;
  label: string;
  action: string | null; // null: selects a group or a gate
  isSelected: boolean;
  count?: number; // shown beside the queue where both ends reach the same visitors
}

const CARD_STEP = 92;

/** Return the place of an open souvenir card: in the court, on the side without a queue. */
export function cardPoint(board: BoardData, index: number): Point {
  const aside = (index - 0.5) * CARD_STEP;
  if (board.open_side === 'right') return [board.width + 78, board.height / 2 + aside * 1.2];
  if (board.open_side === 'left') return [-78, board.height / 2 + aside * 1.2];
  if (board.open_side === 'top') return [board.width / 2 + aside, -76];
  return [board.width / 2 + aside, board.height + 76];
}

export function boardTargets(selection: Selection, board: BoardData): Target[] {
  const { controller, position, from } = selection;
  const { legal } = controller;
  const targets: Target[] = [];
  const label = (action: string) => describeAction(action, position);

  const moves = movesByStart(legal);
  const ends = from === null ? [] : (moves.get(from) ?? []);
  for (const { id, x, y } of board.fountains) {
    const place = { key: `fountain:${id}`, at: [x, y] as const, radius: 34 * board.unit };
    const group = describeGroup(position.groups[id] ?? {});
    if (from !== null && ends.includes(id)) {
      const action = move(from, id);
      targets.push({ ...place, label: label(action), action, isSelected: controller.considered === action });
    } else if (moves.has(id)) {
      const isSelected = id === from;
      const groupLabel = t(isSelected ? 'marracash.picked' : 'marracash.pick', { from: id, group });
      targets.push({ ...place, label: groupLabel, action: null, isSelected });
    } else if (selection.gates.length > 1 && selection.gates.includes(id)) {
      targets.push({ ...place, label: t('marracash.toGate', { gate: id }), action: null, isSelected: id === selection.gate });
    }
  }

  const auctions = new Set(actionsOfKind(legal, 'auction').map(({ shop }) => shop));
  for (const shop of board.shops) {
    if (!auctions.has(shop.id)) continue;
    const action = auction(shop.id);
    const radius = Math.min(shop.width, shop.height) / 2;
    targets.push({ key: `shop:${shop.id}`, at: boxCentre(shop), radius, label: label(action), action, isSelected: controller.considered === action });
  }

  const count = position.queue.length;
  const spots = queueSpots(board, count);
  const options = actionsOfKind(legal, 'bring')
    .filter(({ gate }) => gate === selection.gate)
    .map(({ gate, end, count: n }) => ({ end, n, action: bring(gate, end, n), spot: end === 'head' ? n : count - n + 1 }));
  const isOverlapping = options.some((one) => options.some((other) => other.end !== one.end && other.spot === one.spot));
  for (const { end, n, action, spot } of options) {
    const beside = () => (end === 'head' ? between(spots, spot - 1, -BESIDE) : between(spots, spot, BESIDE));
    const at = isOverlapping ? beside() : spots[spot]!;
    const target = { key: `queue:${end}:${n}`, at, radius: 11, label: label(action), action, isSelected: controller.considered === action };
    targets.push(isOverlapping ? { ...target, count: n } : target);
  }

  const cards = actionsOfKind(legal, 'card');
  position.cards?.open.forEach(([colour, value], index) => {
    if (!cards.some((one) => one.value === value)) return;
    const action = card(value);
    const cardLabel = `${label(action)} (${colourName(colour)})`;
    targets.push({ key: `card:${value}`, at: cardPoint(board, index), radius: 40, label: cardLabel, action, isSelected: controller.considered === action });
  });
  return targets;
}

/** Return the shops that are no targets, as places for the keyboard. */
export function otherShops(board: BoardData, targets: readonly Target[]): Target[] {
  const keys = new Set(targets.map(({ key }) => key));
  return board.shops
    .map((shop) => ({ key: `shop:${shop.id}`, at: boxCentre(shop), radius: 0, label: '', action: null, isSelected: false }))
    .filter(({ key }) => !keys.has(key));
}

const BESIDE = 17; // distance from the middle of the queue's road

/** Return a point between two spots of the queue, to the right (or, if negative, left) of the direction to the tail. */
function between(spots: readonly Point[], spot: number, distance: number): Point {
  const [[ax, ay], [bx, by]] = [spots[spot]!, spots[spot + 1]!];
  const length = Math.hypot(bx - ax, by - ay) || 1;
  return [(ax + bx) / 2 - ((by - ay) / length) * distance, (ay + by) / 2 + ((bx - ax) / length) * distance];
}

/** Return the target nearest to a point, if one is near enough. */
export function nearestTarget(targets: readonly Target[], at: Point, maxDistance: number): Target | null {
  let best: Target | null = null;
  let leastDistance = Infinity;
  for (const target of targets) {
    const distance = Math.hypot(target.at[0] - at[0], target.at[1] - at[1]) - target.radius;
    if (distance < Math.min(leastDistance, maxDistance)) [best, leastDistance] = [target, distance];
  }
  return best;
}

const FAR = 1e6;
const ARROWS: Record<string, Point> = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

/** Return the target that a key leads to: the nearest where an arrow points, or the first or last. */
export function nextTarget(targets: readonly Target[], here: Target, key: string): Target | null {
  if (key === 'Home') return targets[0] ?? null;
  if (key === 'End') return targets[targets.length - 1] ?? null;
  const direction = ARROWS[key];
  if (!direction) return null;
  let best: Target | null = null;
  let leastCost = Infinity;
  for (const target of targets) {
    const [dx, dy] = [target.at[0] - here.at[0], target.at[1] - here.at[1]];
    const ahead = dx * direction[0] + dy * direction[1];
    const aside = Math.abs(dx * direction[1]) + Math.abs(dy * direction[0]);
    if (target === here || ahead <= 1 || aside > 2 * ahead) continue;
    const cost = ahead + 2.2 * aside + (aside > ahead ? FAR : 0); // rather where the arrow points
    if (cost < leastCost) [best, leastCost] = [target, cost];
  }
  return best;
}

/** Return whether a key moves between targets. */
export const isNavigationKey = (key: string): boolean => key in ARROWS || key === 'Home' || key === 'End';
