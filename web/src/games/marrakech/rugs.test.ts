import { describe, expect, it } from 'vitest';
import type { MarrakechPosition } from '../../lib/protocol';
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

  it('two squares with one number are a whole rug', () => {
    expect(plain(rugsOf(first))).toEqual(['red c3 d3']);
  });

  it('remembers where the covered half lies, and lays the new rug on top', () => {
    const before = rugsOf(first);
    const after = rugsOf(covered, before);
    expect(plain(after)).toEqual(['red c3 d3', 'blue d2 d3']);
    expect(after[0]?.id).toBe(before[0]?.id);
  });

  it('guesses that a lone half goes under a whole rug beside it', () => {
    expect(plain(rugsOf(covered))).toEqual(['red c3 d3', 'blue d2 d3']);
  });

  it('draws a lone half that goes under another half first', () => {
    const squares: Squares = {
      a1: { colour: 'red', rug: 1 },
      b1: { colour: 'yellow', rug: 2 },
      c1: { colour: 'blue', rug: 3 },
      d1: { colour: 'blue', rug: 3 },
    };
    expect(plain(rugsOf(squares))).toEqual(['red a1 b1', 'yellow b1 c1', 'blue c1 d1']);
  });

  it('leaves a lone half alone where nothing is beside it', () => {
    expect(plain(rugsOf({ a1: { colour: 'red', rug: 1 } }))).toEqual(['red a1']);
  });

  it('forgets what cannot be: another game, or a step back', () => {
    const after = rugsOf(covered, rugsOf(first));
    expect(plain(rugsOf(first, after))).toEqual(['red c3 d3']);
    const other: Squares = { c3: { colour: 'red', rug: 1 }, d3: { colour: 'red', rug: 2 }, d4: { colour: 'blue', rug: 3 }, c4: { colour: 'blue', rug: 3 } };
    const rugs = rugsOf(other, rugsOf(first));
    expect(new Set(rugs.map((rug) => rug.id)).size).toBe(3);
  });
});
