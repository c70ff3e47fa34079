"""Tables at our own server."""

import http.client
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from bench.load.table import PATIENCE, SEATS, Line, Table

GAME = "marrakech(players=3)"


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
