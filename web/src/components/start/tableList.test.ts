import { describe, expect, it } from 'vitest';
import type { SeatView, TableView } from '../../lib/protocol';
import { texts } from '../../lib/texts.svelte';
import { describeResult, isRemovable, outcome, playerNames, sortTables } from './tableList';

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

  it('have the date, my place and my score', async () => {
    await texts.setLanguage('de');
    const ended = new Date(2026, 10, 18).getTime();
    const result = { ranking: [[1, 2], [0]], scores: [41, 50, 50] };
    const finished = table({ seats: [...two, seat(2, 'Zoë', 'she')], ended, result } as unknown as Partial<TableView>);
    expect(describeResult(finished, 'me')).toBe('18.11.2026 · Rang 3 von 3 · 41 Punkte');
    expect(describeResult(finished, 'she')).toBe('18.11.2026 · Rang 1 von 3 · 50 Punkte');
    expect(describeResult(finished, 'nobody')).toBe('18.11.2026');
    await texts.setLanguage('en');
  });

  it('can be removed when I no longer play there', () => {
    const playing = (more: Partial<SeatView>) => table({ status: 'playing', seats: [{ ...two[0]!, resigned: false, takeover: null, ...more }, two[1]!] });
    expect(isRemovable(table({ seats: two }), 'me')).toBe(true);
    expect(isRemovable(playing({}), 'me')).toBe(false);
    expect(isRemovable(playing({ takeover: 'away' }), 'me')).toBe(false);
    expect(isRemovable(playing({ takeover: 'left' }), 'me')).toBe(true);
    expect(isRemovable(playing({ resigned: true }), 'me')).toBe(true);
    expect(isRemovable(playing({}), 'other')).toBe(true);
  });

  it('do not name open seats', () => {
    expect(playerNames(table({ seats: [...two, seat(2, '', null, 'open')] }))).toEqual(['Leila', 'Karim']);
  });
});
