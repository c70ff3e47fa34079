import { describe, expect, it, vi } from 'vitest';
import type { Game } from '../../games/types';
import type { ResultView } from '../../lib/protocol';

vi.mock('../../lib/texts.svelte', () => ({
  t: (key: string, fillings = {}) => [key, ...Object.values(fillings)].join(' '),
  listed: (words: string[]) => words.join(' and '),
}));
const { outcome, untied } = await import('./ranking');

const game = { untied: (others: string) => `before ${others}` } as Game;
const names = ['Ada', 'Leila', 'Nour'];
const result = (ranking: number[][], scores: number[], how: ResultView['how'] = 'played'): ResultView => ({
  how,
  ranking,
  scores,
  returns: [],
  text: '',
});

describe('a win with as many points as others', () => {
  it('says why it is one', () => {
    expect(untied(result([[1], [0], [2]], [40, 40, 40]), names, game)).toBe('before Ada and Nour');
    expect(untied(result([[1], [0], [2]], [40, 40, 12]), names, game)).toBe('before Ada');
  });
  it('says nothing where points decided, the win is shared or somebody resigned', () => {
    expect(untied(result([[1], [0], [2]], [39, 40, 12]), names, game)).toBe('');
    expect(untied(result([[0, 1], [2]], [40, 40, 12]), names, game)).toBe('');
    expect(untied(result([[1], [0]], [40, 40], 'resigned'), names, game)).toBe('');
    expect(untied(result([[1], [0]], [40, 40]), names, {} as Game)).toBe('');
  });
});

describe('the end of a game', () => {
  it('is a win, or shared, or a draw where a tie has no winner', () => {
    expect(outcome(result([[1], [0, 2]], [40, 41, 40]), names, [])).toBe('result.wins Leila 41');
    expect(outcome(result([[1], [0, 2]], [40, 41, 40]), names, [1])).toBe('result.youWin 41');
    expect(outcome(result([[0, 1], [2]], [40, 40, 12]), names, [0])).toBe('result.tie Ada and Leila 40');
    expect(outcome(result([[0, 1], [2]], [40, 40, 12], 'drawn'), names, [0])).toBe('result.drawn Ada and Leila 40');
  });
});
