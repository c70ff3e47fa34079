// A small game of Marrakech's size on boardgame.io's own server: 49 squares that show a colour and
// a rug, three players with dirhams and rugs, two moves a turn, one of them with a die. Its state
// says what our positions say. Storage is in memory, as the package does it by default.
import { createRequire } from 'node:module';
import process from 'node:process';

const require = createRequire(import.meta.url);
const { Server } = require('boardgame.io/server');
const { INVALID_MOVE } = require('boardgame.io/core');

const SIZE = 7;
const STEPS = [[-1, 0], [0, 1], [1, 0], [0, -1]];
const RUGS = 15; // each
const COLOURS = ['red', 'yellow', 'blue'];

function beyond(square, facing) {
  const row = Math.floor(square / SIZE) + STEPS[facing][0];
  const column = (square % SIZE) + STEPS[facing][1];
  const isOnBoard = row >= 0 && row < SIZE && column >= 0 && column < SIZE;
  return isOnBoard ? row * SIZE + column : null;
}

function areBeside(one, other) {
  return STEPS.some((_, facing) => beyond(one, facing) === other);
}

// The squares of one colour that hang together, as the tax goes by them.
function area(squares, from) {
  const found = new Set([from]);
  for (const square of found) {
    for (let facing = 0; facing < 4; facing++) {
      const next = beyond(square, facing);
      if (next !== null && squares[next]?.colour === squares[from].colour) found.add(next);
    }
  }
  return found.size;
}

const market = {
  name: 'market',
  minPlayers: 3,
  maxPlayers: 3,
  disableUndo: true, // a game with dice; it saves the server a copy of every position
  setup: () => ({
    phase: 'turn',
    assam: { square: 24, facing: 2 },
    squares: Array(SIZE * SIZE).fill(null),
    players: COLOURS.map((colour) => ({ dirhams: 30, rugs: RUGS, next: colour, out: false })),
    laid: 0,
  }),
  moves: {
    turn: {
      client: false, // it rolls a die
      move: ({ G, ctx, random }, facing) => {
        if (G.phase !== 'turn' || !Number.isInteger(facing) || facing < 0 || facing > 3) {
          return INVALID_MOVE;
        }
        const { assam, players, squares } = G;
        assam.facing = facing;
        for (let step = random.Die(4); step > 0; step--) {
          const next = beyond(assam.square, assam.facing);
          if (next === null) assam.facing = (assam.facing + 2) % 4;
          else assam.square = next;
        }
        const payer = Number(ctx.currentPlayer);
        const owner = COLOURS.indexOf(squares[assam.square]?.colour);
        if (owner !== -1 && owner !== payer) {
          const paid = Math.min(area(squares, assam.square), players[payer].dirhams);
          players[payer].dirhams -= paid;
          players[owner].dirhams += paid;
        }
        G.phase = 'lay';
      },
    },
    lay: ({ G, ctx, events }, first, second) => {
      const { assam, players, squares } = G;
      const areSquares = [first, second].every((one) => Number.isInteger(one));
      const isBeside = areSquares && areBeside(assam.square, first) && areBeside(first, second);
      if (G.phase !== 'lay' || !isBeside || second === assam.square) return INVALID_MOVE;
      const player = players[Number(ctx.currentPlayer)];
      G.laid += 1;
      squares[first] = { colour: player.next, rug: G.laid };
      squares[second] = { colour: player.next, rug: G.laid };
      player.rugs -= 1;
      G.phase = 'turn';
      events.endTurn();
    },
  },
  endIf: ({ G }) => (G.laid === RUGS * COLOURS.length ? { over: true } : undefined),
};

const server = Server({ games: [market], origins: [false] });
const { appServer } = await server.run({ port: 0 });
console.log(`boardgame.io is at http://127.0.0.1:${appServer.address().port}`);
process.on('SIGTERM', () => process.exit(0));
