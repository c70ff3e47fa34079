"""Floods of frames and bytes: each is charged to its sender, and others hardly notice.

What is limited is the CPU time of the server; the rest of the machine does not matter.
"""

import asyncio
import contextlib
import json
from pathlib import Path

import pytest

from souk.server import rate_limits
from tests.server.raw_websocket import RawSocket, frame
from tests.server.server_process import Person, Server

pytestmark = pytest.mark.asyncio
BOTH = [{"kind": "me"}, {"kind": "me"}]
PATIENCE = 120


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Server(tmp_path_factory.mktemp("floods") / "souk.db") as server:
        yield server
        log = server.stop()
        assert {json.loads(line)["level"] for line in log.splitlines()} <= {"info", "warning"}, log


@pytest.fixture(scope="module")
def ada(server):
    return Person(server)


@pytest.fixture(scope="module")
def path(ada):
    return f"/api/tables/{ada.table('marrakech(players=2)', seats=BOTH, start=True)}/live"


numbers = iter(range(1, 255))


def somebody():
    """Return the header of a client with an address of their own."""
    return {"X-Forwarded-For": f"203.0.113.{next(numbers)}"}


def cpu_seconds(server):
    """Return the CPU time of the server's process so far."""
    nanoseconds = Path(f"/proc/{server.process.pid}/schedstat").read_text("ascii").split()[0]
    return int(nanoseconds) / 1e9


async def cpu_of_flood(server, path, data, *, seconds=1.0, sockets=1):
    """Return the server's CPU seconds for each second of a flood."""
    raws = [await RawSocket.open(server, path, **somebody()) for _ in range(sockets)]

    async def flood(raw):
        with contextlib.suppress(ConnectionError):
            while True:
                raw.writer.write(data)
                await raw.writer.drain()

    async def drain(raw):
        with contextlib.suppress(ConnectionError):
            while await raw.reader.read(65_536):
                pass

    tasks = [asyncio.create_task(work(raw)) for raw in raws for work in (flood, drain)]
    await asyncio.sleep(0.5)  # until the burst is spent
    before = cpu_seconds(server)
    await asyncio.sleep(seconds)
    spent = cpu_seconds(server) - before
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for raw in raws:
        raw.writer.transport.abort()
    return spent / seconds


FLOODS = {
    "pings": frame(9, b"") * 20_000,
    "pongs": frame(10, b"") * 20_000,
    "empty fragments": frame(1, b"", fin=False) + frame(0, b"", fin=False) * 20_000,
    "texts": frame(1, b"{}") * 10_000,
    "texts that are not ASCII": frame(1, '{"é":1}'.encode()) * 10_000,
}


@pytest.mark.parametrize("kind", FLOODS)
async def test_a_flood_of_frames_is_charged_to_its_sender(server, path, kind):
    assert await cpu_of_flood(server, path, FLOODS[kind]) < 0.06, "of a core"


async def test_frames_before_the_answer_to_a_handshake_wait(server, path):
    """Many frames in one segment with the handshake, or right after it."""
    raw = await RawSocket.open(server, path, after=FLOODS["pings"], **somebody())
    before = cpu_seconds(server)
    await asyncio.sleep(0.5)
    assert cpu_seconds(server) - before < 0.06
    assert raw.status == 101
    await raw.close()


async def test_a_frame_in_many_pieces_is_charged_too(server, path):
    raw = await RawSocket.open(server, path, **somebody())
    text = frame(1, json.dumps({"type": "ping"}).encode().ljust(300))
    for byte in text:
        raw.writer.write(bytes([byte]))
        await asyncio.sleep(0.001)  # so that each travels alone
    async with asyncio.timeout(PATIENCE):
        while (message := await raw.next())[0] != 1 or b"pong" not in message[1]:
            pass  # it is slow, and complete
    await raw.close()


async def test_messages_in_one_segment_are_answered_in_order(server, path):
    raw = await RawSocket.open(server, path, **somebody())
    commands = [
        json.dumps({"type": "preview", "request": f"{number}", "action": "left"})
        for number in range(int(rate_limits.COMMANDS.burst) + 20)
    ]
    whole = b"".join(frame(1, text.encode()) + frame(9, b"") for text in commands)
    raw.writer.write(whole[:1000])
    await raw.writer.drain()
    raw.writer.write(whole[1000:])
    answers, pongs = [], 0
    async with asyncio.timeout(PATIENCE):
        while len(answers) < len(commands):
            opcode, data = await raw.next()
            pongs += opcode == 10
            if opcode == 1 and "request" in (message := json.loads(data)):
                answers.append(message["request"])
    assert answers == [f"{number}" for number in range(len(commands))]
    assert pongs >= len(commands) - 1
    await raw.close()
