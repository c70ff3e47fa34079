import { expect, test } from 'vitest';
import { changePlayer, placeAssam, putHalf, removeHalf } from './editPosition';
import type { MarrakechPosition } from './protocol';

const EMPTY: MarrakechPosition = {
  game: 'marrakech(players=3)',
  phase: 'turn',
  to_move: 0,
  assam: { square: 'd4', facing: 'S' },
  squares: {},
  players: [
    { dirhams: 30, rugs: { red: 15 }, next: 'red', out: false },
    { dirhams: 30, rugs: { yellow: 15 }, next: 'yellow', out: false },
    { dirhams: 30, rugs: { blue: 6, orange: 6 }, next: 'blue', out: false },
  ],
};

test('Assam is put on a square, and turned there', () => {
  const there = placeAssam(EMPTY, 'a1');
  expect(there.assam).toEqual({ square: 'a1', facing: 'S' });
  expect(placeAssam(there, 'a1').assam.facing).toBe('W');
});

test('two halves side by side become one rug, others do not', () => {
  const one = putHalf(EMPTY, 'a1', 'red', null);
  const both = putHalf(one, 'b1', 'red', 'a1');
  expect(both.squares).toEqual({ a1: { colour: 'red', rug: 1 }, b1: { colour: 'red', rug: 1 } });
  expect(putHalf(both, 'c1', 'red', 'b1').squares.c1?.rug).toBe(2);
  expect(putHalf(one, 'c1', 'red', 'a1').squares.c1?.rug).toBe(2);
  expect(putHalf(one, 'b1', 'blue', 'a1').squares.b1?.rug).toBe(2);
});

test('a covered or removed half leaves the other', () => {
  const both = putHalf(putHalf(EMPTY, 'a1', 'red', null), 'b1', 'red', 'a1');
  expect(putHalf(both, 'b1', 'blue', null).squares).toEqual({ a1: { colour: 'red', rug: 1 }, b1: { colour: 'blue', rug: 2 } });
  expect(Object.keys(removeHalf(both, 'b1').squares)).toEqual(['a1']);
});

test('the next rug follows the rugs that are left, unless there are two colours', () => {
  expect(changePlayer(EMPTY, 0, { rugs: { red: 0 } }).players[0]?.next).toBeNull();
  expect(changePlayer(EMPTY, 2, { rugs: { blue: 5, orange: 6 } }).players[2]?.next).toBe('blue');
});

test('whoever is out has nothing and a place in the order', () => {
  const out = changePlayer(changePlayer(EMPTY, 1, { out: true }), 0, { out: true });
  expect(out.players[0]).toEqual({ dirhams: 0, rugs: { red: 0 }, next: null, out: true, out_order: 1 });
  expect(out.players[1]?.out_order).toBe(2);
  expect(changePlayer(out, 0, { out: false }).players.map((player) => player.out_order)).toEqual([undefined, 1, undefined]);
});
