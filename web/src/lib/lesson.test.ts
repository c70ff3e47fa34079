import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { gameList, hasLessons } from '../games';
import type { Game } from '../games/types';
import { api } from './api';
import { LessonController, loadStep, type LessonStep } from './lesson.svelte';
import type { Position, StudyFrame } from './protocol';
import { settings } from './settings.svelte';

/** Return the frame after an action; the number of actions so far is the game. */
function frame(number: number, action: string | null): StudyFrame {
  return {
    ...{ seat: 0, action, scores: [number, 0], mover: 0, legal: ['left', 'right', 'back'], outcomes: [], over: false },
    events: action === null ? [] : [{ event: `did ${action}` }],
    position: { game: String(number), phase: 'turn', to_move: 0 },
  };
}

const game = {
  name: 'game',
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

const begin = (step: Partial<LessonStep>) => new LessonController({ name: 'a', ...step }, game, ['Ada', 'Ben'], frame(0, null), () => {});

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', { hidden: false });
  settings.speed = 1;
  settings.explained = [];
  sent.mockClear();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('there is only something to read without choices', () => {
  const lesson = begin({});
  expect([lesson.isDone, lesson.legal]).toEqual([true, []]);
});

test('another legal action changes nothing and shows what is asked for', async () => {
  const lesson = begin({ choices: ['left', 'right'] });
  lesson.act('back');
  await vi.runAllTimersAsync();
  expect([lesson.isOther, lesson.hinted, lesson.step, sent.mock.calls.length]).toEqual([true, 'left', 0, 0]);
  lesson.act('right');
  await vi.runAllTimersAsync();
  expect([lesson.isOther, lesson.hinted, lesson.isDone]).toEqual([false, null, true]);
});

test('any action is right where none is named', async () => {
  const lesson = begin({ choices: [] });
  lesson.act('back');
  await vi.runAllTimersAsync();
  expect([lesson.isOther, lesson.isDone]).toEqual([false, true]);
});

test('the script follows the choice, one event after the other', async () => {
  const lesson = begin({ choices: ['left'], script: ['3', 'pass'] });
  lesson.act('left');
  const seen: unknown[] = [];
  for (let time = 50; time < 400; time += 100) {
    await vi.advanceTimersByTimeAsync(time === 50 ? 50 : 100);
    seen.push([lesson.playing?.event.event, lesson.view.scores[0], lesson.isDone, lesson.legal.length]);
  }
  expect(seen).toEqual([
    ['did left', 1, false, 0],
    ['did 3', 2, false, 0],
    ['did pass', 3, false, 0],
    [undefined, 3, true, 0],
  ]);
  expect(sent).toHaveBeenCalledExactlyOnceWith({ position: frame(0, null).position, actions: ['left', '3', 'pass'] });
  expect(settings.explained).toEqual(['game.help.turn']);
});

test('a learner who goes elsewhere ends the script', async () => {
  const lesson = begin({ choices: ['left'], script: ['3', 'pass'] });
  lesson.act('left');
  await vi.advanceTimersByTimeAsync(50);
  lesson.stop();
  await vi.runAllTimersAsync();
  expect(lesson.step).toBe(1);
});

test('a step without a position begins where the ones before it end', async () => {
  const { position } = frame(5, null);
  const steps = [{ name: 'a', position }, { name: 'b', choices: ['left', 'right'], script: ['3'] }, { name: 'c', choices: ['back'] }, { name: 'd' }];
  const start = await loadStep(steps, 3);
  expect(sent).toHaveBeenCalledExactlyOnceWith({ position, actions: ['left', '3', 'back'] });
  expect(start.position.game).toBe('8');
});

const allSteps = import.meta.glob<LessonStep[]>('../games/*/lessons/steps.json', { import: 'default', eager: true });
const allTexts = import.meta.glob<Record<string, string>>('../games/*/lessons/en.ts', { import: 'default', eager: true });

test.each(gameList.names.filter(hasLessons))('every step of %s has its texts', (name) => {
  const steps = allSteps[`../games/${name}/lessons/steps.json`]!;
  const keys = Object.keys(allTexts[`../games/${name}/lessons/en.ts`]!);
  const prefix = `${name}.lesson.`;
  const needed = steps.flatMap((step) => [step.name, ...(step.choices?.length ? [`${step.name}.other`] : [])]);
  expect(keys.filter((key) => !key.endsWith('.done')).sort()).toEqual(needed.map((key) => prefix + key).sort());
  // Without a text at the end, the next step follows at once: from where this one ends.
  const silent = steps.filter((step) => step.choices && !keys.includes(`${prefix}${step.name}.done`));
  expect(silent.filter((step) => steps[steps.indexOf(step) + 1]?.position !== undefined)).toEqual([]);
  expect(steps.at(-1)!.choices).toBeDefined();
});
