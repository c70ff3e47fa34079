import type { GameEvent, Position } from '../lib/protocol';
import type { BoardController } from './types';

/** Return a controller for a board that shows a position on which nothing can be played. */
export function readOnlyController<P extends Position, E extends GameEvent>(position: () => P, names: () => readonly string[]): BoardController<P, E> {
  return {
    get position() { return position(); },
    get view() { return { version: 0, position: position(), mover: null, legal: [], scores: [], deadline: null, history_hash: '' }; },
    get names() { return names(); },
    ...{ playing: null, lastEvents: [], history: [], legal: [], seats: [], considered: null, selected: null, preview: null, hinted: null },
    consider() {}, choose() {}, act() {},
    previewOf: () => Promise.resolve(null),
  };
}
