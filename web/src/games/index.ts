/** The games: every folder here with an `info.ts` and an `index.ts`. */
import { texts } from '../lib/texts.svelte';
import { loadBoard } from './boardData';
import type { LessonStep } from '../lib/lesson.svelte';
import type { Game, GameInfo } from './types';

export { boardOf, loadBoard } from './boardData';

const INFOS = import.meta.glob<GameInfo>('./*/info.ts', { import: 'default', eager: true });
const GAMES = import.meta.glob<Game>('./*/index.ts', { import: 'default' });
const LESSONS = import.meta.glob<LessonStep[]>('./*/lessons/steps.json', { import: 'default' });

export const gameInfo = (name: string): GameInfo | undefined => INFOS[`./${name}/info.ts`];

/** The names of all games, in the order of the start page. */
export const gameNames: readonly string[] = Object.entries(INFOS)
  .sort(([, one], [, other]) => one.order - other.order)
  .map(([path]) => path.split('/')[1] as string);

export const gameTitle = (name: string): string => gameInfo(name)?.title ?? name;
export const gameAbout = (name: string): string => gameInfo(name)?.about[texts.language] ?? '';

/** Load a game with its texts and the board of a game string. */
export async function loadGame(name: string, gameString: string): Promise<Game> {
  const load = GAMES[`./${name}/index.ts`];
  if (!load) throw new Error(`no game ${name}`);
  const [game] = await Promise.all([load(), texts.addGame(name), loadBoard(name, gameString)]);
  return game;
}

export const hasLessons = (name: string): boolean => `./${name}/lessons/steps.json` in LESSONS;

/** Load the lessons of a game with their texts. */
export async function loadLessons(name: string): Promise<readonly LessonStep[]> {
  const [steps] = await Promise.all([LESSONS[`./${name}/lessons/steps.json`]?.(), texts.addLessons(name)]);
  return steps ?? [];
}
