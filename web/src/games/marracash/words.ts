/** Descriptions of events, tasks and actions. */
import { joinWords, texts } from '../../lib/texts.svelte';
import { t, type Key } from './translate';
import type { PositionView } from '../../lib/protocol';
import type { MarraCashEvent, MarraCashPosition } from './protocol';
import { actionsOfKind, parseAction, unique } from './actions';
import { boardData } from './geometry';
import { groupEntries, groupOf, type Group } from './groups';

export const colourName = (colour: string): string => t(`marracash.colour.${colour}` as Key);

/** Describe a group: "2 red and 1 blue". */
export function describeGroup(group: Group): string {
  const counted = groupEntries(group).map(([colour, n]) => t(`marracash.count.${colour}` as Key, { n }));
  return counted.length ? joinWords(counted) : t('marracash.emptyGroup');
}

/** Return the name of a shop with its colour; the colour agrees with "shop", which is feminine in some languages. */
const shopOfColour = (shop: string, colour: string): string => t(`marracash.shop.${colour}` as Key, { shop });

/** Return the name of a shop with its colour. */
export function shopName(game: string, shop: string): string {
  const colour = boardData(game)?.shops.find((one) => one.id === shop)?.colour;
  return colour ? shopOfColour(shop, colour) : shop;
}

/** Return an amount with its sign. */
export const signed = (amount: number): string =>
  new Intl.NumberFormat(texts.locale, { signDisplay: 'exceptZero', maximumFractionDigits: 0, useGrouping: 'min2' }).format(amount);

export function describeEvent(event: MarraCashEvent, names: readonly string[]): string {
  const name = (seat: number) => names[seat] ?? '';
  switch (event.event) {
    case 'named':
      return t('marracash.event.named', { name: name(event.seat), shop: shopOfColour(event.shop, event.colour) });
    case 'bid':
      return t('marracash.event.bid', { name: name(event.seat), amount: event.amount, shop: event.shop });
    case 'passed':
      if (event.shop === null) return t('marracash.event.stuck', { name: name(event.seat) });
      return t('marracash.event.passed', { name: name(event.seat), shop: event.shop });
    case 'sold': {
      const sale = { name: name(event.seat), shop: event.shop, price: event.price };
      if (!event.commission) return t('marracash.event.sold', sale);
      return t('marracash.event.soldFor', { ...sale, other: name(event.auctioneer), amount: event.commission });
    }
    case 'moved': {
      const { start, end } = event;
      return t('marracash.event.moved', { name: name(event.seat), group: describeGroup(event.group), start, end });
    }
    case 'entered': {
      const { rank, shop, payment } = event;
      return t('marracash.event.entered', { rank, shop, name: name(event.owner), amount: payment });
    }
    case 'souvenir': {
      const colour = colourName(event.colour);
      return t('marracash.event.souvenir', { name: name(event.owner), amount: event.value, colour });
    }
    case 'commission': {
      const { amount } = event;
      return t('marracash.event.commission', { name: name(event.owner), other: name(event.seat), amount });
    }
    case 'revealed':
      return t('marracash.event.revealed', { colour: colourName(event.colour), amount: event.value });
    case 'brought': {
      const key = event.end === 'head' ? 'marracash.event.head' : 'marracash.event.tail';
      return t(key, { name: name(event.seat), group: describeGroup(groupOf(event.visitors)), gate: event.gate });
    }
    case 'lastround':
      return t('marracash.event.lastround', { name: name(event.seat) });
    case 'over': {
      const scores = event.scores.map((amount, seat) => t('marracash.event.score', { name: name(seat), amount }));
      return t('marracash.event.over', { scores: joinWords(scores) });
    }
    default:
      return '';
  }
}

export function describeTask(view: PositionView, names: readonly string[], isMine: boolean): string {
  const position = view.position as MarraCashPosition;
  const name = names[view.mover ?? position.to_move] ?? '';
  const { auction, phase } = position;
  const shop = auction ? shopName(position.game, auction.shop) : '';
  const other = auction?.bidder === null || !auction ? '' : (names[auction.bidder] ?? '');
  const amount = auction?.bid ?? 0;
  if (phase === 'over') return t('marracash.waiting.over');
  if (phase === 'reveal') return t('marracash.waiting.reveal');
  if (!isMine) {
    if (phase === 'bid') return t(amount ? 'marracash.waiting.bid' : 'marracash.waiting.open', { name, shop, other, amount });
    return t(`marracash.waiting.${phase}` as Key, { name });
  }
  if (phase === 'bid') {
    const bids = actionsOfKind(view.legal, 'bid');
    if (!amount) return t('marracash.task.open', { name, shop, least: bids[0]?.amount ?? 0 });
    return t(bids.length ? 'marracash.task.bid' : 'marracash.task.mustPass', { name, shop, other, amount });
  }
  if (phase === 'bring') {
    const gates = unique(actionsOfKind(view.legal, 'bring').map(({ gate }) => gate));
    return t('marracash.task.bring', { name, gates: joinWords(gates, 'disjunction') });
  }
  if (phase === 'card') return t('marracash.task.card', { name });
  if (position.round === 1) return t('marracash.task.first', { name });
  const isLast = position.last_turns !== null;
  const nameAndStep = t(isLast ? 'marracash.stepOfLast' : 'marracash.stepOf', { name, step: position.step });
  const [canMove, canAuction] = [actionsOfKind(view.legal, 'move').length > 0, actionsOfKind(view.legal, 'auction').length > 0];
  const task = canMove ? (canAuction ? 'both' : 'move') : canAuction ? 'auction' : 'pass';
  return t(`marracash.task.${task}`, { name: nameAndStep });
}

export function describeAction(text: string, position: MarraCashPosition): string {
  const action = parseAction(text);
  switch (action.kind) {
    case 'move':
      return t('marracash.action.move', { group: describeGroup(position.groups[action.from] ?? {}), from: action.from, to: action.to });
    case 'auction':
      return t('marracash.action.auction', { shop: shopName(position.game, action.shop) });
    case 'bid':
      return t('marracash.action.bid', { amount: action.amount });
    case 'bring': {
      const { end, gate } = action;
      const group = describeGroup(groupOf(visitorsAtEnd(position.queue, end, action.count)));
      return t(end === 'head' ? 'marracash.action.head' : 'marracash.action.tail', { group, gate });
    }
    case 'card':
      return t('marracash.action.card', { amount: action.value });
    case 'pass':
      return t('marracash.action.pass');
    default:
      return text;
  }
}

export function confirmLabel(text: string, position: MarraCashPosition): string {
  const action = parseAction(text);
  if (action.kind === 'move') return t('marracash.confirm.move', { to: action.to });
  if (action.kind === 'auction') return t('marracash.confirm.auction', { shop: action.shop });
  if (action.kind === 'bring') return t('marracash.confirm.bring', { n: action.count });
  return describeAction(text, position);
}

/** Return the first visitors from an end of the queue. */
export function visitorsAtEnd<T>(queue: readonly T[], end: 'head' | 'tail', count: number): T[] {
  return end === 'head' ? queue.slice(0, count) : queue.slice(-count).reverse();
}
