/** MarraCash in words: events, what to do, actions. */
import { listed, t, texts, type Key } from '../../lib/texts.svelte';
import type { MarraCashColour, MarraCashEvent, MarraCashPosition, PositionView } from '../../lib/protocol';
import { all, read } from './actions';
import { knownPlan } from './geometry';
import { inOrder, type Group } from './drawing/shapes';

export const colourWord = (colour: string): string => t(`marracash.colour.${colour}` as Key);

/** A group: "2 red and 1 blue". */
export function people(group: Group): string {
  const counted = inOrder(group).map(([colour, n]) => t(`marracash.count.${colour}` as Key, { n }));
  return counted.length ? listed(counted) : t('marracash.nobody');
}

export function grouped(visitors: readonly string[]): Group {
  const group: Group = {};
  for (const visitor of visitors as readonly MarraCashColour[]) group[visitor] = (group[visitor] ?? 0) + 1;
  return group;
}

/** A shop with its colour, once the board is known. */
export function shopWord(game: string, shop: string): string {
  const colour = knownPlan(game)?.shops.find((one) => one.id === shop)?.colour;
  return colour ? t('marracash.shop', { shop, colour: colourWord(colour) }) : shop;
}

/** An amount with its sign. */
export const signed = (amount: number): string =>
  new Intl.NumberFormat(texts.locale, { signDisplay: 'exceptZero', maximumFractionDigits: 0 }).format(amount);

export function told(event: MarraCashEvent, names: readonly string[]): string {
  const who = (seat: number) => names[seat] ?? '';
  switch (event.event) {
    case 'named': {
      const shop = t('marracash.shop', { shop: event.shop, colour: colourWord(event.colour) });
      return t('marracash.told.named', { name: who(event.seat), shop });
    }
    case 'bid':
      return t('marracash.told.bid', { name: who(event.seat), amount: event.amount, shop: event.shop });
    case 'passed':
      if (event.shop === null) return t('marracash.told.stuck', { name: who(event.seat) });
      return t('marracash.told.passed', { name: who(event.seat), shop: event.shop });
    case 'sold': {
      const sale = { name: who(event.seat), shop: event.shop, price: event.price };
      if (!event.commission) return t('marracash.told.sold', sale);
      return t('marracash.told.soldFor', { ...sale, other: who(event.auctioneer), amount: event.commission });
    }
    case 'moved': {
      const { start, end } = event;
      return t('marracash.told.moved', { name: who(event.seat), group: people(event.group as Group), start, end });
    }
    case 'entered': {
      const { rank, shop, payment } = event;
      return t('marracash.told.entered', { rank, shop, name: who(event.owner), amount: payment });
    }
    case 'souvenir': {
      const colour = colourWord(event.colour);
      return t('marracash.told.souvenir', { name: who(event.owner), amount: event.value, colour });
    }
    case 'commission': {
      const { amount } = event;
      return t('marracash.told.commission', { name: who(event.owner), other: who(event.seat), amount });
    }
    case 'revealed':
      return t('marracash.told.revealed', { colour: colourWord(event.colour), amount: event.value });
    case 'brought': {
      const key = event.end === 'head' ? 'marracash.told.head' : 'marracash.told.tail';
      return t(key, { name: who(event.seat), group: people(grouped(event.visitors)), gate: event.gate });
    }
    case 'lastround':
      return t('marracash.told.lastround', { name: who(event.seat) });
    case 'over': {
      const scores = event.scores.map((amount, seat) => t('marracash.told.score', { name: who(seat), amount }));
      return t('marracash.told.over', { scores: listed(scores) });
    }
    default:
      return '';
  }
}

export function todo(view: PositionView, names: readonly string[], isMine: boolean): string {
  const position = view.position as MarraCashPosition;
  const name = names[view.mover ?? position.to_move] ?? '';
  const { auction, phase } = position;
  const shop = auction ? shopWord(position.game, auction.shop) : '';
  const other = auction?.bidder === null || !auction ? '' : (names[auction.bidder] ?? '');
  const amount = auction?.bid ?? 0;
  if (phase === 'over') return t('marracash.wait.over');
  if (phase === 'reveal') return t('marracash.wait.reveal');
  if (!isMine) {
    if (phase === 'bid') return t(amount ? 'marracash.wait.bid' : 'marracash.wait.open', { name, shop, other, amount });
    return t(`marracash.wait.${phase}` as Key, { name });
  }
  if (phase === 'bid') {
    const bids = all(view.legal, 'bid');
    if (!amount) return t('marracash.do.open', { name, shop, least: bids[0]?.amount ?? 0 });
    return t(bids.length ? 'marracash.do.bid' : 'marracash.do.mustPass', { name, shop, other, amount });
  }
  if (phase === 'bring') {
    const gates = [...new Set(all(view.legal, 'bring').map(({ gate }) => gate))];
    return t('marracash.do.bring', { name, gates: listed(gates, 'disjunction') });
  }
  if (phase === 'card') return t('marracash.do.card', { name });
  if (position.round === 1) return t('marracash.do.first', { name });
  const isLast = position.last_turns !== null;
  const who = t(isLast ? 'marracash.who.last' : 'marracash.who.step', { name, step: position.step });
  const [walks, auctions] = [all(view.legal, 'move').length > 0, all(view.legal, 'auction').length > 0];
  const what = walks ? (auctions ? 'both' : 'move') : auctions ? 'auction' : 'pass';
  return t(`marracash.do.${what}`, { name: who });
}

export function named(action: string, position: MarraCashPosition): string {
  const what = read(action);
  switch (what.kind) {
    case 'move':
      return t('marracash.act.move', { group: people(position.groups[what.from] ?? {}), from: what.from, to: what.to });
    case 'auction':
      return t('marracash.act.auction', { shop: shopWord(position.game, what.shop) });
    case 'bid':
      return t('marracash.act.bid', { amount: what.amount });
    case 'bring': {
      const { end, gate } = what;
      const group = people(grouped(atEnd(position.queue, end, what.count)));
      return t(end === 'head' ? 'marracash.act.head' : 'marracash.act.tail', { group, gate });
    }
    case 'card':
      return t('marracash.act.card', { amount: what.value });
    case 'pass':
      return t('marracash.act.pass');
    default:
      return action;
  }
}

/** The first so many from an end of the queue. */
export function atEnd<T>(queue: readonly T[], end: 'head' | 'tail', count: number): T[] {
  return end === 'head' ? queue.slice(0, count) : queue.slice(-count).reverse();
}
