import { describe, expect, it, vi } from 'vitest';
import type { GameView } from '../../lib/protocol';
import {
  absentOption, assignSeat, defaultOptions, gameString, houseRules, newTable, normalise, withFriends, type TableOptions,
} from './tableOptions';

const INFOS: Record<string, object> = {
  rugs: { presetKnob: 'edition', seatKnob: 'first', soloPlayers: 2 },
  shops: { presetKnob: 'layout', soloPlayers: 3 },
};
vi.mock('../../games', () => ({ gameInfo: (name: string) => INFOS[name] }));

const whole = (name: string, low: number, high: number, value: number) => ({
  name,
  about: '',
  kind: 'whole',
  default: value,
  low,
  high,
});
const rugs: GameView = {
  name: 'rugs',
  title: 'Rugs',
  about: '',
  knobs: [
    whole('players', 2, 4, 3),
    { name: 'edition', about: '', kind: 'choice', default: 'gigamic', values: ['gigamic', 'gigamic-57', 'pergioco'] },
    whole('dirhams', 0, 1_000_000, 30),
    { name: 'two_player', about: '', kind: 'choice', default: 'two-colour', values: ['two-colour', 'one-colour'], needs: { players: [2] } },
    { name: 'pile', about: '', kind: 'choice', default: 'open', values: ['open', 'face-down'], needs: { players: [2], two_player: ['two-colour'] } },
    whole('first', 0, 3, 0),
    { name: 'turn_last', about: '', kind: 'choice', default: false, values: ['must', 'may'] },
    { name: 'cover_own', about: '', kind: 'flag', default: false, needs: { edition: ['gigamic', 'pergioco'] } },
  ],
  levels: ['random', 'greedy'],
  languages: ['en'],
};
const shops: GameView = {
  name: 'shops',
  title: 'Shops',
  about: '',
  knobs: [
    whole('players', 3, 4, 4),
    { name: 'layout', about: '', kind: 'choice', default: 'classic1996', values: ['classic1996', 'medina'] },
    { name: 'souvenirs', about: '', kind: 'flag', default: false },
  ],
  levels: ['random', 'steady'],
  languages: ['en'],
};
const defaults = defaultOptions(rugs);
const changed = (changes: Partial<TableOptions>) => normalise({ ...defaults, ...changes }, rugs);
const ruleNames = (options: TableOptions) => houseRules(options, rugs).map((knob) => knob.name);

describe('the default options', () => {
  it('are me against one friendly computer, at once, without a substitute for me', () => {
    expect(newTable(defaults)).toEqual({
      game: 'rugs(players=2)',
      seats: [{ kind: 'me' }, { kind: 'computer', level: 'greedy' }],
      public: false,
      absent: 'never',
      undo: true,
      start: true,
    });
  });

  it('use the players and levels of the game', () => {
    expect(defaultOptions(shops).seats).toEqual([
      { kind: 'me' },
      { kind: 'computer', level: 'random' },
      { kind: 'computer', level: 'random' },
    ]);
  });
});

describe('normalised options', () => {
  it('have a seat for each player', () => {
    expect(changed({ players: 4 }).seats).toHaveLength(4);
    expect(changed({ players: 9 }).players).toBe(4);
  });

  it('have more open seats if the last one is open', () => {
    expect(normalise({ ...withFriends(defaults), players: 3 }, rugs).seats).toEqual([{ kind: 'me' }, { kind: 'open' }, { kind: 'open' }]);
    expect(changed({ players: 3 }).seats[2]).toEqual({ kind: 'computer', level: 'greedy' });
  });

  it('keep what another game has too', () => {
    const options = { ...defaults, knobs: { edition: 'pergioco', souvenirs: true }, seats: [{ kind: 'open' as const }] };
    const other = normalise(options, shops);
    expect(other).toMatchObject({ game: 'shops', players: 3, knobs: { souvenirs: true } });
    expect(other.seats[0]).toEqual({ kind: 'open' });
  });

  it('have no house rules for two players with more players', () => {
    expect(changed({ players: 3, knobs: { two_player: 'one-colour', pile: 'face-down' } }).knobs).toEqual({});
    expect(ruleNames(changed({ knobs: { two_player: 'one-colour' } }))).not.toContain('pile');
  });

  it('have no house rule in an edition without it, and a first seat that exists', () => {
    expect(changed({ knobs: { edition: 'gigamic-57', cover_own: true } }).knobs).toEqual({ edition: 'gigamic-57' });
    expect(changed({ players: 3, knobs: { first: 3 } }).knobs).toEqual({});
    expect(changed({ players: 4, knobs: { first: 3 } }).knobs).toEqual({ first: 3 });
  });

  it('may have a choice that is off by default, in any edition', () => {
    const options = changed({ knobs: { edition: 'gigamic-57', turn_last: 'may' } });
    expect(gameString(options)).toBe('rugs(players=2,edition=gigamic-57,turn_last=may)');
    expect(changed({ knobs: { turn_last: true } }).knobs).toEqual({});
  });

  it('do not wait for ever if turns have a time limit', () => {
    expect(absentOption(changed({ absent: 'never', seconds: 60 }))).toBe('minute');
    expect(newTable(changed({ absent: 'never', seconds: 60 }))).toMatchObject({ seconds: 60, absent: 'grace' });
  });

  it('write flags and numbers as the server does', () => {
    expect(gameString(changed({ knobs: { cover_own: true, dirhams: 0 } }))).toBe('rugs(players=2,cover_own=True,dirhams=0)');
    expect(changed({ knobs: { dirhams: 1.5 } }).knobs).toEqual({});
  });
});

describe('seats', () => {
  it('have me once: the former holder takes my seat', () => {
    const moved = assignSeat(defaults, 1, { kind: 'me' });
    expect(moved.seats).toEqual([{ kind: 'computer', level: 'greedy' }, { kind: 'me' }]);
  });

  it('of others at this screen are mine under their name', () => {
    const two = assignSeat(defaults, 1, { kind: 'here', name: ' Leila ' });
    expect(newTable(two).seats).toEqual([{ kind: 'me' }, { kind: 'me', name: 'Leila' }]);
    expect(newTable(two).start).toBe(true);
  });

  it('open for friends delay the start, and absent friends are replaced', () => {
    const open = withFriends(defaults);
    expect(newTable(open)).toMatchObject({ start: false, absent: 'grace' });
    expect(newTable({ ...open, absent: 'ten-minutes' })).toMatchObject({ absent: 'grace', grace: 600 });
  });
});
