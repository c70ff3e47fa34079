import { expect, test } from 'vitest';
import { markersAt, MARGIN, path, plot, roundTicks } from './scale';

test('ticks are round and enclose everything', () => {
  expect(roundTicks(0, 54)).toEqual([0, 20, 40, 60]);
  expect(roundTicks(0, 1)).toEqual([0, 1]);
  expect(roundTicks(-3, 10)).toEqual([-5, 0, 5, 10]);
  expect(roundTicks(0, 180)).toEqual([0, 50, 100, 150, 200]);
});

test('the first step is left, the last right, and every place has its nearest step', () => {
  const drawn = plot([[30], [31], [35], [20]], 400, 100);
  expect(drawn.x(0)).toBe(MARGIN.left);
  expect(drawn.x(3)).toBe(400 - MARGIN.right);
  for (const step of [0, 1, 2, 3]) expect(drawn.stepAt(drawn.x(step))).toBe(step);
  expect(drawn.stepAt(-50)).toBe(0);
  expect(drawn.stepAt(999)).toBe(3);
  expect(drawn.y(35)).toBeLessThan(drawn.y(20));
});

test('a line is level until a score changes', () => {
  const scores = [[0], [0], [0], [10], [10]];
  const drawn = plot(scores, 46 + 40, 14 + 100);
  expect(path(scores, 0, drawn).match(/V/g)).toHaveLength(2);
});

test('markers of different players stand in different columns', () => {
  const [first, second] = [0, 1].map((seat) => markersAt(60, seat, 2)) as [number[], number[]];
  expect(first.some((step) => second.includes(step))).toBe(false);
  expect(first.length).toBeGreaterThan(3);
});
