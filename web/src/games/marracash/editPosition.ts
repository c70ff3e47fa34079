/** Changes of a position that is set up by hand. Visitors and signs stay complete; the server checks the rest. */
import { groupEntries } from './groups';
import type { MarraCashColour as Colour, MarraCashPosition as Position } from './protocol';

/** Begin a turn of a player; what was going on is dropped. */
export function startTurn(position: Position, seat: number): Position {
  const { walk, ...rest } = position;
  const walking = groupEntries(walk?.group ?? {}).flatMap(([colour, count]) => Array<Colour>(count).fill(colour));
  return {
    ...rest,
    ...{ phase: 'choose', to_move: seat, turn_of: seat, step: 1, first_step: null, auction: null },
    last_turns: position.last_turns || null,
    queue: [...position.queue, ...walking],
  };
}

/** Change how many visitors of a colour stand at a fountain. */
export function setVisitors(position: Position, fountain: string, colour: Colour, count: number): Position {
  const group = position.groups[fountain] ?? {};
  const [moved, queue] = fetch(position.queue, colour, count - (group[colour] ?? 0));
  const changed = Object.fromEntries(groupEntries({ ...group, [colour]: (group[colour] ?? 0) + moved }));
  const others = without(position.groups, fountain);
  return { ...position, queue, groups: Object.keys(changed).length ? { ...others, [fountain]: changed } : others };
}

/** Give a shop to somebody, or to nobody (null), with a number of customers. */
export function setShop(position: Position, shop: string, colour: Colour, owner: number | null, count: number): Position {
  const before = position.shops[shop];
  const customers = before?.customers ?? 0;
  const [moved, queue] = fetch(position.queue, colour, (owner === null ? 0 : count) - customers);
  const others = without(position.shops, shop);
  const players = position.players.map((player, seat) => ({
    ...player,
    signs: player.signs + Number(before?.owner === seat) - Number(owner === seat),
  }));
  return { ...position, queue, players, shops: owner === null ? others : { ...others, [shop]: { owner, customers: customers + moved } } };
}

export function setDirhams(position: Position, seat: number, dirhams: number): Position {
  return { ...position, players: position.players.map((player, number) => (number === seat ? { ...player, dirhams } : player)) };
}

function without<T>(record: Record<string, T>, key: string): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([one]) => one !== key));
}

/** Fetch visitors of a colour from the tail of the queue, as many as there are, or send them there (below 0). */
function fetch(queue: readonly Colour[], colour: Colour, wanted: number): [number, Colour[]] {
  if (wanted <= 0) return [wanted, [...queue, ...Array<Colour>(-wanted).fill(colour)]];
  const rest = [...queue];
  let fetched = 0;
  for (; fetched < wanted && rest.includes(colour); fetched += 1) rest.splice(rest.lastIndexOf(colour), 1);
  return [fetched, rest];
}
