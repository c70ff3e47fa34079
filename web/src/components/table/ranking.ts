/** Who won, and how the points came about, in words. */
import type { Game, Points } from '../../games/types';
import type { Position, ResultView } from '../../lib/protocol';
import { listed, t } from '../../lib/texts.svelte';

/** The end of a game in one sentence, from where I sit. */
export function outcome(result: ResultView, names: readonly string[], mine: readonly number[]): string {
  const first = result.ranking[0] ?? [];
  const score = result.scores[first[0] ?? 0] ?? 0;
  const tied = { names: listed(first.map((seat) => names[seat] ?? '')), n: score };
  if (result.how === 'drawn') return t('result.drawn', tied);
  if (first.length > 1) return t('result.tie', tied);
  const winner = first[0];
  if (winner === undefined) return t('result.title');
  const isMine = mine.length === 1 && mine[0] === winner;
  const name = names[winner] ?? '';
  if (result.how === 'resigned') return isMine ? t('result.youWinByResignation') : t('result.winsByResignation', { name });
  return isMine ? t('result.youWin', { n: score }) : t('result.wins', { name, n: score });
}

/** Why the winner is before others with as many points; nothing if there are none. */
export function untied(result: ResultView, names: readonly string[], game: Game): string {
  const [first = [], ...behind] = result.ranking;
  const best = result.scores[first[0] ?? 0];
  const others = behind.flat().filter((seat) => result.scores[seat] === best);
  if (result.how !== 'played' || first.length !== 1 || !others.length) return '';
  return game.untied?.(listed(others.map((seat) => names[seat] ?? ''))) ?? '';
}

export interface Ranked {
  place: number;
  seat: number;
  isTied: boolean;
  score: number;
  parts: readonly Points[];
}

/** The ranking with its parts; those who share a place have the same number. */
export function ranked(ranking: readonly number[][], scores: readonly number[], game: Game, position: Position): Ranked[] {
  let place = 1;
  return ranking.flatMap((group) => {
    const here = place;
    place += group.length;
    return group.map((seat) => ({
      place: here,
      seat,
      isTied: group.length > 1,
      score: scores[seat] ?? 0,
      parts: game.points?.(position, scores, seat) ?? moneyAndBoard(position, scores, seat),
    }));
  });
}

/** All of a score that is no money must lie on the board. */
function moneyAndBoard(position: Position, scores: readonly number[], seat: number): Points[] {
  const money = position.players[seat]?.dirhams ?? 0;
  const rest = (scores[seat] ?? 0) - money;
  const parts = [{ what: t('result.money', { n: money }), points: money }];
  if (rest > 0) parts.push({ what: t('result.board', { n: rest }), points: rest });
  return parts;
}
