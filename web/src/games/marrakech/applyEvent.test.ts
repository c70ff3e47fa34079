import { describe, expect, it } from 'vitest';
import type { MarrakechEvent, MarrakechPosition } from './protocol';
import { applyEvent, duration, walkTimes } from './applyEvent';
import { gainOf, inLowestTerms, stopsOf } from './preview';

const POSITION: MarrakechPosition = {
  game: 'marrakech(players=2,edition=gigamic)',
  phase: 'turn',
  to_move: 0,
  assam: { square: 'd4', facing: 'S' },
  squares: { d2: { colour: 'blue', rug: 1 }, e2: { colour: 'blue', rug: 1 } },
  players: [
    { dirhams: 30, rugs: { red: 12, yellow: 12 }, next: 'red', out: false },
    { dirhams: 30, rugs: { blue: 11, orange: 12 }, next: 'orange', out: false },
  ],
};
const WALKED: MarrakechEvent = {
  event: 'walked',
  seat: 0,
  die: 2,
  start: 'd4',
  steps: [
    { square: 'd3', facing: 'S', arc: false },
    { square: 'd2', facing: 'S', arc: false },
  ],
};
const PAID: MarrakechEvent = { event: 'paid', seat: 0, to: 1, owed: 2, paid: 2, colour: 'blue', squares: ['d2', 'e2'] };

describe('the position after an event', () => {
  it('has Assam turned and moved', () => {
    expect(applyEvent(POSITION, { event: 'turned', seat: 0, turning: 'left', facing: 'E' }).assam).toEqual({ square: 'd4', facing: 'E' });
    expect(applyEvent(POSITION, WALKED).assam).toEqual({ square: 'd2', facing: 'S' });
  });

  it('has paid money moved', () => {
    expect(applyEvent(POSITION, PAID).players.map((player) => player.dirhams)).toEqual([28, 32]);
  });

  it('has a laid rug on top and off the pile, and the next one unknown', () => {
    const after = applyEvent(POSITION, { event: 'laid', seat: 0, colour: 'red', squares: ['c2', 'd2'], covered: [] });
    expect(after.squares.c2).toEqual(after.squares.d2);
    expect(after.squares.d2?.rug).not.toBe(after.squares.e2?.rug);
    expect(after.players[0]).toMatchObject({ rugs: { red: 11, yellow: 12 }, next: null });
    expect(applyEvent(after, { event: 'drew', seat: 0, colour: 'yellow' }).players[0]?.next).toBe('yellow');
  });

  it('has no holdings of a player who is out', () => {
    const after = applyEvent(POSITION, { event: 'out', seat: 1, order: 1 }).players[1];
    expect(after).toMatchObject({ out: true, out_order: 1, rugs: { blue: 0, orange: 0 }, next: null });
    expect(applyEvent(POSITION, { event: 'over', scores: [1, 2], ranking: [[1], [0]] }).phase).toBe('over');
  });

  it('comes after the die and every step of a walk', () => {
    expect(duration(WALKED)).toBe(600 + 250 + 2 * 180);
    expect(walkTimes(WALKED).steps.at(-1)).toBe(1);
  });
});

describe('stops', () => {
  const preview = {
    action: 'ahead',
    events: [],
    later: [],
    gains: [],
    outcomes: [
      { action: '2', probability: 1 / 3, events: [WALKED, PAID] },
      { action: '4', probability: 1 / 6, events: [WALKED, PAID] },
      { action: '1', probability: 1 / 6, events: [{ ...WALKED, steps: WALKED.steps.slice(0, 1) }] },
    ],
  };

  it('are merged by square', () => {
    expect(stopsOf(preview).map((stop) => [stop.square, stop.sixths, stop.paid])).toEqual([
      ['d2', 3, 2],
      ['d3', 1, 0],
    ]);
    expect(stopsOf(null)).toEqual([]);
  });

  it('cost the walker and pay the owner', () => {
    const [stop] = stopsOf(preview);
    expect(stop && [gainOf(stop, 0), gainOf(stop, 1), gainOf(stop, 2)]).toEqual([-2, 2, 0]);
  });

  it('have chances in lowest terms', () => {
    expect([1, 2, 3, 4, 5, 6].map(inLowestTerms)).toEqual([[1, 6], [1, 3], [1, 2], [2, 3], [5, 6], [1, 1]]);
  });
});
