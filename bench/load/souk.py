"""Play at `souk serve`."""

import http.client
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from bench.load.table import SEATS, TIMEOUT, PlayerSocket, Table

GAME = "marrakech(players=3)"


class SoukPosition(Struct):
    version: int
    mover: int | None
    legal: list[str]


class SoukEvents(Struct, tag_field="type", tag="events"):
    position: SoukPosition | None = None


decode_events = msgspec.json.Decoder(SoukEvents).decode


class SoukTable(Table):
    """A table with three people."""

    position: SoukPosition

    async def set_up(self) -> None:
        first = SEATS * self.number
        people = self.generator.people[first : first + SEATS]
        mine, open = {"kind": "me"}, {"kind": "open"}
        body = {"game": GAME, "seats": [mine, open, open]}
        id = self.generator.http.post("/api/tables", body, people[0])["table"]["id"]
        url = f"{self.generator.live}/api/tables/{id}/live"
        for socket, cookie in zip(self.sockets, people, strict=True):
            await socket.open(url, {"Cookie": cookie})
            await socket.ask(b'{"type":"ping"}')  # the welcome came before
            if socket.seat:
                sit = b'{"type":"sit","request":"sit","seat":%d}'
                await socket.ask(sit % socket.seat)
        await self.sockets[0].ask(b'{"type":"start","request":"start"}')
        for socket in self.sockets:
            await socket.ask(b'{"type":"ping"}')  # now all have seen the start

    def on_message(self, socket: PlayerSocket, payload: bytes) -> None:
        if self.generator.meter.is_on:
            self.generator.meter.result.bytes += len(payload)
        if payload.startswith(b'{"type":"events"'):
            if self.is_playing:
                self.on_event(payload)
            else:
                self.read(payload)
        elif payload.startswith(b'{"type":"ack"') and self.is_playing:
            self.on_ack()
        elif payload.startswith((b'{"type":"ack"', b'{"type":"pong"')):
            socket.on_reply(payload)
        elif not payload.startswith(b'{"type":"welcome"'):
            self.generator.fail(payload.decode())

    def read(self, payload: bytes) -> None:
        position = decode_events(payload).position
        if position is not None:
            self.position = position
            self.is_over = position.mover is None

    def move(self) -> tuple[PlayerSocket, bytes]:
        position = self.position
        assert position.mover is not None
        text = b'{"type":"act","request":"%d","version":%d,"action":"%s"}'
        action = self.generator.pick(position.legal).encode()
        return self.sockets[position.mover], text % (position.version, position.version, action)

    async def leave(self) -> None:
        self.is_playing = False
        for socket in self.sockets[1:]:
            if not self.is_over:
                await socket.ask(b'{"type":"resign","request":"resign","seat":%d}' % socket.seat)


class Http:
    """An HTTP client, one request after the other."""

    def __init__(self, url: str) -> None:
        self._connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=TIMEOUT)

    def _post(self, path: str, body: Any, cookie: str = "") -> tuple[Any, str]:
        headers = {"Content-Type": "application/json", "Cookie": cookie}
        self._connection.request("POST", path, msgspec.json.encode(body), headers)
        answer = self._connection.getresponse()
        content = answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"{path}: {content.decode()}")
        return msgspec.json.decode(content), answer.getheader("Set-Cookie", "")

    def post(self, path: str, body: Any, cookie: str) -> Any:
        return self._post(path, body, cookie)[0]

    def disconnect(self) -> None:
        """Disconnect before the server does; the next request connects again."""
        self._connection.close()

    def new_person(self, name: str) -> str:
        """Create an identity and return its cookie."""
        return self._post("/api/me", {"name": name})[1].partition(";")[0]
