import { describe, expect, it, vi } from 'vitest';
import type { Choosing } from './selection.svelte';
import { PLAN, POSITION } from './fixtures';
import { along, doorAt, length, part, path, places, turned, wayOf, wayTo } from './geometry';
import { nearest, stepped, targets, type Target } from './boardTargets';

vi.mock('../../lib/texts.svelte', () => import('./testTexts'));

describe('ways', () => {
  it('are measured along their bends', () => {
    const way = [[0, 0], [10, 0], [10, 10]] as const;
    expect(length(way)).toBe(20);
    expect(along(way, 15)).toEqual([10, 5]);
    expect(along(way, 99)).toEqual([10, 10]);
    expect(part(way, 0.25, 0.75)).toEqual([[5, 0], [10, 0], [10, 5]]);
    expect(path(way)).toBe('M0 0L10 0L10 10');
  });
  it('lead both ways, with the doors in the order met', () => {
    expect(wayOf(PLAN, 'F2', 'F1')?.points[0]).toEqual([380, 20]);
    expect(wayOf(PLAN, 'F2', 'F1')?.doors.map(({ shop }) => shop)).toEqual(['B1', 'R1']);
    expect(wayOf(PLAN, 'F1', 'F3')).toBeNull();
    expect(doorAt(wayOf(PLAN, 'F1', 'F2')!, 'B1')).toBe(0.7);
  });
  it('are found by the shops still ahead', () => {
    expect(wayTo(PLAN, 'F2', ['B1'])?.points[0]).toEqual([20, 20]);
    expect(wayTo(PLAN, 'F2', ['R1'])).toBeNull();
  });
});

describe('a turned town', () => {
  it('keeps everything inside, and four turns change nothing', () => {
    const upright = turned(PLAN);
    expect([upright.width, upright.height, upright.open_side]).toEqual([200, 400, 'bottom']);
    expect(upright.shops[0]).toMatchObject({ x: 90, y: 100, width: 60, height: 60 });
    expect(turned(turned(turned(upright)))).toEqual(PLAN);
  });
  it('has a place for everyone in the queue', () => {
    expect(places(PLAN, 45)).toHaveLength(47);
    expect(places(PLAN, 60)).toHaveLength(62);
  });
});

describe('targets', () => {
  const target = (key: string, x: number, y: number): Target => ({ key, at: [x, y], reach: 10, label: '', action: null, isPicked: false });
  const found = [target('a', 0, 0), target('b', 100, 0), target('c', 0, 100)];
  it('are stepped through by arrows', () => {
    expect(stepped(found, found[0]!, 'ArrowRight')?.key).toBe('b');
    expect(stepped(found, found[0]!, 'ArrowDown')?.key).toBe('c');
    expect(stepped(found, found[0]!, 'ArrowLeft')).toBeNull();
    expect(stepped(found, found[0]!, 'End')?.key).toBe('c');
  });
  it('are met by a finger that is near enough', () => {
    expect(nearest(found, [80, 0], 20)?.key).toBe('b');
    expect(nearest(found, [50, 50], 20)).toBeNull();
  });

  it('stand apart where both ends of a short queue reach the same visitors', () => {
    const legal = ['head', 'tail'].flatMap((end) => [2, 3, 4].map((n) => `bring F1 ${end} ${n}`));
    for (const count of [3, 4, 5, 6, 7, 30]) {
      const position = { ...POSITION, queue: Array.from({ length: count }, () => 'red' as const) };
      const possible = legal.filter((action) => Number(action.at(-1)) <= count);
      const desk = { legal: possible, position, considered: null };
      const found = targets({ desk, position, from: null, gates: ['F1'], gate: 'F1' } as unknown as Choosing, PLAN);
      expect(found).toHaveLength(possible.length);
      for (const one of found)
        for (const other of found)
          if (one !== other) expect(Math.hypot(one.at[0] - other.at[0], one.at[1] - other.at[1])).toBeGreaterThan(15);
      expect(found.every(({ chip }) => (chip !== undefined) === count < 8)).toBe(true);
    }
  });
});
