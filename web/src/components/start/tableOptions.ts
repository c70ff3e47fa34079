/**
 * What somebody chooses before a game, and the table that it makes. Every change goes through
 * `fitted`, so that no combination is ever on the page which the server would refuse.
 */
import type { NewTable } from '../../lib/api';
import type { GameView, KnobView } from '../../lib/protocol';

export type SeatChoice =
  | { kind: 'me' }
  | { kind: 'here'; name: string } // somebody else at this screen
  | { kind: 'open' }
  | { kind: 'computer'; level: string };

export type AbsentChoice = 'at-once' | 'minute' | 'while' | 'never';
export type KnobValue = string | number | boolean;

export interface Choices {
  game: string;
  players: number;
  knobs: Record<string, KnobValue>; // only those that differ from the edition
  seats: SeatChoice[];
  seconds: number | null;
  absent: AbsentChoice | null; // null: whatever suits the seats
  isListed: boolean;
}

export const TIMES: readonly (number | null)[] = [null, 30, 60, 120, 300, 86_400];
/** Knobs with a place of their own in the form: the preset of a game. */
export const PRESETS: Record<string, string> = { marrakech: 'edition', marracash: 'layout' };
const FRIENDLY = 'greedy';
const ALONE_PLAYERS: Record<string, number> = { marrakech: 2, marracash: 3 };

export const knobNamed = (game: GameView, name: string): KnobView | undefined => game.knobs.find((knob) => knob.name === name);

/** A computer player that a newcomer enjoys. */
export function friendly(game: GameView): string {
  return game.levels.includes(FRIENDLY) ? FRIENDLY : (game.levels[0] ?? '');
}

/** What the form shows first: me against friendly computers. */
export function suggested(game: GameView): Choices {
  const { low, high } = playersOf(game);
  const players = clamped(ALONE_PLAYERS[game.name] ?? low, low, high);
  const first: Choices = {
    game: game.name,
    players,
    knobs: {},
    seats: [{ kind: 'me' }],
    seconds: null,
    absent: null,
    isListed: false,
  };
  return fitted(first, game);
}

export function playersOf(game: GameView): { low: number; high: number } {
  const knob = knobNamed(game, 'players');
  return { low: knob?.low ?? 2, high: knob?.high ?? 4 };
}

/** The house rules that mean something with these choices, as the server tells it. */
export function houseRules(choices: Choices, game: GameView): KnobView[] {
  return game.knobs
    .filter((knob) => knob.name !== 'players' && knob.name !== PRESETS[game.name])
    .filter((knob) => Object.entries(knob.needs ?? {}).every(([name, values]) => values.includes(valueOf(name, choices, game))))
    .map((knob) => (knob.name === 'first' ? { ...knob, high: choices.players - 1 } : knob));
}

/** What a knob is set to, or would be if nobody touches it. */
function valueOf(name: string, choices: Choices, game: GameView): KnobValue {
  if (name === 'players') return choices.players;
  return choices.knobs[name] ?? knobNamed(game, name)?.default ?? '';
}

/** The same choices without contradictions. */
export function fitted(choices: Choices, game: GameView): Choices {
  const { low, high } = playersOf(game);
  const players = clamped(choices.players, low, high);
  const isForFriends = choices.seats.at(-1)?.kind === 'open'; // then seats that are added are too
  const seats = Array.from({ length: players }, (_, number): SeatChoice => {
    const added: SeatChoice = isForFriends ? { kind: 'open' } : { kind: 'computer', level: friendly(game) };
    const seat = choices.seats[number] ?? added;
    return seat.kind === 'computer' && !game.levels.includes(seat.level) ? { ...seat, level: friendly(game) } : seat;
  });
  const absent = choices.absent === 'never' && choices.seconds !== null ? null : choices.absent;
  const fit = { ...choices, game: game.name, players, seats, absent };
  const offered = [...houseRules(fit, game), ...game.knobs.filter((knob) => knob.name === PRESETS[game.name])];
  fit.knobs = Object.fromEntries(
    Object.entries(choices.knobs).filter(([name, value]) => {
      const knob = offered.find((one) => one.name === name);
      return knob !== undefined && isAccepted(knob, value);
    }),
  );
  return fit;
}

function isAccepted(knob: KnobView, value: KnobValue): boolean {
  if (knob.kind === 'flag') return value === true;
  if (knob.kind === 'choice') return (knob.values ?? []).includes(String(value));
  const { low, high } = knob;
  return Number.isInteger(value) && Number(value) >= (low ?? -Infinity) && Number(value) <= (high ?? Infinity);
}

/** Give a seat to somebody. I sit once: whoever was there takes the seat I leave. */
export function seated(choices: Choices, number: number, seat: SeatChoice): Choices {
  const seats = [...choices.seats];
  const mine = seats.findIndex((one) => one.kind === 'me');
  const before = seats[number];
  if (seat.kind === 'me' && mine >= 0 && mine !== number && before) seats[mine] = before;
  seats[number] = seat;
  return { ...choices, seats };
}

/** The same with computers' seats open for friends. */
export function withFriends(choices: Choices): Choices {
  return { ...choices, seats: choices.seats.map((seat) => (seat.kind === 'computer' ? { kind: 'open' } : seat)) };
}

export const hasOpenSeats = (choices: Choices): boolean => choices.seats.some((seat) => seat.kind === 'open');

/** What happens to somebody who is away: alone one may come back tomorrow, friends do not wait for ever. */
export function absentOf(choices: Choices): AbsentChoice {
  if (choices.absent !== null) return choices.absent;
  return hasOpenSeats(choices) || choices.seconds !== null ? 'minute' : 'never';
}

/** A game as the server writes it: `marrakech(players=2,edition=pergioco,cover_own=True)`. */
export function gameText(choices: Choices): string {
  const knobs = Object.entries<KnobValue>({ players: choices.players, ...choices.knobs });
  const written = knobs.map(([name, value]) => `${name}=${value === true ? 'True' : value}`);
  return `${choices.game}(${written.join(',')})`;
}

/** The table to ask the server for. Without open seats the game starts at once. */
export function tableOf(choices: Choices): NewTable {
  const absent = absentOf(choices);
  return {
    game: gameText(choices),
    seats: choices.seats.map((seat) =>
      seat.kind === 'here' ? { kind: 'me' as const, ...(seat.name.trim() && { name: seat.name.trim() }) } : seat,
    ),
    public: choices.isListed,
    ...(choices.seconds !== null && { seconds: choices.seconds }),
    absent: absent === 'minute' || absent === 'while' ? 'grace' : absent,
    ...(absent === 'while' && { grace: 600 }),
    start: !hasOpenSeats(choices),
  };
}

const clamped = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));
