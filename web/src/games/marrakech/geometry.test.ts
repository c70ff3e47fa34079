import { describe, expect, it } from 'vitest';
import type { MarrakechStep } from './protocol';
import { arcPaths, CELL, centre, clipOf, courtOf, facingAtStart, nextPlace, otherEnd, placeAt, placeCentre, placeTapped, squareAt, SQUARES, walkLegs, type BoardData } from './geometry';

const BOARD: BoardData = {
  arcs: [
    { out: ['d1', 'S'], in: ['e1', 'N'] },
    { out: ['e1', 'S'], in: ['d1', 'N'] },
    { out: ['g7', 'N'], in: ['g7', 'W'] },
    { out: ['g7', 'E'], in: ['g7', 'S'] },
  ],
};
const COURT = courtOf(BOARD, false);
const ARCS = COURT.arcs;
const PLACES = ['c4c5', 'c5d5', 'd5e5', 'd5d6', 'e4e5', 'e4f4', 'd2d3', 'c3d3', 'd3e3', 'b4c4'];

describe('the board', () => {
  it('has every arc once, and arcs lead back', () => {
    expect(ARCS.map((arc) => arc.map(({ square, side }) => square + side))).toEqual([['d1S', 'e1S'], ['g7N', 'g7E']]);
    for (const end of ARCS.flat()) expect(otherEnd(ARCS, otherEnd(ARCS, end) ?? end)).toEqual(end);
    expect(courtOf(undefined, false).arcs).toEqual([]);
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
    const [straight, round] = walkLegs(COURT, 'd2', steps);
    expect(straight).toEqual({ path: 'M280 440L280 520', arc: false });
    expect(round?.path).toMatch(/^M280 520L280 570L280 580A40 40 0 0 0 360 580L360 570L360 520$/);
    expect(facingAtStart(COURT, steps, 'N')).toBe('S');
    expect(facingAtStart(COURT, steps.slice(1), 'N')).toBe('S');
    expect(facingAtStart(COURT, [{ square: 'g7', facing: 'W', arc: true }], 'S')).toBe('N');
  });

  it('is shown in parts where a finger would not hit a square', () => {
    const small = courtOf(BOARD, true);
    expect(clipOf(small, 348, centre('d4'))).toEqual(clipOf(small, 348, null));
    for (const square of SQUARES) {
      const { x, y, side } = clipOf(small, 260, centre(square));
      expect((260 / side) * CELL).toBeCloseTo(44);
      expect([x, y].every((corner) => corner >= -small.edge && corner + side <= 560 + small.edge)).toBe(true);
    }
  });

  it('has flat arcs where it is small, so that its squares are large', () => {
    const small = courtOf(BOARD, true);
    expect(small.edge).toBeLessThan(0.6 * COURT.edge);
    for (const court of [small, COURT]) {
      const numbers = arcPaths(court).match(/-?[\d.]+/g)?.map(Number) ?? [];
      expect(Math.max(...numbers)).toBeLessThan(560 + court.edge);
      expect(Math.min(...numbers)).toBeGreaterThan(-court.edge);
    }
  });
});

describe('places', () => {
  it('are found near the edge between their squares', () => {
    expect(placeAt(PLACES, [320, 200])).toBe('d5e5');
    expect(placeAt(PLACES, [280, 165])).toBe('d5d6');
    expect(placeAt(PLACES, [550, 20])).toBeNull();
  });

  it('are found by taps: near the finger, on two squares in either order, or one after the other', () => {
    expect(placeTapped(PLACES, centre('d5'), null, null)).toMatch('d5');
    expect(placeTapped(PLACES, centre('c5'), 'd5', 'd5e5')).toBe('c5d5');
    const ofD5 = new Set<string>();
    for (let place = 'd5e5'; !ofD5.has(place); ) {
      ofD5.add(place);
      place = placeTapped(PLACES, centre('d5'), 'd5', place) ?? '';
    }
    expect([...ofD5].sort()).toEqual(['c5d5', 'd5d6', 'd5e5']);
    expect(placeTapped(PLACES, centre('a1'), 'd5', 'd5e5')).toBeNull();
  });

  it('are all reached by arrow keys, each of which leads where it points', () => {
    const reached = new Set(['c4c5']);
    for (const place of reached)
      for (const side of ['N', 'E', 'S', 'W'] as const) {
        const next = nextPlace(PLACES, place, side);
        const [dx, dy] = [0, 1].map((axis) => placeCentre(next)[axis]! - placeCentre(place)[axis]!) as [number, number];
        const [ahead, aside] = { N: [-dy, dx], E: [dx, dy], S: [dy, dx], W: [-dx, dy] }[side] as [number, number];
        expect(next === place || ahead >= Math.abs(aside)).toBe(true);
        reached.add(next);
      }
    expect(reached.size).toBe(PLACES.length);
  });
});
