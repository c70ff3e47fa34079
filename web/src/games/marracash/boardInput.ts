/** Pointer and keyboard input of the board, with one listener of each kind for all targets. */
import type { BoardZoom } from './boardZoom.svelte';
import { isNavigationKey, nearestTarget, nextTarget, type Target } from './boardTargets';
import type { Selection } from './selection.svelte';

export interface InputHandlers {
  readonly selection: Selection;
  readonly zoom: BoardZoom;
  readonly targets: readonly Target[];
  readonly placeByKey: ReadonlyMap<string, Target>; // targets and other shops
  focus(key: string): void; // move the focus
  onFocus(key: string): void; // the focus has moved
  onPress(target: Target, event?: MouseEvent): void;
}

const TOUCH_RADIUS = 24; // half the width of a finger, in CSS pixels

const attributeOf = (event: Event, name: string) => (event.target as Element).closest(`[${name}]`)?.getAttribute(name) ?? null;
const keyOf = (event: Event) => attributeOf(event, 'data-place') ?? '';
const shopOf = (event: Event) => attributeOf(event, 'data-shop');

/** Add the listeners; return a function that removes them. */
export function listenToBoard(svg: SVGSVGElement, board: InputHandlers): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  const targetOf = (event: Event) => board.targets.find((target) => target.key === keyOf(event)) ?? null;

  svg.addEventListener('click', (event) => {
    const scale = svg.getScreenCTM();
    const at = scale && new DOMPoint(event.clientX, event.clientY).matrixTransform(scale.inverse());
    const shop = shopOf(event);
    // A finger is wider than a fountain on a phone: take the nearest target within its width.
    const radius = shop ? TOUCH_RADIUS / 3 : TOUCH_RADIUS;
    const near = scale && at && event.detail > 0 ? nearestTarget(board.targets, [at.x, at.y], radius / scale.a) : null;
    const target = targetOf(event) ?? near;
    board.selection.inspect(target && !targetOf(event) ? null : shop);
    if (target) board.onPress(target, event);
    else if (!shop) board.selection.back();
  }, { signal });

  svg.addEventListener('pointerover', (event) => {
    if (event.pointerType !== 'mouse') return;
    const action = targetOf(event)?.action;
    if (action) board.selection.consider(action, true);
    else board.selection.leave();
    board.selection.inspect(shopOf(event), true);
  }, { signal });
  svg.addEventListener('pointerleave', (event) => {
    if (event.pointerType === 'mouse') board.selection.inspect(null);
  }, { signal });

  // An SVG with a focus listener becomes a tab stop itself: its parent listens instead.
  svg.parentElement?.addEventListener('focusin', (event) => {
    const place = board.placeByKey.get(keyOf(event));
    if (!place || !(event.target as Element).matches(':focus-visible')) return;
    board.onFocus(place.key);
    board.zoom.show(place.at);
    board.selection.inspect(shopOf(event));
    if (place.action) board.selection.onFocus(place.action);
  }, { signal });
  svg.parentElement?.addEventListener('focusout', () => {
    queueMicrotask(() => svg.contains(document.activeElement) || board.selection.inspect(null)); // not amid a removal of elements
  }, { signal });

  svg.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && board.selection.back()) event.stopPropagation();
    const zoomFactor = { '+': 1.5, '=': 1.5, '-': 1 / 1.5, '0': 0 }[event.key];
    const here = board.placeByKey.get(keyOf(event));
    if (zoomFactor !== undefined && !event.ctrlKey && !event.metaKey) board.zoom.zoomBy(zoomFactor, here?.at);
    if (!here) return;
    const isPress = event.key === 'Enter' || event.key === ' ';
    const next = isNavigationKey(event.key) ? nextTarget([...board.placeByKey.values()], here, event.key) : null;
    if (next) board.focus(next.key);
    const target = targetOf(event);
    if (isPress && target) board.onPress(target);
    if (isPress || isNavigationKey(event.key)) event.preventDefault();
  }, { signal });

  return () => abort.abort();
}
