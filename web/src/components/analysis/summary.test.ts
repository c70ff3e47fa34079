import { expect, test, vi } from 'vitest';
import type { PlayerSummary, AnalysedStep, GameAnalysis } from '../../lib/protocol';
import { whenReady } from './fetchAnalysis';
import { costly, course, luckWord, percent, signed, skillWord, turns } from './summary';

function step(number: number, turn: number, more: Partial<AnalysedStep>): AnalysedStep {
  return {
    step: number,
    turn,
    seat: null,
    action: '3',
    change: [0, 0],
    hindsight: [0, 0],
    shares: [0.5, 0.5],
    cost: 0,
    best: null,
    alternatives: [],
    ...more,
  };
}

const bad = step(2, 1, {
  seat: 1,
  action: 'left',
  best: 'right',
  cost: 0.2,
  shares: [0.7, 0.3],
  alternatives: [
    { action: 'right', shares: [0.5, 0.5], probability: null },
    { action: 'left', shares: [0.7, 0.3], probability: null },
  ],
});
const analysis: GameAnalysis = {
  game: 'marrakech(players=2)',
  level: 'master',
  nodes: 500,
  over: true,
  start: [0.5, 0.5],
  players: [],
  steps: [step(1, 1, {}), bad, step(3, 2, { shares: [1, 0] })],
  costliest: [2],
  turning_points: [2],
};

test('shares are told in per cent, changes with their sign', () => {
  expect([percent(0.527), percent(-0.001)]).toEqual([53, 0]);
  expect([signed(0.123), signed(-0.04), signed(0.001), signed(-0.001)]).toEqual(['+12', '−4', '0', '0']);
});

test('the course begins before the first step', () => {
  expect(course(analysis)).toEqual([
    [50, 50],
    [50, 50],
    [70, 30],
    [100, 0],
  ]);
});

test('a turn is told by its last step', () => {
  expect(turns(analysis).map((one) => one.step)).toEqual([2, 3]);
});

test('a costly decision is told with what was better', () => {
  expect(costly(analysis)).toEqual([
    { step: 2, turn: 1, seat: 1, action: 'left', expected: 0.3, best: 'right', possible: 0.5 },
  ]);
});

test('luck and skill have words for every number', () => {
  const account = (luck: number, own: number) => ({ luck, own }) as PlayerSummary;
  const luck = [0.4, 0.1, 0, -0.1, -0.4].map((one) => luckWord(account(one, 0)));
  expect(luck.map((key) => key.split('.').at(-1))).toEqual(['great', 'good', 'even', 'bad', 'awful']);
  const skill = [0, -0.1, -0.3, -2].map((one) => skillWord(account(0, one)));
  expect(skill.map((key) => key.split('.').at(-1))).toEqual(['fine', 'good', 'some', 'much']);
});

test('it asks until the analysis is there, and stops when nobody wants it', async () => {
  const ask = vi.fn(() => Promise.resolve({ ready: ask.mock.calls.length > 2, analysis: ask.mock.calls.length > 2 ? analysis : null }));
  const wait = vi.fn(() => Promise.resolve());
  expect(await whenReady(ask, () => true, wait)).toBe(analysis);
  expect([ask.mock.calls.length, wait.mock.calls.length]).toEqual([3, 2]);
  expect(await whenReady(ask, () => false, wait)).toBe(null);
  expect(ask.mock.calls.length).toBe(3);
});
