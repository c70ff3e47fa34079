"""The load: clients of a game server, in a process of their own, and what they measure.

One generator speaks to both servers, so clocks, pacing and counting are the same for both. It has
one socket for every player. Of everything that arrives it reads only what it needs to play on, and
the three messages of a move but once, so that the server is what is measured.

Started by bench.server with a Plan as JSON; prints a Result as JSON.
"""

import asyncio
import gc
import http.client
import itertools
import os
import random
import sys
import time
from array import array
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
import uvloop
from msgspec import Struct
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

SEATS = 3
WARM_UP = 0.7  # seconds before anything counts, if moves are made at a pace
# Without a pace, the moves of each game that count, on the mean of all tables: for both servers the
# same, since positions become longer as the board fills up.
SPAN = (10, 70)
AT_ONCE = 50  # tables that are set up at a time
PATIENCE = 60.0
TICKS = os.sysconf("SC_CLK_TCK")
GAME = "marrakech(players=3)"
ENDLESS = "marrakech(players=3,rugs=1000,dirhams=1000000)"


class Plan(Struct):
    """What to do."""

    dialect: str  # souk or boardgame.io
    url: str
    pid: int  # of the server
    tables: int
    seconds: float  # to measure, or a little more: without a pace, whole spans of games
    pace: float | None = None  # moves a second over all tables; without it, as fast as they go
    thinking: int = 0  # tables at which computer players play among themselves meanwhile
    signal: int = 0  # to send to the server when measuring begins and when it ends


class Result(Struct):
    """What was measured. Times are in milliseconds, but for seconds and cpu."""

    moves: int = 0
    seconds: float = 0.0
    cpu: float = 0.0  # seconds of the server's process, all its threads
    own_cpu: float = 0.0  # seconds of the generator
    bytes: int = 0
    answered: tuple[float, float] = (0.0, 0.0)  # p50 and p99, from sending a move to its answer
    told: tuple[float, float] = (0.0, 0.0)  # till all three sockets have the event


