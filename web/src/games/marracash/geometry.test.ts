import { describe, expect, it } from 'vitest';
import { boardTargets, nearestTarget, nextTarget, type Target } from './boardTargets';
import { BOARD, POSITION } from './fixtures';
import { doorAt, lengthOf, pathBetween, pathData, pathTo, pointAlong, queueSpots, rotated, section } from './geometry';
import type { Selection } from './selection.svelte';

describe('paths', () => {
  it('are measured along their bends', () => {
    const line = [[0, 0], [10, 0], [10, 10]] as const;
    expect(lengthOf(line)).toBe(20);
    expect(pointAlong(line, 15)).toEqual([10, 5]);
    expect(pointAlong(line, 99)).toEqual([10, 10]);
    expect(section(line, 0.25, 0.75)).toEqual([[5, 0], [10, 0], [10, 5]]);
    expect(pathData(line)).toBe('M0 0L10 0L10 10');
  });
  it('have their doors in order, in both directions', () => {
    expect(pathBetween(BOARD, 'F2', 'F1')?.points[0]).toEqual([380, 20]);
    expect(pathBetween(BOARD, 'F2', 'F1')?.doors.map(({ shop }) => shop)).toEqual(['B1', 'R1']);
    expect(pathBetween(BOARD, 'F1', 'F3')).toBeNull();
    expect(doorAt(pathBetween(BOARD, 'F1', 'F2')!, 'B1')).toBe(0.7);
  });
  it('are found by the shops ahead', () => {
    expect(pathTo(BOARD, 'F2', ['B1'])?.points[0]).toEqual([20, 20]);
    expect(pathTo(BOARD, 'F2', ['R1'])).toBeNull();
  });
});

describe('a rotated board', () => {
  it('keeps everything inside, and is the same after four turns', () => {
    const upright = rotated(BOARD);
    expect([upright.width, upright.height, upright.open_side]).toEqual([200, 400, 'bottom']);
    expect(upright.shops[0]).toMatchObject({ x: 90, y: 100, width: 60, height: 60 });
    expect(rotated(rotated(rotated(upright)))).toEqual(BOARD);
  });
  it('has a spot for everyone in the queue', () => {
    expect(queueSpots(BOARD, 45)).toHaveLength(47);
    expect(queueSpots(BOARD, 60)).toHaveLength(62);
  });
});

describe('targets', () => {
  const target = (key: string, x: number, y: number): Target => ({ key, at: [x, y], radius: 10, label: '', action: null, isSelected: false });
  const targets = [target('a', 0, 0), target('b', 100, 0), target('c', 0, 100)];
  it('are reached by arrow keys', () => {
    expect(nextTarget(targets, targets[0]!, 'ArrowRight')?.key).toBe('b');
    expect(nextTarget(targets, targets[0]!, 'ArrowDown')?.key).toBe('c');
    expect(nextTarget(targets, targets[0]!, 'ArrowLeft')).toBeNull();
    expect(nextTarget(targets, targets[0]!, 'End')?.key).toBe('c');
  });
  it('are hit by a finger that is near enough', () => {
    expect(nearestTarget(targets, [80, 0], 20)?.key).toBe('b');
    expect(nearestTarget(targets, [50, 50], 20)).toBeNull();
  });

  it('do not overlap where both ends of a short queue reach the same visitors', () => {
    const legal = ['head', 'tail'].flatMap((end) => [2, 3, 4].map((n) => `bring F1 ${end} ${n}`));
    for (const length of [3, 4, 5, 6, 7, 30]) {
      const position = { ...POSITION, queue: Array.from({ length }, () => 'red' as const) };
      const possible = legal.filter((action) => Number(action.at(-1)) <= length);
      const controller = { legal: possible, position, considered: null };
      const found = boardTargets({ controller, position, from: null, gates: ['F1'], gate: 'F1' } as unknown as Selection, BOARD);
      expect(found).toHaveLength(possible.length);
      for (const one of found)
        for (const other of found)
          if (one !== other) expect(Math.hypot(one.at[0] - other.at[0], one.at[1] - other.at[1])).toBeGreaterThan(15);
      expect(found.every(({ count }) => (count !== undefined) === length < 8)).toBe(true);
    }
  });
});
