import { beforeEach, afterEach, expect, test, vi } from 'vitest';
import type { Game } from '../games/types';
import type { Frame, Replay } from './protocol';
import { turnFrom, Viewer } from './replay.svelte';
import { settings } from './settings.svelte';

/** Frames whose positions belong to these players. */
function frames(...turns: number[]): Frame[] {
  return turns.map((seat, number) => ({
    seat: number ? seat : null,
    action: number ? `move ${number}` : null,
    events: number ? [{ event: `event ${number}` }] : [],
    position: { to_move: seat, game: String(number) },
    scores: [number, 0],
    mover: seat,
    legal: [],
  })) as unknown as Frame[];
}

const game = {
  shown: <T>(position: T) => position,
  lasts: () => 100,
  told: (event: { event: string }) => (event.event === 'event 2' ? '' : event.event),
  named: (action: string) => action,
} as unknown as Game;

function viewer(step = 0) {
  const replay = { game: 'g', name: 'g', seats: [], frames: frames(0, 0, 1, 1, 1, 0) } as unknown as Replay;
  return new Viewer(replay, game, step);
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', { hidden: false });
  vi.stubGlobal('window', { setTimeout: (act: () => void, ms: number) => setTimeout(act, ms) });
  settings.speed = 1;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a whole turn leads to where another player begins', () => {
  const all = frames(0, 0, 1, 1, 1, 0);
  expect(turnFrom(all, 0, 1)).toBe(2);
  expect(turnFrom(all, 2, 1)).toBe(5);
  expect(turnFrom(all, 5, 1)).toBe(5);
  expect(turnFrom(all, 5, -1)).toBe(2);
  expect(turnFrom(all, 4, -1)).toBe(2);
  expect(turnFrom(all, 1, -1)).toBe(0);
  expect(turnFrom(all, 0, -1)).toBe(0);
});

test('steps beyond the ends stay at the ends', () => {
  expect(viewer(99).step).toBe(5);
  expect(viewer(-3).step).toBe(0);
  expect(viewer(Number.NaN).step).toBe(0);
});

test('only the next step is played, everything else is there at once', async () => {
  const shown = viewer();
  shown.by(1);
  expect(shown.desk.stage.isBusy).toBe(true);
  await vi.advanceTimersByTimeAsync(100);
  expect(shown.desk.position.game).toBe('1');
  shown.by(-1);
  expect([shown.desk.stage.isBusy, shown.desk.position.game]).toEqual([false, '0']);
  shown.by(1);
  shown.by(1);
  expect([shown.desk.stage.isBusy, shown.desk.position.game]).toEqual([false, '2']);
});

test('a step is told by its events, or by the action where they say nothing', () => {
  expect(viewer(1).told).toBe('event 1');
  expect(viewer(2).told).toBe('move 2');
  expect(viewer(0).told).toBe('');
});

test('it plays by itself to the end, and from the end begins anew', async () => {
  const shown = viewer(3);
  shown.toggle();
  await vi.advanceTimersByTimeAsync(5000);
  expect([shown.step, shown.isPlaying]).toEqual([5, false]);
  shown.toggle();
  expect(shown.step).toBe(0);
  shown.pause();
});
