/** How events change what is shown, and how long each is shown. */
import type { GameEvent, MarrakechEvent, MarrakechPlayer, MarrakechPosition, MarrakechWalked, Position } from '../../lib/protocol';

const DIE_MS = 600;
const LOOK_MS = 250; // at the pips, before he sets out
const STEP_MS = 180;
const ARC_MS = 420;
const COIN_MS = 70; // between one coin and the next

export const at = (position: Position) => position as MarrakechPosition;
export const of = (event: GameEvent) => event as MarrakechEvent;

/** The position as it looks after an event: what the event says, nothing that it implies. */
export function shown(position: MarrakechPosition, event: MarrakechEvent): MarrakechPosition {
  switch (event.event) {
    case 'drew':
      return withPlayer(position, event.seat, () => ({ next: event.colour as MarrakechPlayer['next'] }));
    case 'turned':
      return { ...position, assam: { ...position.assam, facing: event.facing as MarrakechPosition['assam']['facing'] } };
    case 'walked': {
      const end = event.steps.at(-1);
      return end ? { ...position, assam: { square: end.square, facing: end.facing as MarrakechPosition['assam']['facing'] } } : position;
    }
    case 'paid': {
      const paid = withPlayer(position, event.seat, (player) => ({ dirhams: player.dirhams - event.paid }));
      return withPlayer(paid, event.to, (player) => ({ dirhams: player.dirhams + event.paid }));
    }
    case 'out':
      return withPlayer(position, event.seat, ({ rugs }) => ({
        out: true,
        out_order: event.order,
        next: null,
        rugs: Object.fromEntries(Object.keys(rugs).map((colour) => [colour, 0])),
      }));
    case 'laid': {
      const colour = event.colour as keyof MarrakechPlayer['rugs'];
      const rug = 1 + Math.max(0, ...Object.values(position.squares).map((half) => half.rug));
      const half = { colour, rug };
      const squares = { ...position.squares, [event.squares[0]]: half, [event.squares[1]]: half };
      return withPlayer({ ...position, squares }, event.seat, ({ rugs, next }) => ({
        rugs: { ...rugs, [colour]: (rugs[colour] ?? 1) - 1 },
        next: Object.keys(rugs).length > 1 ? null : next,
      }));
    }
    case 'over':
      return { ...position, phase: 'over' };
  }
}

function withPlayer(
  position: MarrakechPosition,
  seat: number,
  change: (player: MarrakechPlayer) => Partial<MarrakechPlayer>,
): MarrakechPosition {
  const players = position.players.map((player, number) => (number === seat ? { ...player, ...change(player) } : player));
  return { ...position, players };
}

/** When Assam sets out and how long each step takes, as shares of the whole. */
export interface Times {
  total: number; // milliseconds at normal speed
  landed: number; // the die has stopped
  sets: number; // he sets out
  steps: number[]; // when each step ends
}

export function walkTimes(event: MarrakechWalked): Times {
  let time = DIE_MS + LOOK_MS;
  const ends = event.steps.map((step) => (time += step.arc ? ARC_MS : STEP_MS));
  const total = time;
  return { total, landed: DIE_MS / total, sets: (DIE_MS + LOOK_MS) / total, steps: ends.map((end) => end / total) };
}

/** How long an event is shown at normal speed, in milliseconds. */
export function lasts(event: MarrakechEvent): number {
  switch (event.event) {
    case 'drew':
      return 350;
    case 'turned':
      return event.turning === 'ahead' ? 120 : 250;
    case 'walked':
      return walkTimes(event).total;
    case 'paid':
      return 1000 + COIN_MS * Math.min(event.paid, 12);
    case 'out':
      return 800;
    case 'laid':
      return 500;
    case 'over':
      return 0;
  }
}
