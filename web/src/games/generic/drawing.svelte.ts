/** Drawings of the server, as pictures: a picture runs no script. */
import { SvelteMap } from 'svelte/reactivity';

const DEFAULT_RATIO = 0.75;
const ratios = new SvelteMap<string, number>(); // by game string

/** Return the address of a drawing as a picture. */
export const pictureOf = (svg: string): string => `data:image/svg+xml,${encodeURIComponent(svg)}`;

/** Note the size of a game's first drawing, which upright phones make room for: nothing moves during a game. */
export function setRatio(game: string, { naturalWidth, naturalHeight }: HTMLImageElement): void {
  if (naturalWidth && !ratios.has(game)) ratios.set(game, Math.min(1.3, Math.max(0.4, naturalHeight / naturalWidth)));
}

export const ratioOf = (game: string): number => ratios.get(game) ?? DEFAULT_RATIO;
