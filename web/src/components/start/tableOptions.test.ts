import { describe, expect, it } from 'vitest';
import type { GameView } from '../../lib/protocol';
import { absentOf, fitted, gameText, houseRules, seated, suggested, tableOf, withFriends, type Choices } from './tableOptions';

const whole = (name: string, low: number, high: number, value: number) => ({
  name,
  about: '',
  kind: 'whole',
  default: value,
  low,
  high,
});
const marrakech: GameView = {
  name: 'marrakech',
  knobs: [
    whole('players', 2, 4, 3),
    { name: 'edition', about: '', kind: 'choice', default: 'gigamic', values: ['gigamic', 'gigamic-57', 'pergioco'] },
    whole('dirhams', 0, 1_000_000, 30),
    { name: 'two_player', about: '', kind: 'choice', default: 'two-colour', values: ['two-colour', 'one-colour'], needs: { players: [2] } },
    { name: 'pile', about: '', kind: 'choice', default: 'open', values: ['open', 'face-down'], needs: { players: [2], two_player: ['two-colour'] } },
    whole('first', 0, 3, 0),
    { name: 'turn_last', about: '', kind: 'flag', default: false, needs: { edition: ['gigamic', 'pergioco'] } },
  ],
  levels: ['random', 'greedy'],
  languages: ['en'],
};
const marracash: GameView = {
  name: 'marracash',
  knobs: [
    whole('players', 3, 4, 4),
    { name: 'layout', about: '', kind: 'choice', default: 'classic1996', values: ['classic1996', 'medina'] },
    { name: 'souvenirs', about: '', kind: 'flag', default: false },
  ],
  levels: ['random', 'steady'],
  languages: ['en'],
};
const first = suggested(marrakech);
const with_ = (more: Partial<Choices>) => fitted({ ...first, ...more }, marrakech);
const rules = (choices: Choices) => houseRules(choices, marrakech).map((knob) => knob.name);

describe('what is suggested', () => {
  it('is me against one friendly computer, at once, and nobody plays on for me', () => {
    expect(tableOf(first)).toEqual({
      game: 'marrakech(players=2)',
      seats: [{ kind: 'me' }, { kind: 'computer', level: 'greedy' }],
      public: false,
      absent: 'never',
      start: true,
    });
  });

  it('keeps to the players and levels of the game', () => {
    expect(suggested(marracash).seats).toEqual([
      { kind: 'me' },
      { kind: 'computer', level: 'random' },
      { kind: 'computer', level: 'random' },
    ]);
  });
});

describe('what fits', () => {
  it('has a seat for each player', () => {
    expect(with_({ players: 4 }).seats).toHaveLength(4);
    expect(with_({ players: 9 }).players).toBe(4);
  });

  it('opens more seats where the last is open', () => {
    expect(fitted({ ...withFriends(first), players: 3 }, marrakech).seats).toEqual([{ kind: 'me' }, { kind: 'open' }, { kind: 'open' }]);
    expect(with_({ players: 3 }).seats[2]).toEqual({ kind: 'computer', level: 'greedy' });
  });

  it('keeps what still means something when the game changes', () => {
    const chosen = { ...first, knobs: { edition: 'pergioco', souvenirs: true }, seats: [{ kind: 'open' as const }] };
    const changed = fitted(chosen, marracash);
    expect(changed).toMatchObject({ game: 'marracash', players: 3, knobs: { souvenirs: true } });
    expect(changed.seats[0]).toEqual({ kind: 'open' });
  });

  it('drops house rules of two players with more of them', () => {
    expect(with_({ players: 3, knobs: { two_player: 'one-colour', pile: 'face-down' } }).knobs).toEqual({});
    expect(rules(with_({ knobs: { two_player: 'one-colour' } }))).not.toContain('pile');
  });

  it('knows that one edition has no variant, and that a seat which starts is there', () => {
    expect(with_({ knobs: { edition: 'gigamic-57', turn_last: true } }).knobs).toEqual({ edition: 'gigamic-57' });
    expect(with_({ players: 3, knobs: { first: 3 } }).knobs).toEqual({});
    expect(with_({ players: 4, knobs: { first: 3 } }).knobs).toEqual({ first: 3 });
  });

  it('does not wait for ever where a turn has its time', () => {
    expect(absentOf(with_({ absent: 'never', seconds: 60 }))).toBe('minute');
    expect(tableOf(with_({ absent: 'never', seconds: 60 }))).toMatchObject({ seconds: 60, absent: 'grace' });
  });

  it('writes flags and numbers as the server does', () => {
    expect(gameText(with_({ knobs: { turn_last: true, dirhams: 0 } }))).toBe('marrakech(players=2,turn_last=True,dirhams=0)');
    expect(with_({ knobs: { dirhams: 1.5 } }).knobs).toEqual({});
  });
});

describe('seats', () => {
  it('has me once: who was there takes my seat', () => {
    const moved = seated(first, 1, { kind: 'me' });
    expect(moved.seats).toEqual([{ kind: 'computer', level: 'greedy' }, { kind: 'me' }]);
  });

  it('gives others at this screen a seat of mine with their name', () => {
    const two = seated(first, 1, { kind: 'here', name: ' Leila ' });
    expect(tableOf(two).seats).toEqual([{ kind: 'me' }, { kind: 'me', name: 'Leila' }]);
    expect(tableOf(two).start).toBe(true);
  });

  it('waits for friends, and does not wait for ever', () => {
    const open = withFriends(first);
    expect(tableOf(open)).toMatchObject({ start: false, absent: 'grace' });
    expect(tableOf({ ...open, absent: 'while' })).toMatchObject({ absent: 'grace', grace: 600 });
  });
});
