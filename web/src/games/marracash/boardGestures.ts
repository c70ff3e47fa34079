/** Gestures that zoom and pan the board: pinch, drag, double tap, and the wheel with Ctrl. */
import type { BoardZoom } from './boardZoom.svelte';

const DRAG_PX = 8; // a shorter movement is a click
const DOUBLE_TAP_MS = 300;
const DOUBLE_TAP_PX = 30;

interface Spot {
  x: number;
  y: number;
}

/** Add the listeners; return a function that removes them. */
export function listenToGestures(svg: SVGSVGElement, zoom: BoardZoom): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  const pointers = new Map<number, Spot>();
  let isDragged = false;
  let lastTap = { x: 0, y: 0, time: -Infinity };

  const toBoard = ({ x, y }: Spot) => {
    const { x: boardX, y: boardY } = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM()!.inverse());
    return [boardX, boardY] as const;
  };
  const distance = (a: Spot, b: Spot) => Math.hypot(a.x - b.x, a.y - b.y);
  const panBy = (from: Spot, to: Spot) => zoom.panBy((from.x - to.x) / zoom.pixels, (from.y - to.y) / zoom.pixels);

  svg.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    if (pointers.size === 0) isDragged = false;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }, { signal });

  svg.addEventListener('pointermove', (event) => {
    const from = pointers.get(event.pointerId);
    const to = { x: event.clientX, y: event.clientY };
    if (!from || (pointers.size === 1 && (zoom.scale === 1 || (!isDragged && distance(from, to) < DRAG_PX)))) return;
    isDragged = true;
    svg.setPointerCapture(event.pointerId); // the drag goes on outside the board
    const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, spot]) => spot);
    const middle = (spot: Spot): Spot => (other ? { x: (spot.x + other.x) / 2, y: (spot.y + other.y) / 2 } : spot);
    panBy(middle(from), middle(to));
    if (other) zoom.zoomBy(distance(to, other) / (distance(from, other) || 1), toBoard(middle(to)));
    pointers.set(event.pointerId, to);
  }, { signal });

  svg.addEventListener('pointerup', (event) => {
    const isTap = pointers.delete(event.pointerId) && !isDragged && event.pointerType === 'touch';
    if (!isTap) return;
    const tap = { x: event.clientX, y: event.clientY, time: event.timeStamp };
    if (tap.time - lastTap.time < DOUBLE_TAP_MS && distance(tap, lastTap) < DOUBLE_TAP_PX) zoom.reset();
    lastTap = tap;
  }, { signal });
  svg.addEventListener('pointercancel', (event) => pointers.delete(event.pointerId), { signal });
  svg.addEventListener('pointerleave', (event) => !isDragged && pointers.delete(event.pointerId), { signal });

  // The end of a drag is no click.
  svg.addEventListener('click', (event) => isDragged && event.detail > 0 && event.stopImmediatePropagation(), { signal, capture: true });
  // Two fingers zoom the board and not the page.
  svg.addEventListener('touchstart', (event) => event.touches.length > 1 && event.preventDefault(), { signal, passive: false });
  svg.addEventListener('wheel', (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoom.zoomBy(Math.exp(-event.deltaY / 200), toBoard({ x: event.clientX, y: event.clientY }));
  }, { signal, passive: false });

  return () => abort.abort();
}
