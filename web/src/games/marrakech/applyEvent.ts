/** How events change the shown position, and how long each is animated. */
import type { MarrakechEvent, MarrakechPlayer, MarrakechPosition, MarrakechWalked } from './protocol';

const DIE_MS = 600;
const PAUSE_MS = 250; // between the roll and the walk
const STEP_MS = 180;
const ARC_MS = 420;
const COIN_MS = 70; // between one coin and the next

/** Return the position after an event, without anything that the event does not mention. */
export function applyEvent(position: MarrakechPosition, event: MarrakechEvent): MarrakechPosition {
  switch (event.event) {
    case 'drew':
      return withPlayer(position, event.seat, () => ({ next: event.colour }));
    case 'turned':
      return { ...position, assam: { ...position.assam, facing: event.facing } };
    case 'walked': {
      const end = event.steps.at(-1);
      return end ? { ...position, assam: { square: end.square, facing: end.facing } } : position;
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
      const colour = event.colour;
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

/** The times of a walk, as fractions of its duration. */
export interface WalkTimes {
  total: number; // duration in milliseconds at normal speed
  rolled: number; // the die stops
  start: number; // Assam starts to walk
  steps: number[]; // the end of each step
}

export function walkTimes(event: MarrakechWalked): WalkTimes {
  let time = DIE_MS + PAUSE_MS;
  const ends = event.steps.map((step) => (time += step.arc ? ARC_MS : STEP_MS));
  const total = time;
  return { total, rolled: DIE_MS / total, start: (DIE_MS + PAUSE_MS) / total, steps: ends.map((end) => end / total) };
}

/** Return how long an event is animated at normal speed, in milliseconds. */
export function duration(event: MarrakechEvent): number {
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
