import type { Game } from '../../games/types';
import type { Position } from '../../lib/protocol';

/** The first colour of a seat, as CSS takes it. */
export function hue(game: Game, position: Position, seat: number): string {
  const first = game.colours(position, seat)[0] ?? '--neutral';
  return first.startsWith('--') ? `var(${first})` : first;
}
