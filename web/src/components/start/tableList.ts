/** Helpers for lists of tables. */
import type { TableView } from '../../lib/protocol';

const RANK = { playing: 0, waiting: 1, over: 2 };

/** Sort tables: in progress, then waiting, then over; the newest first. */
export function sortTables(tables: TableView[]): TableView[] {
  const time = (table: TableView) => table.ended ?? table.started ?? table.created;
  return [...tables].sort((a, b) => RANK[a.status] - RANK[b.status] || time(b) - time(a));
}

/** Return the names of the players, without open seats. */
export function playerNames(table: TableView): string[] {
  return table.seats.filter((seat) => seat.kind !== 'open').map((seat) => seat.name);
}

export interface Outcome {
  names: string[]; // of the winners, or of the best in a draw
  isMine: boolean; // one of them is me
  isDrawn: boolean; // nobody won
}

/** Return who won; null before the end. */
export function outcome(table: TableView, me: string | null): Outcome | null {
  const best = table.result?.ranking[0];
  if (!best) return null;
  const seats = best.flatMap((number) => table.seats.filter((seat) => seat.seat === number));
  // With several seats of mine (one screen) the winner is named instead.
  const isAlone = table.seats.filter((seat) => seat.person === me).length === 1;
  const isMine = isAlone && me !== null && seats.some((seat) => seat.person === me);
  return { names: seats.map((seat) => seat.name), isMine, isDrawn: table.result?.how === 'drawn' };
}
