/**
 * The options of a new table, and the request that creates it. Every change goes through
 * `normalise`, so that the form never holds a combination which the server would refuse.
 */
import { gameInfo } from '../../games';
import type { GameView, KnobView, NewTable } from '../../lib/protocol';

export type SeatOption =
  | { kind: 'me' }
  | { kind: 'here'; name: string } // somebody else at this screen
  | { kind: 'open' }
  | { kind: 'computer'; level: string };

export type AbsentOption = 'at-once' | 'minute' | 'ten-minutes' | 'never';
export type KnobValue = string | number | boolean;

export interface TableOptions {
  game: string;
  players: number;
  knobs: Record<string, KnobValue>; // only those that differ from the defaults
  seats: SeatOption[];
  seconds: number | null;
  absent: AbsentOption | null; // null: depends on the seats
  isListed: boolean;
  hasHints: boolean; // whether hints are allowed against other people
}

export const TIMES: readonly (number | null)[] = [null, 30, 60, 120, 300, 86_400];
const FRIENDLY_LEVEL = 'greedy';

export const findKnob = (game: GameView, name: string | undefined): KnobView | undefined =>
  game.knobs.find((knob) => knob.name === name);
export const presetKnob = (game: GameView): KnobView | undefined => findKnob(game, gameInfo(game.name)?.presetKnob);

/** Return the level of computer players that suits newcomers. */
export function friendlyLevel(game: GameView): string {
  return game.levels.includes(FRIENDLY_LEVEL) ? FRIENDLY_LEVEL : (game.levels[0] ?? '');
}

/** Return what the form shows first: me against friendly computers. */
export function defaultOptions(game: GameView): TableOptions {
  const { low, high } = playerRange(game);
  const options: TableOptions = {
    game: game.name,
    players: clamp(gameInfo(game.name)?.soloPlayers ?? low, low, high),
    knobs: {},
    seats: [{ kind: 'me' }],
    seconds: null,
    absent: null,
    isListed: false,
    hasHints: false,
  };
  return normalise(options, game);
}

export function playerRange(game: GameView): { low: number; high: number } {
  const knob = findKnob(game, 'players');
  return { low: knob?.low ?? 2, high: knob?.high ?? 4 };
}

/** Return the knobs that have an effect with these options, as the server says, without players and preset. */
export function houseRules(options: TableOptions, game: GameView): KnobView[] {
  const info = gameInfo(game.name);
  return game.knobs
    .filter((knob) => knob.name !== 'players' && knob.name !== info?.presetKnob)
    .filter((knob) => Object.entries(knob.needs ?? {}).every(([name, values]) => values.includes(valueOf(name, options, game))))
    .map((knob) => (knob.name === info?.seatKnob ? { ...knob, high: options.players - 1 } : knob));
}

/** Return the value of a knob: as chosen, or its default. */
function valueOf(name: string, options: TableOptions, game: GameView): KnobValue {
  if (name === 'players') return options.players;
  return options.knobs[name] ?? findKnob(game, name)?.default ?? '';
}

/** Return the options without contradictions. */
export function normalise(options: TableOptions, game: GameView): TableOptions {
  const { low, high } = playerRange(game);
  const players = clamp(options.players, low, high);
  const isForFriends = options.seats.at(-1)?.kind === 'open'; // then added seats are open too
  const seats = Array.from({ length: players }, (_, number): SeatOption => {
    const added: SeatOption = isForFriends ? { kind: 'open' } : { kind: 'computer', level: friendlyLevel(game) };
    const seat = options.seats[number] ?? added;
    return seat.kind === 'computer' && !game.levels.includes(seat.level) ? { ...seat, level: friendlyLevel(game) } : seat;
  });
  const absent = options.absent === 'never' && options.seconds !== null ? null : options.absent;
  const result = { ...options, game: game.name, players, seats, absent };
  const preset = presetKnob(game);
  const offered = [...houseRules(result, game), ...(preset ? [preset] : [])];
  result.knobs = Object.fromEntries(
    Object.entries(options.knobs).filter(([name, value]) => {
      const knob = offered.find((one) => one.name === name);
      return knob !== undefined && isValid(knob, value);
    }),
  );
  return result;
}

function isValid(knob: KnobView, value: KnobValue): boolean {
  if (knob.kind === 'flag') return value === true;
  if (knob.kind === 'choice') return (knob.values ?? []).includes(String(value));
  const { low, high } = knob;
  return Number.isInteger(value) && Number(value) >= (low ?? -Infinity) && Number(value) <= (high ?? Infinity);
}

/** Give a seat to somebody. I have one seat only: its former holder takes the seat that I leave. */
export function assignSeat(options: TableOptions, number: number, seat: SeatOption): TableOptions {
  const seats = [...options.seats];
  const mine = seats.findIndex((one) => one.kind === 'me');
  const before = seats[number];
  if (seat.kind === 'me' && mine >= 0 && mine !== number && before) seats[mine] = before;
  seats[number] = seat;
  return { ...options, seats };
}

/** Open the computers' seats for friends. */
export function withFriends(options: TableOptions): TableOptions {
  return { ...options, seats: options.seats.map((seat) => (seat.kind === 'computer' ? { kind: 'open' } : seat)) };
}

export const hasOpenSeats = (options: TableOptions): boolean => options.seats.some((seat) => seat.kind === 'open');

/** Return when the computer plays on for an absent player: never in a game alone, soon in a game with others. */
export function absentOption(options: TableOptions): AbsentOption {
  if (options.absent !== null) return options.absent;
  return hasOpenSeats(options) || options.seconds !== null ? 'minute' : 'never';
}

/** Return the game string as the server writes it: `name(players=2,edition=pergioco,cover_own=True)`. */
export function gameString(options: TableOptions): string {
  const knobs = Object.entries<KnobValue>({ players: options.players, ...options.knobs });
  const written = knobs.map(([name, value]) => `${name}=${value === true ? 'True' : value}`);
  return `${options.game}(${written.join(',')})`;
}

/** Return the request for the table. Without open seats the game starts at once. */
export function newTable(options: TableOptions): NewTable {
  const absent = absentOption(options);
  return {
    game: gameString(options),
    seats: options.seats.map((seat) =>
      seat.kind === 'here' ? { kind: 'me' as const, ...(seat.name.trim() && { name: seat.name.trim() }) } : seat,
    ),
    public: options.isListed,
    ...(options.seconds !== null && { seconds: options.seconds }),
    absent: absent === 'minute' || absent === 'ten-minutes' ? 'grace' : absent,
    ...(absent === 'ten-minutes' && { grace: 600 }),
    ...(options.hasHints && { hints: true }),
    undo: true,
    start: !hasOpenSeats(options),
  };
}

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));
