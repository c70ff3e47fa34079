"""Both stores behave the same."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from souk.engine.errors import SoukError
from souk.server.store import PersistError, PersonRow, Store, migrations, store_at
from souk.server.store import sqlite as on_sqlite
from souk.server.store.migrations import Migration
from souk.server.store.people import People
from tests.server.postgres import Postgres
from tests.server.store_helpers import (
    append,
    change,
    config,
    create,
    entries,
    gather,
    ignore_remote_entry,
    open_store,
    views_of,
)

ANN = PersonRow("ann", "Ann", is_bot=False)


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Return the address of an empty database."""
    if request.param == "sqlite":
        yield str(tmp_path / "souk.db")
    else:
        postgres: Postgres = request.getfixturevalue("postgres")
        with postgres.database() as url:
            yield url


@pytest_asyncio.fixture
async def store(url: str) -> AsyncIterator[Store]:
    async with open_store(url) as store:
        yield store


# ---- tables and their entries -------------------------------------------------------------------


@pytest.mark.asyncio
async def test_a_table_reads_back_as_it_was_created(store: Store) -> None:
    await store.create(config(), [change(n=1), change(n=2), change(n=3)])
    stored = await store.load("t")
    assert stored is not None and stored.config == config()
    assert list(stored.entries) == [b"entry 1", b"entry 2", b"entry 3"]
    assert await store.tables(None, 9) == [b"view 3"]


@pytest.mark.asyncio
async def test_a_new_table_is_what_its_last_entry_makes_it(store: Store) -> None:
    first = change(n=1, status="waiting", participant="ann")
    await store.create(
        config(), [first, change(n=2, status="playing", wake_at=50, participant="bob")]
    )
    assert await store.tables("playing", 9) == [b"view 2"]
    assert await views_of(store, "ann", 9) == await views_of(store, "bob", 9) == [b"view 2"]
    assert await store.claim(50, 60, 9) == ["t"]


@pytest.mark.asyncio
async def test_a_table_that_was_never_created_is_not_found(store: Store) -> None:
    await create(store)
    for id in ("other", "", "T", "t ", "t\0", "'; DROP TABLE tables; --", "é" * 999):
        assert await store.load(id) is None
        assert await store.load(id) is None, "asking does not create it"
    assert len(await store.tables(None, 9)) == 1


@pytest.mark.asyncio
async def test_a_table_is_created_only_once(store: Store) -> None:
    assert await store.create(config(), [change(entry=b"first")])
    late = change(entry=b"second", participant="bob"), change(n=2, participant="bob")
    assert not await store.create(config(host="bob"), late)
    stored = await store.load("t")
    assert stored is not None and stored.config.host == "ann"
    assert list(stored.entries) == [b"first"] and await views_of(store, "bob", 9) == []


@pytest.mark.asyncio
async def test_of_many_who_create_a_table_at_once_one_does(store: Store) -> None:
    hosts = [f"host {number}" for number in range(10)]
    made = await gather(store.create(config(host=host), [change(entry=b"-")]) for host in hosts)
    assert sum(made) == 1
    stored = await store.load("t")
    assert stored is not None and stored.config.host == hosts[made.index(True)]
    assert list(stored.entries) == [b"-"]


@pytest.mark.asyncio
async def test_a_table_is_created_as_a_whole_or_not_at_all(store: Store) -> None:
    too_much = 2**70  # no database has such numbers
    with pytest.raises(PersistError):
        await store.create(config(), [change(n=1, participant="ann"), change(n=too_much, at=2)])
    assert await store.load("t") is None and await views_of(store, "ann", 9) == []
    await create(store)
    assert await entries(store) == [b"entry 1"]


