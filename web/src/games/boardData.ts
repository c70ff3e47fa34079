/** Board data from the server, loaded once for each game string. */
import { api } from '../lib/api';

const boards = new Map<string, unknown>();

/** Load the board of a game string. On failure the game goes on without it. */
export async function loadBoard(name: string, game: string): Promise<void> {
  const board = boards.get(game) ?? (await api.board(name, game).catch(() => undefined));
  boards.set(game, board);
}

/** Return the board of a game string; undefined if it could not be loaded. */
export function boardOf<T>(game: string): T | undefined {
  return boards.get(game) as T | undefined;
}
