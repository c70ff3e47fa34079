"""Several processes on one PostgreSQL, and a failing PostgreSQL."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import asyncpg
import pytest

from souk.engine.errors import SoukError
from souk.server.store import PersistError, Store, migrations, store_at
from souk.server.store import postgres as on_postgres
from tests.server.postgres import Postgres, running
from tests.server.store_helpers import (
    append,
    change,
    create,
    entries,
    gather,
    ignore_remote_entry,
    open_store,
    views_of,
    wait_until,
)

MISSED = ("", 0)


@pytest.fixture
def database(postgres: Postgres) -> Iterator[str]:
    """Return the address of an empty database."""
    with postgres.database() as url:
        yield url


@pytest.fixture(scope="module")
def own_postgres() -> Iterator[Postgres]:
    """Return a PostgreSQL of its own, which tests may stop."""
    with running() as server:
        yield server


@pytest.fixture
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the checks and pauses of stores."""
    monkeypatch.setattr(on_postgres, "LISTEN_CHECK", 0.02)
    monkeypatch.setattr(on_postgres, "PAUSES", (0.02, 0.1))


@asynccontextmanager
async def two_stores(database: str) -> AsyncIterator[tuple[Any, Any, list[Any], list[Any]]]:
    """Open two stores, as of two processes, with their notifications."""
    first: list[Any] = []
    second: list[Any] = []
    async with (
        open_store(database, lambda *notified: first.append(notified)) as one,
        open_store(database, lambda *notified: second.append(notified)) as other,
    ):
        yield one, other, first, second


# ---- several processes --------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_processes_are_notified_of_the_entries_of_others_only(database: str) -> None:
    async with two_stores(database) as (one, other, first, second):
        await create(one)
        await append(one, change(n=2))
        await wait_until(lambda: second == [("t", 1), ("t", 2)])
        await append(other, change(n=3))
        await wait_until(lambda: first == [("t", 3)])
        assert not await append(other, change(n=3))
        assert not await append(one, change("nowhere", 1))
        assert await append(one, change(n=4))
        await wait_until(lambda: len(second) == 3)
        assert first == [("t", 3)] and second == [("t", 1), ("t", 2), ("t", 4)]


@pytest.mark.asyncio
async def test_a_notified_entry_can_be_loaded(database: str) -> None:
    async with open_store(database) as one:
        await create(one)
        loaded: list[Any] = []
        async with open_store(
            database,
            lambda table, n: loaded.append(asyncio.ensure_future(other.load(table, n - 1))),
        ) as other:
            for n in range(2, 52):
                await append(one, change(n=n))
            await wait_until(lambda: len(loaded) == 50)
            for n, stored in enumerate(await asyncio.gather(*loaded), start=2):
                assert stored is not None and stored.entries[0] == b"entry %d" % n


@pytest.mark.asyncio
async def test_every_entry_of_a_large_group_is_notified(database: str) -> None:
    names = [f"a table with a long name, no. {number}, é" for number in range(100)]
    async with two_stores(database) as (one, _, _, second):
        await gather(create(one, name) for name in names)
        request = [change(name, n) for name in names for n in range(2, 12)]
        assert all(await gather(append(one, each) for each in request))
        await wait_until(lambda: len(second) == 1100)
        assert set(second) == {(name, n) for name in names for n in range(1, 12)}


@pytest.mark.asyncio
async def test_processes_may_write_to_the_same_tables_all_the_time(
    database: str,
) -> None:
    names = [f"t{number:02}" for number in range(30)]
    async with (
        open_store(database) as one,
        open_store(database) as other,
        open_store(database) as third,
    ):
        await gather(create(one, name, wake_at=1) for name in names)
        message: dict[tuple[str, int], bytes] = {}

        async def add(store: Store, who: bytes, name: str) -> None:
            n = 2
            for step in range(5):
                mine = b"%d of %s" % (step, who)
                while not await append(store, change(name, n, entry=mine, view=mine, wake_at=1)):
                    n += 1
                assert (name, n) not in message
                message[name, n] = mine

        async def claim() -> None:
            for _ in range(20):
                await third.claim(5, 1, 7)

        # One begins with the first tables, the other with the last.
        ours = [add(one, b"one", name) for name in names]
        theirs = [add(other, b"other", name) for name in reversed(names)]
        await gather([*ours, *theirs, claim()])
        for name in names:
            assert await entries(third, name, after=1) == [message[name, n] for n in range(2, 12)]
        last = sorted(message[name, 11] for name in names)
        assert sorted(await third.tables(None, 99)) == last


