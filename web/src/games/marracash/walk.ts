/** The progress of a walking group, event by event. */
import type { PlayingEvent } from '../types';
import { doorAt, pathBetween, pathTo, type BoardData, type Path } from './geometry';
import type { Group } from './groups';
import type { MarraCashEvent, MarraCashPosition } from './protocol';

export interface WalkProgress {
  path: Path;
  group: Group; // without visitors who have entered a shop
  from: number; // fractions of the path, at the start and the end of the playing event
  to: number;
}

/** Return the walking group, if there is one; `isPending`: it has not arrived after the last event. */
export function walkProgress(
  board: BoardData,
  position: MarraCashPosition,
  playing: PlayingEvent<MarraCashEvent> | null,
  events: readonly MarraCashEvent[],
  isPending: boolean,
): WalkProgress | null {
  const event = playing?.event;
  const index = event ? events.indexOf(event) : events.length - 1;
  if (event?.event === 'moved') {
    const path = pathBetween(board, event.start, event.end);
    return path && { path, group: event.group, from: 0, to: nextStop(path, events, index, isPending) };
  }
  const { walk } = position;
  if (!walk || walk.to === null) return null;
  const moved = events.slice(0, index + 1).findLast((one) => one.event === 'moved');
  const path = moved && moved.end === walk.to ? pathBetween(board, moved.start, moved.end) : pathTo(board, walk.to, walk.shops);
  if (!path) return null;
  const here = walk.shops[0] === undefined ? nextStop(path, events, index - 1, isPending) : doorAt(path, walk.shops[0]);
  const to = event ? nextStop(path, events, index, isPending) : here;
  const group: Group = { ...walk.group };
  if (event?.event === 'entered') {
    const { colour } = event;
    group[colour] = Math.max(0, (group[colour] ?? 0) - 1);
  }
  return { path, group, from: Math.min(here, to), to };
}

/** Return where the group is after an event: at the next door that a visitor enters, or at the end. */
function nextStop(path: Path, events: readonly MarraCashEvent[], index: number, isPending: boolean): number {
  const next = events.slice(index + 1).find((one) => one.event === 'entered');
  if (next) return doorAt(path, next.shop);
  if (!isPending) return 1;
  const entered = events.findLast((one) => one.event === 'entered');
  return entered ? doorAt(path, entered.shop) : 0;
}
