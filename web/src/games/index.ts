/**
 * The games: those that the server offers. A folder here with an `info.ts` and an `index.ts` draws
 * the game of its name; the generic table draws all others.
 */
import type { LessonStep } from '../lib/lesson.svelte';
import type { Frame } from '../lib/protocol';
import { texts } from '../lib/texts.svelte';
import { loadBoard } from './boardData';
import { gameList } from './gameList.svelte';
import { gameInfo } from './infos';
import type { Game, PlayedStep } from './types';

export { boardOf, loadBoard } from './boardData';
export { gameList } from './gameList.svelte';
export { gameInfo } from './infos';

const GAMES = import.meta.glob<Game>('./*/index.ts', { import: 'default' });
const LESSONS = import.meta.glob<LessonStep[]>('./*/lessons/steps.json', { import: 'default' });

/** Return the title of a game; of a game without code here, its name until the server's list is loaded. */
export function gameTitle(name: string): string {
  const title = gameInfo(name)?.title ?? gameList.find(name)?.title;
  if (title === undefined) gameList.load().catch(() => {}); // the banner says that the server is away
  return title ?? name;
}

/** Return a line about a game, in the reader's language if there is one. */
export const gameAbout = (name: string): string => gameInfo(name)?.about[texts.language] ?? gameList.find(name)?.about ?? '';

/** Load a game with its texts and the board of a game string. */
export async function loadGame(name: string, gameString: string): Promise<Game> {
  const load = GAMES[`./${name}/index.ts`];
  if (!load) return loadGenericGame(name, gameString);
  const [game] = await Promise.all([load(), texts.addGame(name), loadBoard(name, gameString)]);
  return game;
}

/** Load the words for the steps of a game or a line of it, if they come from the server. */
export async function loadFrames(game: Game, frames: readonly Frame[], names: readonly string[]): Promise<void> {
  const [first, ...steps] = frames;
  const last = steps.at(-1);
  if (first && last) await game.loadSteps?.(first.position, steps as PlayedStep[], last.position, names); // only the first has no action
}

async function loadGenericGame(name: string, gameString: string): Promise<Game> {
  const [{ genericGame }] = await Promise.all([import('./generic/game'), texts.addGame('generic')]);
  return genericGame(name, gameString);
}

export const hasLessons = (name: string): boolean => `./${name}/lessons/steps.json` in LESSONS;

/** Load the lessons of a game with their texts. */
export async function loadLessons(name: string): Promise<readonly LessonStep[]> {
  const [steps] = await Promise.all([LESSONS[`./${name}/lessons/steps.json`]?.(), texts.addLessons(name)]);
  return steps ?? [];
}
