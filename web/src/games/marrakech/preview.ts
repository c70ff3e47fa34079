/** Where Assam may stop, how likely, and what that would cost: read from a preview. */
import type { MarrakechEvent, MarrakechStep, Preview } from '../../lib/protocol';

export interface Stop {
  square: string;
  sixths: number; // how likely, in sixths: the die has six faces
  walker: number; // whose roll it is
  to: number | null; // who is paid
  paid: number;
  isOut: boolean; // the walker could not pay
  taxed: readonly string[]; // the squares counted
}

export function stopsOf(preview: Preview | null): Stop[] {
  const stops = new Map<string, Stop>();
  for (const outcome of preview?.outcomes ?? []) {
    const stop = stopOf(outcome.events as MarrakechEvent[]);
    if (!stop) continue;
    const found = stops.get(stop.square);
    if (found) found.sixths += outcome.probability * 6;
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

/** The longest of the walks that may follow; the others are the beginning of it. */
export function longestWalk(preview: Preview | null): { start: string; steps: readonly MarrakechStep[] } | null {
  let longest: { start: string; steps: readonly MarrakechStep[] } | null = null;
  for (const event of (preview?.outcomes ?? []).flatMap((outcome) => outcome.events as MarrakechEvent[]))
    if (event.event === 'walked' && event.steps.length > (longest?.steps.length ?? 0)) longest = event;
  return longest;
}

/** Sixths in lowest terms: 2 is 1 in 3. */
export function lowest(sixths: number): [number, number] {
  const common = [6, 3, 2].find((divisor) => sixths % divisor === 0) ?? 1;
  return [sixths / common, 6 / common];
}

/** What a stop means for a seat: below 0 it pays, above 0 it is paid. */
export function worth(stop: Stop, seat: number): number {
  if (stop.walker === seat) return -stop.paid;
  return stop.to === seat ? stop.paid : 0;
}
