/** The ranking of a finished game, and its texts. */
import type { Game, ScorePart } from '../../games/types';
import type { Position, ResultView } from '../../lib/protocol';
import { joinWords, t } from '../../lib/texts.svelte';

/** Describe the outcome of a game in one sentence. */
export function describeOutcome(result: ResultView, names: readonly string[], mySeats: readonly number[]): string {
  const first = result.ranking[0] ?? [];
  const score = result.scores[first[0] ?? 0] ?? 0;
  const tied = { names: joinWords(first.map((seat) => names[seat] ?? '')), n: score };
  if (result.how === 'aborted') return t('result.aborted');
  const isEven = first.every((seat) => result.scores[seat] === score);
  if (result.how === 'drawn') return isEven ? t('result.drawn', tied) : t('result.drawnByAgreement', { names: tied.names });
  if (first.length > 1) return t('result.tie', tied);
  const winner = first[0];
  if (winner === undefined) return t('result.title');
  const isMine = mySeats.length === 1 && mySeats[0] === winner;
  const name = names[winner] ?? '';
  if (result.how === 'resigned') return isMine ? t('result.youWinByResignation') : t('result.winsByResignation', { name });
  return isMine ? t('result.youWin', { n: score }) : t('result.wins', { name, n: score });
}

/** Explain why the winner is ranked before others with the same score; return an empty text if there are none. */
export function describeTieBreak(result: ResultView, names: readonly string[], game: Game): string {
  const [first = [], ...rest] = result.ranking;
  const best = result.scores[first[0] ?? 0];
  const others = rest.flat().filter((seat) => result.scores[seat] === best);
  if (result.how !== 'played' || first.length !== 1 || !others.length) return '';
  return game.describeTieBreak?.(joinWords(others.map((seat) => names[seat] ?? ''))) ?? '';
}

export interface RankingRow {
  place: number;
  seat: number;
  isTied: boolean;
  score: number;
  parts: readonly ScorePart[];
}

/** Return the rows of the ranking; tied players have the same place. */
export function rankingRows(ranking: readonly number[][], scores: readonly number[], game: Game, position: Position): RankingRow[] {
  let place = 1;
  return ranking.flatMap((group) => {
    const shared = place;
    place += group.length;
    return group.map((seat) => ({
      place: shared,
      seat,
      isTied: group.length > 1,
      score: scores[seat] ?? 0,
      parts: game.scoreParts(position, scores, seat),
    }));
  });
}
