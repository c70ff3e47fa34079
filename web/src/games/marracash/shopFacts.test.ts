import { expect, it } from 'vitest';
import { BOARD, POSITION } from './fixtures';
import { shopFacts } from './shopFacts';

it('says what customers of a shop bring, and what visitors in sight would', () => {
  const position = { ...POSITION, groups: { F1: { red: 2 }, F2: { red: 1, blue: 1 }, F3: { red: 3 } } };
  expect(shopFacts(BOARD, position, 'R1')).toEqual({
    colour: 'red',
    owner: 1,
    customers: 0,
    next: 100,
    near: { count: 3, amount: 600 }, // F1 and F2 are the ends of the street past it
    town: { count: 6, amount: 2000 }, // the sixth brings as much as the fifth
    queue: { count: 1, amount: 100 },
  });
  const busy = { ...position, shops: { R1: { owner: 1, customers: 7 } } };
  expect(shopFacts(BOARD, busy, 'R1')).toMatchObject({ next: 500, near: { amount: 1500 } });
  expect(shopFacts(BOARD, position, 'B1')).toMatchObject({ owner: null, near: { count: 1, amount: 100 } });
  expect(shopFacts(BOARD, position, 'Z9')).toBeNull();
});
