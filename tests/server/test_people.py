"""Sessions, bans, block lists, reports, erasure and retention, on both databases."""

import asyncio
from dataclasses import replace
from functools import partial

import pytest
import pytest_asyncio

from souk.engine.errors import SoukError
from souk.server.bans import Bans, ban_target
from souk.server.clock import DAY_MS
from souk.server.erasure import ERASED_NAME, erase, finish_erasures, remove_line, rename_everywhere
from souk.server.identities import GRACE_MS, RENEW_MS, Identities
from souk.server.moderation import _known
from souk.server.retention import Retention, clean_up, removable
from souk.server.store import Change, PersonRow, Summary
from souk.server.store.people import BanRow, People, ReportRow
from souk.server.tables import commands as c
from souk.server.tables import entries as e
from souk.server.tables import views
from souk.server.tables.commands import Refusal
from souk.server.tables.new_table import new_table
from souk.server.tables.referee import decide
from souk.server.tables.request import Person, Request
from souk.server.tables.table import Table
from souk.server.tables.table_request import MySeat, NewTable, OpenSeat
from tests.server.store_helpers import append, open_store

pytestmark = pytest.mark.asyncio
NOW = 1_000 * DAY_MS
ADA, BEN = Person("ada", "Ada"), Person("ben", "Ben")


@pytest_asyncio.fixture(params=["sqlite", "postgres"])
async def people(request, tmp_path):
    url = str(tmp_path / "souk.db")
    if request.param == "postgres":
        url = request.getfixturevalue("postgres").new_database()
    async with open_store(url) as store:
        yield People(store)


@pytest_asyncio.fixture
async def identities(people):
    bans = Bans(people, "ops@play.example")
    identities = Identities(people.store, people, bans, session_ms=90 * DAY_MS)
    await identities.open("key")
    return identities


async def log_in(identities, name="Ada", now=NOW, **options):
    person = await identities.new(name, now, **options)
    return person, await identities.new_session(person, "203.0.113.7", now)


def cookie(token):
    return {"cookie": f"souk={token}"}


def bearer(token):
    return {"authorization": f"Bearer {token}"}


async def other_process(identities):
    """Return the identities of another process on the same store."""
    people = People(identities.store)
    other = Identities(identities.store, people, Bans(people), identities.session_ms)
    await other.open("key")
    return other


async def apply_all(people):
    """Return the kinds and ids of new invalidations, and mark them as applied."""
    new = await people.invalidations()
    for key, _, _ in new:
        people.mark_applied(key)
    return [(kind, id) for _, kind, id in new]


# ---- sessions -----------------------------------------------------------------------------------


async def test_a_token_identifies_until_it_has_not_been_used_for_the_lifetime(identities):
    person, token = await log_in(identities)
    session = await identities.identify(cookie(token), NOW + 89 * DAY_MS)
    assert session.person == person
    assert await identities.identify(cookie(token), NOW + 90 * DAY_MS) is None
    assert (
        await (await other_process(identities)).identify(cookie(token), NOW + 91 * DAY_MS) is None
    )


async def test_a_forged_or_damaged_token_identifies_nobody(identities):
    person, token = await log_in(identities)
    id, signature = token.split(".")
    damaged = [f"{id}.{signature[:-1]}!", f"{id}.1.{signature}", f"{person.id}.{signature}", id, ""]
    for bad in [*damaged, f"{id}.00.{signature}", f"{id}.{signature}.{signature}", f".{signature}"]:
        assert await identities.identify(cookie(bad), NOW) is None, bad


async def test_a_browser_gets_the_next_token_after_a_day_and_the_old_one_ends(identities):
    _, token = await log_in(identities)
    session = await identities.identify(cookie(token), NOW + RENEW_MS - 1)
    assert await identities.renewed_token(session, "", NOW + RENEW_MS - 1) is None, "not yet"
    later = NOW + RENEW_MS
    session = await identities.identify(cookie(token), later)
    following = await identities.renewed_token(session, "", later)
    again = await identities.renewed_token(session, "", later)
    assert following == again != token, "two tabs get the same"
    much_later = later + 30 * DAY_MS
    assert await identities.identify(cookie(token), much_later), "the next was never used"
    assert await identities.identify(cookie(following), much_later)
    assert await identities.identify(cookie(token), much_later + GRACE_MS - 1), "on its way"
    assert await identities.identify(cookie(token), much_later + GRACE_MS) is None
    elsewhere = await other_process(identities)
    assert await elsewhere.identify(cookie(token), much_later + GRACE_MS) is None
    assert await elsewhere.identify(cookie(following), much_later + GRACE_MS)
    last = later + 90 * DAY_MS - 1
    assert await identities.identify(cookie(following), last), "it lasts longer, too"


