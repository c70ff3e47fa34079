import { describe, expect, it } from 'vitest';
import type { MarraCashEvent } from './protocol';
import { applyEvent, duration, withWalkEnded } from './applyEvent';
import { BOARD, POSITION } from './fixtures';
import { entriesOf, ledger } from './ledger';
import { walkProgress } from './walk';

const WALK: MarraCashEvent[] = [
  { event: 'moved', seat: 0, start: 'F1', end: 'F2', group: { red: 2, blue: 1 } },
  { event: 'entered', shop: 'R1', colour: 'red', owner: 1, rank: 1, payment: 100 },
  { event: 'commission', owner: 1, seat: 0, amount: 50 },
  { event: 'entered', shop: 'R1', colour: 'red', owner: 1, rank: 2, payment: 200 },
  { event: 'commission', owner: 1, seat: 0, amount: 50 },
];
const play = (events: MarraCashEvent[]) => events.reduce(applyEvent, POSITION);

describe('the position after events', () => {
  it('follows a walk to its end', () => {
    const after = play(WALK);
    expect(after.groups).toEqual({ F2: { green: 1 } });
    expect(after.walk?.group).toEqual({ blue: 1 });
    expect(after.shops.R1).toEqual({ owner: 1, customers: 2 });
    expect(after.players.map(({ dirhams }) => dirhams)).toEqual([1100, 1100, 1200]);
    expect(withWalkEnded(after).groups).toEqual({ F2: { green: 1, blue: 1 } });
    expect(withWalkEnded(after).walk).toBeUndefined();
  });
  it('follows an auction', () => {
    const named = play([
      { event: 'named', seat: 0, shop: 'B1', colour: 'blue' },
      { event: 'bid', seat: 0, shop: 'B1', amount: 100 },
      { event: 'bid', seat: 1, shop: 'B1', amount: 125 },
      { event: 'passed', seat: 2, shop: 'B1' },
    ]);
    expect(named.auction).toEqual({ shop: 'B1', auctioneer: 0, bid: 125, bidder: 1, passed: [2] });
    const sold = applyEvent(named, { event: 'sold', seat: 1, shop: 'B1', price: 125, auctioneer: 0, commission: 100 });
    expect(sold.auction).toBeNull();
    expect(sold.shops.B1).toEqual({ owner: 1, customers: 0 });
    expect(sold.players.slice(0, 2)).toEqual([{ dirhams: 1100, signs: 6 }, { dirhams: 775, signs: 4 }]);
  });
  it('brings visitors from either end', () => {
    const head = play([{ event: 'brought', seat: 0, gate: 'F3', end: 'head', visitors: ['red', 'blue'] }]);
    expect([head.queue.length, head.groups.F3]).toEqual([3, { red: 1, blue: 1 }]);
    const tail = play([{ event: 'brought', seat: 0, gate: 'F3', end: 'tail', visitors: ['purple', 'yellow'] }]);
    expect(tail.queue).toEqual(['red', 'blue', 'green']);
  });
  it('sells and turns souvenir cards', () => {
    const cards = { open: [['red', 50]] as ['red', number][], left: { blue: [125, 150] } };
    const sold = applyEvent({ ...POSITION, cards }, { event: 'souvenir', owner: 1, colour: 'red', value: 50 });
    expect([sold.cards?.open, sold.players[1]?.dirhams]).toEqual([[], 950]);
    const next = applyEvent(sold, { event: 'revealed', colour: 'blue', value: 125 });
    expect(next.cards).toEqual({ open: [['blue', 125]], left: { blue: [150] } });
  });
  it('takes time for every event but the last', () => {
    expect(WALK.every((event) => duration(event) > 0)).toBe(true);
    expect(duration({ event: 'over', scores: [], ranking: [] })).toBe(0);
  });
});

describe('a walking group', () => {
  const at = (index: number, isPending = false) =>
    walkProgress(BOARD, WALK.slice(0, index).reduce(applyEvent, POSITION), { event: WALK[index]!, ms: 1 }, WALK, isPending);
  it('stops at each door that a visitor enters, and walks on to the end', () => {
    expect(at(0)).toMatchObject({ from: 0, to: 0.3, group: { red: 2, blue: 1 } });
    expect(at(1)).toMatchObject({ from: 0.3, to: 0.3, group: { red: 1, blue: 1 } });
    expect(at(3)).toMatchObject({ from: 0.3, to: 1, group: { red: 0, blue: 1 } });
    expect(at(3, true)).toMatchObject({ from: 0.3, to: 0.3 });
  });
});

describe('the ledger', () => {
  it('has an entry for payer and payee', () => {
    expect(WALK.flatMap(entriesOf)).toHaveLength(6);
    expect(ledger(WALK, 1).map(({ amount }) => amount)).toEqual([-50, 200, -50, 100]);
    expect(ledger(WALK, 0).map(({ amount, reason }) => [amount, reason])).toEqual([[50, 'commission'], [50, 'commission']]);
    expect(ledger(WALK, 1, 1)).toHaveLength(1);
  });
});
