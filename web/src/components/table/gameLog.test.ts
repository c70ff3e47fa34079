import { beforeAll, expect, test, vi } from 'vitest';
import type { Game } from '../../games/types';
import type { Told } from '../../lib/liveTable.svelte';

const NAMES = ['Ann', 'Ben'];
const game = { told: (event: { event: string; words?: string }) => event.words ?? '' } as unknown as Game;
const move = (n: number, seat: number | null, ...words: string[]): Told =>
  ({ n, kind: 'acted', seat, why: null, story: words.map((one) => ({ event: 'e', seat: seat ?? 1, words: one })) }) as unknown as Told;

let linesOf: typeof import('./gameLog').linesOf;
beforeAll(async () => {
  vi.stubGlobal('navigator', { languages: ['en'] });
  vi.stubGlobal('document', { documentElement: {} });
  const { texts } = await import('../../lib/texts.svelte');
  await texts.ready;
  ({ linesOf } = await import('./gameLog'));
});

test('the newest line is first, and turns stand apart', () => {
  const lines = linesOf([move(1, 0, 'a', 'b'), move(2, 1, 'c')], game, NAMES, 10);
  expect(lines.map((line) => line.text)).toEqual(['c', 'b', 'a']);
  expect(lines.map((line) => line.isFirst)).toEqual([false, true, false]);
});

test('what has no words has no line, and chance belongs to whom it moved', () => {
  const lines = linesOf([move(1, null, '', 'walks')], game, NAMES, 10);
  expect(lines.map(({ text, seat }) => [text, seat])).toEqual([['walks', 1]]);
});

test('what happens at the table is told beside the game', () => {
  const away = { n: 4, kind: 'taken-over', seat: 1, why: 'time', story: [] } as unknown as Told;
  const line = linesOf([away], game, NAMES, 10)[0];
  expect(line?.text).toBe('Time is up for Ben; the computer plays on.');
  expect(line?.isAside).toBe(true);
});

test('a long log is cut, not the newest', () => {
  const log = Array.from({ length: 50 }, (_, n) => move(n, 0, `move ${n}`));
  const lines = linesOf(log, game, NAMES, 5);
  expect(lines[0]?.text).toBe('move 49');
  expect(lines).toHaveLength(5);
  expect(new Set(lines.map((line) => line.key)).size).toBe(5);
});
