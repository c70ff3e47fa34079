/** Everything that happened, for a desk that does not keep it itself: gathered as it is shown. */
import type { GameEvent } from '../../lib/protocol';
import type { Desk } from '../types';

class Gathered {
  story: readonly GameEvent[] = $state.raw([]);
  #last: readonly GameEvent[] | null = null;

  take(last: readonly GameEvent[]): void {
    if (last === this.#last) return;
    this.#last = last;
    this.story = [...this.story, ...last].slice(-400);
  }
}

const known = new WeakMap<Desk, Gathered>();

export function gatheredOf(desk: Desk): Gathered {
  let found = known.get(desk);
  if (!found) known.set(desk, (found = new Gathered()));
  return found;
}
