/** Helpers for animations. */
import { lengthOf, type Point } from '../geometry';

/** Return an attachment that moves an element along a line and leaves it at the end. */
export function moveAlong(line: readonly Point[], ms: number, delay = 0) {
  return (node: SVGElement): (() => void) | void => {
    const at = ([x, y]: Point) => `translate(${x}px, ${y}px)`;
    node.style.transform = at(line[line.length - 1]!);
    const length = lengthOf(line);
    if (ms <= 0 || length === 0) return;
    const frames = line.map((point, i) => ({ transform: at(point), offset: lengthOf(line.slice(0, i + 1)) / length }));
    const easing = line.length > 2 ? 'linear' : 'ease-in-out';
    const animation = node.animate(frames, { duration: ms, delay, easing, fill: 'backwards' });
    return () => animation.cancel();
  };
}
