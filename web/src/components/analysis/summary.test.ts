import { expect, test, vi } from 'vitest';
import type { AnalysedStep, GameAnalysis, PlayerSummary } from '../../lib/protocol';
import { fetchAnalysis } from './fetchAnalysis';
import { allMistakes, costlyDecisions, luckText, sharesByStep, signed, skillText, turnEnds } from './summary';

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
    mistake: null,
    ...more,
  };
}

const bad = step(2, 1, {
  seat: 1,
  action: 'left',
  best: 'right',
  cost: 0.2,
  mistake: 'blunder',
  shares: [0.7, 0.3],
  alternatives: [
    { action: 'right', shares: [0.5, 0.5], probability: null },
    { action: 'left', shares: [0.7, 0.3], probability: null },
  ],
});
const analysis: GameAnalysis = {
  game: 'rugs(players=2)',
  level: 'master',
  nodes: 500,
  over: true,
  start: [0.5, 0.5],
  players: [],
  steps: [step(1, 1, {}), bad, step(3, 2, { shares: [1, 0] })],
  costliest: [2],
  turning_points: [2],
  thresholds: { inaccuracy: 0.02, mistake: 0.05, blunder: 0.1 },
};

test('changes have a sign', () => {
  expect([signed(0.123), signed(-0.04), signed(0.001), signed(-0.001)]).toEqual(['+12', '−4', '0', '0']);
});

test('shares begin before the first step', () => {
  expect(sharesByStep(analysis)).toEqual([
    [0.5, 0.5],
    [0.5, 0.5],
    [0.7, 0.3],
    [1, 0],
  ]);
});

test('a turn is shown by its last step', () => {
  expect(turnEnds(analysis).map((one) => one.step)).toEqual([2, 3]);
});

test('a costly decision has the better option', () => {
  const blunder = { step: 2, turn: 1, seat: 1, action: 'left', expected: 0.3, best: 'right', possible: 0.5, mistake: 'blunder' };
  expect(costlyDecisions(analysis)).toEqual([blunder]);
  expect(allMistakes(analysis)).toEqual([blunder]);
});

test('luck and skill have a text for every number', () => {
  const summary = (luck: number, own: number) => ({ luck, own }) as PlayerSummary;
  const luck = [0.4, 0.1, 0, -0.1, -0.4].map((one) => luckText(summary(one, 0)));
  expect(luck.map((key) => key.split('.').at(-1))).toEqual(['great', 'good', 'even', 'bad', 'awful']);
  const skill = [0, -0.1, -0.3, -2].map((one) => skillText(summary(0, one)));
  expect(skill.map((key) => key.split('.').at(-1))).toEqual(['fine', 'good', 'some', 'much']);
});

test('it requests the analysis until it is ready, or not wanted any more', async () => {
  const request = vi.fn(() => Promise.resolve({ ready: request.mock.calls.length > 2, analysis: request.mock.calls.length > 2 ? analysis : null }));
  const wait = vi.fn(() => Promise.resolve());
  expect(await fetchAnalysis(request, () => true, wait)).toBe(analysis);
  expect([request.mock.calls.length, wait.mock.calls.length]).toEqual([3, 2]);
  expect(await fetchAnalysis(request, () => false, wait)).toBe(null);
  expect(request.mock.calls.length).toBe(3);
});
