/** The values of positions that are studied: a first estimate at once, then a refined one. */
import { SvelteMap } from 'svelte/reactivity';
import { api } from '../../lib/api';
import { errorText } from '../../lib/errors';
import type { Evaluation, StudyFrame } from '../../lib/protocol';

const PAUSE_MS = 50;

interface Known {
  evaluation: Evaluation | null;
  order: readonly string[] | null; // the actions by the first estimate, best first
  isRefined: boolean;
  problem: string;
}

export class Evaluations {
  #known = new SvelteMap<StudyFrame, Known>();

  of(frame: StudyFrame): Known | null {
    return this.#known.get(frame) ?? null;
  }

  /** Evaluate a position unless it is known; return how to stop. */
  load(frame: StudyFrame): (() => void) | undefined {
    if (frame.over) return;
    let isStopped = false;
    // Whoever holds an arrow key passes many positions.
    const timer = setTimeout(() => void this.#load(frame, () => isStopped), PAUSE_MS);
    return () => {
      isStopped = true;
      clearTimeout(timer);
    };
  }

  async #load(frame: StudyFrame, isStopped: () => boolean): Promise<void> {
    try {
      for (const isRefined of [false, true]) {
        const known = this.#known.get(frame);
        if (isStopped() || known?.isRefined || (known?.evaluation && !isRefined)) continue;
        const evaluation = await api.evaluate(frame.position, isRefined);
        const order = known?.order ?? evaluation.options.map((option) => option.action);
        this.#known.set(frame, { evaluation, order, isRefined, problem: '' });
      }
    } catch (error) {
      const known = this.#known.get(frame);
      if (!known?.evaluation) this.#known.set(frame, { evaluation: null, order: null, isRefined: false, problem: errorText(error) });
    }
  }
}
