import { beforeEach, afterEach, expect, test, vi } from 'vitest';
import type { Game } from '../games/types';
import type { Frame, Replay } from './protocol';
import { ReplayViewer, turnStart } from './replay.svelte';
import { settings } from './settings.svelte';

/** Return frames with these players to move. */
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
  applyEvent: <T>(position: T) => position,
  duration: () => 100,
  describeEvent: (event: { event: string }) => (event.event === 'event 2' ? '' : event.event),
  describeAction: (action: string) => action,
} as unknown as Game;

function newViewer(step = 0) {
  const replay = { game: 'g', name: 'g', seats: [], frames: frames(0, 0, 1, 1, 1, 0) } as unknown as Replay;
  return new ReplayViewer(replay, game, step);
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

test('turns begin where another player is to move', () => {
  const all = frames(0, 0, 1, 1, 1, 0);
  expect(turnStart(all, 0, 1)).toBe(2);
  expect(turnStart(all, 2, 1)).toBe(5);
  expect(turnStart(all, 5, 1)).toBe(5);
  expect(turnStart(all, 5, -1)).toBe(2);
  expect(turnStart(all, 4, -1)).toBe(2);
  expect(turnStart(all, 1, -1)).toBe(0);
  expect(turnStart(all, 0, -1)).toBe(0);
});

test('steps beyond the ends are clamped', () => {
  expect(newViewer(99).step).toBe(5);
  expect(newViewer(-3).step).toBe(0);
  expect(newViewer(Number.NaN).step).toBe(0);
});

test('only the next step is animated', async () => {
  const viewer = newViewer();
  viewer.goBy(1);
  expect(viewer.controller.player.isBusy).toBe(true);
  await vi.advanceTimersByTimeAsync(100);
  expect(viewer.controller.position.game).toBe('1');
  viewer.goBy(-1);
  expect([viewer.controller.player.isBusy, viewer.controller.position.game]).toEqual([false, '0']);
  viewer.goBy(1);
  viewer.goBy(1);
  expect([viewer.controller.player.isBusy, viewer.controller.position.game]).toEqual([false, '2']);
});

test('a step is described by its events, or by its action if they have no words', () => {
  expect(newViewer(1).description).toBe('event 1');
  expect(newViewer(2).description).toBe('move 2');
  expect(newViewer(0).description).toBe('');
});

test('playback runs to the end, and from the end starts over', async () => {
  const viewer = newViewer(3);
  viewer.togglePlayback();
  await vi.advanceTimersByTimeAsync(5000);
  expect([viewer.step, viewer.isPlaying]).toEqual([5, false]);
  viewer.togglePlayback();
  expect(viewer.step).toBe(0);
  viewer.pause();
});
