// A small game of Marrakech's size on boardgame.io's own server: 49 squares, three players, two
// moves a turn, dirhams. Storage is in memory, as the package does it by default.
import { createRequire } from 'node:module';
import process from 'node:process';

const require = createRequire(import.meta.url);
const { Server } = require('boardgame.io/server');
const { INVALID_MOVE } = require('boardgame.io/core');

const SIZE = 7;
const STEPS = [[-1, 0], [0, 1], [1, 0], [0, -1]];
const RUGS = 15; // each

function beyond(square, facing) {
  const row = Math.floor(square / SIZE) + STEPS[facing][0];
  const column = (square % SIZE) + STEPS[facing][1];
  const isOnBoard = row >= 0 && row < SIZE && column >= 0 && column < SIZE;
  return isOnBoard ? row * SIZE + column : null;
}

function areBeside(one, other) {
  return STEPS.some((_, facing) => beyond(one, facing) === other);
}

// The squares of one colour that hang together, as rent goes by them.
function patch(board, from) {
  const found = new Set([from]);
  for (const square of found) {
    for (let facing = 0; facing < 4; facing++) {
      const next = beyond(square, facing);
      if (next !== null && board[next] === board[from]) found.add(next);
    }
  }
  return found.size;
}

const market = {
  name: 'market',
  minPlayers: 3,
  maxPlayers: 3,
  disableUndo: true, // a game with dice: this saves the server a copy of every position
  setup: () => ({
    board: Array(SIZE * SIZE).fill(null),
    rug: Array(SIZE * SIZE).fill(0),
    merchant: { at: 24, facing: 2 },
    dirhams: [30, 30, 30],
    rugs: [RUGS, RUGS, RUGS],
    laid: 0,
    rolled: null,
  }),
  moves: {
    face: {
      client: false, // it rolls a die
      move: ({ G, ctx, random }, facing) => {
        if (G.rolled !== null || !Number.isInteger(facing) || facing < 0 || facing > 3) {
          return INVALID_MOVE;
        }
        G.merchant.facing = facing;
        G.rolled = random.Die(4);
        for (let step = 0; step < G.rolled; step++) {
          const next = beyond(G.merchant.at, G.merchant.facing);
          if (next === null) G.merchant.facing = (G.merchant.facing + 2) % 4;
          else G.merchant.at = next;
        }
        const owner = G.board[G.merchant.at];
        const payer = Number(ctx.currentPlayer);
        if (owner !== null && owner !== payer) {
          const rent = Math.min(patch(G.board, G.merchant.at), G.dirhams[payer]);
          G.dirhams[payer] -= rent;
          G.dirhams[owner] += rent;
        }
      },
    },
    lay: ({ G, ctx, events }, first, second) => {
      const isPossible = Number.isInteger(first) && Number.isInteger(second)
        && second >= 0 && second < SIZE * SIZE && second !== G.merchant.at;
      if (G.rolled === null || !isPossible || !areBeside(G.merchant.at, first)
        || !areBeside(first, second)) {
        return INVALID_MOVE;
      }
      const player = Number(ctx.currentPlayer);
      G.laid += 1;
      for (const square of [first, second]) {
        G.board[square] = player;
        G.rug[square] = G.laid;
      }
      G.rugs[player] -= 1;
      G.rolled = null;
      events.endTurn();
    },
  },
  endIf: ({ G }) => (G.rugs.every((left) => left === 0) ? { dirhams: G.dirhams } : undefined),
};

const server = Server({ games: [market], origins: [false] });
const { appServer } = await server.run({ port: 0 });
console.log(`boardgame.io is at http://127.0.0.1:${appServer.address().port}`);
process.on('SIGTERM', () => process.exit(0));
