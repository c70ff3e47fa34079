"""Undoing one's own action: until chance or another player acts."""

from souk.server.http.record_export import record_of
from souk.server.store import StoredTable
from souk.server.tables import commands as c
from souk.server.tables import entries as e
from souk.server.tables import views
from souk.server.tables.referee import action_entry
from souk.server.tables.table import Receipt
from tests.server.random_tables import ADA, BEN, COMPUTER, ME, OPEN, ask
from tests.server.test_agreements import begun, code

GAME = "marrakech(players=2,two_player=one-colour)"  # no chance follows a lay


def act(logged, text=None):
    """Let the player to move act; return their earlier position as clients saw it."""
    table = logged.table
    before = views.position_view(table)
    person = ADA if table.seats[table.mover].person == ADA.id else BEN
    text = text or table.state.action_to_string(table.state.legal_actions()[0])
    entry = ask(logged, person, c.Act(f"act {table.version}", table.version, text))
    assert isinstance(entry, e.Acted), entry
    logged.add(entry)
    return before


def undo(logged, person, version=None):
    """Return the outcome of an undo, which is applied if it is an entry."""
    version = logged.table.version if version is None else version
    outcome = ask(logged, person, c.Undo(f"undo {version}", version))
    if isinstance(outcome, e.Undone):
        logged.add(outcome)
    return outcome


def test_an_undone_lay_is_as_if_it_had_never_been():
    logged = begun(GAME, undo=True, seconds=60)
    act(logged, "ahead")  # and the die is rolled
    before = act(logged)
    assert views.position_view(logged.table).undo == 0
    logged.now += 5000
    entry = undo(logged, ADA)
    assert isinstance(entry, e.Undone) and logged.log[-1] is entry
    after = views.position_view(logged.table)
    assert after.version > before.version + 1, "no version comes twice"
    assert (after.position, after.legal, after.scores) == (
        before.position,
        before.legal,
        before.scores,
    )
    assert (after.mover, after.history_hash, after.undo) == (0, before.history_hash, None)
    assert after.deadline == before.deadline + 5000, "the clock goes on with the time that was left"
    stored = StoredTable(logged.table.config, [e.encode(one) for one in logged.log])
    assert len(record_of(stored)[1].actions) == len(logged.table.actions) == 2


def test_an_action_is_undone_until_chance_or_another_player_acts():
    logged = begun(GAME, undo=True)
    assert code(undo(logged, ADA)) == "not-possible", "nobody has acted"
    act(logged, "ahead")
    assert code(undo(logged, ADA)) == "not-possible", "the die was rolled"
    act(logged)
    assert code(undo(logged, BEN)) == "not-your-seat"
    assert code(undo(logged, ADA, logged.table.version - 1)) == "stale"
    act(logged, "ahead")
    assert code(undo(logged, ADA)) == "not-possible", "Ben has acted"
    act(logged)
    logged.add(ask(logged, BEN, c.Leave("leave", 1)))
    assert code(undo(logged, BEN)) == "not-possible", "the computer plays for Ben"


def test_a_choice_for_the_undone_position_is_not_taken_for_the_new_one():
    logged = begun(GAME, undo=True)
    act(logged, "ahead")
    act(logged)
    chosen_for = logged.table.version
    undo(logged, ADA)
    other = logged.table.state.action_to_string(logged.table.state.legal_actions()[1])
    act(logged, other)
    assert code(ask(logged, BEN, c.Act("late", chosen_for, "ahead"))) == "stale"


def test_an_undo_is_carried_out_once():
    logged = begun(GAME, undo=True)
    act(logged, "ahead")
    act(logged)
    version = logged.table.version
    undo(logged, ADA, version)
    assert isinstance(undo(logged, ADA, version), Receipt)


def at_a_long_turn(**config):
    """Return a game in which Ada is to move, and several of her actions come in a row."""
    logged = begun(
        "marracash(players=3)", (ADA, BEN), seats=[ME, OPEN, COMPUTER], undo=True, **config
    )
    table = logged.table
    while table.mover != 0 or table.state.to_dict()["round"] < 2:
        texts = [table.state.action_to_string(one) for one in table.state.legal_actions()]
        text = "pass" if "pass" in texts else texts[0]
        if table.mover == 2:
            logged.add(action_entry(table, 2, text, logged.now))
        else:
            act(logged, text)
    return logged


def test_thinking_costs_time_even_if_an_action_of_the_same_turn_is_undone():
    logged = at_a_long_turn(seconds=60)
    table = logged.table
    deadline = table.deadline()
    act(logged, table.state.action_to_string(table.state.legal_actions()[0]))
    assert table.mover == 0
    logged.now += 50_000
    undo(logged, ADA)
    assert table.deadline() == deadline, "or a turn could go on for ever"


def test_several_actions_of_one_turn_are_undone_one_by_one():
    logged = at_a_long_turn()
    table = logged.table
    views_before = []
    while table.mover == 0:
        moves = [table.state.action_to_string(one) for one in table.state.legal_actions()]
        views_before.append(act(logged, moves[0]))
    assert len(views_before) > 1
    for before in reversed(views_before):
        assert isinstance(undo(logged, ADA), e.Undone)
        assert views.position_view(table).position == before.position
    assert code(undo(logged, ADA)) == "not-possible"


def test_nothing_is_undone_at_a_table_without_undo_or_after_the_end():
    logged = begun(GAME, undo=False)
    act(logged, "ahead")
    act(logged)
    assert code(undo(logged, ADA)) == "not-possible"
    logged = begun("marrakech(players=2,rugs=1)", undo=True)
    while logged.table.status == "playing":
        act(logged)
    assert code(undo(logged, ADA)) == "over" and code(undo(logged, BEN)) == "over"
