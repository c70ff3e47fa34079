/** How events change the shown position, and how long each is animated. */
import type { MarraCashColour, MarraCashEvent, MarraCashPlayer, MarraCashPosition } from './protocol';
import { boardData } from './geometry';
import { groupOf, type Group } from './groups';

/** The duration of each event at normal speed, in milliseconds. */
const DURATIONS: Record<MarraCashEvent['event'], number> = {
  named: 600,
  bid: 900, // long enough to follow each bidder
  passed: 700,
  sold: 1000,
  moved: 800,
  entered: 520,
  souvenir: 520,
  commission: 420,
  revealed: 450,
  brought: 900,
  lastround: 1600,
  over: 0,
};

export const duration = (event: MarraCashEvent): number => DURATIONS[event.event] ?? 0;

/** Return the position after an event. */
export function applyEvent(position: MarraCashPosition, event: MarraCashEvent): MarraCashPosition {
  switch (event.event) {
    case 'named': {
      const auction = { shop: event.shop, auctioneer: event.seat, bid: null, bidder: null, passed: [] };
      return { ...withWalkEnded(position), phase: 'bid', auction };
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
      const players = withPayment(withPayment(position.players, event.seat, -event.price, -1), event.auctioneer, event.commission);
      const shops = { ...position.shops, [event.shop]: { owner: event.seat, customers: 0 } };
      return { ...position, auction: null, players, shops };
    }
    case 'moved':
      return withWalkStarted(withWalkEnded(position), event.seat, event.start, event.end);
    case 'entered': {
      const players = withPayment(position.players, event.owner, event.payment);
      const shops = { ...position.shops, [event.shop]: { owner: event.owner, customers: event.rank } };
      return { ...withVisitorLeft(position, event.shop, event.colour), players, shops };
    }
    case 'souvenir': {
      const players = withPayment(position.players, event.owner, event.value);
      if (!position.cards) return { ...position, players };
      const open = position.cards.open.filter(([colour, value]) => colour !== event.colour || value !== event.value);
      return { ...position, players, cards: { ...position.cards, open } };
    }
    case 'commission':
      return { ...position, players: withPayment(withPayment(position.players, event.owner, -event.amount), event.seat, event.amount) };
    case 'revealed': {
      if (!position.cards) return position;
      const { colour } = event;
      const rest = (position.cards.left[colour] ?? []).filter((value) => value !== event.value);
      const open: [MarraCashColour, number][] = [...position.cards.open, [colour, event.value]];
      return { ...position, cards: { open, left: { ...position.cards.left, [colour]: rest } } };
    }
    case 'brought': {
      const count = event.visitors.length;
      const queue = event.end === 'head' ? position.queue.slice(count) : position.queue.slice(0, -count);
      return { ...withGroupAdded(withWalkEnded(position), event.gate, groupOf(event.visitors)), queue };
    }
    case 'lastround':
      return { ...withWalkEnded(position), last_turns: position.players.length };
    case 'over':
      return { ...withWalkEnded(position), phase: 'over' };
    default:
      return position;
  }
}

function withPayment(players: MarraCashPlayer[], seat: number, amount: number, signs = 0): MarraCashPlayer[] {
  return players.map((player, i) =>
    i === seat ? { dirhams: player.dirhams + amount, signs: player.signs + signs } : player,
  );
}

function withGroupAdded(position: MarraCashPosition, fountain: string, group: Group): MarraCashPosition {
  const sum: Group = { ...position.groups[fountain] };
  for (const [colour, count] of Object.entries(group) as [MarraCashColour, number][])
    if (count > 0) sum[colour] = (sum[colour] ?? 0) + count;
  const groups = { ...position.groups, [fountain]: sum };
  if (!Object.keys(sum).length) delete groups[fountain];
  return { ...position, groups };
}

/** Return the position with the walking group at its end. */
export function withWalkEnded(position: MarraCashPosition): MarraCashPosition {
  const { walk, ...rest } = position;
  if (!walk) return position;
  return walk.to === null ? rest : withGroupAdded(rest, walk.to, walk.group);
}

function withWalkStarted(position: MarraCashPosition, mover: number, start: string, end: string): MarraCashPosition {
  const { [start]: group = {}, ...groups } = position.groups;
  const walk = { kind: 'move' as const, mover, to: end, group, shops: [], customers: 0, total: 0, payment: null };
  return { ...position, groups, walk };
}

/** Return the position with one visitor fewer in the walking group or, without a walk, beside the shop. */
function withVisitorLeft(position: MarraCashPosition, shop: string, colour: MarraCashColour): MarraCashPosition {
  const { walk } = position;
  if (walk && walk.to !== null) return { ...position, walk: { ...walk, group: withoutOne(walk.group, colour) } };
  const beside = boardData(position.game)?.touching[shop] ?? [];
  const from = beside.find((fountain) => position.groups[fountain]?.[colour]);
  if (from === undefined) return position;
  const group = withoutOne(position.groups[from]!, colour);
  const groups = { ...position.groups, [from]: group };
  if (!Object.keys(group).length) delete groups[from];
  return { ...position, groups };
}

function withoutOne(group: Group, colour: MarraCashColour): Group {
  const { [colour]: count = 0, ...rest } = group;
  return count > 1 ? { ...group, [colour]: count - 1 } : rest;
}
