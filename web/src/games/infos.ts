/** What is known about games before their code is loaded: the `info.ts` of every folder here. */
import type { GameInfo } from './types';

const INFOS = import.meta.glob<GameInfo>('./*/info.ts', { import: 'default', eager: true });

export const gameInfo = (name: string): GameInfo | undefined => INFOS[`./${name}/info.ts`];

/** The names of the games with code here, in the order of the start page. */
export const drawnGames: readonly string[] = Object.entries(INFOS)
  .sort(([, one], [, other]) => one.order - other.order)
  .map(([path]) => path.split('/')[1] as string);
