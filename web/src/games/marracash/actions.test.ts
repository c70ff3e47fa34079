import { describe, expect, it } from 'vitest';
import { actionsOfKind, auction, bid, bidProblem, bring, card, move, movesByStart, parseAction, quickBids } from './actions';

describe('the texts of actions', () => {
  it('are parsed as they are formatted', () => {
    expect(parseAction(move('F1', 'F3'))).toEqual({ kind: 'move', from: 'F1', to: 'F3' });
    expect(parseAction(auction('R3'))).toEqual({ kind: 'auction', shop: 'R3' });
    expect(parseAction(bid(125))).toEqual({ kind: 'bid', amount: 125 });
    expect(parseAction(bring('F8', 'tail', 3))).toEqual({ kind: 'bring', gate: 'F8', end: 'tail', count: 3 });
    expect(parseAction(card(150))).toEqual({ kind: 'card', value: 150 });
    expect(parseAction('pass')).toEqual({ kind: 'pass' });
    expect(parseAction('red 150')).toEqual({ kind: 'other' });
  });
  it('are sorted by kind and by group', () => {
    const legal = ['move F1>F2', 'move F1>F6', 'move F8>F9', 'auction R1'];
    expect([...movesByStart(legal)]).toEqual([['F1', ['F2', 'F6']], ['F8', ['F9']]]);
    expect(actionsOfKind(legal, 'auction')).toEqual([{ kind: 'auction', shop: 'R1' }]);
  });
});

describe('bids', () => {
  const amounts = [175, 200, 225, 250, 275];
  it('have buttons for possible raises of the current bid', () => {
    expect(quickBids(amounts, 150)).toEqual([{ amount: 175, by: 0 }, { amount: 200, by: 50 }, { amount: 250, by: 100 }]);
    expect(quickBids([100, 125, 150, 175, 200], null).map(({ amount }) => amount)).toEqual([100, 150, 200]);
    expect(quickBids([], 150)).toEqual([]);
  });
  it('have a button for the hinted bid', () => {
    expect(quickBids(amounts, 150, 225).map(({ amount, by }) => [amount, by])).toEqual([[175, 0], [200, 50], [225, 75], [250, 100]]);
    expect(quickBids(amounts, 150, 175)).toEqual(quickBids(amounts, 150));
    const many = Array.from({ length: 20 }, (_, step) => 150 + 25 * step);
    expect(quickBids(many, 125, 550).map(({ amount }) => amount)).toEqual([150, 175, 225, 550]); // not more buttons
  });
  it('are refused with possible amounts', () => {
    expect(bidProblem(200, amounts)).toBeNull();
    expect(bidProblem(137, amounts)).toMatchObject({ problem: 'low', low: 175 });
    expect(bidProblem(Number.NaN, amounts)).toMatchObject({ problem: 'low' });
    expect(bidProblem(500, amounts)).toMatchObject({ problem: 'high', high: 275 });
    expect(bidProblem(210, amounts)).toEqual({ problem: 'between', low: 200, high: 225 });
    expect(bidProblem(210, [])).toMatchObject({ problem: 'none' });
  });
});