async def test_another_process_learns_of_a_renewed_token(identities):
    _, token = await log_in(identities)
    elsewhere = await other_process(identities)
    now = NOW + RENEW_MS
    assert await elsewhere.identify(cookie(token), now)
    session = await identities.identify(cookie(token), now)
    following = await identities.renewed_token(session, "", now)
    assert await identities.identify(cookie(following), now)
    session = await elsewhere.identify(cookie(following), now)
    third = await elsewhere.renewed_token(session, "", now + RENEW_MS)
    assert await identities.identify(cookie(third), now + RENEW_MS)


async def test_the_token_of_a_program_stays_and_lasts_while_it_is_used(identities):
    _, token = await log_in(identities, "Bot", is_bot=True)
    for day in range(0, 500, 50):
        session = await identities.identify(bearer(token), NOW + day * DAY_MS)
        assert session is not None, day
        assert await identities.renewed_token(session, "", NOW + day * DAY_MS) is None
    assert await identities.identify(bearer(token), NOW + 560 * DAY_MS) is None


async def test_a_replaced_token_ends_at_once(identities):
    _, token = await log_in(identities)
    now = NOW + RENEW_MS
    session = await identities.identify(bearer(token), now)
    unused = await identities.renewed_token(replace(session, is_cookie=True), "", now)
    new = await identities.replace_token(session, now)
    for old in (token, unused):
        assert await identities.identify(bearer(old), now) is None
        assert await (await other_process(identities)).identify(bearer(old), now) is None
    assert await identities.identify(bearer(new), now)


async def test_tokens_from_before_there_were_sessions_are_still_good(people, identities):
    await people.store.add_person(PersonRow("old", "Ann", is_bot=False), 1)
    insert = "INSERT INTO sessions VALUES ('old', 'old', 0, 1, 1, ?, '')"  # as the migration does
    await people.store.transact((insert, NOW + 400 * DAY_MS))
    token = "old." + identities._derived("person old", 24)
    session = await identities.identify(cookie(token), NOW)
    assert session.person.name == "Ann"
    assert await identities.renewed_token(session, "", NOW) is not None


async def test_a_session_that_ends_while_it_is_used_does_not_live_on(identities, monkeypatch):
    person, token = await log_in(identities)
    session = await identities.identify(cookie(token), NOW)
    for used in ("session", "advance_session", "extend_session"):
        identities.forget_session(session.id)
        token = await identities.new_session(person, "", NOW)
        session = await identities.identify(cookie(token), NOW)
        following = await identities.renewed_token(session, "", NOW + RENEW_MS)
        call = getattr(identities.people, used)

        async def end_meanwhile(*arguments, call=call, session=session):
            result = await call(*arguments)
            await identities.end_session(session, NOW)
            return result

        monkeypatch.setattr(identities.people, used, end_meanwhile)
        if used == "extend_session":
            await identities.renewed_token(session, "", NOW + RENEW_MS)
        elif used == "session":
            identities.forget_session(session.id)
            await identities.identify(cookie(token), NOW)
        else:
            await identities.identify(cookie(following), NOW)
        monkeypatch.undo()
        for each in (token, following):
            assert await identities.identify(cookie(each), NOW) is None, used


async def test_logging_out_here_elsewhere_and_by_a_link_that_was_made(identities):
    person, here = await log_in(identities)
    there = await identities.new_session(person, "", NOW)
    link = await identities.new_link(person, NOW)
    session = await identities.identify(cookie(here), NOW)
    await identities.end_other_sessions(session, NOW)
    elsewhere = await other_process(identities)
    assert await elsewhere.identify(cookie(there), NOW) is None
    assert await identities.use_link(link, NOW) is None, "a link is a door, too"
    assert await identities.identify(cookie(here), NOW)
    assert await apply_all(identities.people) == [("session", there.partition(".")[0])]
    await identities.end_session(session, NOW)
    assert await identities.identify(cookie(here), NOW) is None


async def test_invalidations_are_read_once_by_each_process(people):
    other = People(people.store)
    await people.invalidate("name", ["a", "b"], 1)
    assert await apply_all(people) == [("name", "a"), ("name", "b")]
    assert await apply_all(people) == []
    assert await apply_all(other) == [("name", "a"), ("name", "b")]
    late = People(people.store)
    await late.skip_invalidations()
    await people.invalidate("bans", ["c"], 1)
    assert [await apply_all(one) for one in (people, other, late)] == [[("bans", "c")]] * 3


