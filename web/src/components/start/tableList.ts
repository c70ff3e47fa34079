/** How tables stand, as a list tells it. */
import type { TableView } from '../../lib/protocol';

const RANK = { playing: 0, waiting: 1, over: 2 };

/** Games that go on first, then those that wait, then those that are over; the newest first. */
export function standing(tables: TableView[]): TableView[] {
  const when = (table: TableView) => table.ended ?? table.started ?? table.created;
  return [...tables].sort((a, b) => RANK[a.status] - RANK[b.status] || when(b) - when(a));
}

/** The players by name, those at one table told apart by their seats. */
export function players(table: TableView): string[] {
  return table.seats.filter((seat) => seat.kind !== 'open').map((seat) => seat.name);
}

export interface Outcome {
  names: string[]; // of those who won
  isMine: boolean; // one of them is me
  isDrawn: boolean; // nobody won: these are the best
}

/** Who won; null before the end. */
export function outcome(table: TableView, me: string | null): Outcome | null {
  const best = table.result?.ranking[0];
  if (!best) return null;
  const seats = best.flatMap((number) => table.seats.filter((seat) => seat.seat === number));
  // At one screen several seats are mine: then it says who of us won.
  const isAlone = table.seats.filter((seat) => seat.person === me).length === 1;
  const isMine = isAlone && me !== null && seats.some((seat) => seat.person === me);
  return { names: seats.map((seat) => seat.name), isMine, isDrawn: table.result?.how === 'drawn' };
}
