import { describe, expect, it, vi } from 'vitest';
import type { Game } from '../../games/types';
import type { ResultView } from '../../lib/protocol';

vi.mock('../../lib/texts.svelte', () => ({ t: (key: string) => key, texts: { locale: 'en' } }));
const { untied } = await import('./ranking');

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