async def test_an_invalidation_that_was_not_applied_comes_again(people):
    await people.invalidate("bans", map(str, range(250)), 1)
    first = await people.invalidations()
    people.mark_applied(first[0][0])
    assert await people.invalidations() == first[1:], "the store failed after the first"
    assert len(await apply_all(people)) == 249
    assert await apply_all(people) == []


# ---- bans ---------------------------------------------------------------------------------------


async def test_a_banned_person_is_refused_with_the_reason_and_the_contact(identities):
    person, token = await log_in(identities)
    await identities.people.ban(BanRow("person", person.id, NOW, NOW + DAY_MS, "spam"))
    await identities.bans.load(NOW)
    with pytest.raises(Refusal, match=r"banned you: spam\. Contact: ops@play\.example") as refusal:
        await identities.identify(cookie(token), NOW)
    assert refusal.value.code == "banned"
    assert await identities.identify(cookie(token), NOW + DAY_MS), "it is over"
    assert await identities.people.unban("person", person.id, NOW)
    assert not await identities.people.unban("person", person.id, NOW)
    await identities.bans.load(NOW)
    assert await identities.identify(cookie(token), NOW)


async def test_addresses_and_networks_can_be_banned(identities):
    for text in ("198.51.100.0/24", "2001:db8::7", "203.0.113.9"):
        await identities.people.ban(BanRow(*ban_target(text), NOW, None, ""))
    bans = identities.bans
    await bans.load(NOW)
    for address in ("198.51.100.77", "203.0.113.9", "2001:db8::/64"):
        assert bans.of_address(address, NOW) is not None, address
    for address in ("198.51.101.1", "203.0.113.8", "2001:db8:1::/64", "?", "testclient"):
        assert bans.of_address(address, NOW) is None, address


async def test_a_ban_that_is_over_does_not_hide_one_of_the_network(identities):
    for text, at, expires in (("198.51.100.0/24", NOW, None), ("198.51.100.7", NOW + 1, NOW + 9)):
        await identities.people.ban(BanRow(*ban_target(text), at, expires, ""))
    await identities.bans.load(NOW)
    assert identities.bans.of_address("198.51.100.7", NOW + 9) is not None


@pytest.mark.parametrize("text", ["10.0.0.300", "1.2.3.4/99", "a.b", "::g"])
async def test_what_is_no_address_cannot_be_banned(text):
    with pytest.raises(
        SoukError, match="a ban accepts the id of a person, an address or a network"
    ):
        ban_target(text)


# ---- block lists and reports --------------------------------------------------------------------


async def test_namesakes_do_not_hide_a_person_from_the_operator(people):
    await people.store.add_person(PersonRow("rogue", "Rogue", False), NOW)
    for number in range(110):
        await people.store.add_person(PersonRow(f"p{number}", "rogue", False), NOW + number)
    assert [person.id for person in await people.find("rogue", 1)] == ["rogue"]
    assert (await _known(people, "rogue")).name == "Rogue"


async def test_block_lists_and_reports_are_stored(people):
    await people.block("ada", "ben", "Ben", 1)
    await people.block("ada", "ben", "Benjamin", 2)
    await people.block("ada", "eve", "Eve", 3)
    assert await people.blocks("ada") == [("eve", "Eve"), ("ben", "Ben")]
    assert await people.has_blocked("ada", "ben") and not await people.has_blocked("ben", "ada")
    await people.unblock("ada", "ben")
    assert not await people.has_blocked("ada", "ben")
    row = ReportRow(0, 5, "ada", "ben", "Ben", "", "chat", "rude", None)
    await people.add_report(row)
    (stored,) = await people.reports(closed=False, limit=9)
    assert replace(stored, id=0) == row
    assert await people.close_report(stored.id, 7) and not await people.close_report(stored.id, 8)
    assert await people.reports(closed=False, limit=9) == []
    assert [one.closed for one in await people.reports(closed=True, limit=9)] == [7]


# ---- erasure ------------------------------------------------------------------------------------


