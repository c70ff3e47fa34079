"""A stored game goes on by the rules that it was started with, whatever today's rules are."""

import pytest

from souk import records
from souk.engine.errors import SoukError
from souk.games.marrakech.game import Marrakech
from souk.records import fairness
from souk.server.http.record_export import record_of
from souk.server.store import StoredTable
from souk.server.tables import entries as e
from souk.server.tables.entries import decode_config, encode
from souk.server.tables.hosted_games import hosted_game
from souk.server.tables.new_table import new_table
from souk.server.tables.referee import action_entry
from souk.server.tables.request import Person
from souk.server.tables.table import Table
from souk.server.tables.table_request import MySeat, NewTable

ADA = Person("ada", "Ada")


def a_game():
    """Return the configuration and the log of a game that has just started."""
    request = NewTable(game="marrakech(players=2)", seats=[MySeat(kind="me")] * 2, start=True)
    config, entries = new_table(request, ADA, 1)
    return StoredTable(config, [e.encode(entry) for entry in entries])


@pytest.fixture
def new_rules(monkeypatch):
    """Marrakech with another default, which is version 2 of its rules."""

    def change(settings_of_version):
        before = Marrakech.default_settings
        monkeypatch.setattr(Marrakech, "rules_version", 2)
        changed = classmethod(lambda _, chosen: {**before(chosen), "dirhams": 50})
        monkeypatch.setattr(Marrakech, "default_settings", changed)
        if settings_of_version is not None:
            monkeypatch.setattr(Marrakech, "settings_of_version", classmethod(settings_of_version))
        hosted_game.cache_clear()

    yield change
    monkeypatch.undo()
    hosted_game.cache_clear()


def scores(stored):
    return record_of(stored)[0].state.scores()


def test_a_stored_game_stays_and_a_new_one_has_the_new_rules(new_rules):
    old = a_game()
    assert (old.config.rules, scores(old)) == (1, [30, 30])
    new_rules(lambda _, version, chosen: {"dirhams": 30, **chosen} if version == 1 else chosen)
    assert scores(old) == [30, 30]
    new = a_game()
    assert (new.config.rules, scores(new)) == (2, [50, 50])
    assert decode_config(encode(new.config)) == new.config
    table, record = record_of(old)
    assert "dirhams=30" in str(table.game) and record.game == table.game, "for bots and records"


def test_a_game_is_still_proven_when_the_rules_changed_in_the_middle(new_rules):
    old = a_game()
    table = play(old, 10)
    new_rules(lambda _, version, chosen: {"dirhams": 30, **chosen} if version == 1 else chosen)
    again = record_of(old)[0]
    assert again.history_hash == table.history_hash
    play(old, 10)
    old.entries.append(e.encode(e.Resigned(at=3, seat=0)))
    text = records.write(record_of(old)[1])
    read = records.read(text)
    verdict = fairness.verify(read, history_hashes=[table.history_hash])
    assert (verdict.problems, verdict.draws > 5) == ((), True)


def play(stored, moves):
    """Play on, and return the table."""
    table = record_of(stored)[0]
    for _ in range(moves):
        action = table.state.legal_actions()[0]
        entry = action_entry(table, table.mover, table.state.action_to_string(action), 2)
        table.apply(entry)
        stored.entries.append(e.encode(entry))
    return table


def test_rules_that_are_no_longer_played_are_refused_with_a_sentence(new_rules):
    old = a_game()
    new_rules(None)
    with pytest.raises(SoukError, match=r"stored with version 1 .* plays only version 2"):
        Table(old.config)


def test_tables_from_before_there_were_versions_have_the_first():
    raw = encode(a_game().config).replace(b',"rules":1', b"")
    assert b"rules" not in raw
    assert decode_config(raw).rules == 1
