/** Changes of a position that is set up by hand. The server checks the result. */
import { FACINGS, neighbour, turn } from './geometry';
import type { MarrakechColour as Colour, MarrakechPlayer as Player, MarrakechPosition as Position } from './protocol';

/** Put Assam on a square; turn him if he is there. */
export function placeAssam(position: Position, square: string): Position {
  const { facing, square: before } = position.assam;
  return { ...position, assam: { square, facing: square === before ? turn(facing, 1) : facing } };
}

/** Put half a rug on a square; it completes the half on the square `other`, if that fits. */
export function putHalf(position: Position, square: string, colour: Colour, other: string | null): Position {
  const { squares } = removeHalf(position, square);
  const halves = Object.values(squares);
  const first = other === null ? undefined : squares[other];
  const isJoined =
    first?.colour === colour &&
    FACINGS.some((side) => neighbour(square, side) === other) &&
    halves.filter(({ rug }) => rug === first.rug).length === 1;
  const rug = isJoined ? first.rug : Math.max(0, ...halves.map((half) => half.rug)) + 1;
  return { ...position, squares: { ...squares, [square]: { colour, rug } } };
}

/** Remove what a square shows; the other half stays. */
export function removeHalf(position: Position, square: string): Position {
  return { ...position, squares: Object.fromEntries(Object.entries(position.squares).filter(([at]) => at !== square)) };
}

/** Change what a player has. Whoever has one colour lays it next; whoever is out has nothing. */
export function changePlayer(position: Position, seat: number, change: Partial<Player>): Position {
  const players = position.players.map((player, number) => (number === seat ? changed(player, change) : player));
  let order = 0;
  return { ...position, players: players.map(({ out_order: _, ...player }) => (player.out ? { ...player, out_order: (order += 1) } : player)) };
}

function changed(player: Player, change: Partial<Player>): Player {
  const next = { ...player, ...change };
  const colours = Object.keys(next.rugs) as Colour[];
  if (next.out) return { ...next, dirhams: 0, rugs: Object.fromEntries(colours.map((colour) => [colour, 0])), next: null };
  const only = colours.length === 1 ? colours[0] : undefined;
  return only ? { ...next, next: next.rugs[only] ? only : null } : next;
}
