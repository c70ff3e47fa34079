/** The log: what happened, a line for each thing, the newest first. */
import type { Game } from '../../games/types';
import type { Told } from '../../lib/liveTable.svelte';
import { said } from '../../lib/tableEvents';

export interface LogLine {
  key: string;
  text: string;
  seat: number | null; // whose move it belongs to
  isFirst: boolean; // of another player's, so that turns stand apart
  isAside: boolean; // not of the game itself
}

/** The last lines of a log, at most so many. */
export function linesOf(log: readonly Told[], game: Game, names: readonly string[], most: number): LogLine[] {
  const lines: LogLine[] = [];
  let below: number | null = null; // whose the line was that is shown above this one
  for (let at = log.length - 1; at >= 0 && lines.length < most; at--) {
    const told = log[at] as Told;
    const words = told.story.map((event) => game.told(event, names));
    const seat = told.seat ?? mover(told);
    const aside = said(told, names);
    if (aside) words.unshift(aside);
    for (let number = words.length - 1; number >= 0; number--) {
      const text = words[number];
      if (!text) continue;
      const isFirst = lines.length > 0 && seat !== below;
      lines.push({ key: `${told.n}-${number}`, text, seat, isFirst, isAside: aside !== '' && number === 0 });
      below = seat;
    }
  }
  return lines;
}

/** Chance has no seat, but what it caused has. */
function mover(told: Told): number | null {
  const first = told.story[0];
  return first && 'seat' in first ? first.seat : null;
}
