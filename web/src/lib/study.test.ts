import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Game } from '../games/types';
import { api } from './api';
import type { Position, Preview, StudyFrame } from './protocol';
import { settings } from './settings.svelte';
import { StudyController } from './study.svelte';

const OUTCOMES = [
  { action: '1', probability: 0.25 },
  { action: '2', probability: 0.75 },
];

/** Return the frame after an action: players choose after even steps, chance after odd ones. */
function frame(number: number, action: string | null): StudyFrame {
  return {
    seat: 0,
    action,
    events: action === null ? [] : [{ event: `did ${action}` }],
    position: { game: String(number), phase: '', to_move: 0 },
    scores: [number, 0],
    mover: number % 2 ? null : 0,
    legal: number % 2 ? [] : ['left', 'right'],
    outcomes: number % 2 ? OUTCOMES : [],
    over: false,
  };
}

const game = {
  applyEvent: <T>(position: T) => position,
  duration: () => 100,
  describeEvent: (event: { event: string }) => event.event,
  describeAction: (action: string) => action,
} as unknown as Game;

const sent = vi.spyOn(api, 'study').mockImplementation(({ position, actions = [] }) => {
  const first = Number((position as Position).game);
  const frames = [frame(first, null), ...actions.map((action, number) => frame(first + 1 + number, action))];
  return Promise.resolve({ game: 'g', name: 'g', frames });
});

const newStudy = (onerror?: (error: unknown) => void) => new StudyController(game, ['Ada', 'Ben'], [frame(0, null)], onerror);

/** Let an action arrive and its events be shown. */
const settle = () => vi.advanceTimersByTimeAsync(100);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', { hidden: false });
  settings.speed = 1;
  sent.mockClear();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('an action is animated, and nothing can be chosen meanwhile', async () => {
  const study = newStudy();
  study.act('left');
  expect(study.legal).toEqual([]);
  await vi.advanceTimersByTimeAsync(50);
  expect(study.playing?.event.event).toBe('did left');
  expect([study.position.game, study.outcomes]).toEqual(['0', []]);
  await settle();
  expect([study.position.game, study.outcomes, study.legal]).toEqual(['1', OUTCOMES, []]);
});

test('what is not legal is not sent', async () => {
  const study = newStudy();
  study.act('1');
  study.act('hop');
  await settle();
  expect([study.step, sent.mock.calls.length]).toEqual([0, 0]);
});

test('chance outcomes are chosen, or drawn by their probability', async () => {
  const study = newStudy();
  for (const random of [0, 0.24, 0.26, 0.99]) {
    study.go(0);
    study.act('left');
    await settle();
    study.actAtRandom(random);
    await settle();
  }
  expect(sent.mock.calls.map(([start]) => start.actions?.[0])).toEqual(['left', '1', '2']);
});

test('the line goes on where it is repeated, and another action replaces its rest', async () => {
  const study = newStudy();
  for (const action of ['left', '2', 'right']) {
    study.act(action);
    await settle();
  }
  expect(study.actions).toEqual(['left', '2', 'right']);
  expect(study.history.map((event) => event.event)).toEqual(['did left', 'did 2', 'did right']);
  study.go(0);
  expect([study.position.game, study.history]).toEqual(['0', []]);
  study.act('left');
  await settle();
  expect(study.actions).toEqual(['left', '2', 'right']);
  expect(sent.mock.calls.length).toBe(3);
  study.act('1');
  await settle();
  expect([study.step, study.actions]).toEqual([2, ['left', '1']]);
});

test('steps beyond the ends are clamped', () => {
  const study = newStudy();
  study.go(9);
  expect(study.step).toBe(0);
  study.go(-1);
  expect(study.step).toBe(0);
});

test('whoever goes back before an action arrives stays there', async () => {
  const study = newStudy();
  study.act('left');
  await settle();
  study.act('1');
  study.go(0);
  await settle();
  expect([study.step, study.actions, study.legal]).toEqual([0, ['left'], ['left', 'right']]);
});

test('by touch an action is selected first', async () => {
  vi.spyOn(api, 'studyPreviews').mockRejectedValueOnce(new Error());
  const study = newStudy();
  study.choose('left', { pointerType: 'touch' });
  expect([study.selected, study.considered, study.isActing]).toEqual(['left', 'left', false]);
  study.choose('left');
  await settle();
  expect([study.selected, study.actions]).toEqual([null, ['left']]);
});

test('previews that are asked for at the same time are requested together', async () => {
  const asked = vi.spyOn(api, 'studyPreviews').mockImplementation((_, actions) => Promise.resolve(actions.map((action) => ({ action }) as Preview)));
  asked.mockClear();
  const study = newStudy();
  const previews = await Promise.all(['left', 'right', 'left'].map((action) => study.previewOf(action)));
  expect(previews.map((preview) => preview?.action)).toEqual(['left', 'right', 'left']);
  await study.previewOf('right');
  expect(asked.mock.calls.map(([, actions]) => actions)).toEqual([['left', 'right']]);
});

test('an action that fails is reported, and can be tried again', async () => {
  const failed = vi.fn();
  const study = newStudy(failed);
  sent.mockRejectedValueOnce(new Error('away'));
  study.act('left');
  await settle();
  expect([failed.mock.calls.length, study.step, study.legal]).toEqual([1, 0, ['left', 'right']]);
  study.act('left');
  await settle();
  expect(study.step).toBe(1);
});
