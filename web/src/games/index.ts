/** The games, each loaded with its texts when it is needed. */
import { texts } from '../lib/texts.svelte';
import type { Game } from './types';

const GAMES: Record<string, () => Promise<{ default: Game }>> = {
  marrakech: () => import('./marrakech'),
  marracash: () => import('./marracash'),
};

export async function gameNamed(name: string): Promise<Game> {
  const load = GAMES[name];
  if (!load) throw new Error(`no game ${name}`);
  const [module] = await Promise.all([load(), texts.add(name)]);
  return module.default;
}
