import { createTable } from './createTable';
import { gameList } from './gameList.svelte';
import { defaultOptions, newTable } from './tableOptions';

/** Start a game against friendly computers. */
export async function playComputers(name: string): Promise<void> {
  await gameList.load();
  const game = gameList.find(name);
  if (game) await createTable(newTable(defaultOptions(game)));
}
