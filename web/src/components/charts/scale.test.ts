import { expect, test } from 'vitest';
import { MARGIN, markerSteps, roundTicks, scoreScale, stepPath } from './scale';

test('ticks are round numbers that enclose the range', () => {
  expect(roundTicks(0, 54)).toEqual([0, 20, 40, 60]);
  expect(roundTicks(0, 1)).toEqual([0, 1]);
  expect(roundTicks(-3, 10)).toEqual([-5, 0, 5, 10]);
  expect(roundTicks(0, 180)).toEqual([0, 50, 100, 150, 200]);
});

test('steps run from left to right, and every place has a nearest step', () => {
  const scale = scoreScale([[30], [31], [35], [20]], 400, 100);
  expect(scale.x(0)).toBe(MARGIN.left);
  expect(scale.x(3)).toBe(400 - MARGIN.right);
  for (const step of [0, 1, 2, 3]) expect(scale.stepAt(scale.x(step))).toBe(step);
  expect(scale.stepAt(-50)).toBe(0);
  expect(scale.stepAt(999)).toBe(3);
  expect(scale.y(35)).toBeLessThan(scale.y(20));
});

test('a line is level until a score changes', () => {
  const scores = [[0], [0], [0], [10], [10]];
  const scale = scoreScale(scores, 46 + 40, 14 + 100);
  expect(stepPath(scores, 0, scale).match(/V/g)).toHaveLength(2);
});

test('markers of different players are in different columns', () => {
  const [first, second] = [0, 1].map((seat) => markerSteps(60, seat, 2)) as [number[], number[]];
  expect(first.some((step) => second.includes(step))).toBe(false);
  expect(first.length).toBeGreaterThan(3);
});
