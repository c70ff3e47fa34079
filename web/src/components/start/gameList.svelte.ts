/** The games that the server offers, in the order of the start page. */
import { gameInfo } from '../../games';
import { api } from '../../lib/api';
import type { GameView } from '../../lib/protocol';
import { texts } from '../../lib/texts.svelte';

class GameList {
  games: GameView[] = $state.raw([]);

  /** Load the list, once. */
  async load(): Promise<void> {
    if (this.games.length) return;
    const order = (game: GameView) => gameInfo(game.name)?.order ?? Infinity;
    this.games = (await api.games()).sort((a, b) => order(a) - order(b));
  }

  find(name: string | undefined): GameView | undefined {
    return this.games.find((game) => game.name === name);
  }
}

export const gameList = new GameList();

/** Return the text of a key if the page has one, else the server's own word. */
export const textOr = (key: string, word: string): string => texts.find(key) ?? word;
