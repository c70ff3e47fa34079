/** Where a group is on its way, event after event. */
import type { MarraCashMoved, MarraCashPosition, GameEvent } from '../../lib/protocol';
import type { Playing } from '../types';
import { doorAt, wayOf, wayTo, type Plan, type Way } from './geometry';
import type { Group } from './drawing/shapes';

export interface Walking {
  way: Way;
  group: Group; // those who walk on
  from: number; // shares of the way, while an event is shown
  to: number;
}

/** The group that is on the way now; `isPending`: it has not arrived when all is shown. */
export function walking(
  plan: Plan,
  position: MarraCashPosition,
  playing: Playing | null,
  last: readonly GameEvent[],
  isPending: boolean,
): Walking | null {
  const event = playing?.event;
  const index = event ? last.indexOf(event) : last.length - 1;
  if (event?.event === 'moved') {
    const way = wayOf(plan, event.start, event.end);
    return way && { way, group: event.group as Group, from: 0, to: stop(way, last, index, isPending) };
  }
  const { walk } = position;
  if (!walk || walk.to === null) return null;
  const set = last.slice(0, index + 1).findLast((one): one is MarraCashMoved => one.event === 'moved');
  const way = set && set.end === walk.to ? wayOf(plan, set.start, set.end) : wayTo(plan, walk.to, walk.shops);
  if (!way) return null;
  const here = walk.shops[0] === undefined ? stop(way, last, index - 1, isPending) : doorAt(way, walk.shops[0]);
  const to = event ? stop(way, last, index, isPending) : here;
  const group = { ...walk.group } as Group;
  if (event?.event === 'entered') {
    const colour = event.colour as keyof Group;
    group[colour] = Math.max(0, (group[colour] ?? 0) - 1);
  }
  return { way, group, from: Math.min(here, to), to };
}

/** How far the group has come after an event: to the next door that somebody enters, or to the end. */
function stop(way: Way, last: readonly GameEvent[], index: number, isPending: boolean): number {
  const next = last.slice(index + 1).find((one) => one.event === 'entered');
  if (next) return doorAt(way, next.shop);
  if (!isPending) return 1;
  const entered = last.findLast((one) => one.event === 'entered');
  return entered ? doorAt(way, entered.shop) : 0;
}
