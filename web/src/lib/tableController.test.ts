import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Game } from '../games/types';
import { TableController, type LiveTable } from './liveTable.svelte';
import type { GameEvent, PositionView } from './protocol';
import { settings } from './settings.svelte';

const game = { applyEvent: (position: unknown) => position, describeEvent: () => '', duration: () => 1000 } as unknown as Game;
const view = (version: number) => ({ version, mover: 0, legal: ['left', 'right'], scores: [], position: {} }) as unknown as PositionView;
const MOUSE = { pointerType: 'mouse' };
const TOUCH = { pointerType: 'touch' };
const KEY = { pointerType: '' };
let sent: string[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', { hidden: false });
  settings.speed = 1;
  sent = [];
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function newController() {
  const table = {
    view: view(0),
    info: { seats: [{ seat: 0, name: 'Ada', takeover: null, resigned: false }] },
    mySeats: [0],
    log: [],
    preview: () => Promise.resolve(null),
    send: ({ action }: { action: string }) => Promise.resolve(sent.push(action)),
  } as unknown as LiveTable;
  const controller = new TableController(table, game);
  const receive = (version: number, steps: GameEvent[][] = []) => {
    table.view = view(version);
    controller.setPosition(table.view, steps);
  };
  receive(0);
  return { controller, receive };
}

test('a mouse chooses once the choices have been there for a moment', () => {
  const { controller } = newController();
  vi.advanceTimersByTime(499);
  controller.choose('left', MOUSE);
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(1);
  controller.choose('left', MOUSE);
  expect(sent).toEqual(['left']);
});

test('impatient clicks choose once', async () => {
  const { controller, receive } = newController();
  await vi.advanceTimersByTimeAsync(1000);
  for (let click = 0; click < 9; click++) {
    controller.choose('left', MOUSE);
    if (click === 0) receive(1, [[{ event: 'moved' }]]); // animated for a second
    await vi.advanceTimersByTimeAsync(150);
  }
  expect(sent).toEqual(['left']);
  await vi.advanceTimersByTimeAsync(500);
  controller.choose('right', MOUSE);
  expect(sent).toEqual(['left', 'right']);
});

test('keys choose at once', () => {
  const { controller } = newController();
  controller.choose('left', KEY);
  expect(sent).toEqual(['left']);
});

test('touch selects an action, which is chosen when it is confirmed', async () => {
  const { controller, receive } = newController();
  controller.choose('left', TOUCH);
  expect(controller.selected).toBeNull();
  vi.advanceTimersByTime(500);
  controller.choose('left', TOUCH);
  controller.choose('right', TOUCH);
  expect([controller.selected, controller.considered, sent]).toEqual(['right', 'right', []]);
  controller.choose('right');
  expect([controller.selected, sent]).toEqual([null, ['right']]);
  await vi.advanceTimersByTimeAsync(0);
  controller.choose('left', TOUCH);
  controller.consider(null);
  expect(controller.selected).toBeNull();
  controller.choose('left', TOUCH);
  receive(1);
  expect([controller.selected, controller.considered]).toEqual([null, null]);
});