@pytest.mark.asyncio
async def test_processes_never_wait_for_each_other(database: str) -> None:
    """Both are in the middle of the same tables, one from the first on, one from the last."""
    names = [f"t{number:02}" for number in range(20)]
    async with open_store(database) as one, open_store(database) as other:
        await gather(create(one, name) for name in names)
        slow = await asyncpg.connect(database)
        try:
            await slow.execute("BEGIN; INSERT INTO entries VALUES ('t10', 2, '')")
            request = [
                asyncio.ensure_future(append(store, change(name, 2)))
                for store, order in ((one, names), (other, names[::-1]))
                for name in order
            ]
            waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
            async with asyncio.timeout(5):
                while (await one._query(waiting))[0]["count"] < 2:
                    await asyncio.sleep(0.01)
            await slow.execute("ROLLBACK")
        finally:
            await slow.close()
        answers = await asyncio.gather(*request)
        assert [a ^ b for a, b in zip(answers[:20], answers[:19:-1], strict=True)] == [True] * 20


@pytest.mark.asyncio
async def test_processes_share_the_tables_they_claim(database: str) -> None:
    names = [f"t{number}" for number in range(60)]
    async with open_store(database) as one, open_store(database) as other:
        await gather(create(one, name, wake_at=1) for name in names)
        claimed = await gather(store.claim(5, 99, 4) for _ in range(10) for store in (one, other))
        while some := await other.claim(5, 99, 4):
            claimed.append(some)
        assert sorted(name for some in claimed for name in some) == sorted(names)


@pytest.mark.asyncio
async def test_somebody_may_be_connected_through_two_processes(database: str) -> None:
    async with open_store(database) as one, open_store(database) as other:
        await one.mark_present("one", [("t", "ann")], 100)
        await other.mark_present("other", [("t", "ann"), ("t", "bob")], 100)
        await one.remove_present("one", "t", "ann")
        assert await one.present("t", 50) == {"ann", "bob"}
        await other.remove_present("other", "t", "ann")
        assert await one.present("t", 50) == {"bob"}


@pytest.mark.asyncio
async def test_those_who_were_connected_to_a_process_that_died_are_forgotten(
    database: str, postgres: Postgres
) -> None:
    ahead = time.time_ns() // 1_000_000 + 60_000
    async with open_store(database) as one:
        await one.mark_present("dead", [("t", "ann")], 100)
        await one.mark_present("alive", [("t", "bob")], ahead)
        async with open_store(database):
            assert postgres.sql("SELECT person FROM present", url=database) == "bob"


@pytest.mark.asyncio
async def test_get_or_set_returns_the_same_value_to_all_processes(database: str) -> None:
    async with open_store(database) as one, open_store(database) as other:
        words = await gather(
            store.get_or_set(f"key {key}", f"word of {id(store)}")
            for key in range(20)
            for store in (one, other)
        )
        assert words[::2] == words[1::2]


@pytest.mark.asyncio
async def test_processes_may_start_at_once_on_a_new_database(
    database: str, postgres: Postgres
) -> None:
    stores = [store_at(database) for _ in range(6)]
    await gather(store.open(ignore_remote_entry) for store in stores)
    await gather(store.check() for store in stores)
    await gather(store.close() for store in stores)
    newest = str(migrations.newest())
    assert postgres.sql("SELECT version FROM schema_version", url=database) == newest


# ---- opening and closing ------------------------------------------------------------------------


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("postgresql://ann:hush@127.0.0.1:1/souk", r"ann@127.0.0.1:1/souk .*(refused|failed)"),
        ("postgresql://souk:hush@{here}/nowhere", 'souk@{here}/nowhere .*"nowhere" does not exist'),
        ("postgresql://nobody:hush@{here}/postgres", 'role "nobody" does not exist'),
        ("postgresql://locked:hush@{here}/postgres", 'authentication failed for user "locked"'),
        ("postgresql://souk@{here}/postgres?password=hush&sslmode=hm", "password=….*sslmode"),
        ("postgresql://souk:hush@{here}/postgres?sorcery=on", '"sorcery"'),
        ("postgresql://souk:hush/x@{here}/postgres", "souk@{here}/postgres .*percent-encoded"),
        ("postgresql://souk:h@[hush@{here}/postgres", "souk@{here}/postgres .*percent-encoded"),
        ("postgresql://souk:x@hush@{here}/postgres", "souk@{here}/postgres .*percent-encoded"),
        ("postgresql://souk:hush@nowhere.invalid/souk", "souk@nowhere.invalid/souk as a database"),
    ],
)
async def test_an_address_in_an_error_has_no_password(
    postgres: Postgres, address: str, why: str
) -> None:
    with suppress(AssertionError):  # there already
        postgres.sql("CREATE ROLE locked LOGIN PASSWORD 'something else'")
    here = f"127.0.0.1:{postgres.port}"
    store = store_at(address.format(here=here))
    with pytest.raises(SoukError, match=f"^cannot use .*{why.format(here=here)}") as failure:
        await store.open(ignore_remote_entry)
    assert "hush" not in str(failure.value) and "\n" not in str(failure.value)
    await store.close()