class StoredTable:
    """A table of Ada with Ben in the second seat, in a store."""

    def __init__(self, people, id="t" * 22, at=NOW):
        self.people, self.id, self.at = people, id, at

    async def create(self, *steps):
        new = NewTable(
            game="marrakech(players=2)", seats=[MySeat(kind="me"), OpenSeat(kind="open")]
        )
        config, first = new_table(new, ADA, self.at, id=self.id)
        table, changes = Table(config), []
        for entry in first:
            table.apply(entry)
            changes.append(self._change(table, entry, ADA.id))
        assert await self.people.store.create(config, changes)
        for person, command in steps:
            entry = decide(Request(table, person, self.at), command)
            table.apply(entry)
            assert await append(self.people.store, self._change(table, entry, person.id))
            if isinstance(entry, e.Said):
                await self.people.add_chatter(person.id, self.id)
        return self

    def _change(self, table, entry, person):
        view = views.encode(views.table_view(table))
        summary = Summary(table.status, None, self.at, view, person)
        return Change(self.id, table.n, e.encode(entry), summary)

    async def load(self):
        stored = await self.people.store.load(self.id)
        table = Table(stored.config)
        for raw in stored.entries:
            table.apply(e.decode_entry(raw))
        return table, b"\n".join(stored.entries)


SIT = (BEN, c.Sit("sit", 1))
TALK = ((BEN, c.Say("say", "my secret")), (ADA, c.Say("say", "well")))
START = (ADA, c.Start("start"))


async def test_a_line_of_chat_can_be_removed_for_good(people):
    table = await StoredTable(people).create(SIT, *TALK)
    assert await remove_line(people, table.id, 99, NOW) is None
    assert await remove_line(people, table.id, 2, NOW) is None, "no line"
    assert await remove_line(people, "u" * 22, 4, NOW) is None
    assert await remove_line(people, table.id, 4, NOW) == "my secret"
    loaded, log = await table.load()
    assert [said.text for _, said in loaded.chat] == ["well"]
    assert b"my secret" not in log
    assert await remove_line(people, table.id, 4, NOW) is None, "it is gone already"
    assert ("table", table.id) in await apply_all(people)


async def test_a_name_can_be_replaced_everywhere(people):
    await people.store.add_person(PersonRow("ben", "Ben", is_bot=False), 1)
    table = await StoredTable(people).create(SIT, *TALK)
    watched = await StoredTable(people, "w" * 22).create((BEN, c.Say("say", "nice")))
    assert await rename_everywhere(people, "ben", "Guest", NOW) == (2, {})
    loaded, log = await table.load()
    assert loaded.seats[1].name == "Guest" and b"Ben" not in log
    assert [said.name for _, said in loaded.chat] == ["Guest", "Ada"]
    assert b"Ben" not in (await watched.load())[1]
    assert (await people.store.person("ben")).name == "Guest"
    assert all(b"Ben" not in view for view in await people.store.tables(None, 9))


@pytest.mark.parametrize("steps", [(SIT, *TALK), (SIT, *TALK, START)], ids=["waiting", "playing"])
async def test_a_deleted_person_is_gone_and_the_others_go_on(people, identities, steps):
    await people.store.add_person(PersonRow("ben", "Ben", is_bot=False), 1)
    token = await identities.new_session(BEN, "", NOW)
    link = await identities.new_link(BEN, NOW)
    await people.block("ben", "ada", "Ada", 1)
    await people.block("ada", "ben", "Ben", 1)
    await people.add_report(ReportRow(0, 1, "ben", "ada", "Ada", "", "chat", "rude", None))
    table = await StoredTable(people).create(*steps)
    assert await erase(people, "ben", NOW) == (1, {})
    loaded, log = await table.load()
    assert b"Ben" not in log and b"my secret" not in log
    assert [said.text for _, said in loaded.chat] == ["well"]
    if START in steps:
        assert loaded.seats[1].resigned and loaded.status == "over"
        assert loaded.seats[1].name == ERASED_NAME
    else:
        assert loaded.seats[1].kind == "open"
    assert await people.store.person("ben") is None
    identities.forget_person("ben")
    assert await identities.identify(cookie(token), NOW) is None
    assert await identities.use_link(link, NOW) is None
    assert await people.blocks("ben") == [] == await people.blocks("ada")
    assert [row.reporter for row in await people.reports(closed=False, limit=9)] == [""]
    assert await people.tables_of("ben") == [] == await people.erasures()
    assert all(b"Ben" not in view for view in await people.store.tables(None, 9))


async def test_an_interrupted_deletion_is_finished_later(people):
    await people.store.add_person(PersonRow("ben", "Ben", is_bot=False), 1)
    table = await StoredTable(people).create(SIT, *TALK)
    await people.delete("ben", NOW)
    assert b"Ben" in (await table.load())[1]
    await finish_erasures(people, NOW)
    assert b"Ben" not in (await table.load())[1]


