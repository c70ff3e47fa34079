import { describe, expect, it } from 'vitest';
import type { SeatView, TableView } from '../../lib/protocol';
import { outcome, playerNames, sortTables } from './tableList';

const seat = (number: number, name: string, person: string | null, kind: SeatView['kind'] = 'person') =>
  ({ seat: number, name, person, kind }) as SeatView;
const table = (more: Partial<TableView>) =>
  ({ status: 'over', created: 1, started: null, ended: null, seats: [], result: null, ...more }) as TableView;
const won = (...ranking: number[][]) => ({ result: { ranking } }) as unknown as Partial<TableView>;
const two = [seat(0, 'Leila', 'me'), seat(1, 'Karim', 'he')];

describe('my games', () => {
  it('begin with those in progress, the newest first', () => {
    const tables = [
      table({ id: 'old', ended: 5 }),
      table({ id: 'waits', status: 'waiting' }),
      table({ id: 'long', status: 'playing', started: 2 }),
      table({ id: 'new', status: 'playing', started: 9 }),
    ];
    expect(sortTables(tables).map(({ id }) => id)).toEqual(['new', 'long', 'waits', 'old']);
  });

  it('say who won', () => {
    expect(outcome(table({ seats: two, ...won([0], [1]) }), 'me')).toEqual({ names: ['Leila'], isMine: true, isDrawn: false });
    expect(outcome(table({ seats: two, ...won([1], [0]) }), 'me')).toEqual({ names: ['Karim'], isMine: false, isDrawn: false });
    expect(outcome(table({ seats: two, ...won([0, 1]) }), 'me')).toEqual({ names: ['Leila', 'Karim'], isMine: true, isDrawn: false });
    const drawn = { result: { ranking: [[0, 1]], how: 'drawn' } } as unknown as Partial<TableView>;
    expect(outcome(table({ seats: two, ...drawn }), 'me')?.isDrawn).toBe(true);
    expect(outcome(table({ seats: two }), 'me')).toBeNull();
  });

  it('name the winner among several seats of mine', () => {
    const seats = [seat(0, 'Leila', 'me'), seat(1, 'Karim', 'me')];
    expect(outcome(table({ seats, ...won([0], [1]) }), 'me')).toEqual({ names: ['Leila'], isMine: false, isDrawn: false });
  });

  it('do not name open seats', () => {
    expect(playerNames(table({ seats: [...two, seat(2, '', null, 'open')] }))).toEqual(['Leila', 'Karim']);
  });
});
