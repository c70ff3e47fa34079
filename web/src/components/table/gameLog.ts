/** The log of a table as lines, the newest first. */
import type { Game } from '../../games/types';
import type { LogEntry } from '../../lib/liveTable.svelte';
import { describeTableEvent } from '../../lib/tableEvents';

export interface LogLine {
  key: string;
  text: string;
  seat: number | null; // whose action caused it
  isFirst: boolean; // after lines of another player
  isTableEvent: boolean; // not of the game itself
}

/** Return the last lines of a log. */
export function logLines(log: readonly LogEntry[], game: Game, names: readonly string[], maxLines: number): LogLine[] {
  const lines: LogLine[] = [];
  let seatAbove: number | null = null; // of the line shown above
  for (let at = log.length - 1; at >= 0 && lines.length < maxLines; at--) {
    const entry = log[at] as LogEntry;
    const sentences = entry.events.map((event) => game.describeEvent(event, names));
    const seat = entry.seat ?? seatOfEvents(entry);
    const tableEvent = describeTableEvent(entry, names);
    if (tableEvent) sentences.unshift(tableEvent);
    for (let number = sentences.length - 1; number >= 0; number--) {
      const text = sentences[number];
      if (!text) continue;
      const isFirst = lines.length > 0 && seat !== seatAbove;
      lines.push({ key: `${entry.n}-${number}`, text, seat, isFirst, isTableEvent: tableEvent !== '' && number === 0 });
      seatAbove = seat;
    }
  }
  return lines;
}

/** Return the seat of the first event: chance itself has no seat. */
function seatOfEvents(entry: LogEntry): number | null {
  return entry.events[0]?.seat ?? null;
}
