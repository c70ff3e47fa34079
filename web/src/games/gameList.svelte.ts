/** The games that the server offers, in the order of the start page. */
import { api } from '../lib/api';
import type { GameView } from '../lib/protocol';
import { drawnGames } from './infos';

class GameList {
  games: GameView[] = $state.raw([]);
  #loading: Promise<void> | null = null;

  /** Load the list, once. */
  async load(): Promise<void> {
    if (!this.games.length) await (this.#loading ??= this.#load().finally(() => (this.#loading = null)));
  }

  async #load(): Promise<void> {
    const order = ({ name }: GameView) => (drawnGames.includes(name) ? drawnGames.indexOf(name) : drawnGames.length);
    this.games = (await api.games()).sort((a, b) => order(a) - order(b) || a.title.localeCompare(b.title));
  }

  find(name: string | undefined): GameView | undefined {
    return this.games.find((game) => game.name === name);
  }

  /** The names of all games: those with code here at once, others when the list is loaded. */
  get names(): readonly string[] {
    return this.games.length ? this.games.map(({ name }) => name) : drawnGames;
  }
}

export const gameList = new GameList();
