/** Sentences for what happens at a table besides the game. */
import type { EventKind, ProposalKind, TakeoverReason } from './protocol';
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
  undone: 'table.event.undone',
  resigned: 'table.event.resigned',
  forfeited: 'table.event.forfeited',
  aborted: 'table.event.aborted',
  hinted: 'table.event.hinted',
  deputised: 'table.event.deputised',
  interrupted: 'table.event.interrupted',
  kicked: 'table.event.kicked',
  unbanned: 'table.event.unbanned',
  renamed: 'table.event.renamed',
  rematched: 'table.event.rematched',
};

const TAKEN_OVER_KEYS: Record<TakeoverReason, Key> = {
  left: 'table.event.taken-over.left',
  away: 'table.event.taken-over.away',
  time: 'table.event.taken-over.time',
  stalled: 'table.event.taken-over.stalled',
};

export const PROPOSAL_KEYS: Record<ProposalKind, Key> = {
  draw: 'table.proposal.draw',
  pause: 'table.proposal.pause',
  resume: 'table.proposal.resume',
  abort: 'table.proposal.abort',
};

/** Describe a table event; return an empty text for kinds that are shown elsewhere. */
export function describeTableEvent(
  event: { kind: EventKind; seat: number | null; why: TakeoverReason | null; what?: ProposalKind | null; agree?: boolean | null; name?: string | null; muted?: boolean | null },
  names: readonly string[],
): string {
  const key = keyOf(event);
  if (!key) return '';
  return t(key, { name: event.name || (event.seat !== null && names[event.seat]) || '', seat: (event.seat ?? 0) + 1 });
}

function keyOf(event: Parameters<typeof describeTableEvent>[0]): Key | undefined {
  if (event.kind === 'taken-over' && event.why) return TAKEN_OVER_KEYS[event.why];
  if (event.kind === 'proposed' && event.what) return PROPOSAL_KEYS[event.what];
  if (event.kind === 'answered') return event.agree ? 'table.event.agreed' : 'table.event.declined';
  if (event.kind === 'muted') return event.muted ? 'table.event.muted' : 'table.event.unmuted';
  return KEYS[event.kind];
}
