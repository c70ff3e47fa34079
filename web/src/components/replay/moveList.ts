/** A replay as a list of what happened. */
import type { Frame } from '../../lib/protocol';
import { turnOf } from '../../lib/replay.svelte';

export interface StepTold {
  step: number;
  seat: number | null; // whose turn it was
  isFirst: boolean; // of that turn
  text: string;
}

/** Every step in words, with whose it was. */
export function stepsTold(frames: readonly Frame[], told: (step: number) => string): StepTold[] {
  let before: number | null = null;
  return frames.map((_, step) => {
    const seat = step === 0 ? null : turnOf(frames[step - 1] as Frame);
    const isFirst = seat !== before;
    before = seat;
    return { step, seat, isFirst, text: told(step) };
  });
}
