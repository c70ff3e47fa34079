import { describe, expect, it } from 'vitest';
import type { MarrakechStep } from './protocol';
import { arcPath, arcsOf, centre, facingAtStart, nextPlace, otherEnd, placeAt, placeFromSquares, squareAt, SQUARES, walkLegs, type BoardData } from './geometry';

const BOARD: BoardData = {
  arcs: [
    { out: ['d1', 'S'], in: ['e1', 'N'] },
    { out: ['e1', 'S'], in: ['d1', 'N'] },
    { out: ['g7', 'N'], in: ['g7', 'W'] },
    { out: ['g7', 'E'], in: ['g7', 'S'] },
  ],
};
const ARCS = arcsOf(BOARD);
const PLACES = ['c4c5', 'c5d5', 'd5e5', 'd5d6', 'e4e5', 'e4f4', 'd2d3', 'c3d3', 'd3e3', 'b4c4'];

describe('the board', () => {
  it('has every arc once, and arcs lead back', () => {
    expect(ARCS.map((arc) => arc.map(({ square, side }) => square + side))).toEqual([['d1S', 'e1S'], ['g7N', 'g7E']]);
    for (const end of ARCS.flat()) expect(otherEnd(ARCS, otherEnd(ARCS, end) ?? end)).toEqual(end);
    expect(arcsOf(undefined)).toEqual([]);
    for (const arc of ARCS) expect(arcPath(arc)).not.toContain('NaN');
  });

  it('has squares at their centres', () => {
    for (const square of SQUARES) expect(squareAt(centre(square))).toBe(square);
    expect(squareAt([-1, 5])).toBeNull();
  });

  it('has walks along the arcs', () => {
    const steps: MarrakechStep[] = [
      { square: 'd1', facing: 'S', arc: false },
      { square: 'e1', facing: 'N', arc: true },
    ];
    const [straight, round] = walkLegs(ARCS, 'd2', steps);
    expect(straight).toEqual({ path: 'M280 440L280 520', arc: false });
    expect(round?.path).toMatch(/^M280 520L280 570L280 580A40 40 0 0 0 360 580L360 570L360 520$/);
    expect(facingAtStart(ARCS, steps, 'N')).toBe('S');
    expect(facingAtStart(ARCS, steps.slice(1), 'N')).toBe('S');
    expect(facingAtStart(ARCS, [{ square: 'g7', facing: 'W', arc: true }], 'S')).toBe('N');
  });
});

describe('places', () => {
  it('are found near the edge between their squares', () => {
    expect(placeAt(PLACES, [320, 200])).toBe('d5e5');
    expect(placeAt(PLACES, [280, 165])).toBe('d5d6');
    expect(placeAt(PLACES, [550, 20])).toBeNull();
  });

  it('are found by two squares in either order', () => {
    expect(placeFromSquares(PLACES, 'd5', 'c5')).toBe('c5d5');
    expect(placeFromSquares(PLACES, 'a1', 'a2')).toBeNull();
  });

  it('are all reached by arrow keys', () => {
    const reached = new Set(['c4c5']);
    for (const place of reached) for (const side of ['N', 'E', 'S', 'W'] as const) reached.add(nextPlace(PLACES, place, side));
    expect(reached.size).toBe(PLACES.length);
  });
});
