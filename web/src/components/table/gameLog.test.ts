import { beforeAll, expect, test } from 'vitest';
import type { Game } from '../../games/types';
import type { LogEntry } from '../../lib/liveTable.svelte';
import { texts } from '../../lib/texts.svelte';
import { logLines } from './gameLog';

const NAMES = ['Ann', 'Ben'];
const game = { describeEvent: (event: { event: string; words?: string }) => event.words ?? '' } as unknown as Game;
const move = (n: number, seat: number | null, ...words: string[]): LogEntry =>
  ({ n, kind: 'acted', seat, why: null, events: words.map((one) => ({ event: 'e', seat: seat ?? 1, words: one })) }) as unknown as LogEntry;

beforeAll(() => texts.ready);

test('the lines are in order, and turns are separated', () => {
  const lines = logLines([move(1, 0, 'a', 'b'), move(2, 1, 'c')], game, NAMES, 10);
  expect(lines.map((line) => line.text)).toEqual(['a', 'b', 'c']);
  expect(lines.map((line) => line.isFirst)).toEqual([false, false, true]);
});

test('events have a line when they are shown', () => {
  const log = [move(1, 0, 'a'), move(2, 1, 'b', 'c'), move(3, 0, 'd')];
  const shown = (unseen: number) => logLines(log, game, NAMES, 10, unseen).map((line) => line.text).join('');
  expect([0, 1, 2, 3].map(shown)).toEqual(['abcd', 'abc', 'ab', 'a']);
});

test('events without words have no line, and chance belongs to the player of its events', () => {
  const lines = logLines([move(1, null, '', 'walks')], game, NAMES, 10);
  expect(lines.map(({ text, seat }) => [text, seat])).toEqual([['walks', 1]]);
});

test('table events are lines of their own kind', () => {
  const takenOver = { n: 4, kind: 'taken-over', seat: 1, why: 'time', events: [] } as unknown as LogEntry;
  const line = logLines([takenOver], game, NAMES, 10)[0];
  expect(line?.text).toBe('Ben runs out of time; the computer takes over.');
  expect(line?.isTableEvent).toBe(true);
});

test('a long log keeps the newest lines', () => {
  const log = Array.from({ length: 50 }, (_, n) => move(n, 0, `move ${n}`));
  const lines = logLines(log, game, NAMES, 5);
  expect(lines.at(-1)?.text).toBe('move 49');
  expect(lines).toHaveLength(5);
  expect(new Set(lines.map((line) => line.key)).size).toBe(5);
});
