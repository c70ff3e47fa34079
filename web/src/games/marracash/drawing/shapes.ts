/** Shapes as path data around the origin, and colours that are the same in light and dark mode. */
import { groupEntries, type Group } from '../groups';
import type { MarraCashColour } from '../protocol';

export const INK = '#2b2420';
export const IVORY = '#f8f1e3';

/** The shape of a visitor, about 10 in radius: each colour has its own, for the colour-blind. */
export const SHAPES: Record<MarraCashColour, string> = {
  red: 'M-9.5 0a9.5 9.5 0 1 1 19 0a9.5 9.5 0 1 1-19 0Z',
  yellow: 'M-8.5-8.5h17v17h-17Z',
  blue: 'M0-10.5L10.6 8.2H-10.6Z',
  green: 'M0-11.4l11.4 11.4-11.4 11.4-11.4-11.4Z',
  purple: 'M0-10.6L9.2-5.3V5.3L0 10.6-9.2 5.3V-5.3Z',
};

/** The style of a player's sign by seat: colour, pattern and the colours of the pattern. */
export const SEAT_STYLES = [
  { colour: 'red', pattern: 'lozenges', pale: '#f3d3bf', dark: '#7a1f1a' },
  { colour: 'yellow', pattern: 'stripes', pale: '#fff1c4', dark: '#7e520d' },
  { colour: 'blue', pattern: 'zigzag', pale: '#d3e6f1', dark: '#17415f' },
  { colour: 'orange', pattern: 'stars', pale: '#ffe6c7', dark: '#5e2408' },
] as const;

export const FLAG = 'M1 1H35L29 12.5L35 24H1Z'; // 36 wide, and 38 high with its pole

const num = (value: number) => Math.round(value * 100) / 100;

/** Return the eight-pointed star of two crossed squares. */
export function star(radius: number, cx = 0, cy = 0): string {
  const waist = (radius * Math.cos(Math.PI / 4)) / Math.cos(Math.PI / 8);
  const corners = Array.from({ length: 16 }, (_, i) => {
    const [reach, angle] = [i % 2 ? waist : radius, (Math.PI * i) / 8 - Math.PI / 2];
    return `${num(cx + reach * Math.cos(angle))} ${num(cy + reach * Math.sin(angle))}`;
  });
  return 'M' + corners.join('L') + 'Z';
}

/** Return a small star with four points. */
export function spark(reach: number, cx: number, cy: number): string {
  const [far, near] = [num(reach * 0.7), num(reach * 0.3)];
  return `M${cx} ${num(cy - reach)}l${near} ${far} ${far} ${near}-${far} ${near}-${near} ${far}-${near}-${far}-${far}-${near} ${far}-${near}Z`;
}

/** By number of visitors: their size, their distance, and the number in each row. */
const ARRANGEMENTS: readonly [number, number, readonly number[]][] = [
  [1, 0, []],
  [1.2, 0, [1]],
  [1, 24, [2]],
  [0.92, 22, [1, 2]],
  [0.88, 21, [2, 2]],
  [0.72, 17, [2, 1, 2]],
  [0.72, 17.5, [3, 3]],
  [0.66, 15.5, [2, 3, 2]],
  [0.64, 15, [3, 2, 3]],
  [0.62, 15, [3, 3, 3]],
];
export const MAX_VISITORS = ARRANGEMENTS.length - 1; // more are shown as numbers

export interface PlacedVisitor {
  colour: MarraCashColour;
  x: number;
  y: number;
  size: number;
}

/** Return where the visitors of a group stand around the origin; nothing for more than MAX_VISITORS. */
export function arrangeVisitors(group: Group): PlacedVisitor[] {
  const visitors = groupEntries(group).flatMap(([colour, count]) => Array<MarraCashColour>(count).fill(colour));
  const [size, step, rows] = ARRANGEMENTS[visitors.length] ?? [1, 0, []];
  const places = rows.flatMap((count, row) =>
    Array.from({ length: count }, (_, i) => [step * (i - (count - 1) / 2), step * (row - (rows.length - 1) / 2)] as const),
  );
  return places.map(([x, y], i) => ({ colour: visitors[i]!, x, y: y - 5, size }));
}