class Meter:
    """Counts while it is on."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.result = Result()
        self.is_on = False
        self.answered = array("d")
        self.told = array("d")
        self._began = (0.0, 0.0, 0.0)

    def start(self) -> None:
        self._signal()
        self._began = self._now()
        self.is_on = True

    def stop(self) -> None:
        self.is_on = False
        spent = [now - then for now, then in zip(self._now(), self._began, strict=True)]
        self.result.seconds += spent[0]
        self.result.cpu += spent[1]
        self.result.own_cpu += spent[2]
        self._signal()

    def _signal(self) -> None:
        if self.plan.signal:
            os.kill(self.plan.pid, self.plan.signal)

    def _now(self) -> tuple[float, float, float]:
        return time.perf_counter(), cpu_seconds(self.plan.pid), time.process_time()

    def finish(self) -> Result:
        self.result.answered = percentiles(self.answered)
        self.result.told = percentiles(self.told)
        return self.result


def cpu_seconds(pid: int) -> float:
    """What a process has used, without its children."""
    after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / TICKS


def percentiles(seconds: "array[float]") -> tuple[float, float]:
    """The middle and the 99th of a hundred, in milliseconds."""
    if not seconds:
        return 0.0, 0.0
    ordered = sorted(seconds)
    return 1e3 * ordered[len(ordered) // 2], 1e3 * ordered[len(ordered) * 99 // 100]


class Line(WSListener):
    """One player's socket."""

    def __init__(self, table: "Table", seat: int) -> None:
        self.table = table
        self.seat = seat
        self.reply: asyncio.Future[bytes] | None = None

    def on_ws_frame(self, _: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type == WSMsgType.TEXT:
            self.table.take(self, frame.get_payload_as_bytes())

    def on_ws_disconnected(self, _: WSTransport) -> None:
        if not self.table.is_closing:
            self.table.load.fail("the server closed a socket")

    async def open(self, url: str, headers: dict[str, str]) -> None:
        self.transport, _ = await ws_connect(
            lambda: self, url, extra_headers=headers, websocket_handshake_timeout=PATIENCE
        )

    def send(self, message: bytes) -> None:
        self.transport.send(WSMsgType.TEXT, message)
        if self.table.load.meter.is_on:
            self.table.load.meter.result.bytes += len(message)

    async def ask(self, message: bytes) -> bytes:
        """Send something and wait for the answer; not for moves."""
        self.send(message)
        return await self.answer()

    async def answer(self) -> bytes:
        self.reply = asyncio.get_running_loop().create_future()
        return await asyncio.wait_for(self.reply, PATIENCE)

    def replied(self, payload: bytes) -> None:
        if self.reply is not None and not self.reply.done():
            self.reply.set_result(payload)


class Table:
    """Three players. One move is under way at a time: answered, and seen by all three."""

    def __init__(self, load: "Load", number: int) -> None:
        self.load = load
        self.number = number
        self.lines = [Line(self, seat) for seat in range(SEATS)]
        self.is_over = False
        self.is_closing = False
        self.is_playing = False
        self.due: float | None = None  # when the next move should have been made
        self._heard = 0
        self._answered = 0.0
        self._sent = 0.0
        self.is_under_way = False

    # ---- what a dialect must do -----------------------------------------------------------------

    async def set_up(self) -> None:
        """Connect everybody and start the game."""
        raise NotImplementedError

    def take(self, line: Line, payload: bytes) -> None:
        """Note a message."""
        raise NotImplementedError

    def read(self, payload: bytes) -> None:
        """Take in a position."""
        raise NotImplementedError

    def move(self) -> tuple[Line, bytes]:
        """Who moves, and the message that does it."""
        raise NotImplementedError

    async def leave(self) -> None:
        """End the game, so that the server has nothing more to do for it."""

    # ---- the same for all -----------------------------------------------------------------------

    def act(self, since: float | None = None) -> None:
        """Make a move."""
        line, message = self.move()
        self._heard = 0
        self._answered = 0.0
        self.is_under_way = True
        self._sent = since or time.perf_counter()
        line.send(message)

    def make_due(self, when: float) -> None:
        """A move should be made now; if the last one is not through, as soon as it is."""
        if self.is_under_way:
            self.due = self.due or when
        elif not self.is_over and self.load.is_going:
            self.act()

    def heard(self, payload: bytes) -> None:
        """The event of a move has reached one more socket."""
        self._heard += 1
        if self._heard == 1:
            self.read(payload)
        if self._heard == SEATS and self._answered:
            self._through()

    def answered(self) -> None:
        """Whoever moved has the answer."""
        self._answered = time.perf_counter()
        if self._heard == SEATS:
            self._through()

    def _through(self) -> None:
        self.is_under_way = False
        self.load.moved()
        now = time.perf_counter()
        meter = self.load.meter
        if meter.is_on:
            meter.result.moves += 1
            meter.answered.append(self._answered - self._sent)
            meter.told.append(now - self._sent)
        is_paced = self.load.plan.pace is not None
        if self.is_over and is_paced:
            self.load.ended.set()
        elif self.is_over or not self.load.is_going:
            return  # in a closed loop the others play on to the end of the span
        elif not is_paced:
            self.act()
        elif self.due is not None:
            due, self.due = self.due, None
            self.act(since=due)

    async def close(self) -> None:
        await self.leave()
        self.is_closing = True
        for line in self.lines:
            line.transport.disconnect()


# ---- our own server -----------------------------------------------------------------------------


class SoukPosition(Struct):
    version: int
    mover: int | None
    legal: list[str]


class SoukEvents(Struct, tag_field="type", tag="events"):
    position: SoukPosition | None = None


read_souk = msgspec.json.Decoder(SoukEvents).decode


class SoukTable(Table):
    """A table of three people at `souk serve`."""

    position: SoukPosition

    async def set_up(self) -> None:
        first = SEATS * self.number
        people = self.load.people[first : first + SEATS]
        mine, open = {"kind": "me"}, {"kind": "open"}
        wanted = {"game": GAME, "seats": [mine, open, open]}
        id = self.load.http.post("/api/tables", wanted, people[0])["table"]["id"]
        url = f"{self.load.live}/api/tables/{id}/live"
        for line, cookie in zip(self.lines, people, strict=True):
            await line.open(url, {"Cookie": cookie})
            await line.ask(b'{"type":"ping"}')  # the welcome came before
            if line.seat:
                sit = b'{"type":"sit","request":"sit","seat":%d}'
                await line.ask(sit % line.seat)
        await self.lines[0].ask(b'{"type":"start","request":"start"}')
        for line in self.lines:
            await line.ask(b'{"type":"ping"}')  # now all have seen the start

    def take(self, line: Line, payload: bytes) -> None:
        if self.load.meter.is_on:
            self.load.meter.result.bytes += len(payload)
        if payload.startswith(b'{"type":"events"'):
            if self.is_playing:
                self.heard(payload)
            else:
                self.read(payload)
        elif payload.startswith(b'{"type":"ack"') and self.is_playing:
            self.answered()
        elif payload.startswith((b'{"type":"ack"', b'{"type":"pong"')):
            line.replied(payload)
        elif not payload.startswith(b'{"type":"welcome"'):
            self.load.fail(payload.decode())

    def read(self, payload: bytes) -> None:
        position = read_souk(payload).position
        if position is not None:
            self.position = position
            self.is_over = position.mover is None

    def move(self) -> tuple[Line, bytes]:
        position = self.position
        assert position.mover is not None
        text = b'{"type":"act","request":"%d","version":%d,"action":"%s"}'
        action = self.load.pick(position.legal).encode()
        return self.lines[position.mover], text % (position.version, position.version, action)

    async def leave(self) -> None:
        self.is_playing = False
        for line in self.lines[1:]:
            if not self.is_over:
                await line.ask(b'{"type":"resign","request":"resign","seat":%d}' % line.seat)


class Http:
    """Requests to our own server, one after the other."""

    def __init__(self, url: str) -> None:
        self._line = http.client.HTTPConnection(urlsplit(url).netloc, timeout=PATIENCE)

    def _ask(self, path: str, body: Any, cookie: str = "") -> tuple[Any, str]:
        headers = {"Content-Type": "application/json", "Cookie": cookie}
        self._line.request("POST", path, msgspec.json.encode(body), headers)
        answer = self._line.getresponse()
        told = answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"{path}: {told.decode()}")
        return msgspec.json.decode(told), answer.getheader("Set-Cookie", "")

    def post(self, path: str, body: Any, cookie: str) -> Any:
        return self._ask(path, body, cookie)[0]

    def rest(self) -> None:
        """Let the line go, before the server does; the next request opens another."""
        self._line.close()

    def new_person(self, name: str) -> str:
        """The cookie of a new identity."""
        return self._ask("/api/me", {"name": name})[1].partition(";")[0]