@pytest.mark.asyncio
async def test_entries_come_by_number_from_any_number_on(store: Store) -> None:
    await create(store)
    for n in range(2, 13):
        assert await append(store, change(n=n))
    assert await entries(store) == [b"entry %d" % n for n in range(1, 13)]
    assert await entries(store, after=9) == [b"entry 10", b"entry 11", b"entry 12"]
    assert await entries(store, after=12) == await entries(store, after=99) == []


@pytest.mark.asyncio
async def test_any_bytes_are_stored_unchanged(store: Store) -> None:
    everything = bytes(range(256)) * 300
    await create(store, entry=everything, view=everything)
    await append(store, change(n=2, entry=b"", view=None))
    assert await entries(store) == [everything, b""]
    assert await store.tables(None, 9) == [everything]


@pytest.mark.asyncio
async def test_a_number_is_taken_once_and_a_refused_entry_changes_nothing(store: Store) -> None:
    await create(store)
    assert await append(store, change(n=2, entry=b"mine", status="playing", view=b"mine"))
    late = change(n=2, entry=b"yours", status="over", view=b"yours", wake_at=1, participant="bob")
    assert not await append(store, late)
    assert await entries(store) == [b"entry 1", b"mine"]
    assert await store.tables(None, 9) == await store.tables("playing", 9) == [b"mine"]
    assert await views_of(store, "bob", 9) == [] and await store.claim(99, 100, 9) == []


@pytest.mark.asyncio
async def test_an_unknown_table_takes_no_entry(store: Store) -> None:
    await create(store)
    request = [change("nowhere", 1, participant="ann"), change(n=2), change("nowhere", 2)]
    assert await gather(append(store, one) for one in request) == [False, True, False]
    assert await store.load("nowhere") is None


@pytest.mark.asyncio
async def test_of_many_who_want_one_number_one_gets_it(store: Store) -> None:
    await create(store)
    request = [change(n=2, entry=b"%d" % who, view=b"%d" % who) for who in range(300)]
    answers = await gather(append(store, one) for one in request)
    assert answers.count(True) == 1
    winner = b"%d" % answers.index(True)
    assert await entries(store) == [b"entry 1", winner]
    assert await store.tables(None, 9) == [winner]


@pytest.mark.asyncio
async def test_the_same_entry_appended_twice_at_once_is_stored_once(store: Store) -> None:
    await create(store)
    once = change(n=2)
    assert sorted(await gather([append(store, once), append(store, once)])) == [False, True]


@pytest.mark.asyncio
async def test_every_callback_gets_the_outcome_of_its_own_entry(store: Store) -> None:
    await create(store, entry=b"")
    outcomes: dict[int, bytes] = {1: b""}

    async def add_ten(who: int) -> None:
        for step in range(10):
            mine, n = b"%d of %d" % (step, who), len(outcomes) + 1
            while not await append(store, change(n=n, entry=mine)):
                n += 1
            assert n not in outcomes
            outcomes[n] = mine

    await gather(map(add_ten, range(25)))
    assert await entries(store) == [outcomes[n] for n in range(1, 252)]


@pytest.mark.asyncio
async def test_entries_that_wait_together_act_one_after_the_other(store: Store) -> None:
    await create(store)
    await create(store, "u")
    request = [
        change(n=2, status="playing", wake_at=5, view=b"two", participant="ann"),
        change("u", 2, status="playing", view=None),
        change(n=3, status="over", wake_at=None, at=70, view=None, participant="bob"),
        change(n=3, status="lost", wake_at=7, at=80, view=b"lost", participant="cleo"),
        change("u", 2, status="lost", view=b"lost"),
        change("u", 1, status="lost", view=b"lost"),
    ]
    answers = await gather(append(store, one) for one in request)
    assert answers == [True, True, True, False, False, False]
    assert await entries(store) == [b"entry 1", b"entry 2", b"entry 3"]
    assert await store.tables("over", 9) == [b"two"], "the last view that there was"
    assert await store.tables("playing", 9) == [b"view 1"]
    assert await views_of(store, "ann", 9) == await views_of(store, "bob", 9) == [b"two"]
    assert await views_of(store, "cleo", 9) == []
    assert await store.claim(99, 100, 9) == [], "the last entry needs nobody"


