/** The log of a table as lines, the oldest first. */
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

/** Return the last lines of a log, without the last events if these are not shown yet. */
export function logLines(log: readonly LogEntry[], game: Game, names: readonly string[], maxLines: number, unseenEvents = 0): LogLine[] {
  const lines: LogLine[] = [];
  for (let at = log.length - 1; at >= 0 && lines.length < maxLines; at--) {
    const entry = log[at] as LogEntry;
    const unseen = Math.min(unseenEvents, entry.events.length);
    unseenEvents -= unseen;
    if (unseen && unseen === entry.events.length) continue;
    const seat = entry.seat ?? seatOfEvents(entry);
    const tableEvent = describeTableEvent(entry, names);
    const sentences = entry.events.slice(0, entry.events.length - unseen).map((event) => game.describeEvent(event, names));
    if (tableEvent) sentences.unshift(tableEvent);
    for (let number = sentences.length - 1; number >= 0; number--) {
      const text = sentences[number];
      if (text) lines.push({ key: `${entry.n}-${number}`, text, seat, isFirst: false, isTableEvent: tableEvent !== '' && number === 0 });
    }
  }
  lines.reverse();
  return lines.map((line, at) => ({ ...line, isFirst: at > 0 && line.seat !== lines[at - 1]?.seat }));
}

/** Return the seat of the first event: chance itself has no seat. */
function seatOfEvents(entry: LogEntry): number | null {
  return entry.events[0]?.seat ?? null;
}