# ---- boardgame.io -------------------------------------------------------------------------------

HEAD = b"42/market,"  # a message in the namespace of the game, as socket.io writes it
UPDATE = HEAD + b'["update"'
BESIDE = {
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


class Synced(Struct):
    state: BoardgameIoState


read_update = msgspec.json.Decoder(tuple[str, str, BoardgameIoState, Any]).decode
read_sync = msgspec.json.Decoder(tuple[str, str, Synced]).decode


class BoardgameIoTable(Table):
    """A match at boardgame.io's server, by the words of socket.io."""

    state: BoardgameIoState

    async def set_up(self) -> None:
        self.id = b"m%d-%d-%d" % (os.getpid(), self.load.round, self.number)
        url = f"{self.load.live}/socket.io/?EIO=4&transport=websocket"
        for line in self.lines:
            await line.open(url, {})
            await line.ask(b"40/market,")
            sync = HEAD + b'["sync","%s","%d",null,3]'
            answer = await line.ask(sync % (self.id, line.seat))
            self.state = read_sync(answer[len(HEAD) :])[2].state

    def take(self, line: Line, payload: bytes) -> None:
        if self.load.meter.is_on:
            self.load.meter.result.bytes += len(payload)
        if payload.startswith(UPDATE):
            if line is self._mover:
                self.answered()
            self.heard(payload)
        elif payload == b"2":  # engine.io asks whether we are alive
            line.send(b"3")
        elif payload.startswith((b"40/market,", HEAD + b'["sync"')):
            line.replied(payload)
        elif payload.startswith(b"4") and not payload.startswith(HEAD + b'["matchData"'):
            self.load.fail(payload.decode())

    def read(self, payload: bytes) -> None:
        self.state = read_update(payload[len(HEAD) :])[2]
        self.is_over = self.state.ctx.gameover is not None

    def move(self) -> tuple[Line, bytes]:
        state = self.state
        pick = self.load.pick
        if state.G.phase == "turn":
            name, args = b"turn", b"%d" % pick((0, 1, 2, 3))
        else:
            at = state.G.assam.square
            first = pick(BESIDE[at])
            second = pick([square for square in BESIDE[first] if square != at])
            name, args = b"lay", b"%d,%d" % (first, second)
        who = state.ctx.current_player.encode()
        text = (
            HEAD + b'["update",{"type":"MAKE_MOVE","payload":{"type":"%s","args":[%s],'
            b'"playerID":"%s","credentials":null}},%d,"%s","%s"]'
        )
        self._mover = self.lines[int(who)]
        return self._mover, text % (name, args, who, state.id, self.id, who)


# ---- all together -------------------------------------------------------------------------------

DIALECTS: dict[str, type[Table]] = {"souk": SoukTable, "boardgame.io": BoardgameIoTable}


class Load:
    """All tables, game after game until there is enough."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.meter = Meter(plan)
        self.pick = random.Random(1).choice
        self.live = plan.url.replace("http", "ws", 1)
        self.round = 0
        self.is_going = False
        self.people: list[str] = []
        self.failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if plan.dialect == "souk":
            self.http = Http(plan.url)
            self.people = [
                self.http.new_person(f"Guest {number}") for number in range(SEATS * plan.tables)
            ]

    def fail(self, why: str) -> None:
        if not self.failed.done():
            self.failed.set_exception(RuntimeError(why))

    async def run(self) -> Result:
        for _ in range(self.plan.thinking):
            computers = [{"kind": "computer"}] * SEATS
            wanted = {"game": ENDLESS, "seats": computers, "start": True}
            self.http.post("/api/tables", wanted, self.people[0])
        while self.meter.result.seconds < 0.9 * self.plan.seconds:
            self.round += 1
            await self._play()
        return self.meter.finish()

    async def _play(self) -> None:
        """A game at every table, until one of them is over or there is enough."""
        tables = [DIALECTS[self.plan.dialect](self, number) for number in range(self.plan.tables)]
        limit = asyncio.Semaphore(AT_ONCE)

        async def set_up(table: Table) -> None:
            async with limit:
                await table.set_up()

        await self._or_fail(asyncio.gather(*map(set_up, tables)))
        if self.plan.dialect == "souk":
            self.http.rest()
        self.moves = 0
        self.begun, self.ended = asyncio.Event(), asyncio.Event()
        self.is_going = True
        for table in tables:
            table.is_playing = True
        pacing = asyncio.ensure_future(self._pace(tables))
        await self._or_fail(self._part())
        self.is_going = False
        pacing.cancel()
        while any(table.is_under_way for table in tables):
            await self._or_fail(asyncio.sleep(0.05))
        await asyncio.gather(*(table.close() for table in tables))

    async def _part(self) -> None:
        """Measure the part of the games that counts."""
        is_paced = self.plan.pace is not None
        await (asyncio.sleep(WARM_UP) if is_paced else self.begun.wait())
        if self.ended.is_set():
            raise RuntimeError("a game was over before anything was measured: more tables, please")
        self.meter.start()
        left = self.plan.seconds - self.meter.result.seconds if is_paced else None
        with suppress(TimeoutError):
            await asyncio.wait_for(self.ended.wait(), left)
        self.meter.stop()

    def moved(self) -> None:
        """One more move was made in the games that are played now."""
        self.moves += 1
        first, last = (self.plan.tables * number for number in SPAN)
        if self.moves == first:
            self.begun.set()
        elif self.moves == last and self.plan.pace is None:
            self.ended.set()

    async def _or_fail(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        await asyncio.wait([task, self.failed], return_when=asyncio.FIRST_COMPLETED)
        if self.failed.done():
            self.failed.result()
        task.result()

    async def _pace(self, tables: list[Table]) -> None:
        if self.plan.pace is None:
            for table in tables:
                table.act()
            return
        began = time.perf_counter()
        for number, table in enumerate(itertools.cycle(tables)):
            when = began + number / self.plan.pace
            while (wait := when - time.perf_counter()) > 0:
                await asyncio.sleep(wait)
            table.make_due(when)


def main() -> None:
    plan = msgspec.json.decode(sys.argv[1], type=Plan)
    gc.disable()  # it would show as the server's latency

    async def run() -> Result:
        return await Load(plan).run()

    print(msgspec.json.encode(uvloop.run(run())).decode())


if __name__ == "__main__":
    main()