async def test_a_damaged_table_does_not_keep_a_name_at_the_others(people):
    await people.store.add_person(PersonRow("ben", "Ben", is_bot=False), 1)
    tables = [await StoredTable(people, one * 22).create(SIT, *TALK) for one in "abc"]
    damaged = tables[1]
    await people.store.replace_entries(damaged.id, {2: b"\xff"})
    for change_name in (partial(rename_everywhere, name="Guest"), erase):
        cleaned = await change_name(people, "ben", now=NOW)
        assert (cleaned.tables, list(cleaned.damaged)) == (2, [damaged.id])
        for table in tables:
            if table is not damaged:
                assert b"Ben" not in (await table.load())[1]


async def test_a_deletion_waits_for_a_server_that_appends_too(people):
    await people.store.add_person(PersonRow("ben", "Ben", is_bot=False), 1)
    table = await StoredTable(people).create(SIT, START)

    async def chat():
        for number in range(20):
            loaded, _ = await table.load()
            entry = e.Said(at=NOW, by="ada", name="Ada", text=f"line {number}")
            await append(people.store, Change(table.id, loaded.n + 1, e.encode(entry), None))

    await asyncio.gather(chat(), erase(people, "ben", NOW))
    loaded, log = await table.load()
    assert loaded.seats[1].resigned and b"Ben" not in log


# ---- retention ----------------------------------------------------------------------------------


async def test_tables_without_moves_and_people_without_tables_are_deleted_when_old(people):
    old = NOW - 40 * DAY_MS
    waiting = await StoredTable(people, "w" * 22, old).create(SIT)
    await StoredTable(people, "p" * 22, old).create(SIT, START)
    moved = await StoredTable(people, "m" * 22, old).create(
        SIT, START, (ADA, c.Act("a", 2, "left"))
    )
    young = await StoredTable(people, "y" * 22).create()
    for id, at in (("ada", 1), ("gone", old), ("new", NOW)):
        await people.store.add_person(PersonRow(id, id, is_bot=False), at)
    keep_all, month = Retention(0, 0), Retention(30, 30)
    assert await removable(people, keep_all, NOW) == await clean_up(people, keep_all, NOW)
    done = await clean_up(people, month, NOW)
    assert sorted(done.tables) == ["p" * 22, "w" * 22] and done.people == ["gone"]
    for table in (waiting.id, "p" * 22):
        assert await people.store.load(table) is None
    assert await people.store.load(moved.id) and await people.store.load(young.id)
    assert await people.store.person("gone") is None and await people.store.person("new")
    assert await people.tables_of("ben") == [moved.id], "nothing points to deleted tables"


async def test_a_table_that_somebody_comes_back_to_is_not_deleted(people, monkeypatch):
    old = NOW - 40 * DAY_MS
    table = await StoredTable(people, "w" * 22, old).create(SIT)
    real = people.store.delete_table

    async def delete_late(id, before):
        stored = await people.store.load(id)
        entry = e.encode(e.Said(at=NOW, by="ben", name="Ben", text="I am back"))
        summary = Summary("waiting", None, NOW, b"{}")
        assert await append(people.store, Change(id, len(stored.entries) + 1, entry, summary))
        await real(id, before)

    monkeypatch.setattr(people.store, "delete_table", delete_late)
    await clean_up(people, Retention(30, 0), NOW)
    loaded, _ = await table.load()
    assert [said.text for _, said in loaded.chat] == ["I am back"]
    assert await people.tables_of("ben") == [table.id]


async def test_a_person_who_comes_back_now_and_then_stays(people, identities):
    person = await identities.new("Ada", NOW - 100 * DAY_MS)
    await identities.new_session(person, "", NOW - 10 * DAY_MS)
    assert (await removable(people, Retention(0, 30), NOW)).people == []
    assert (await removable(people, Retention(0, 5), NOW)).people == [person.id]


async def test_expired_sessions_bans_and_closed_reports_are_deleted(people, identities):
    person = await identities.new("Ada", NOW)
    await identities.new_session(person, "", NOW - 91 * DAY_MS)
    await people.ban(BanRow("person", "eve", 1, NOW - 1, ""))
    await people.add_report(ReportRow(0, 1, "a", "b", "B", "", "chat", "", 2))
    await clean_up(people, Retention(0, 0), NOW)
    assert await people.sessions(person.id) == []
    assert await people.store.query("SELECT count(*) FROM bans") == [(0,)]
    assert await people.reports(closed=True, limit=9) == []
