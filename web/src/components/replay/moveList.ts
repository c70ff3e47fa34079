/** The steps of a replay as a list. */
import type { Frame } from '../../lib/protocol';
import { turnOf } from '../../lib/replay.svelte';

export interface ListedStep {
  step: number;
  seat: number | null; // whose turn it was
  isFirst: boolean; // of that turn
  text: string;
}

/** Return every step with its description and its player. */
export function listSteps(frames: readonly Frame[], describe: (step: number) => string): ListedStep[] {
  let before: number | null = null;
  return frames.map((_, step) => {
    const seat = step === 0 ? null : turnOf(frames[step - 1] as Frame);
    const isFirst = seat !== before;
    before = seat;
    return { step, seat, isFirst, text: describe(step) };
  });
}
