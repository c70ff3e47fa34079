/** The games that the server offers, the quickest to learn first. */
import { api } from '../../lib/api';
import type { GameView } from '../../lib/protocol';
import { texts } from '../../lib/texts.svelte';

const ORDER = ['marrakech', 'marracash'];

class Games {
  list: GameView[] = $state.raw([]);

  async ask(): Promise<void> {
    if (this.list.length) return;
    const rank = (game: GameView) => (ORDER.indexOf(game.name) + ORDER.length + 1) % (ORDER.length + 1);
    this.list = (await api.games()).sort((a, b) => rank(a) - rank(b));
  }
}

export const games = new Games();

/** What a thing is called here: a text if we have one, else the server's own word. */
export const called = (key: string, word: string): string => texts.find(key) ?? word;

/** A game's name without loading its texts. */
export const titled = (game: string): string => TITLES[game] ?? game;

const TITLES: Record<string, string> = { marrakech: 'Marrakech', marracash: 'MarraCash' };
