"""Play at boardgame.io's server, over the protocol of socket.io."""

import os
from typing import Any

import msgspec
from msgspec import Struct

from bench.load.table import PlayerSocket, Table

HEAD = b"42/market,"  # a message in the namespace of the game, as socket.io writes it
UPDATE = HEAD + b'["update"'
NEIGHBOURS = {
    square: [
        to
        for to, is_there in (
            (square - 7, square >= 7),
            (square + 7, square < 42),
            (square - 1, square % 7 > 0),
            (square + 1, square % 7 < 6),
        )
        if is_there
    ]
    for square in range(49)
}


class Assam(Struct):
    square: int


class BoardgameIoG(Struct):
    phase: str
    assam: Assam


class BoardgameIoContext(Struct, rename="camel"):
    current_player: str
    gameover: Any = None


class BoardgameIoState(Struct):
    G: BoardgameIoG
    ctx: BoardgameIoContext
    id: int = msgspec.field(name="_stateID")


class SyncReply(Struct):
    state: BoardgameIoState


read_update = msgspec.json.Decoder(tuple[str, str, BoardgameIoState, Any]).decode
read_sync = msgspec.json.Decoder(tuple[str, str, SyncReply]).decode


class BoardgameIoTable(Table):
    """A match at boardgame.io's server."""

    state: BoardgameIoState

    async def set_up(self) -> None:
        self.id = b"m%d-%d-%d" % (os.getpid(), self.generator.round, self.number)
        url = f"{self.generator.live}/socket.io/?EIO=4&transport=websocket"
        for socket in self.sockets:
            await socket.open(url, {})
            await socket.ask(b"40/market,")
            sync = HEAD + b'["sync","%s","%d",null,3]'
            answer = await socket.ask(sync % (self.id, socket.seat))
            self.state = read_sync(answer[len(HEAD) :])[2].state

    def on_message(self, socket: PlayerSocket, payload: bytes) -> None:
        if self.generator.meter.is_on:
            self.generator.meter.result.bytes += len(payload)
        if payload.startswith(UPDATE):
            if socket is self._mover:
                self.on_ack()
            self.on_event(payload)
        elif payload == b"2":  # a ping of engine.io
            socket.send(b"3")
        elif payload.startswith((b"40/market,", HEAD + b'["sync"')):
            socket.on_reply(payload)
        elif payload.startswith(b"4") and not payload.startswith(HEAD + b'["matchData"'):
            self.generator.fail(payload.decode())

    def read(self, payload: bytes) -> None:
        self.state = read_update(payload[len(HEAD) :])[2]
        self.is_over = self.state.ctx.gameover is not None

    def move(self) -> tuple[PlayerSocket, bytes]:
        state = self.state
        pick = self.generator.pick
        if state.G.phase == "turn":
            name, args = b"turn", b"%d" % pick((0, 1, 2, 3))
        else:
            at = state.G.assam.square
            first = pick(NEIGHBOURS[at])
            second = pick([square for square in NEIGHBOURS[first] if square != at])
            name, args = b"lay", b"%d,%d" % (first, second)
        who = state.ctx.current_player.encode()
        text = (
            HEAD + b'["update",{"type":"MAKE_MOVE","payload":{"type":"%s","args":[%s],'
            b'"playerID":"%s","credentials":null}},%d,"%s","%s"]'
        )
        self._mover = self.sockets[int(who)]
        return self._mover, text % (name, args, who, state.id, self.id, who)
