import { describe, expect, it } from 'vitest';
import type { MarrakechPosition } from './protocol';
import { rugsOf, type Rug } from './rugs';

type Squares = MarrakechPosition['squares'];
const plain = (rugs: readonly Rug[]) => rugs.map((rug) => `${rug.colour} ${rug.squares.join(' ')}`);

describe('rugs from squares', () => {
  const first: Squares = { c3: { colour: 'red', rug: 1 }, d3: { colour: 'red', rug: 1 } };
  const covered: Squares = {
    d2: { colour: 'blue', rug: 1 },
    c3: { colour: 'red', rug: 2 },
    d3: { colour: 'blue', rug: 1 },
  };

  it('finds a whole rug on two squares with the same number', () => {
    expect(plain(rugsOf(first))).toEqual(['red c3 d3']);
  });

  it('knows covered halves from the position before, and puts the new rug on top', () => {
    const before = rugsOf(first);
    const after = rugsOf(covered, before);
    expect(plain(after)).toEqual(['red c3 d3', 'blue d2 d3']);
    expect(after[0]?.id).toBe(before[0]?.id);
  });

  it('puts a single half under a whole rug beside it', () => {
    expect(plain(rugsOf(covered))).toEqual(['red c3 d3', 'blue d2 d3']);
  });

  it('draws a single half under another half first', () => {
    const squares: Squares = {
      a1: { colour: 'red', rug: 1 },
      b1: { colour: 'yellow', rug: 2 },
      c1: { colour: 'blue', rug: 3 },
      d1: { colour: 'blue', rug: 3 },
    };
    expect(plain(rugsOf(squares))).toEqual(['red a1 b1', 'yellow b1 c1', 'blue c1 d1']);
  });

  it('leaves a single half without neighbours as it is', () => {
    expect(plain(rugsOf({ a1: { colour: 'red', rug: 1 } }))).toEqual(['red a1']);
  });

  it('ignores rugs before that cannot be: of another game, or after a step back', () => {
    const after = rugsOf(covered, rugsOf(first));
    expect(plain(rugsOf(first, after))).toEqual(['red c3 d3']);
    const other: Squares = { c3: { colour: 'red', rug: 1 }, d3: { colour: 'red', rug: 2 }, d4: { colour: 'blue', rug: 3 }, c4: { colour: 'blue', rug: 3 } };
    const rugs = rugsOf(other, rugsOf(first));
    expect(new Set(rugs.map((rug) => rug.id)).size).toBe(3);
  });
});
