import { describe, expect, it, vi } from 'vitest';
import type { Game } from '../../games/types';
import type { ResultView } from '../../lib/protocol';

vi.mock('../../lib/texts.svelte', () => ({
  t: (key: string, fillings = {}) => [key, ...Object.values(fillings)].join(' '),
  joinWords: (words: string[]) => words.join(' and '),
}));
const { describeOutcome, describeTieBreak } = await import('./ranking');

const game = { describeTieBreak: (others: string) => `before ${others}` } as Game;
const names = ['Ada', 'Leila', 'Nour'];
const result = (ranking: number[][], scores: number[], how: ResultView['how'] = 'played'): ResultView => ({
  how,
  ranking,
  scores,
  returns: [],
  text: '',
});

describe('a win with the same score as others', () => {
  it('has an explanation', () => {
    expect(describeTieBreak(result([[1], [0], [2]], [40, 40, 40]), names, game)).toBe('before Ada and Nour');
    expect(describeTieBreak(result([[1], [0], [2]], [40, 40, 12]), names, game)).toBe('before Ada');
  });
  it('has none if the score decided, the win is shared or somebody resigned', () => {
    expect(describeTieBreak(result([[1], [0], [2]], [39, 40, 12]), names, game)).toBe('');
    expect(describeTieBreak(result([[0, 1], [2]], [40, 40, 12]), names, game)).toBe('');
    expect(describeTieBreak(result([[1], [0]], [40, 40], 'resigned'), names, game)).toBe('');
    expect(describeTieBreak(result([[1], [0]], [40, 40]), names, {} as Game)).toBe('');
  });
});

describe('the outcome', () => {
  it('is a win, a shared win or a draw', () => {
    expect(describeOutcome(result([[1], [0, 2]], [40, 41, 40]), names, [])).toBe('result.wins Leila 41');
    expect(describeOutcome(result([[1], [0, 2]], [40, 41, 40]), names, [1])).toBe('result.youWin 41');
    expect(describeOutcome(result([[0, 1], [2]], [40, 40, 12]), names, [0])).toBe('result.tie Ada and Leila 40');
    expect(describeOutcome(result([[0, 1], [2]], [40, 40, 12], 'drawn'), names, [0])).toBe('result.drawn Ada and Leila 40');
  });
  it('is a draw by agreement, or none', () => {
    expect(describeOutcome(result([[0, 1, 2]], [40, 41, 12], 'drawn'), names, [0])).toBe('result.drawnByAgreement Ada and Leila and Nour');
    expect(describeOutcome(result([[0, 1, 2]], [40, 41, 12], 'aborted'), names, [0])).toBe('result.aborted');
  });
});
