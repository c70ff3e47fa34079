import { describe, expect, it } from 'vitest';
import { all, auction, bid, bring, card, move, moves, raises, read, whyNot } from './actions';

describe('the texts of actions', () => {
  it('are read and written alike', () => {
    expect(read(move('F1', 'F3'))).toEqual({ kind: 'move', from: 'F1', to: 'F3' });
    expect(read(auction('R3'))).toEqual({ kind: 'auction', shop: 'R3' });
    expect(read(bid(125))).toEqual({ kind: 'bid', amount: 125 });
    expect(read(bring('F8', 'tail', 3))).toEqual({ kind: 'bring', gate: 'F8', end: 'tail', count: 3 });
    expect(read(card(150))).toEqual({ kind: 'card', value: 150 });
    expect(read('pass')).toEqual({ kind: 'pass' });
    expect(read('red 150')).toEqual({ kind: 'other' });
  });
  it('are sorted by kind and by group', () => {
    const legal = ['move F1>F2', 'move F1>F6', 'move F8>F9', 'auction R1'];
    expect([...moves(legal)]).toEqual([['F1', ['F2', 'F6']], ['F8', ['F9']]]);
    expect(all(legal, 'auction')).toEqual([{ kind: 'auction', shop: 'R1' }]);
  });
});

describe('bids', () => {
  const amounts = [175, 200, 225, 250, 275];
  it('have quick raises above what is bid, as far as they are possible', () => {
    expect(raises(amounts, 150)).toEqual([{ amount: 175, by: 0 }, { amount: 200, by: 50 }, { amount: 250, by: 100 }]);
    expect(raises([100, 125, 150, 175, 200], null).map(({ amount }) => amount)).toEqual([100, 150, 200]);
    expect(raises([], 150)).toEqual([]);
  });
  it('have a button for what the computer would bid', () => {
    expect(raises(amounts, 150, 225).map(({ amount, by }) => [amount, by])).toEqual([[175, 0], [200, 50], [225, 75], [250, 100]]);
    expect(raises(amounts, 150, 175)).toEqual(raises(amounts, 150));
    const many = Array.from({ length: 20 }, (_, step) => 150 + 25 * step);
    expect(raises(many, 125, 550).map(({ amount }) => amount)).toEqual([150, 175, 225, 550]); // no more buttons
  });
  it('are refused with what would be accepted', () => {
    expect(whyNot(200, amounts)).toBeNull();
    expect(whyNot(137, amounts)).toMatchObject({ why: 'low', low: 175 });
    expect(whyNot(Number.NaN, amounts)).toMatchObject({ why: 'low' });
    expect(whyNot(500, amounts)).toMatchObject({ why: 'high', high: 275 });
    expect(whyNot(210, amounts)).toEqual({ why: 'between', low: 200, high: 225 });
    expect(whyNot(210, [])).toMatchObject({ why: 'none' });
  });
});