@pytest.mark.asyncio
async def test_many_tables_grow_at_once(store: Store) -> None:
    names = [f"t{number}" for number in range(60)]
    await gather(create(store, name) for name in names)
    request = [change(name, n, view=b"%d" % n) for n in range(2, 32) for name in names]
    assert all(await gather(append(store, one) for one in request))
    for name in names:
        assert await entries(store, name) == [b"entry %d" % n for n in range(1, 32)]
    assert await store.tables(None, 99) == [b"31"] * 60


@pytest.mark.asyncio
async def test_a_cancelled_request_does_not_block_others(store: Store) -> None:
    await create(store)
    request = [asyncio.ensure_future(append(store, change(n=n))) for n in range(2, 42)]
    await asyncio.sleep(0)
    for future in request[::2]:
        future.cancel()
    answers = await asyncio.gather(*request, return_exceptions=True)
    assert answers[1::2] == [True] * 20
    assert await append(store, change(n=99))
    assert set(await entries(store)) >= {b"entry %d" % n for n in range(3, 42, 2)}


# ---- lists --------------------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_lists_show_public_tables_of_a_status_the_newest_first(store: Store) -> None:
    for at, name in enumerate(["a", "b", "c", "d"], start=10):
        await create(store, name, at=at, view=name.encode())
    await create(store, "hidden", at=20, view=b"hidden", public=False)
    await create(store, "over", at=30, view=b"over", status="over")
    assert await store.views("waiting", 9) == [b"d", b"c", b"b", b"a"]
    assert await store.views("waiting", 2) == [b"d", b"c"]
    assert await store.views("waiting", 9, since=12) == [b"d", b"c"]
    assert await store.views("over", 9) == [b"over"] and await store.views("playing", 9) == []
    await append(store, change("b", 2, at=40, view=None))
    assert await store.views("waiting", 2) == [b"b", b"d"]
    await append(store, change("b", 3, at=41, status="over", view=b"b is over"))
    assert await store.views("over", 9) == [b"b is over", b"over"]


@pytest.mark.asyncio
async def test_people_find_the_tables_they_were_at_private_ones_too(store: Store) -> None:
    await create(store, "a", at=10, view=b"a", participant="ann", public=False)
    await create(store, "b", at=20, view=b"b", participant="bob")
    await append(store, change("b", 2, at=30, view=b"b2", participant="ann"))
    await append(store, change("b", 3, at=31, view=b"b3", participant="ann"))
    assert await views_of(store, "ann", 9) == [b"b3", b"a"]
    assert await views_of(store, "ann", 1) == [b"b3"]
    assert await views_of(store, "bob", 9) == [b"b3"]
    assert await views_of(store, "nobody", 9) == []


@pytest.mark.asyncio
async def test_operators_see_all_tables(store: Store) -> None:
    assert await store.tables(None, 9) == []
    await create(store, "a", at=10, view=b"a", public=False)
    await create(store, "b", at=20, view=b"b", status="over")
    await create(store, "c", at=30, view=b"c")
    assert await store.tables(None, 9) == [b"c", b"b", b"a"]
    assert await store.tables("waiting", 9) == [b"c", b"a"]
    assert await store.tables(None, 1) == [b"c"]
    assert await store.ids("waiting") == ["c", "a"] and await store.ids("playing") == []


# ---- looking after tables -----------------------------------------------------------------------


@pytest.mark.asyncio
async def test_a_table_is_claimed_when_it_is_due_and_not_twice(store: Store) -> None:
    await create(store, "a", wake_at=100)
    await create(store, "b", wake_at=200)
    await create(store, "never")
    assert await store.claim(99, 500, 9) == []
    assert await store.claim(100, 500, 9) == ["a"]
    assert await store.claim(199, 500, 9) == []
    assert await store.claim(200, 500, 9) == ["b"]
    assert await store.claim(499, 999, 9) == []
    assert sorted(await store.claim(500, 999, 9)) == ["a", "b"], "nobody looked after them"