@pytest.mark.asyncio
async def test_commits_are_durable_whatever_the_database_prefers(
    database: str, postgres: Postgres
) -> None:
    name = database.rpartition("/")[2]
    postgres.sql(
        f"ALTER DATABASE {name} SET synchronous_commit = off",
        f"ALTER DATABASE {name} SET default_transaction_isolation = serializable",
    )
    async with open_store(database) as store:
        for setting, value in (
            ("synchronous_commit", "on"),
            ("transaction_isolation", "read committed"),
        ):
            assert (await store._query(f"SHOW {setting}"))[0][0] == value


@pytest.mark.asyncio
async def test_a_closed_store_stores_nothing(database: str) -> None:
    async with open_store(database) as store:
        await create(store)
    await store.close()
    for request in (append(store, change(n=2)), store.load("t"), store.check()):
        with pytest.raises(PersistError, match="clos"):
            await request


# ---- trouble ------------------------------------------------------------------------------------


class Players:
    """Append to many tables as fast as possible, whatever happens."""

    def __init__(self, store: Store, tables: int = 25) -> None:
        self.store = store
        self.stored = {f"t{number}": 1 for number in range(tables)}  # acknowledged
        self.refused = 0
        self._is_over = False

    async def begin(self) -> None:
        await gather(create(self.store, name, view=b"1") for name in self.stored)
        self._tasks = [asyncio.ensure_future(self._play(name)) for name in self.stored]

    async def _play(self, name: str) -> None:
        n = 1
        while not self._is_over:
            try:
                if await append(self.store, change(name, n + 1, view=b"%d" % (n + 1))):
                    n += 1
                    self.stored[name] = n
                else:
                    n = len(await entries(self.store, name))
            except PersistError:
                self.refused += 1
                await asyncio.sleep(0.02)

    async def more(self) -> None:
        """Wait until everybody has added some more."""
        before = dict(self.stored)
        await wait_until(lambda: all(self.stored[name] > before[name] + 2 for name in before))

    async def end(self) -> None:
        self._is_over = True
        await asyncio.gather(*self._tasks)

    async def check(self) -> None:
        """Everything that was acknowledged is there, and no half step."""
        for name, n in self.stored.items():
            stored = await entries(self.store, name)
            assert stored == [b"entry %d" % n for n in range(1, len(stored) + 1)]
            assert len(stored) >= n
            await append(self.store, change(name, len(stored) + 1, participant=name, view=None))
            assert await views_of(self.store, name, 2) == [b"%d" % len(stored)]


@pytest.mark.usefixtures("short_pauses")
@pytest.mark.asyncio
@pytest.mark.parametrize("way", ["restart", "kill"])
async def test_nothing_acknowledged_is_lost_when_postgresql_goes_down_under_load(
    own_postgres: Postgres, way: str
) -> None:
    notified: list[Any] = []
    async with open_store(
        own_postgres.new_database(), lambda *what: notified.append(what)
    ) as store:
        players = Players(store)
        await players.begin()
        for round in range(1, 4):
            await players.more()
            if way == "kill":
                own_postgres.kill()
            else:
                own_postgres.stop()
            refused = players.refused
            await wait_until(lambda before=refused: players.refused > before + 25)
            own_postgres.start()
            await players.more()
            await wait_until(lambda before=round: notified.count(MISSED) == before)
        await players.end()
        await players.check()
        assert notified == [MISSED] * 3


@pytest.mark.asyncio
async def test_a_store_that_did_nothing_meanwhile_does_not_notice_a_restart(
    own_postgres: Postgres,
) -> None:
    async with open_store(own_postgres.new_database()) as store:
        await create(store)
        own_postgres.restart()
        await asyncio.sleep(0.05)
        assert await append(store, change(n=2))
        assert await entries(store) == [b"entry 1", b"entry 2"]


