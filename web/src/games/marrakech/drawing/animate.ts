/** Helpers for animations, which change transforms only to be fast. */
import type { Point } from '../geometry';

/** Animate an element and hold the last frame; return a function that cancels the animation. */
export function animate(element: Element | undefined, frames: Keyframe[], ms: number, options: KeyframeAnimationOptions = {}): () => void {
  if (!element || ms <= 0) return () => {};
  const animation = element.animate(frames, { duration: ms, fill: 'both', ...options });
  return () => animation.cancel();
}

/** Return evenly spaced points of a path with its direction there. */
export function samplePath(path: string, count: number): { at: Point; angle: number }[] {
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

/** Return an angle plus full turns such that rotating to it from another takes the short way. */
export function nearestAngle(angle: number, from: number): number {
  return from + ((((angle - from) % 360) + 540) % 360) - 180;
}

export const translate = ([x, y]: Point) => `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
