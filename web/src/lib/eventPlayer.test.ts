import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Game } from '../games/types';
import type { GameEvent, Position } from './protocol';
import { settings } from './settings.svelte';
import { Stage } from './eventPlayer.svelte';

const told = (name: string) => ({ event: name }) as unknown as GameEvent;
const at = (name: string) => ({ game: name }) as unknown as Position;
const game = {
  shown: (position: Position, event: GameEvent) => at(`${position.game}+${event.event}`),
  lasts: () => 100,
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

function stage(heard: string[] = []) {
  const stage = new Stage(game, (event) => heard.push(event.event));
  stage.jump(at('start'));
  return stage;
}

test('events are played one after the other, then the position stands', async () => {
  const heard: string[] = [];
  const shown = stage(heard);
  const done = vi.fn();
  shown.play([[told('a')], [told('b')]], at('end'), done);
  expect([shown.isBusy, shown.playing?.event.event, shown.waiting]).toEqual([true, 'a', 2]);
  await vi.advanceTimersByTimeAsync(100);
  expect([shown.position?.game, shown.playing?.event.event, shown.waiting]).toEqual(['start+a', 'b', 1]);
  expect(done).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(100);
  expect([shown.position?.game, shown.playing, shown.isBusy]).toEqual(['end', null, false]);
  expect(done).toHaveBeenCalledOnce();
  expect(heard).toEqual(['a', 'b']);
});

test('a skip shows the end of everything that waits, and says all of it', async () => {
  const heard: string[] = [];
  const shown = stage(heard);
  shown.play([[told('a')]], at('one'));
  shown.play([[told('b')]], at('two'));
  shown.skip();
  await vi.advanceTimersByTimeAsync(0);
  expect([shown.position?.game, shown.isBusy]).toEqual(['two', false]);
  expect(heard).toEqual(['a', 'b']);
  shown.play([[told('c')]], at('three'));
  expect(shown.playing?.ms).toBe(100);
});

test('who jumps is not pulled back by what was being played', async () => {
  const shown = stage();
  const done = vi.fn();
  shown.play([[told('a')]], at('one'), done);
  shown.jump(at('elsewhere'));
  await vi.advanceTimersByTimeAsync(500);
  expect([shown.position?.game, shown.isBusy, shown.waiting]).toEqual(['elsewhere', false, 0]);
  expect(done).not.toHaveBeenCalled();
  shown.play([[told('b')]], at('two'));
  await vi.advanceTimersByTimeAsync(100);
  expect(shown.position?.game).toBe('two');
});

test('without motion everything is there at once', async () => {
  settings.speed = 0;
  const shown = stage();
  shown.play([[told('a')], [told('b')]], at('end'));
  await vi.advanceTimersByTimeAsync(0);
  expect(shown.position?.game).toBe('end');
});

test('who falls far behind is not shown the oldest', async () => {
  const shown = stage();
  for (const name of ['a', 'b', 'c', 'd', 'e']) shown.play([[told(name)]], at(name));
  await vi.advanceTimersByTimeAsync(300);
  expect(shown.position?.game).toBe('d');
  await vi.advanceTimersByTimeAsync(100);
  expect(shown.position?.game).toBe('e');
});
