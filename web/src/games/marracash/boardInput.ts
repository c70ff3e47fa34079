/** Pointer and keyboard input of the board, with one listener of each kind for all targets. */
import { isNavigationKey, nearestTarget, nextTarget, type Target } from './boardTargets';
import type { Selection } from './selection.svelte';

export interface InputHandlers {
  readonly selection: Selection;
  readonly targets: readonly Target[];
  readonly targetByKey: ReadonlyMap<string, Target>;
  focus(key: string): void; // move the focus
  onFocus(key: string): void; // the focus has moved
  onPress(target: Target, event?: MouseEvent): void;
}

const TOUCH_RADIUS = 24; // half the width of a finger, in CSS pixels

const keyOf = (event: Event) => (event.target as Element).closest('[data-target]')?.getAttribute('data-target') ?? '';

/** Add the listeners; return a function that removes them. */
export function listenToBoard(svg: SVGSVGElement, board: InputHandlers): () => void {
  const abort = new AbortController();
  const { signal } = abort;

  svg.addEventListener('click', (event) => {
    const scale = svg.getScreenCTM();
    const at = scale && new DOMPoint(event.clientX, event.clientY).matrixTransform(scale.inverse());
    // A finger is wider than a fountain on a phone: take the nearest target within its width.
    const near = scale && at && event.detail > 0 ? nearestTarget(board.targets, [at.x, at.y], TOUCH_RADIUS / scale.a) : null;
    const target = board.targetByKey.get(keyOf(event)) ?? near;
    if (target) board.onPress(target, event);
    else board.selection.back();
  }, { signal });

  svg.addEventListener('pointerover', (event) => {
    if (event.pointerType !== 'mouse') return;
    const action = board.targetByKey.get(keyOf(event))?.action;
    if (action) board.selection.consider(action, true);
    else board.selection.leave();
  }, { signal });

  // An SVG with a focus listener becomes a tab stop itself: its parent listens instead.
  svg.parentElement?.addEventListener('focusin', (event) => {
    const target = board.targetByKey.get(keyOf(event));
    if (!target || !(event.target as Element).matches(':focus-visible')) return;
    board.onFocus(target.key);
    if (target.action) board.selection.onFocus(target.action);
  }, { signal });

  svg.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && board.selection.back()) event.stopPropagation();
    const here = board.targetByKey.get(keyOf(event));
    if (!here) return;
    const isPress = event.key === 'Enter' || event.key === ' ';
    const next = isNavigationKey(event.key) ? nextTarget(board.targets, here, event.key) : null;
    if (next) board.focus(next.key);
    if (isPress) board.onPress(here);
    if (isPress || isNavigationKey(event.key)) event.preventDefault();
  }, { signal });

  return () => abort.abort();
}
