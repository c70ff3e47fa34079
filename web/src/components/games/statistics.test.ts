import { describe, expect, it } from 'vitest';
import { gameInfo, gameList } from '../../games';
import type { GameStatistics } from '../../lib/protocol';
import { texts } from '../../lib/texts.svelte';
import { statisticsTables } from './statistics';

const withLuck = gameList.names.find((name) => !gameInfo(name)?.hasNoAnalysis)!;
const numbers: GameStatistics = {
  game: withLuck,
  people: false,
  played: 4,
  won: 2.5,
  score: 41.25,
  place: 1.5,
  streak: 2,
  luck: null,
  analysed: 0,
};
const values = (all: GameStatistics[]) => statisticsTables(all).map(({ rows }) => rows.map((row) => row.values));

describe('statistics', () => {
  it('have a column for games with people and one for games against computers', async () => {
    await texts.setLanguage('en');
    const [table] = statisticsTables([numbers, { ...numbers, people: true, luck: 0.031, analysed: 2, score: null }]);
    expect(table).toMatchObject({ game: withLuck, columns: ['With other people', 'Against computers'] });
    expect(values([numbers, { ...numbers, people: true, luck: 0.031, analysed: 2, score: null }])).toEqual([
      [['4', '4'], ['2.5 (63%)', '2.5 (63%)'], ['–', '41.3'], ['1.5', '1.5'], ['2', '2'], ['+3.1%', '–']],
    ]);
  });

  it('follow the language', async () => {
    await texts.setLanguage('de');
    expect(values([{ ...numbers, luck: -0.031 }])[0]).toEqual([['4'], ['2,5 (63\u00a0%)'], ['41,3'], ['1,5'], ['2'], ['−3,1\u00a0%']]);
    await texts.setLanguage('en');
  });

  it('are in the order of the start page, unknown games last', () => {
    const games = ['other', ...[...gameList.names].reverse()].map((game) => ({ ...numbers, game }));
    expect(statisticsTables(games).map(({ game }) => game)).toEqual([...gameList.names, 'other']);
  });

  it('show no luck in games without a valid analysis', () => {
    const without = gameList.names.filter((name) => gameInfo(name)?.hasNoAnalysis).map((game) => ({ ...numbers, game, luck: 0.5 }));
    expect(statisticsTables(without).map(({ rows }) => rows.length)).toEqual(without.map(() => 5));
  });
});
