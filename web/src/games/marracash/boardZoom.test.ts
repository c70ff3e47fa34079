import { expect, it } from 'vitest';
import { BoardZoom } from './boardZoom.svelte';

const BOX = { x: -100, y: -100, width: 1000, height: 800 };
const newZoom = (width = 500, height = 400) => new BoardZoom(() => BOX, () => ({ width, height }));

it('keeps the point it zooms around in its place', () => {
  const zoom = newZoom();
  zoom.zoomBy(2, [100, 100]); // a fifth of the way across, a quarter of the way down
  expect(zoom.viewBox).toEqual({ x: 0, y: 0, width: 500, height: 400 });
  zoom.zoomBy(100);
  expect(zoom.scale).toBe(4);
  zoom.reset();
  expect(zoom.viewBox).toEqual(BOX);
});

it('stays on the board, and fills an element of another shape', () => {
  const zoom = newZoom(500, 800);
  zoom.zoomBy(2);
  expect(zoom.viewBox).toEqual({ x: 150, y: -100, width: 500, height: 800 });
  zoom.panBy(9999, 9999);
  expect(zoom.viewBox).toEqual({ x: 400, y: -100, width: 500, height: 800 });
  zoom.show([-50, 0]);
  expect(zoom.viewBox.x).toBe(-100);
});

it('leaves touches to the page where it cannot be panned', () => {
  const zoom = newZoom();
  expect(zoom.touchAction).toBe('pan-x pan-y');
  zoom.zoomBy(2);
  expect(zoom.touchAction).toBe('none');
  zoom.panBy(0, -9999);
  expect(zoom.touchAction).toBe('pan-up');
});
