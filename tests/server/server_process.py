"""A server in a process of its own, and clients that talk to it over the network."""

import asyncio
import contextlib
import itertools
import json
import os
import re
import signal
import subprocess
import sys

import httpx
from websockets.asyncio import client
from websockets.exceptions import ConnectionClosed

from souk.bot import PROOF_NEEDED, solve

STARTED = re.compile(r"Souk is at (http://\S+)")
PATIENCE = 90  # seconds to wait for a server: a slow machine is no failure


class Server:
    """`souk serve`, started and stopped as an operator does it."""

    def __init__(self, database, *options, **environment):
        # One worker is enough for most tests: on a busy machine every worker starts slowly.
        souk = [sys.executable, "-m", "souk", "serve", "--workers", "1"]
        self.command = [*souk, "--database", str(database)]
        self.options = list(options)
        self.environment = environment
        self.process = None
        self.url = None
        self.people = []  # its clients

    def start(self, port=0):
        """Start, and wait until it listens."""
        self.process = subprocess.Popen(
            [*self.command, "--port", str(port), *self.options],
            env={**os.environ, **self.environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if not self.environment.get("SOUK_TEST_LOG") else None,
            text=True,
        )
        line = self.process.stdout.readline()
        result = STARTED.search(line)
        if not result:
            self.process.kill()
            raise AssertionError(f"no server: {line}{self.process.communicate()[1]}")
        self.url = result[1]
        return self

    @property
    def port(self):
        return int(self.url.rpartition(":")[2])

    def stop(self):
        """Stop it with SIGTERM; return its standard error."""
        self.process.send_signal(signal.SIGTERM)
        return self.wait()

    def wait(self):
        log = self.process.communicate(timeout=30)[1]
        self.code = self.process.returncode
        return log

    def kill(self):
        """Kill it."""
        self.process.kill()
        return self.wait()

    def restart(self):
        """Start again at the same address."""
        return self.start(self.port)

    def __enter__(self):
        return self.start() if self.process is None else self

    def __exit__(self, *_):
        for person in self.people:
            person.http.close()
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


class Person:
    """A client with an identity: a browser's cookie or a bot's token."""

    def __init__(self, server, name="Ada", *, bot=False):
        self.server = server
        self.http = httpx.Client(base_url=server.url, timeout=PATIENCE)
        server.people.append(self)
        path, body = "/api/bots" if bot else "/api/me", {"name": name}
        answer = self.http.post(path, json=body)
        if answer.status_code == PROOF_NEEDED:
            body["proof"] = solve(**answer.json()["proof"])
            answer = self.http.post(path, json=body)
        answer.raise_for_status()
        self.id = answer.json()["id"]
        self.headers = {}
        if bot:
            self.headers["Authorization"] = f"Bearer {answer.json()['token']}"
        else:
            self.headers["Cookie"] = f"souk={answer.cookies['souk']}"
        self.http.headers.update(self.headers)

    def table(self, game="marrakech", **config):
        """Create a table; return its id."""
        answer = self.http.post("/api/tables", json={"game": game, **config})
        assert answer.status_code == 201, answer.text
        return answer.json()["table"]["id"]

    def look(self, table):
        answer = self.http.get(f"/api/tables/{table}")
        answer.raise_for_status()
        return answer.json()

    def record(self, table):
        answer = self.http.get(f"/api/tables/{table}/record")
        answer.raise_for_status()
        return answer.text

    @contextlib.asynccontextmanager
    async def connect(self, table, after=None, **options):
        """Open a socket at a table."""
        query = "" if after is None else f"?after={after}"
        url = f"ws{self.server.url[4:]}/api/tables/{table}/live{query}"
        async with client.connect(
            url, additional_headers=self.headers, max_size=None, **options
        ) as socket:
            line = Line(socket)
            await line.next()
            yield line


class Line:
    """A client's socket; remembers what it received."""

    numbers = itertools.count()

    def __init__(self, socket):
        self.socket = socket
        self.n = None
        self.table = None
        self.position = None
        self.events = []
        self.chat = []
        self.goodbye = None

    async def next(self, seconds=PATIENCE):
        """Return the next message."""
        message = json.loads(await asyncio.wait_for(self.socket.recv(), seconds))
        kind = message["type"]
        if kind == "welcome":
            self.n = message["n"]
            self.chat = message["chat"]
        if kind == "events":
            self.events += message["events"]
            self.n = message["events"][-1]["n"] if message["events"] else self.n
        if kind == "goodbye":
            self.goodbye = message
        self.table = message.get("table") or self.table
        self.position = message.get("position") or self.position
        return message

    async def send(self, type, request=None, **fields):
        request = request or f"t{next(self.numbers)}"
        await self.socket.send(json.dumps({"type": type, "request": request, **fields}))
        return request

    async def ask(self, type, request=None, **fields):
        """Send a command; return its answer."""
        request = await self.send(type, request, **fields)
        while True:
            message = await self.next()
            if message.get("request") == request:
                return message

    async def act(self, action, version=None):
        version = self.position["version"] if version is None else version
        return await self.ask("act", version=version, action=action)

    async def until(self, happened, seconds=PATIENCE):
        """Receive until a condition holds."""
        async with asyncio.timeout(seconds):
            while not happened(self):
                await self.next()

    async def closed(self, seconds=PATIENCE):
        """Receive until the server closes the socket; return code and reason."""
        with contextlib.suppress(ConnectionClosed):
            while True:
                await self.next(seconds)
        return self.socket.close_code, self.socket.close_reason


class Everybody:
    """Sockets of several people at one table."""

    def __init__(self, people, table):
        self.managers = [one.connect(table) for one in people]

    async def __aenter__(self):
        return [await manager.__aenter__() for manager in self.managers]

    async def __aexit__(self, *error):
        for manager in self.managers:
            await manager.__aexit__(*error)


async def play_on(line, seats=None, choose=min, moves=10_000):
    """Play these seats (all by default) to the end of the game, or a number of moves."""
    for _ in range(moves):
        await line.until(
            lambda line: (
                line.table["status"] == "over" or seats is None or line.position["mover"] in seats
            )
        )
        if line.table["status"] == "over":
            return
        answer = await line.act(choose(line.position["legal"]))
        assert answer["type"] == "ack", answer
