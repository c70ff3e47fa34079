import { beforeAll, describe, expect, it } from 'vitest';
import type { PositionView, Preview } from '../../lib/protocol';
import { texts } from '../../lib/texts.svelte';
import sentences from './eventSentences.json';
import type { MarrakechEvent, MarrakechPosition } from './protocol';
import * as words from './words';


const NAMES = ['Anna', 'Ben', 'Leila'];
const POSITION: MarrakechPosition = {
  game: 'marrakech(players=3,edition=gigamic)',
  phase: 'lay',
  to_move: 0,
  assam: { square: 'd4', facing: 'S' },
  squares: { c3: { colour: 'yellow', rug: 1 }, c4: { colour: 'blue', rug: 2 } },
  players: [
    { dirhams: 30, rugs: { red: 15 }, next: 'red', out: false },
    { dirhams: 30, rugs: { yellow: 15 }, next: 'yellow', out: false },
    { dirhams: 0, rugs: { blue: 0 }, next: null, out: true, out_order: 1 },
  ],
};
const view = (changes: Partial<MarrakechPosition>, legal: string[] = []): PositionView => ({
  version: 1, position: { ...POSITION, ...changes }, mover: changes.phase === 'over' ? null : 0, legal, scores: [30, 31, 0], deadline: null, history_hash: '',
});

beforeAll(async () => {
  await texts.ready;
  await texts.addGame('marrakech');
});

// Python compares the same sentences with the terminal's: tests/games/test_event_sentences.py.
describe('events in words', () => {
  it.each(sentences.events)('$page', ({ event, page }) => {
    expect(words.describeEvent(event as MarrakechEvent, sentences.names)).toBe(page);
  });
});

describe('tasks in words', () => {
  it('name the player and the task', () => {
    expect(words.describeTask(view({}), NAMES, true)).toBe('Anna, lay your red rug next to Assam.');
    expect(words.describeTask(view({ phase: 'turn' }), NAMES, false)).toBe('Anna is choosing which way Assam faces.');
    expect(words.describeTask(view({ phase: 'turn_last' }, ['left', 'right']), NAMES, true)).toContain('turn Assam left or right for the next player');
    expect(words.describeTask(view({ phase: 'turn_last' }, ['left', 'ahead', 'right']), NAMES, true)).toContain('choose which way');
    expect(words.describeTask(view({ phase: 'over' }), NAMES, true)).toBe('The game is over.');
  });
});

describe('actions in words', () => {
  it('are described', () => {
    expect(words.describeAction('left', POSITION)).toBe('Turn Assam to the east');
    expect(words.describeAction('right', POSITION)).toBe('Turn Assam to the west');
    expect(words.describeAction('c2c3', POSITION)).toBe('Lay red on c2 and c3');
    expect(words.describeAction('3', POSITION)).toBe('The die shows 3');
    expect(words.describeAction('red', POSITION)).toBe('Draw a rug: red');
  });

  it('have what a place covers and gains', () => {
    expect(words.describePlace('c2c3', POSITION, NAMES, 1)).toBe('c2 and c3, covering Ben’s yellow on c3: +1 point');
    expect(words.describePlace('c3c4', POSITION, NAMES, null)).toBe('c3 and c4, covering Ben’s yellow on c3 and neutral blue on c4');
  });

  it('have where Assam may stop and what it costs', () => {
    const walk = (die: number, square: string, paid: number) => ({
      action: `${die}`,
      probability: die === 2 || die === 3 ? 1 / 3 : 1 / 6,
      events: [
        { event: 'walked', seat: 0, die, start: 'd4', steps: [{ square, facing: 'S', arc: false }] },
        ...(paid ? [{ event: 'paid', seat: 0, to: 2, owed: paid, paid, colour: 'blue', squares: [] }] : []),
      ] as MarrakechEvent[],
    });
    const preview: Preview = { action: 'ahead', events: [], later: [], gains: [], outcomes: [walk(1, 'd3', 0), walk(2, 'b4', 5), walk(3, 'd1', 0), walk(4, 'e1', 0)] };
    expect(words.describeStops(preview, 0, NAMES)).toEqual([
      'On d3, d1 or e1 (2 in 3): you pay nothing.',
      'On b4 (1 in 3): you pay Leila 5 dirhams.',
    ]);
    expect(words.describeStops(preview, 2, NAMES)[1]).toBe('On b4 (1 in 3): Anna pays you 5 dirhams.');
  });

  it('include a description of the board', () => {
    expect(words.describeBoard(POSITION, NAMES)).toBe(
      'Assam stands on d4, facing south. Ben’s rugs (yellow) on 1 square: c3. Neutral rugs (blue) on 1 square: c4.',
    );
  });
});
