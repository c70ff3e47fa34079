/** Shapes as path data around the origin, and the colours of rugs. */
import type { MarrakechColour as Colour } from '../protocol';

export const RUG_WIDTH = 70;
export const RUG_LENGTH = 140;
export const FRINGE = 6.5;

const num = (value: number) => Number(value.toFixed(2));

/** Return a star; with eight points that of two crossed squares. */
export function star(radius: number, points = 8): string {
  const waist = (radius * Math.cos((2 * Math.PI) / points)) / Math.cos(Math.PI / points);
  const corners = Array.from({ length: 2 * points }, (_, i) => {
    const reach = i % 2 ? waist : radius;
    const angle = (Math.PI * i) / points - Math.PI / 2;
    return `${num(reach * Math.cos(angle))} ${num(reach * Math.sin(angle))}`;
  });
  return `M${corners.join('L')}Z`;
}

function spark(reach: number, x: number, y: number): string {
  const [far, near] = [num(reach * 0.7), num(reach * 0.3)];
  return `M${x} ${num(y - reach)}l${near} ${far} ${far} ${near}-${far} ${near}-${near} ${far}-${near}-${far}-${far}-${near} ${far}-${near}Z`;
}

function lozenge(w: number, h: number, x: number, y: number): string {
  return `M${x} ${num(y - h)}l${w} ${h}-${w} ${h}-${w}-${h}Z`;
}

/** A shape of a rug's pattern; with a width it is a line. */
export interface Motif {
  path: string;
  yarn: 'pale' | 'dark' | 'ground';
  width?: number;
}

const LOZENGES = [-45, -15, 15, 45];
const STARS = [-52.5, -35, -17.5, 0, 17.5, 35, 52.5].flatMap((y, row) =>
  (row % 2 ? [-9.5, 9.5] : [-19, 0, 19]).map((x) => [x, y] as const),
);
const STAIR = 'h5v-5h6v-5h6v5h6v5h10v-5h6v-5h6v5h6v5h5';

/** The pattern of each colour: lozenges, stripes, a stepped zigzag, small stars. */
export const MOTIFS: Record<Colour, readonly Motif[]> = {
  red: [
    { yarn: 'dark', path: [-30, 0, 30].map((y) => `M26.5 ${y - 9.5}v19l-16-9.5ZM-26.5 ${y - 9.5}v19l16-9.5Z`).join('') },
    { yarn: 'pale', path: LOZENGES.map((y) => lozenge(25, 14, 0, y)).join('') },
    { yarn: 'ground', path: LOZENGES.map((y) => lozenge(18.5, 10.3, 0, y)).join('') },
    { yarn: 'pale', path: LOZENGES.map((y) => lozenge(9.5, 5.3, 0, y)).join('') },
  ],
  yellow: [
    { yarn: 'dark', path: 'M-22-59h5v118h-5zM-2.5-59h5v118h-5zM17-59h5v118h-5z' },
    { yarn: 'pale', path: 'M-12.5-59h6v118h-6zM6.5-59h6v118h-6z' },
  ],
  blue: [
    { yarn: 'pale', width: 4, path: [-42, -14, 14, 42].map((y) => `M-28 ${y}${STAIR}`).join('') },
    { yarn: 'dark', width: 3, path: [-28, 0, 28, 56].map((y) => `M-28 ${y}${STAIR}`).join('') },
  ],
  orange: [
    { yarn: 'pale', path: STARS.map(([x, y]) => spark(8.6, x, y)).join('') },
    { yarn: 'dark', path: STARS.map(([x, y]) => lozenge(1.8, 1.8, x, y)).join('') },
  ],
};

/** The yarns of each colour, the same in light and dark mode. */
export const YARNS: Record<Colour | 'neutral', Record<Motif['yarn'], string>> = {
  red: { ground: '#b5382f', pale: '#f3d3bf', dark: '#7a1f1a' },
  yellow: { ground: '#e2a92b', pale: '#fff1c4', dark: '#7e520d' },
  blue: { ground: '#2b6c9e', pale: '#d3e6f1', dark: '#17415f' },
  orange: { ground: '#d9651b', pale: '#ffe6c7', dark: '#5e2408' },
  neutral: { ground: '#8e8a85', pale: '#ece8e1', dark: '#5d5954' },
};

export const COLOURS: readonly Colour[] = ['red', 'yellow', 'blue', 'orange'];