@pytest.mark.asyncio
async def test_those_who_wait_longest_are_claimed_first(store: Store) -> None:
    for name, wake_at in (("a", 30), ("b", 10), ("c", 20)):
        await create(store, name, wake_at=wake_at)
    assert sorted(await store.claim(99, 500, 2)) == ["b", "c"]
    assert await store.claim(99, 500, 2) == ["a"]


@pytest.mark.asyncio
async def test_an_entry_sets_when_to_attend_to_the_table(store: Store) -> None:
    await create(store, wake_at=10)
    await append(store, change(n=2, wake_at=50))
    assert await store.claim(49, 99, 9) == []
    await append(store, change(n=3, wake_at=None))
    assert await store.claim(999, 1000, 9) == []


@pytest.mark.asyncio
async def test_many_who_claim_at_once_share_the_tables(store: Store) -> None:
    names = [f"t{number}" for number in range(40)]
    await gather(create(store, name, wake_at=1) for name in names)
    claimed = await gather(store.claim(5, 99, 4) for _ in range(20))
    assert all(len(some) <= 4 for some in claimed)
    while some := await store.claim(5, 99, 4):  # a claim that met another one may have got fewer
        claimed.append(some)
    assert sorted(name for some in claimed for name in some) == sorted(names)


# ---- who is there -------------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_people_are_present_until_they_leave_or_give_no_sign(store: Store) -> None:
    assert await store.present("t", 0) == set()
    await store.mark_present("p", [], 100)
    await store.mark_present("p", [("t", "ann"), ("t", "bob"), ("u", "ann"), ("t", "ann")], 100)
    assert await store.present("t", 99) == {"ann", "bob"} and await store.present("u", 99) == {
        "ann"
    }
    assert await store.present("t", 100) == set()
    await store.mark_present("p", iter([("t", "ann")]), 200)
    assert await store.present("t", 150) == {"ann"}
    await store.remove_present("p", "t", "ann")
    await store.remove_present("p", "t", "ann")
    assert await store.present("t", 50) == {"bob"} and await store.present("u", 50) == {"ann"}


# ---- people -------------------------------------------------------------------------------------


@pytest.mark.asyncio
async def test_people_are_known_by_their_identity(store: Store) -> None:
    robot = PersonRow("r2", "Ünï “r2” 🤖", is_bot=True)
    await store.add_person(ANN, 1)
    await store.add_person(robot, 2)
    assert await store.person("ann") == ANN and await store.person("r2") == robot
    assert await store.person("Ann") is None
    await People(store).rename("ann", "Anna", 3)
    await People(store).rename("nobody", "Nobody", 3)
    assert await store.person("ann") == replace(ANN, name="Anna")
    assert await store.person("nobody") is None


@pytest.mark.asyncio
async def test_an_identity_cannot_be_added_twice(store: Store) -> None:
    await store.add_person(ANN, 1)
    with pytest.raises(PersistError):
        await store.add_person(replace(ANN, name="Eve"), 2)
    assert await store.person("ann") == ANN


@pytest.mark.asyncio
async def test_a_link_works_once_and_in_time(store: Store) -> None:
    await store.add_person(ANN, 1)
    for digest, expires in (("one", 100), ("two", 100), ("three", 200)):
        await store.add_link(digest, "ann", expires)
    assert await store.use_link("other", 50) is None
    assert await store.use_link("one", 99) == "ann"
    assert await store.use_link("one", 99) is None
    assert await store.use_link("two", 100) is None, "too late"
    assert await store.use_link("two", 99) is None, "and forgotten"
    assert await store.use_link("three", 199) == "ann"


