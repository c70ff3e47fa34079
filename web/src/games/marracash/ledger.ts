/** The ledger: what each player got and paid. */
import type { MarraCashEvent } from './protocol';

export interface LedgerEntry {
  seat: number;
  amount: number; // negative: paid
  reason: 'price' | 'auction' | 'customer' | 'souvenir' | 'commission';
  shop: string;
  rank: number; // of a customer
  other: number | null; // the other seat; null: the bank
}

/** Return the entries of an event. */
export function entriesOf(event: MarraCashEvent): LedgerEntry[] {
  const defaults = { shop: '', rank: 0, other: null };
  switch (event.event) {
    case 'sold': {
      const { shop } = event;
      const price: LedgerEntry = { ...defaults, seat: event.seat, amount: -event.price, reason: 'price', shop };
      const fee: LedgerEntry = { ...defaults, seat: event.auctioneer, amount: event.commission, reason: 'auction', shop };
      return event.commission ? [price, fee] : [price];
    }
    case 'entered':
      return [{ ...defaults, seat: event.owner, amount: event.payment, reason: 'customer', shop: event.shop, rank: event.rank }];
    case 'souvenir':
      return [{ ...defaults, seat: event.owner, amount: event.value, reason: 'souvenir' }];
    case 'commission':
      return [
        { ...defaults, seat: event.owner, amount: -event.amount, reason: 'commission', other: event.seat },
        { ...defaults, seat: event.seat, amount: event.amount, reason: 'commission', other: event.owner },
      ];
    default:
      return [];
  }
}

/** Return the last entries of a seat, the newest first. */
export function ledger(events: readonly MarraCashEvent[], seat: number, maxEntries = 30): LedgerEntry[] {
  return events
    .flatMap(entriesOf)
    .filter((entry) => entry.seat === seat)
    .slice(-maxEntries)
    .reverse();
}
