import { beforeAll, describe, expect, it } from 'vitest';
import type { PositionView } from '../../lib/protocol';
import { texts } from '../../lib/texts.svelte';
import type { MarraCashEvent } from './protocol';
import sentences from './eventSentences.json';
import { POSITION } from './fixtures';
import { confirmLabel, describeAction, describeEvent, describeGroup, describeTask } from './words';

beforeAll(async () => {
  await texts.ready;
  await texts.addGame('marracash');
});

const NAMES = ['Ali', 'Anfa', 'Omar'];
const view = (legal: string[], more: Partial<typeof POSITION> = {}): PositionView => ({
  version: 1,
  position: { ...POSITION, ...more },
  mover: 0,
  legal,
  scores: [],
  deadline: null,
  history_hash: '',
});

// Python compares the same sentences with the terminal's: tests/games/test_event_sentences.py.
describe('events', () => {
  it.each(sentences.events)('$page', ({ event, page }) => {
    expect(describeEvent(event as unknown as MarraCashEvent, sentences.names)).toBe(page);
  });
});

describe('tasks', () => {
  it('are described to the player who has to act', () => {
    expect(describeTask(view(['auction R1'], { round: 1 }), NAMES, true)).toBe('Ali: choose a shop to auction.');
    expect(describeTask(view(['move F1>F2', 'auction R1']), NAMES, true)).toBe(
      'Ali (step 1 of 2): move a group or auction a shop.',
    );
    expect(describeTask(view(['move F1>F2'], { last_turns: 2, step: 2 }), NAMES, true)).toMatch(/last turn, step 2 of 2\): move/);
    expect(describeTask(view(['pass']), NAMES, true)).toMatch(/so pass/);
    expect(describeTask(view(['bring F1 head 2', 'bring F16 head 2'], { phase: 'bring' }), NAMES, true)).toMatch(/F1 or F16/);
    expect(describeTask(view(['card 50'], { phase: 'card' }), NAMES, true)).toMatch(/choose the souvenir/);
  });
  it('are described in an auction', () => {
    const auction = { shop: 'R3', auctioneer: 0, bid: 125, bidder: 1, passed: [] };
    expect(describeTask(view(['bid 150', 'pass'], { phase: 'bid', auction }), NAMES, true)).toMatch(/Anfa bids 125 for R3. Bid more/);
    expect(describeTask(view(['pass'], { phase: 'bid', auction }), NAMES, true)).toMatch(/cannot bid more/);
    const opening = { ...auction, bid: null, bidder: null };
    expect(describeTask(view(['bid 100'], { phase: 'bid', auction: opening }), NAMES, true)).toMatch(/at least 100/);
    expect(describeTask(view([], { phase: 'bid', auction }), NAMES, false)).toMatch(/Ali is thinking about R3/);
  });
  it('are described to those who wait', () => {
    for (const phase of ['choose', 'bring', 'card', 'reveal', 'over'] as const)
      expect(describeTask(view([], { phase }), NAMES, false)).not.toMatch(/marracash\.|\{/);
  });
});

it('describes actions', () => {
  expect(describeAction('move F1>F2', POSITION)).toBe('Move 2 red and 1 blue from F1 to F2');
  expect(describeAction('bring F1 tail 2', POSITION)).toBe('Bring 1 yellow and 1 purple from the tail of the queue to F1');
  expect(describeAction('bid 1250', POSITION)).toBe('Bid 1250');
  expect(describeGroup({})).toBe('nobody');
});

it('names what is confirmed', () => {
  const labels = ['move F1>F2', 'auction R1', 'bid 125', 'pass', 'bring F1 tail 2'].map((action) => confirmLabel(action, POSITION));
  expect(labels).toEqual(['Move to F2', 'Auction R1', 'Bid 125', 'Pass', 'Bring in 2 visitors']);
});
