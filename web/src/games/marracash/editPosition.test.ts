import { expect, test } from 'vitest';
import { setDirhams, setShop, setVisitors, startTurn } from './editPosition';
import type { MarraCashPosition } from './protocol';

const POSITION: MarraCashPosition = {
  ...{ game: 'marracash(players=3)', phase: 'bid', to_move: 2, turn_of: 1, round: 2, step: 2, first_step: 'move', last_turns: null },
  groups: { F1: { red: 2 } },
  queue: ['red', 'blue', 'red', 'green'],
  shops: { R1: { owner: 0, customers: 1 } },
  players: [
    { dirhams: 500, signs: 4 },
    { dirhams: 500, signs: 5 },
    { dirhams: 500, signs: 5 },
  ],
  auction: { shop: 'R2', auctioneer: 1, bid: null, bidder: null, passed: [] },
  cards: null,
};

test('a turn begins anew, and nobody who walks is lost', () => {
  const walk = { kind: 'move', mover: 1, to: 'F2', group: { red: 1, blue: 2 }, shops: ['R2'], customers: 1, total: 25, payment: null } as const;
  const turn = startTurn({ ...POSITION, phase: 'reveal', walk: { ...walk, shops: ['R2'] } }, 0);
  expect(turn).toMatchObject({ phase: 'choose', to_move: 0, turn_of: 0, step: 1, first_step: null, auction: null });
  expect(turn.queue).toEqual([...POSITION.queue, 'red', 'blue', 'blue']);
  expect(turn).not.toHaveProperty('walk');
});

test('visitors come from the tail of the queue and go back there', () => {
  const more = setVisitors(POSITION, 'F1', 'red', 3);
  expect([more.groups.F1, more.queue]).toEqual([{ red: 3 }, ['red', 'blue', 'green']]);
  const none = setVisitors(POSITION, 'F1', 'red', 0);
  expect([none.groups, none.queue]).toEqual([{}, ['red', 'blue', 'red', 'green', 'red', 'red']]);
  expect(setVisitors(POSITION, 'F2', 'green', 9).groups.F2).toEqual({ green: 1 });
});

test('a shop has an owner, who has put up a sign, and customers', () => {
  const sold = setShop(POSITION, 'R1', 'red', 2, 2);
  expect(sold.shops.R1).toEqual({ owner: 2, customers: 2 });
  expect(sold.players.map((player) => player.signs)).toEqual([5, 5, 4]);
  expect(sold.queue).toEqual(['red', 'blue', 'green']);
  const free = setShop(sold, 'R1', 'red', null, 2);
  expect([free.shops, free.queue]).toEqual([{}, ['red', 'blue', 'green', 'red', 'red']]);
  expect(free.players.map((player) => player.signs)).toEqual([5, 5, 5]);
});

test('a player gets money', () => {
  expect(setDirhams(POSITION, 1, 75).players.map((player) => player.dirhams)).toEqual([500, 75, 500]);
});
