"""What the host of a table can do about people: mute, remove, ban."""

import random

import msgspec
import pytest

from souk.server.tables import commands as c
from souk.server.tables import entries as e
from souk.server.tables import views
from tests.server.random_tables import ADA, BEN, CLEO, ME, OPEN, ask, playing, random_table


def waiting():
    """Return a table of Ada, with Ben in the second of three seats."""
    logged = random_table(random.Random(0), seats=[ME, OPEN, OPEN], game="marrakech(players=3)")
    logged.add(ask(logged, BEN, c.Sit("sit", 1)))
    return logged


def do(logged, person, command):
    entry = ask(logged, person, command)
    assert isinstance(entry, e.Entry), entry
    logged.add(entry)
    return msgspec.to_builtins(views.event_view(logged.table, entry))


def test_a_muted_person_cannot_write_until_the_host_allows_it_again():
    logged = waiting()
    event = do(logged, ADA, c.Mute("mute", BEN.id, True))
    assert event["kind"] == "muted" and (event["person"], event["name"]) == ("ben", "Ben")
    assert ask(logged, BEN, c.Say("say", "spam")).code == "muted"
    assert views.table_view(logged.table).muted == [views.NamedPerson("ben", "Ben")]
    assert ask(logged, ADA, c.Mute("again", BEN.id, True)).code == "not-possible"
    do(logged, ADA, c.Mute("unmute", BEN.id, False))
    do(logged, BEN, c.Say("say", "sorry"))


def test_a_removed_person_loses_the_seat_and_may_return_unless_banned():
    logged = waiting()
    event = do(logged, ADA, c.Kick("kick", BEN.id))
    assert (event["kind"], event["ban"]) == ("kicked", False)
    assert logged.table.seats[1].kind == "open"
    do(logged, BEN, c.Sit("sit again", 1))
    do(logged, ADA, c.Kick("ban", BEN.id, ban=True))
    assert views.table_view(logged.table).banned == [views.NamedPerson("ben", "Ben")]
    assert ask(logged, BEN, c.Sit("sit once more", 1)).code == "removed"
    assert ask(logged, BEN, c.Say("say", "unfair")).code == "removed"
    do(logged, ADA, c.Unban("unban", BEN.id))
    do(logged, BEN, c.Sit("sit at last", 1))


@pytest.mark.parametrize(
    "command",
    [
        c.Mute("m", "ben", True),
        c.Kick("k", "ben"),
        c.Kick("k", "ben", ban=True),
        c.Unban("u", "ben"),
    ],
)
def test_only_the_host_moderates_and_only_people_at_the_table(command):
    logged = waiting()
    assert ask(logged, CLEO, command).code == "not-the-host"
    stranger = msgspec.structs.replace(command, person="stranger")
    assert ask(logged, ADA, stranger).code == "no-such-person"
    themselves = msgspec.structs.replace(command, person=ADA.id)
    assert ask(logged, ADA, themselves).code == "not-possible"


def test_a_deputy_moderates_nobody():
    logged = waiting()
    logged.add(ask(logged, CLEO, c.Sit("sit", 2)))
    logged.add(e.Away(at=logged.now, seat=0))
    logged.now += 600_000
    assert ask(logged, BEN, c.Kick("kick", CLEO.id)).code == "not-the-host"
    assert ask(logged, BEN, c.Mute("mute", ADA.id, True)).code == "not-the-host"


def test_a_player_cannot_be_removed_during_the_game_but_a_watcher_can():
    logged = playing()
    assert ask(logged, ADA, c.Kick("kick", BEN.id, ban=True)).code == "not-possible"
    do(logged, CLEO, c.Say("say", "boo"))
    do(logged, ADA, c.Kick("ban", CLEO.id, ban=True))
    assert ask(logged, CLEO, c.Say("more", "boo")).code == "removed"


def test_a_line_can_be_removed_and_a_person_renamed():
    logged = waiting()
    line = do(logged, BEN, c.Say("say", "bad words"))["line"]["n"]
    do(logged, BEN, c.Say("say more", "good words"))
    logged.add(e.LineRemoved(at=logged.now, line=line))
    assert [said.text for _, said in logged.table.chat] == ["good words"]
    logged.add(e.Renamed(at=logged.now, person=BEN.id, name="Guest"))
    assert logged.table.seats[1].name == "Guest"
    assert [said.name for _, said in logged.table.chat] == ["Guest"]
    assert logged.table.lines[BEN.id] == 2


def test_moderation_cannot_fill_the_log_but_is_always_possible(monkeypatch):
    logged = waiting()
    monkeypatch.setattr("souk.server.tables.request.MAX_ENTRIES", 0)
    do(logged, ADA, c.Mute("mute", BEN.id, True))
    assert ask(logged, ADA, c.Mute("unmute", BEN.id, False)).code == "not-possible"
    assert ask(logged, ADA, c.Kick("kick", BEN.id)).code == "not-possible"
    do(logged, ADA, c.Kick("ban", BEN.id, ban=True))
