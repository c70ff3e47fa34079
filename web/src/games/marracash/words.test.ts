import { beforeAll, describe, expect, it } from 'vitest';
import type { PositionView } from '../../lib/protocol';
import { texts } from '../../lib/texts.svelte';
import type { MarraCashEvent } from './protocol';
import { POSITION } from './fixtures';
import { describeAction, describeEvent, describeGroup, describeTask } from './words';

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
});

describe('events', () => {
  const events: [MarraCashEvent, string][] = [
    [{ event: 'named', seat: 0, shop: 'R3', colour: 'red' }, 'Ali puts shop R3 (red) up for auction.'],
    [{ event: 'bid', seat: 1, shop: 'R3', amount: 125 }, 'Anfa bids 125 for R3.'],
    [{ event: 'passed', seat: 2, shop: 'R3' }, 'Omar passes on R3.'],
    [{ event: 'passed', seat: 2, shop: null }, 'Omar passes: nothing is possible.'],
    [{ event: 'sold', seat: 1, shop: 'R3', price: 125, auctioneer: 1, commission: 0 }, 'Anfa buys R3 for 125.'],
    [
      { event: 'sold', seat: 1, shop: 'R3', price: 125, auctioneer: 0, commission: 100 },
      'Anfa buys R3 for 125; Ali gets 100 for the auction.',
    ],
    [{ event: 'moved', seat: 0, start: 'F1', end: 'F2', group: { red: 2, blue: 1 } }, 'Ali leads 2 red and 1 blue from F1 to F2.'],
    [{ event: 'entered', shop: 'R1', colour: 'red', owner: 1, rank: 2, payment: 200 }, 'Customer 2 enters R1: Anfa gets 200.'],
    [{ event: 'souvenir', owner: 1, colour: 'red', value: 75 }, 'Anfa sells a souvenir for 75 (red).'],
    [{ event: 'commission', owner: 1, seat: 0, amount: 50 }, 'Anfa pays Ali a commission of 50.'],
    [{ event: 'revealed', colour: 'blue', value: 150 }, 'A souvenir card is turned up: blue, 150.'],
    [
      { event: 'brought', seat: 0, gate: 'F8', end: 'tail', visitors: ['red', 'red'] },
      'Ali brings 2 red from the tail of the queue to F8.',
    ],
    [
      { event: 'lastround', seat: 2 },
      'The queue is at its end: everyone has one more turn, and Omar plays the last one.',
    ],
    [{ event: 'over', scores: [1, 2, 3], ranking: [[2], [1], [0]] }, 'The game is over: Ali 1, Anfa 2, and Omar 3.'],
  ];
  it.each(events)('%j', (event, sentence) => expect(describeEvent(event, NAMES)).toBe(sentence));
});

describe('tasks', () => {
  it('are described to the player who has to act', () => {
    expect(describeTask(view(['auction R1'], { round: 1 }), NAMES, true)).toBe('Ali: choose a shop to put up for auction.');
    expect(describeTask(view(['move F1>F2', 'auction R1']), NAMES, true)).toBe(
      'Ali (step 1 of 2): lead a group along a street, or put a shop up for auction.',
    );
    expect(describeTask(view(['move F1>F2'], { last_turns: 2, step: 2 }), NAMES, true)).toMatch(/last turn, step 2 of 2\): lead/);
    expect(describeTask(view(['pass']), NAMES, true)).toMatch(/so pass/);
    expect(describeTask(view(['bring F1 head 2', 'bring F16 head 2'], { phase: 'bring' }), NAMES, true)).toMatch(/F1 or F16/);
    expect(describeTask(view(['card 50'], { phase: 'card' }), NAMES, true)).toMatch(/choose the souvenir/);
  });
  it('are described in an auction', () => {
    const auction = { shop: 'R3', auctioneer: 0, bid: 125, bidder: 1, passed: [] };
    expect(describeTask(view(['bid 150', 'pass'], { phase: 'bid', auction }), NAMES, true)).toMatch(/Anfa bids 125 for R3; bid more/);
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
  expect(describeAction('move F1>F2', POSITION)).toBe('Lead 2 red and 1 blue from F1 to F2');
  expect(describeAction('bring F1 tail 2', POSITION)).toBe('Bring 1 yellow and 1 purple from the tail of the queue to F1');
  expect(describeAction('bid 1250', POSITION)).toBe('Bid 1250');
  expect(describeGroup({})).toBe('nobody');
});
