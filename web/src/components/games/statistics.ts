/** My statistics as tables: one for each game, with a column for each kind of opponents. */
import { gameInfo, gameList } from '../../games';
import type { GameStatistics } from '../../lib/protocol';
import { t, texts } from '../../lib/texts.svelte';

export interface StatisticsTable {
  game: string;
  columns: string[];
  rows: { label: string; values: string[] }[];
  hasLuck: boolean;
}

const NONE = '–';

function format(value: number, options: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(texts.locale, { useGrouping: 'min2', ...options }).format(value);
}

/** Return the number of games won and their part of all, such as "2.5 (63%)". */
function won({ won, played }: GameStatistics): string {
  return `${format(won, { maximumFractionDigits: 2 })} (${format(won / played, { style: 'percent' })})`;
}

/** Return an average change of the winning chances with its sign, such as "+3.1%". */
function luck(value: number): string {
  return format(value, { style: 'percent', signDisplay: 'exceptZero', maximumFractionDigits: 1 }).replace('-', '−');
}

const average = (value: number | null): string => (value === null ? NONE : format(value, { maximumFractionDigits: 1 }));

/** Return the tables of statistics, in the order of the start page. */
export function statisticsTables(all: readonly GameStatistics[]): StatisticsTable[] {
  return [...new Set([...gameList.names, ...all.map(({ game }) => game)])].flatMap((game) => {
    const kinds = all.filter((one) => one.game === game).sort((one, other) => Number(other.people) - Number(one.people));
    if (!kinds.length) return [];
    const hasLuck = !gameInfo(game)?.hasNoAnalysis;
    const row = (label: string, value: (one: GameStatistics) => string) => ({ label, values: kinds.map(value) });
    const rows = [
      row(t('games.played'), ({ played }) => format(played, {})),
      row(t('games.won'), won),
      row(t('games.score'), ({ score }) => average(score)),
      row(t('games.place'), ({ place }) => average(place)),
      row(t('games.streak'), ({ streak }) => format(streak, {})),
    ];
    if (hasLuck) rows.push(row(t('games.luck'), (one) => (one.luck === null ? NONE : luck(one.luck))));
    return [{ game, columns: kinds.map(({ people }) => t(people ? 'games.people' : 'games.computers')), rows, hasLuck }];
  });
}
