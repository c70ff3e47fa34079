import { beforeAll, describe, expect, it, vi } from 'vitest';
import { actionLabel, cssColour, groupActions } from './words';

const choice = (action: string, kind = action.split(' ')[0]!) => ({ action, kind });

describe('actions', () => {
  it('have labels that begin with a capital if they begin with a word', () => {
    expect(['roll', 'bid 125', 'c2c3', '5', 'auction R3'].map(actionLabel)).toEqual(['Roll', 'Bid 125', 'c2c3', '5', 'Auction R3']);
  });

  it('are grouped by kind, those alone in theirs first', () => {
    const legal = ['bid 50', 'bid 75', 'pass', 'move F1>F3', 'move F2>F1'];
    expect(groupActions(legal, legal.map((action) => choice(action)))).toEqual([
      { kind: '', actions: [{ action: 'pass', label: 'Pass' }] },
      { kind: 'Bid', actions: [{ action: 'bid 50', label: '50' }, { action: 'bid 75', label: '75' }] },
      { kind: 'Move', actions: [{ action: 'move F1>F3', label: 'F1>F3' }, { action: 'move F2>F1', label: 'F2>F1' }] },
    ]); // prettier-ignore
  });

  it('keep their whole label under a kind that is not their first word', () => {
    expect(groupActions(['a1', 'a2'], [choice('a1', 'place'), choice('a2', 'place')])).toEqual([
      { kind: 'Place', actions: [{ action: 'a1', label: 'a1' }, { action: 'a2', label: 'a2' }] },
    ]); // prettier-ignore
  });

  it('are grouped by their first words until their kinds are known', () => {
    const choices = [choice('pass', 'pass'), choice('bid 1', 'bid'), choice('bid 2', 'bid')];
    const legal = choices.map(({ action }) => action);
    expect(groupActions(legal, [])).toEqual(groupActions(legal, choices));
    expect(groupActions(['roll', 'hold'], [])).toEqual([{ kind: '', actions: [{ action: 'roll', label: 'Roll' }, { action: 'hold', label: 'Hold' }] }]);
    expect(groupActions([], [])).toEqual([]);
  });
});

describe('the colour of a seat', () => {
  beforeAll(() => vi.stubGlobal('CSS', { supports: (_: string, value: string) => value === 'teal' }));

  it('is one of the page, a colour that CSS knows, or that of the seat', () => {
    expect(cssColour('blue', 0)).toBe('var(--blue)');
    expect(cssColour('teal', 0)).toBe('teal');
    expect(cssColour('plaid', 1)).toBe('var(--yellow)');
    expect(cssColour(undefined, 6)).toBe('var(--red)');
  });
});
