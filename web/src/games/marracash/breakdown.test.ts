import { expect, it } from 'vitest';
import { breakdown, profit } from './breakdown';
import type { MarraCashEvent } from './protocol';

const EVENTS: MarraCashEvent[] = [
  { event: 'sold', seat: 1, shop: 'R1', price: 300, auctioneer: 0, commission: 100 },
  { event: 'sold', seat: 0, shop: 'B1', price: 200, auctioneer: 0, commission: 0 },
  { event: 'moved', seat: 0, start: 'F1', end: 'F2', group: { red: 2 } },
  { event: 'entered', shop: 'R1', colour: 'red', owner: 1, rank: 1, payment: 100 },
  { event: 'commission', owner: 1, seat: 0, amount: 50 },
  { event: 'entered', shop: 'R1', colour: 'red', owner: 1, rank: 2, payment: 200 },
  { event: 'souvenir', owner: 1, colour: 'red', value: 75 },
  { event: 'lastround', seat: 1 },
];

it('sums up where the money of each player came from', () => {
  const result = breakdown(EVENTS, [1150, 1225]);
  expect(result.seats).toEqual([
    { start: 1200, customers: 0, souvenirs: 0, got: 50, auctions: 100, bought: -200, paid: 0, total: 1150 },
    { start: 1200, customers: 300, souvenirs: 75, got: 0, auctions: 0, bought: -300, paid: -50, total: 1225 },
  ]);
  expect(result.shops.map((shop) => [shop.shop, shop.customers, profit(shop)])).toEqual([['R1', 2, 0], ['B1', 0, -200]]);
  expect(result.lastRound).toBe(1);
  expect(breakdown([], [1200]).lastRound).toBeNull();
});
