/** Something goes along a way and stays at its end; without motion it is there at once. */
import { length, type Point } from '../geometry';

export function travel(way: readonly Point[], ms: number, delay = 0) {
  return (node: SVGElement): (() => void) | void => {
    const at = ([x, y]: Point) => `translate(${x}px, ${y}px)`;
    node.style.transform = at(way[way.length - 1]!);
    const whole = length(way);
    if (ms <= 0 || whole === 0) return;
    const frames = way.map((point, i) => ({ transform: at(point), offset: length(way.slice(0, i + 1)) / whole }));
    const easing = way.length > 2 ? 'linear' : 'ease-in-out';
    const motion = node.animate(frames, { duration: ms, delay, easing, fill: 'backwards' });
    return () => motion.cancel();
  };
}
