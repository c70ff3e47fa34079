/** An analysis in words and numbers. */
import type { PlayerSummary, AnalysedStep, GameAnalysis } from '../../lib/protocol';
import type { Key } from '../../lib/texts.svelte';

/** Luck and own choices in words: from so much of the win on it is called so. */
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

const word = (words: typeof LUCK, value: number): Key => words.find(([from]) => value >= from)![1];

export const luckWord = ({ luck }: PlayerSummary): Key => word(LUCK, luck);
export const skillWord = ({ own }: PlayerSummary): Key => word(SKILL, own);

/** A share of the win in per cent. */
export const percent = (share: number): number => Math.round(share * 100) || 0;

/** A change in hundredths of the win, with its sign. */
export function signed(change: number): string {
  const hundredths = percent(change);
  return hundredths > 0 ? `+${hundredths}` : hundredths < 0 ? `−${-hundredths}` : '0';
}

/** The expected shares of the win in per cent, before the first step and after every step. */
export function course(analysis: GameAnalysis): number[][] {
  return [analysis.start, ...analysis.steps.map(({ shares }) => shares)].map((row) => row.map((share) => share * 100));
}

/** The last step of every turn; the deal is turn 0. */
export function turns(analysis: GameAnalysis): AnalysedStep[] {
  return analysis.steps.filter(({ turn }, at) => turn !== analysis.steps[at + 1]?.turn);
}

export interface Costly {
  step: number;
  turn: number;
  seat: number;
  action: string;
  expected: number; // of the win, by the choice
  best: string;
  possible: number; // the same by the best option
}

/** The decisions that cost most, with what was better. */
export function costly(analysis: GameAnalysis): Costly[] {
  return analysis.costliest.flatMap((number) => {
    const step = analysis.steps[number - 1];
    if (!step || step.seat === null || step.best === null) return [];
    const { seat, turn, action, best, alternatives } = step;
    const shareOf = (text: string) => alternatives.find((one) => one.action === text)?.shares[seat] ?? 0;
    return [{ step: number, turn, seat, action, expected: shareOf(action), best, possible: shareOf(best) }];
  });
}
