/** Small helpers for things that move: transforms only, so that a slow machine keeps up. */
import type { Point } from '../geometry';

export type Frame = Keyframe;

/** Play keyframes and keep the end until the returned function is called. */
export function play(element: Element | undefined, frames: Frame[], ms: number, options: KeyframeAnimationOptions = {}): () => void {
  if (!element || ms <= 0) return () => {};
  const animation = element.animate(frames, { duration: ms, fill: 'both', ...options });
  return () => animation.cancel();
}

/** Points along a path, evenly spaced. */
export function sampled(path: string, count: number): { at: Point; angle: number }[] {
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  line.setAttribute('d', path);
  const length = line.getTotalLength();
  return Array.from({ length: count }, (_, i) => {
    const along = (length * (i + 1)) / count;
    const here = line.getPointAtLength(along);
    const before = line.getPointAtLength(Math.max(0, along - 2));
    return { at: [here.x, here.y] as const, angle: (Math.atan2(here.x - before.x, before.y - here.y) * 180) / Math.PI };
  });
}

/** The same angle, written so that turning there from another goes the short way. */
export function near(angle: number, from: number): number {
  return from + ((((angle - from) % 360) + 540) % 360) - 180;
}

export const moved = ([x, y]: Point) => `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
