/** A result broken down: where each player's money came from, and what each shop earned. */
import { entriesOf } from './ledger';
import type { MarraCashEvent } from './protocol';

export const ROWS = ['start', 'customers', 'souvenirs', 'got', 'auctions', 'bought', 'paid', 'total'] as const;
export type Row = (typeof ROWS)[number];

export interface ShopResult {
  shop: string;
  owner: number;
  price: number;
  customers: number;
  earned: number; // from the bank, without souvenirs and commissions
}

export interface Breakdown {
  seats: Record<Row, number>[];
  shops: ShopResult[]; // the highest profit first
  lastRound: number | null; // who brought it about
}

export const profit = ({ earned, price }: ShopResult): number => earned - price;

/** Return the breakdown of a game, from all its events and its final scores. */
export function breakdown(events: readonly MarraCashEvent[], scores: readonly number[]): Breakdown {
  const entries = events.flatMap(entriesOf);
  const seats = scores.map((total, seat) => {
    const sums = { start: 0, customers: 0, souvenirs: 0, got: 0, auctions: 0, bought: 0, paid: 0, total };
    for (const { reason, amount } of entries.filter((entry) => entry.seat === seat)) {
      if (reason === 'commission') sums[amount < 0 ? 'paid' : 'got'] += amount;
      else sums[({ price: 'bought', auction: 'auctions', customer: 'customers', souvenir: 'souvenirs' } as const)[reason]] += amount;
    }
    const { customers, souvenirs, got, auctions, bought, paid } = sums;
    return { ...sums, start: total - customers - souvenirs - got - auctions - bought - paid };
  });
  const shops = new Map<string, ShopResult>();
  for (const event of events) {
    if (event.event === 'sold') shops.set(event.shop, { shop: event.shop, owner: event.seat, price: event.price, customers: 0, earned: 0 });
    const entered = event.event === 'entered' ? shops.get(event.shop) : undefined;
    if (entered && event.event === 'entered') Object.assign(entered, { customers: event.rank, earned: entered.earned + event.payment });
  }
  return {
    seats,
    shops: [...shops.values()].sort((one, other) => profit(other) - profit(one)),
    lastRound: events.find((event) => event.event === 'lastround')?.seat ?? null,
  };
}
