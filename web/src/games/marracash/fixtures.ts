/** A small board and a position on it, for tests. */
import type { BoardData } from './geometry';
import type { MarraCashPosition } from './protocol';

export const BOARD: BoardData = {
  width: 400,
  height: 200,
  unit: 1,
  open_side: 'right',
  fountains: [
    { id: 'F1', x: 20, y: 20, dark: true },
    { id: 'F2', x: 380, y: 20, dark: false },
    { id: 'F3', x: 380, y: 180, dark: false },
  ],
  shops: [
    { id: 'R1', colour: 'red', x: 100, y: 50, width: 60, height: 60 },
    { id: 'B1', colour: 'blue', x: 250, y: 50, width: 60, height: 60 },
  ],
  payments: [100, 200, 300, 400, 500],
  touching: { R1: ['F1'], B1: [] },
  streets: [
    {
      start: 'F1',
      end: 'F2',
      way: [[20, 20], [380, 20]],
      doors: [{ shop: 'R1', at: 0.3 }, { shop: 'B1', at: 0.7 }],
      doors_back: [{ shop: 'B1', at: 0.3 }, { shop: 'R1', at: 0.7 }],
    },
    { start: 'F2', end: 'F3', way: [[380, 20], [380, 180]], doors: [], doors_back: [] },
  ],
  gates: [{ fountain: 'F1', side: 'left', x: 0, y: 20 }],
  gardens: [],
  queue: [[420, -50], [-50, -50], [-50, 250], [420, 250]],
};

export const POSITION: MarraCashPosition = {
  game: 'marracash(players=3)',
  phase: 'choose',
  to_move: 0,
  turn_of: 0,
  round: 2,
  step: 1,
  first_step: null,
  last_turns: null,
  groups: { F1: { red: 2, blue: 1 }, F2: { green: 1 } },
  queue: ['red', 'blue', 'green', 'yellow', 'purple'],
  shops: { R1: { owner: 1, customers: 0 } },
  players: [{ dirhams: 1000, signs: 6 }, { dirhams: 900, signs: 5 }, { dirhams: 1200, signs: 6 }],
  auction: null,
  cards: null,
};
