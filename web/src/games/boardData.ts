/** Board data from the server, loaded once for each game string. */
import { api } from '../lib/api';

export class BoardLoader<T> {
  #loading = new Map<string, Promise<T>>();
  #loaded = new Map<string, T>();

  constructor(readonly name: string) {}

  load(game: string): Promise<T> {
    let data = this.#loading.get(game);
    if (!data) {
      data = api.board<T>(this.name, game);
      this.#loading.set(game, data);
      data.then(
        (loaded) => this.#loaded.set(game, loaded),
        () => this.#loading.delete(game), // try again next time
      );
    }
    return data;
  }

  /** Return the data if it is loaded already. */
  loaded(game: string): T | undefined {
    return this.#loaded.get(game);
  }
}
