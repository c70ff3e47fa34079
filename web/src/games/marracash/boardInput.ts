/** One listener of each kind for everything that can be chosen on the board. */
import type { Choosing } from './selection.svelte';
import { isStep, nearest, stepped, type Target } from './boardTargets';

export interface Listened {
  readonly choosing: Choosing;
  readonly found: readonly Target[];
  readonly byKey: ReadonlyMap<string, Target>;
  focus(key: string): void; // go there
  note(key: string): void; // it has the focus
  choose(target: Target, event?: MouseEvent): void;
}

const FINGER = 24; // half the width of a finger, in pixels of the page

const keyOf = (event: Event) => (event.target as Element).closest('[data-key]')?.getAttribute('data-key') ?? '';

export function listen(svg: SVGSVGElement, board: Listened): () => void {
  const ended = new AbortController();
  const { signal } = ended;

  svg.addEventListener('click', (event) => {
    const scale = svg.getScreenCTM();
    const at = scale && new DOMPoint(event.clientX, event.clientY).matrixTransform(scale.inverse());
    // A finger is wider than a fountain on a phone: the nearest within its reach is meant.
    const near = scale && at && event.detail > 0 ? nearest(board.found, [at.x, at.y], FINGER / scale.a) : null;
    const target = board.byKey.get(keyOf(event)) ?? near;
    if (target) board.choose(target, event);
    else board.choosing.back();
  }, { signal });

  svg.addEventListener('pointerover', (event) => {
    if (event.pointerType !== 'mouse') return;
    const action = board.byKey.get(keyOf(event))?.action;
    if (action) board.choosing.consider(action, true);
    else board.choosing.leave();
  }, { signal });

  // A drawing that listens for the focus becomes a stop for Tab itself: what it stands in listens.
  svg.parentElement?.addEventListener('focusin', (event) => {
    const target = board.byKey.get(keyOf(event));
    if (!target || !(event.target as Element).matches(':focus-visible')) return;
    board.note(target.key);
    if (target.action) board.choosing.reach(target.action);
  }, { signal });

  svg.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && board.choosing.back()) event.stopPropagation();
    const here = board.byKey.get(keyOf(event));
    if (!here) return;
    const isPress = event.key === 'Enter' || event.key === ' ';
    const next = isStep(event.key) ? stepped(board.found, here, event.key) : null;
    if (next) board.focus(next.key);
    if (isPress) board.choose(here);
    if (isPress || isStep(event.key)) event.preventDefault();
  }, { signal });

  return () => ended.abort();
}
