/** What happens at a table beside the game, in words. */
import type { EventKind, TakeoverReason } from './protocol';
import { t, type Key } from './texts.svelte';

const SAID: Partial<Record<EventKind, Key>> = {
  sat: 'table.said.sat',
  left: 'table.said.stood',
  assigned: 'table.said.placed',
  'words-added': 'table.said.worded',
  started: 'table.said.started',
  away: 'table.said.away',
  here: 'table.said.here',
  'taken-back': 'table.said.returned',
  resigned: 'table.said.resigned',
  rematched: 'table.said.rematched',
};

const TAKEN: Record<TakeoverReason, Key> = {
  left: 'table.said.taken.left',
  away: 'table.said.taken.away',
  time: 'table.said.taken.time',
};

/** A sentence; nothing for what is told elsewhere. */
export function said(
  told: { kind: EventKind; seat: number | null; why: TakeoverReason | null },
  names: readonly string[],
): string {
  const key = told.kind === 'taken-over' && told.why ? TAKEN[told.why] : SAID[told.kind];
  if (!key) return '';
  return t(key, { name: (told.seat !== null && names[told.seat]) || '', seat: (told.seat ?? 0) + 1 });
}