@pytest.mark.asyncio
async def test_of_many_who_use_a_link_at_once_one_gets_in(store: Store) -> None:
    await store.add_person(ANN, 1)
    await store.add_link("digest", "ann", 100)
    answers = await gather(store.use_link("digest", 1) for _ in range(30))
    assert sorted(answers, key=str) == [None] * 29 + ["ann"]


@pytest.mark.asyncio
async def test_a_link_is_for_somebody_who_exists(store: Store) -> None:
    with pytest.raises(PersistError):
        await store.add_link("digest", "nobody", 100)
    assert await store.use_link("digest", 1) is None


@pytest.mark.asyncio
async def test_the_time_when_a_server_was_last_alive_is_remembered(store: Store) -> None:
    assert await store.mark_alive(1000) is None
    assert await store.mark_alive(2000) == 1000
    assert await store.mark_alive(5000) == 2000


@pytest.mark.asyncio
async def test_get_or_set_returns_the_first_value(store: Store) -> None:
    words = await gather(store.get_or_set("key", f"word {number}") for number in range(30))
    assert len(set(words)) == 1
    assert await store.get_or_set("key", "another") == words[0]
    assert await store.get_or_set("other key", "another") == "another"
    assert await store.get_or_set("other key", "") == "another"


# ---- opening, closing, migrating ----------------------------------------------------------------


@pytest.mark.asyncio
async def test_everything_is_there_after_opening_again(url: str) -> None:
    async with open_store(url) as store:
        await create(store, participant="ann", wake_at=5, view=b"v")
        await append(store, change(n=2, view=None, wake_at=6, participant="bob"))
        await store.add_person(ANN, 1)
        await store.add_link("digest", "ann", 100)
        word = await store.get_or_set("key", "first")
    async with open_store(url) as store:
        stored = await store.load("t")
        assert stored is not None and stored.config == config()
        assert list(stored.entries) == [b"entry 1", b"entry 2"]
        assert await views_of(store, "ann", 9) == await views_of(store, "bob", 9) == [b"v"]
        assert await store.person("ann") == ANN
        assert await store.use_link("digest", 1) == "ann"
        assert await store.get_or_set("key", "second") == word
        assert await store.claim(6, 99, 9) == ["t"]
        assert not await append(store, change(n=2)) and await append(store, change(n=3))


@pytest.mark.asyncio
async def test_closing_finishes_pending_writes(url: str) -> None:
    async with open_store(url) as store:
        await create(store)
        request = [asyncio.ensure_future(append(store, change(n=n))) for n in range(2, 2502)]
        await asyncio.sleep(0)
    assert all(await asyncio.gather(*request))
    async with open_store(url) as store:
        assert len(await entries(store)) == 2501


@pytest.mark.asyncio
async def test_a_check_fails_if_nothing_can_be_written(url: str, postgres: Postgres) -> None:
    async with open_store(url) as store:
        await create(store)
        await store.check()
        await store.check()
        await set_read_only(store, postgres, True)
        with pytest.raises(PersistError, match=r"read-?only"):
            await store.check()
        with pytest.raises(PersistError, match=r"read-?only"):
            await append(store, change(n=2))
        assert await entries(store) == [b"entry 1"], "it can still be read"
        await set_read_only(store, postgres, False)
        await store.check()
        assert await append(store, change(n=2))


async def set_read_only(store: Any, postgres: Postgres, is_so: bool) -> None:
    if isinstance(store, on_sqlite.SqliteStore):
        store._writes.execute(f"PRAGMA query_only = {int(is_so)}")
        return
    name = store.url.rpartition("/")[2]
    postgres.sql(f"ALTER DATABASE {name} SET default_transaction_read_only = {is_so}")
    postgres.disconnect(store.url)
    with suppress(PersistError):  # the first request may find that the connection is lost
        await store.load("t")


