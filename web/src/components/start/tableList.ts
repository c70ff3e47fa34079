/** Helpers for lists of tables. */
import type { TableView } from '../../lib/protocol';
import { joinWords, t, texts } from '../../lib/texts.svelte';

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

/** Say who won; return an empty text before the end. */
export function describeOutcome(table: TableView, me: string | null): string {
  const result = outcome(table, me);
  if (!result) return '';
  if (table.result?.how === 'aborted') return t('start.myGames.aborted');
  if (result.isDrawn) return t('start.myGames.drawn');
  const isShared = result.names.length > 1;
  if (result.isMine) return isShared ? t('start.myGames.shared') : t('start.myGames.won');
  return isShared ? t('start.myGames.winners', { names: joinWords(result.names) }) : t('start.myGames.winner', { name: result.names[0] ?? '' });
}

/** Describe my result in a finished game: the date, my place and my score. */
export function describeResult(table: TableView, me: string | null): string {
  const parts = table.ended === null ? [] : [new Intl.DateTimeFormat(texts.locale, { dateStyle: 'medium' }).format(table.ended)];
  const [mine, ...more] = table.seats.filter((seat) => seat.person === me);
  const { ranking = [], scores = [], how } = table.result ?? {};
  if (mine && !more.length && how !== 'aborted') {
    const rank = ranking.findIndex((group) => group.includes(mine.seat));
    const place = 1 + ranking.slice(0, rank).flat().length;
    parts.push(t('games.placeOf', { place, n: table.seats.length }), t('games.points', { n: scores[mine.seat] ?? 0 }));
  }
  return parts.join(' · ');
}

/** Return whether I can remove a table from my list: the game is over, or I no longer play there. */
export function isRemovable(table: TableView, me: string | null): boolean {
  return table.status === 'over' || !table.seats.some((seat) => seat.person === me && !seat.resigned && seat.takeover !== 'left');
}
