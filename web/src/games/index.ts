/** The games: every folder here with an `info.ts` and an `index.ts`. */
import { texts } from '../lib/texts.svelte';
import { loadBoard } from './boardData';
import type { Game, GameInfo } from './types';

export { boardOf, loadBoard } from './boardData';

const INFOS = import.meta.glob<GameInfo>('./*/info.ts', { import: 'default', eager: true });
const GAMES = import.meta.glob<Game>('./*/index.ts', { import: 'default' });

export const gameInfo = (name: string): GameInfo | undefined => INFOS[`./${name}/info.ts`];

/** The names of all games, in the order of the start page. */
export const gameNames: readonly string[] = Object.entries(INFOS)
  .sort(([, one], [, other]) => one.order - other.order)
  .map(([path]) => path.split('/')[1] as string);

export const gameTitle = (name: string): string => gameInfo(name)?.title ?? name;

/** Load a game with its texts and the board of a game string. */
export async function loadGame(name: string, gameString: string): Promise<Game> {
  const load = GAMES[`./${name}/index.ts`];
  if (!load) throw new Error(`no game ${name}`);
  const [game] = await Promise.all([load(), texts.addGame(name), loadBoard(name, gameString)]);
  return game;
}
