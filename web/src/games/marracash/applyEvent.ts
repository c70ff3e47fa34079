/** How a position looks after an event, and how long an event is shown. */
import type { MarraCashColour, MarraCashEvent, MarraCashPlayer, MarraCashPosition } from '../../lib/protocol';
import { knownPlan } from './geometry';

type Group = Partial<Record<MarraCashColour, number>>;

/** The time for each event at normal speed; a walk is the longest story. */
const LASTS: Record<MarraCashEvent['event'], number> = {
  named: 600,
  bid: 420,
  passed: 300,
  sold: 1000,
  moved: 800,
  entered: 520,
  souvenir: 520,
  commission: 420,
  revealed: 450,
  brought: 900,
  lastround: 300,
  over: 0,
};

export const lasts = (event: MarraCashEvent): number => LASTS[event.event] ?? 0;

export function shown(position: MarraCashPosition, event: MarraCashEvent): MarraCashPosition {
  switch (event.event) {
    case 'named': {
      const auction = { shop: event.shop, auctioneer: event.seat, bid: null, bidder: null, passed: [] };
      return { ...settled(position), phase: 'bid', auction };
    }
    case 'bid':
      if (!position.auction) return position;
      return { ...position, auction: { ...position.auction, bid: event.amount, bidder: event.seat } };
    case 'passed': {
      const { auction } = position;
      if (!auction || event.shop === null) return position;
      return { ...position, auction: { ...auction, passed: [...auction.passed, event.seat] } };
    }
    case 'sold': {
      const players = paid(paid(position.players, event.seat, -event.price, -1), event.auctioneer, event.commission);
      const shops = { ...position.shops, [event.shop]: { owner: event.seat, customers: 0 } };
      return { ...position, auction: null, players, shops };
    }
    case 'moved':
      return setOut(settled(position), event.seat, event.start, event.end);
    case 'entered': {
      const players = paid(position.players, event.owner, event.payment);
      const shops = { ...position.shops, [event.shop]: { owner: event.owner, customers: event.rank } };
      return { ...left(position, event.shop, event.colour as MarraCashColour), players, shops };
    }
    case 'souvenir': {
      const players = paid(position.players, event.owner, event.value);
      if (!position.cards) return { ...position, players };
      const open = position.cards.open.filter(([colour, value]) => colour !== event.colour || value !== event.value);
      return { ...position, players, cards: { ...position.cards, open } };
    }
    case 'commission':
      return { ...position, players: paid(paid(position.players, event.owner, -event.amount), event.seat, event.amount) };
    case 'revealed': {
      if (!position.cards) return position;
      const colour = event.colour as MarraCashColour;
      const rest = (position.cards.left[colour] ?? []).filter((value) => value !== event.value);
      const open: [MarraCashColour, number][] = [...position.cards.open, [colour, event.value]];
      return { ...position, cards: { open, left: { ...position.cards.left, [colour]: rest } } };
    }
    case 'brought': {
      const count = event.visitors.length;
      const queue = event.end === 'head' ? position.queue.slice(count) : position.queue.slice(0, -count);
      const group: Group = {};
      for (const visitor of event.visitors as MarraCashColour[]) group[visitor] = (group[visitor] ?? 0) + 1;
      return { ...joined(settled(position), event.gate, group), queue };
    }
    case 'lastround':
      return settled(position);
    case 'over':
      return { ...settled(position), phase: 'over' };
    default:
      return position;
  }
}

function paid(players: MarraCashPlayer[], seat: number, amount: number, signs = 0): MarraCashPlayer[] {
  return players.map((player, i) =>
    i === seat ? { dirhams: player.dirhams + amount, signs: player.signs + signs } : player,
  );
}

function joined(position: MarraCashPosition, fountain: string, group: Group): MarraCashPosition {
  const there: Group = { ...position.groups[fountain] };
  for (const [colour, count] of Object.entries(group) as [MarraCashColour, number][])
    if (count > 0) there[colour] = (there[colour] ?? 0) + count;
  const groups = { ...position.groups, [fountain]: there };
  if (!Object.keys(there).length) delete groups[fountain];
  return { ...position, groups };
}

/** Whoever is on the way arrives. */
export function settled(position: MarraCashPosition): MarraCashPosition {
  const { walk, ...rest } = position;
  if (!walk) return position;
  return walk.to === null ? rest : joined(rest, walk.to, walk.group);
}

function setOut(position: MarraCashPosition, mover: number, start: string, end: string): MarraCashPosition {
  const { [start]: group = {}, ...groups } = position.groups;
  const walk = { kind: 'move' as const, mover, to: end, group, shops: [], customers: 0, total: 0, payment: null };
  return { ...position, groups, walk };
}

/** One fewer on the way; without a walk, one fewer beside the shop. */
function left(position: MarraCashPosition, shop: string, colour: MarraCashColour): MarraCashPosition {
  const { walk } = position;
  if (walk && walk.to !== null) return { ...position, walk: { ...walk, group: fewer(walk.group, colour) } };
  const beside = knownPlan(position.game)?.touching[shop] ?? [];
  const from = beside.find((fountain) => position.groups[fountain]?.[colour]);
  if (from === undefined) return position;
  const group = fewer(position.groups[from]!, colour);
  const groups = { ...position.groups, [from]: group };
  if (!Object.keys(group).length) delete groups[from];
  return { ...position, groups };
}

function fewer(group: Group, colour: MarraCashColour): Group {
  const { [colour]: count = 0, ...rest } = group;
  return count > 1 ? { ...group, [colour]: count - 1 } : rest;
}