@pytest.mark.asyncio
async def test_a_new_schema_comes_over_an_old_one(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_store(url) as store:
        await store.add_person(ANN, 1)
    with monkeypatch.context() as later:
        add_migrations(later, "CREATE TABLE one (a TEXT)", "CREATE TABLE two (a TEXT)")
        for _ in range(2):
            async with open_store(url) as store:
                assert await store.person("ann") == ANN
                await store._query("SELECT one.a FROM one, two")
    newest = migrations.newest()
    refusal = f"has schema {newest + 2}, but this version of souk supports only {newest}: .* newer"
    for opening in (store_at(url).open(ignore_remote_entry), store_at(url).open_read_only()):
        with pytest.raises(SoukError, match=refusal):
            await opening


@pytest.mark.asyncio
async def test_a_migration_that_fails_changes_nothing(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_store(url) as store:
        await store.add_person(ANN, 1)
    with monkeypatch.context() as later:
        add_migrations(later, "CREATE TABLE one (a TEXT); CREATE TABLE people (a TEXT)")
        failing = store_at(url)
        with pytest.raises(SoukError, match=r"cannot use .* as a database: .*people.* exists"):
            await failing.open(ignore_remote_entry)
        await failing.close()
    async with open_store(url) as store:
        assert await store.person("ann") == ANN
        with pytest.raises(PersistError, match="one"):
            await store._query("SELECT a FROM one")


def add_migrations(monkeypatch: pytest.MonkeyPatch, *scripts: str) -> None:
    new = (Migration("new", script, script) for script in scripts)
    monkeypatch.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, *new))


# ---- a process that dies ------------------------------------------------------------------------

# Many at once append to tables of their own, and print each entry once it is acknowledged.
WRITER = """
import asyncio, sys
from tests.server.store_helpers import append, change, create, open_store

async def add(store, table):
    await create(store, table, view=b"1")
    for n in range(2, 10**9):
        assert await append(store, change(table, n, view=b"%d" % n))
        print(table, n, flush=True)

async def main():
    async with open_store(sys.argv[1]) as store:
        await asyncio.gather(*(add(store, f"t{number}") for number in range(20)))

asyncio.run(main())
"""


@pytest.mark.asyncio
async def test_what_was_acknowledged_is_there_after_kill_9(url: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, url], stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        lines = [writer.stdout.readline() for _ in range(300)]
        writer.kill()
        lines += writer.stdout.readlines()
    last = {}
    for line in lines:
        if line.endswith("\n"):  # the end of the last one may be missing
            table, n = line.split()
            last[table] = int(n)
    assert len(last) == 20
    async with open_store(url) as store:
        for table, n in last.items():
            stored = await entries(store, table)
            assert n <= len(stored) <= n + 1
            assert stored == [b"entry %d" % n for n in range(1, len(stored) + 1)]
            assert await append(store, change(table, len(stored) + 1, participant=table, view=None))
            assert await views_of(store, table, 9) == [b"%d" % len(stored)], "no half step"


@pytest.mark.asyncio
async def test_a_failing_write_does_not_affect_its_group(store: Store) -> None:
    """Adding a person twice fails alone, although the whole group is written at once."""
    await store.add_person(ANN, 1)
    others = [PersonRow(f"p{number}", "Somebody", False) for number in range(20)]
    request = [store.add_person(one, 2) for one in (*others[:10], ANN, *others[10:])]
    answers = await asyncio.gather(*request, return_exceptions=True)
    assert isinstance(answers.pop(10), PersistError)
    assert answers == [None] * 20
    assert [await store.person(one.id) for one in others] == others


@pytest.mark.asyncio
async def test_a_closed_store_refuses_requests(url: str) -> None:
    async with open_store(url) as store:
        pass
    with pytest.raises(PersistError):
        await asyncio.wait_for(store.add_person(ANN, 1), 20)
    with pytest.raises(PersistError):
        await asyncio.wait_for(store.person("ann"), 20)