@pytest.mark.usefixtures("short_pauses")
@pytest.mark.asyncio
async def test_missed_notifications_are_made_up_for(
    database: str, postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection that listens breaks, something is added, then there is a new one."""
    async with two_stores(database) as (one, other, first, _):
        await create(other)
        await wait_until(lambda: len(first) == 1)
        listens, other_listens = one._listen, asyncio.Event()

        async def listen_late() -> Any:
            await other_listens.wait()
            return await listens()

        monkeypatch.setattr(one, "_listen", listen_late)
        postgres.disconnect(database, "query IN ('SELECT 1;', 'SELECT 1', 'LISTEN \"souk\"')")
        while not await append(other, change(n=2)):
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
        assert first == [("t", 1)]
        other_listens.set()
        await wait_until(lambda: first == [("t", 1), MISSED])
        assert await entries(one, after=1) == [b"entry 2"]
        assert await append(other, change(n=3))
        await wait_until(lambda: first == [("t", 1), MISSED, ("t", 3)])


@pytest.mark.asyncio
async def test_connections_may_break_at_any_moment(database: str, postgres: Postgres) -> None:
    async with open_store(database) as store:
        players = Players(store)
        await players.begin()
        for _ in range(3):
            await players.more()
            postgres.disconnect(database)
        await players.more()
        await players.end()
        await players.check()


@pytest.mark.usefixtures("short_pauses")
@pytest.mark.asyncio
async def test_requests_time_out_when_postgresql_does_not_answer(
    database: str, postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Line(postgres.port) as line:
        address = database.replace(str(postgres.port), str(line.port))
        async with open_store(address) as store:
            await create(store)
            await append(store, change(n=2))
            line.cut()
            monkeypatch.setattr(on_postgres, "TIMEOUT", 0.4)
            started = time.monotonic()
            request: list[Callable[[], Any]] = [
                *(lambda n=n: append(store, change(n=n)) for n in range(3, 103)),
                *(lambda: store.load("t") for _ in range(20)),
                *(lambda: store.claim(1, 2, 3) for _ in range(20)),
                lambda: create(store, "u"),
                store.check,
            ]
            answers = await asyncio.gather(*(ask() for ask in request), return_exceptions=True)
            assert [str(answer) for answer in answers] == ["no answer in time"] * len(request)
            assert all(isinstance(answer, PersistError) for answer in answers)
            assert time.monotonic() - started < 60, "nobody waits for ever"
            monkeypatch.setattr(on_postgres, "TIMEOUT", 10.0)
            line.mend()
            assert (await entries(store))[:2] == [b"entry 1", b"entry 2"]
            assert await append(store, change(n=103))


@pytest.mark.asyncio
@pytest.mark.parametrize("is_silent", [True, False])
async def test_a_store_can_be_closed_when_postgresql_is_gone(
    database: str, postgres: Postgres, monkeypatch: pytest.MonkeyPatch, is_silent: bool
) -> None:
    async with Line(postgres.port) as line:
        async with open_store(database.replace(str(postgres.port), str(line.port))) as store:
            await create(store)
            line.cut() if is_silent else await line.close()
            monkeypatch.setattr(on_postgres, "TIMEOUT", 0.4)
            request = asyncio.ensure_future(append(store, change(n=2)))
            await asyncio.sleep(0)
            started = time.monotonic()
        assert time.monotonic() - started < 5
        with pytest.raises(PersistError):
            await request


class Line:
    """A proxy to PostgreSQL that can go silent: no answer, and no end either."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._goes = asyncio.Event()
        self._goes.set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> "Line":
        self._server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def cut(self) -> None:
        self._goes.clear()

    def mend(self) -> None:
        self._goes.set()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            to_reader, to_writer = await asyncio.open_connection("127.0.0.1", self._to)
            ways = [self._pass_on(reader, to_writer), self._pass_on(to_reader, writer)]
            tasks = [asyncio.ensure_future(way) for way in ways]
            try:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for one in tasks:
                    one.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
                for end in (writer, to_writer):
                    end.close()
                    with suppress(OSError):
                        await end.wait_closed()
        except asyncio.CancelledError:
            pass  # asyncio's server would complain
        finally:
            self._tasks.discard(task)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                await self._goes.wait()
                writer.write(data)
                await writer.drain()
