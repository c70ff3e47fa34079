/** Texts and numbers of an analysis. */
import type { AnalysedStep, GameAnalysis, Mistake, PlayerSummary } from '../../lib/protocol';
import type { Key } from '../../lib/texts.svelte';

/** Texts for luck and own choices, with the least share of the win for each. */
const LUCK: readonly (readonly [number, Key])[] = [
  [0.15, 'analysis.luck.great'],
  [0.04, 'analysis.luck.good'],
  [-0.04, 'analysis.luck.even'],
  [-0.15, 'analysis.luck.bad'],
  [-Infinity, 'analysis.luck.awful'],
];
const SKILL: readonly (readonly [number, Key])[] = [
  [-0.05, 'analysis.skill.fine'],
  [-0.2, 'analysis.skill.good'],
  [-0.5, 'analysis.skill.some'],
  [-Infinity, 'analysis.skill.much'],
];

const textFor = (texts: typeof LUCK, value: number): Key => texts.find(([least]) => value >= least)![1];

export const luckText = ({ luck }: PlayerSummary): Key => textFor(LUCK, luck);
export const skillText = ({ own }: PlayerSummary): Key => textFor(SKILL, own);

/** Return a change of the winning chances in percentage points, with its sign. */
export function signed(change: number): string {
  const points = Math.round(change * 100);
  return points > 0 ? `+${points}` : points < 0 ? `−${-points}` : '0';
}

/** Return the winning chances before the first step and after every step. */
export function sharesByStep(analysis: GameAnalysis): number[][] {
  return [analysis.start, ...analysis.steps.map(({ shares }) => shares)];
}

/** Return the last step of every turn; the deal is turn 0. */
export function turnEnds(analysis: GameAnalysis): AnalysedStep[] {
  return analysis.steps.filter(({ turn }, at) => turn !== analysis.steps[at + 1]?.turn);
}

export interface CostlyDecision {
  step: number;
  turn: number;
  seat: number;
  action: string;
  expected: number; // share of the win after the choice
  best: string;
  possible: number; // the same after the best option
  mistake: Mistake | null;
}

/** Return the decisions that cost most, with the better option. */
export const costlyDecisions = (analysis: GameAnalysis): CostlyDecision[] => decisions(analysis, analysis.costliest);

/** Return all decisions that are inaccuracies or worse, in the order of the game. */
export function allMistakes(analysis: GameAnalysis): CostlyDecision[] {
  const named = analysis.steps.filter(({ mistake }) => mistake !== null);
  return decisions(analysis, named.map(({ step }) => step));
}

function decisions(analysis: GameAnalysis, numbers: readonly number[]): CostlyDecision[] {
  return numbers.flatMap((number) => {
    const step = analysis.steps[number - 1];
    if (!step || step.seat === null || step.best === null) return [];
    const { seat, turn, action, best, alternatives, mistake } = step;
    const shareOf = (text: string) => alternatives.find((one) => one.action === text)?.shares[seat] ?? 0;
    return [{ step: number, turn, seat, action, expected: shareOf(action), best, possible: shareOf(best), mistake }];
  });
}
