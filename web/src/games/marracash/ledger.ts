/** Who got or paid what, and why: the ledger. */
import type { GameEvent, MarraCashEvent } from '../../lib/protocol';

export interface Entry {
  seat: number;
  amount: number; // negative: paid
  why: 'price' | 'auction' | 'customer' | 'souvenir' | 'commission';
  shop: string;
  rank: number; // of a customer
  other: number | null; // the seat that paid or got it; null: the bank
}

export function booked(event: MarraCashEvent): Entry[] {
  const plain = { shop: '', rank: 0, other: null };
  switch (event.event) {
    case 'sold': {
      const { shop } = event;
      const price: Entry = { ...plain, seat: event.seat, amount: -event.price, why: 'price', shop };
      const fee: Entry = { ...plain, seat: event.auctioneer, amount: event.commission, why: 'auction', shop };
      return event.commission ? [price, fee] : [price];
    }
    case 'entered':
      return [{ ...plain, seat: event.owner, amount: event.payment, why: 'customer', shop: event.shop, rank: event.rank }];
    case 'souvenir':
      return [{ ...plain, seat: event.owner, amount: event.value, why: 'souvenir' }];
    case 'commission':
      return [
        { ...plain, seat: event.owner, amount: -event.amount, why: 'commission', other: event.seat },
        { ...plain, seat: event.seat, amount: event.amount, why: 'commission', other: event.owner },
      ];
    default:
      return [];
  }
}

/** What went through a seat's hands, the newest first. */
export function ledger(story: readonly GameEvent[], seat: number, most = 30): Entry[] {
  return story
    .flatMap((event) => booked(event as MarraCashEvent))
    .filter((entry) => entry.seat === seat)
    .slice(-most)
    .reverse();
}
