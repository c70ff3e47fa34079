/** Where Assam may stop, how likely, and at which cost, according to a preview. */
import type { Preview } from '../../lib/protocol';
import type { MarrakechEvent, MarrakechStep } from './protocol';

export interface Stop {
  square: string;
  sixths: number; // probability in sixths: the die has six faces
  walker: number; // the seat that rolls
  to: number | null; // the seat that is paid
  paid: number;
  isOut: boolean; // the walker cannot pay
  taxed: readonly string[]; // the squares that count
}

export function stopsOf(preview: Preview | null): Stop[] {
  const stops = new Map<string, Stop>();
  for (const outcome of preview?.outcomes ?? []) {
    const stop = stopOf(outcome.events as MarrakechEvent[]);
    if (!stop) continue;
    const sameSquare = stops.get(stop.square);
    if (sameSquare) sameSquare.sixths += outcome.probability * 6;
    else stops.set(stop.square, { ...stop, sixths: outcome.probability * 6 });
  }
  return [...stops.values()].map((stop) => ({ ...stop, sixths: Math.round(stop.sixths) }));
}

function stopOf(events: readonly MarrakechEvent[]): Stop | null {
  const walked = events.find((event) => event.event === 'walked');
  const end = walked?.steps.at(-1);
  if (!walked || !end) return null;
  const paid = events.find((event) => event.event === 'paid');
  return {
    square: end.square,
    sixths: 0,
    walker: walked.seat,
    to: paid?.to ?? null,
    paid: paid?.paid ?? 0,
    isOut: events.some((event) => event.event === 'out'),
    taxed: paid?.squares ?? [],
  };
}

/** Return the longest of the possible walks; the others are parts of it. */
export function longestWalk(preview: Preview | null): { start: string; steps: readonly MarrakechStep[] } | null {
  let longest: { start: string; steps: readonly MarrakechStep[] } | null = null;
  for (const event of (preview?.outcomes ?? []).flatMap((outcome) => outcome.events as MarrakechEvent[]))
    if (event.event === 'walked' && event.steps.length > (longest?.steps.length ?? 0)) longest = event;
  return longest;
}

/** Return a number of sixths as a fraction in lowest terms: 2 is [1, 3]. */
export function inLowestTerms(sixths: number): [number, number] {
  const common = [6, 3, 2].find((divisor) => sixths % divisor === 0) ?? 1;
  return [sixths / common, 6 / common];
}

/** Return what a seat gains by a stop; negative if it pays. */
export function gainOf(stop: Stop, seat: number): number {
  if (stop.walker === seat) return -stop.paid;
  return stop.to === seat ? stop.paid : 0;
}
