/** What things look like: path data round the origin, and colours that are the same by day and by night. */
import type { MarraCashColour } from '../../../lib/protocol';

export const COLOURS = ['red', 'yellow', 'blue', 'green', 'purple'] as const satisfies readonly MarraCashColour[];
export const INK = '#2b2420';
export const IVORY = '#f8f1e3';

/** A visitor's silhouette, 10 in radius: nobody has to see colours to tell them apart. */
export const SHAPES: Record<MarraCashColour, string> = {
  red: 'M-9.5 0a9.5 9.5 0 1 1 19 0a9.5 9.5 0 1 1-19 0Z',
  yellow: 'M-8.5-8.5h17v17h-17Z',
  blue: 'M0-10.5L10.6 8.2H-10.6Z',
  green: 'M0-11.4l11.4 11.4-11.4 11.4-11.4-11.4Z',
  purple: 'M0-10.6L9.2-5.3V5.3L0 10.6-9.2 5.3V-5.3Z',
};

/** A player's cloth by seat, with the yarns of its pattern. */
export const SEATS = [
  { colour: 'red', pattern: 'lozenges', pale: '#f3d3bf', dark: '#7a1f1a' },
  { colour: 'yellow', pattern: 'stripes', pale: '#fff1c4', dark: '#7e520d' },
  { colour: 'blue', pattern: 'zigzag', pale: '#d3e6f1', dark: '#17415f' },
  { colour: 'orange', pattern: 'stars', pale: '#efd3b1', dark: '#53290f' },
] as const;

export const CLOTH = 'M1 1H35L29 12.5L35 24H1Z'; // of a flag, 36 wide and 38 high with its pole

const num = (value: number) => Math.round(value * 100) / 100;

/** The eight-pointed star of two crossed squares. */
export function star(radius: number, cx = 0, cy = 0): string {
  const waist = (radius * Math.cos(Math.PI / 4)) / Math.cos(Math.PI / 8);
  const corners = Array.from({ length: 16 }, (_, i) => {
    const [reach, angle] = [i % 2 ? waist : radius, (Math.PI * i) / 8 - Math.PI / 2];
    return `${num(cx + reach * Math.cos(angle))} ${num(cy + reach * Math.sin(angle))}`;
  });
  return 'M' + corners.join('L') + 'Z';
}

/** A small star of four points. */
export function spark(reach: number, cx: number, cy: number): string {
  const [far, near] = [num(reach * 0.7), num(reach * 0.3)];
  return `M${cx} ${num(cy - reach)}l${near} ${far} ${far} ${near}-${far} ${near}-${near} ${far}-${near}-${far}-${far}-${near} ${far}-${near}Z`;
}

/** How many stand together -> their size, how far apart, and in which rows. */
const RANKS: readonly [number, number, readonly number[]][] = [
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
export const CROWD = RANKS.length - 1; // more than this are told in numbers

export interface Standing {
  colour: MarraCashColour;
  x: number;
  y: number;
  size: number;
}

export type Group = Partial<Record<MarraCashColour, number>>;

/** The colours of a group with their counts, always in the same order. */
export const inOrder = (group: Group): [MarraCashColour, number][] =>
  COLOURS.map((colour): [MarraCashColour, number] => [colour, group[colour] ?? 0]).filter(([, count]) => count > 0);

export const sizeOf = (group: Group): number => inOrder(group).reduce((sum, [, count]) => sum + count, 0);

/** Where the visitors of a group stand round the origin; nothing for a crowd. */
export function standing(group: Group): Standing[] {
  const visitors = inOrder(group).flatMap(([colour, count]) => Array<MarraCashColour>(count).fill(colour));
  const [size, step, rows] = RANKS[visitors.length] ?? [1, 0, []];
  const places = rows.flatMap((count, row) =>
    Array.from({ length: count }, (_, i) => [step * (i - (count - 1) / 2), step * (row - (rows.length - 1) / 2)] as const),
  );
  return places.map(([x, y], i) => ({ colour: visitors[i]!, x, y: y - 5, size }));
}
