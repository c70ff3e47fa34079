import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Game } from '../games/types';
import { EventPlayer } from './eventPlayer.svelte';
import type { GameEvent, Position } from './protocol';
import { settings } from './settings.svelte';

const event = (name: string): GameEvent => ({ event: name });
const position = (name: string) => ({ game: name }) as Position;
const game = {
  applyEvent: (before: Position, { event }: GameEvent) => position(`${before.game}+${event}`),
  duration: () => 100,
} as unknown as Game;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', { hidden: false });
  settings.speed = 1;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function newPlayer(seen: string[] = [], momentMs = 0) {
  const player = new EventPlayer(game, ({ event }) => seen.push(event), momentMs);
  player.jump(position('start'));
  return player;
}

test('events are played one after the other, then the final position is shown', async () => {
  const seen: string[] = [];
  const player = newPlayer(seen);
  const done = vi.fn();
  player.play([[event('a')], [event('b')]], position('end'), done);
  expect([player.isBusy, player.playing?.event.event, player.pendingEvents]).toEqual([true, 'a', 2]);
  await vi.advanceTimersByTimeAsync(100);
  expect([player.position?.game, player.playing?.event.event, player.pendingEvents]).toEqual(['start+a', 'b', 1]);
  expect(done).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(100);
  expect([player.position?.game, player.playing, player.isBusy]).toEqual(['end', null, false]);
  expect(done).toHaveBeenCalledOnce();
  expect(seen).toEqual(['a', 'b']);
});

test('skipping shows the end of everything that waits and reports every event', async () => {
  const seen: string[] = [];
  const player = newPlayer(seen);
  player.play([[event('a')]], position('one'));
  player.play([[event('b')]], position('two'));
  player.skip();
  await vi.advanceTimersByTimeAsync(0);
  expect([player.position?.game, player.isBusy]).toEqual(['two', false]);
  expect(seen).toEqual(['a', 'b']);
  player.play([[event('c')]], position('three'));
  expect(player.playing?.ms).toBe(100);
});

test('a jump ends the animation in progress', async () => {
  const player = newPlayer();
  const done = vi.fn();
  player.play([[event('a')]], position('one'), done);
  player.jump(position('elsewhere'));
  await vi.advanceTimersByTimeAsync(500);
  expect([player.position?.game, player.isBusy, player.pendingEvents]).toEqual(['elsewhere', false, 0]);
  expect(done).not.toHaveBeenCalled();
  player.play([[event('b')]], position('two'));
  await vi.advanceTimersByTimeAsync(100);
  expect(player.position?.game).toBe('two');
});

test('without animation the end is shown at once', async () => {
  settings.speed = 0;
  const player = newPlayer();
  player.play([[event('a')], [event('b')]], position('end'));
  await vi.advanceTimersByTimeAsync(0);
  expect(player.position?.game).toBe('end');
});

test('where nothing may move, each event is shown for a moment when it has happened', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  const player = newPlayer([], 1000);
  player.play([[event('a')], [event('b')]], position('end'));
  const state = () => [player.position?.game, player.shown?.event, player.lastEvents.length, player.unseenEvents, player.playing];
  expect(state()).toEqual(['start+a', 'a', 1, 1, null]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(state()).toEqual(['start+a+b', 'b', 2, 0, null]);
  await vi.advanceTimersByTimeAsync(999);
  expect(player.isBusy).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  expect([player.position?.game, player.shown, player.isBusy]).toEqual(['end', null, false]);
});

test('with many batches waiting, the oldest are not animated', async () => {
  const player = newPlayer();
  for (const name of ['a', 'b', 'c', 'd', 'e']) player.play([[event(name)]], position(name));
  await vi.advanceTimersByTimeAsync(300);
  expect(player.position?.game).toBe('d');
  await vi.advanceTimersByTimeAsync(100);
  expect(player.position?.game).toBe('e');
});
