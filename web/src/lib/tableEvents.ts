/** Sentences for what happens at a table besides the game. */
import type { EventKind, TakeoverReason } from './protocol';
import { t, type Key } from './texts.svelte';

const KEYS: Partial<Record<EventKind, Key>> = {
  sat: 'table.event.sat',
  left: 'table.event.left',
  assigned: 'table.event.assigned',
  'words-added': 'table.event.words-added',
  started: 'table.event.started',
  away: 'table.event.away',
  here: 'table.event.here',
  'taken-back': 'table.event.taken-back',
  resigned: 'table.event.resigned',
  rematched: 'table.event.rematched',
};

const TAKEN_OVER_KEYS: Record<TakeoverReason, Key> = {
  left: 'table.event.taken-over.left',
  away: 'table.event.taken-over.away',
  time: 'table.event.taken-over.time',
};

/** Describe a table event; return an empty text for kinds that are shown elsewhere. */
export function describeTableEvent(
  event: { kind: EventKind; seat: number | null; why: TakeoverReason | null },
  names: readonly string[],
): string {
  const key = event.kind === 'taken-over' && event.why ? TAKEN_OVER_KEYS[event.why] : KEYS[event.kind];
  if (!key) return '';
  return t(key, { name: (event.seat !== null && names[event.seat]) || '', seat: (event.seat ?? 0) + 1 });
}
