"""The referee: random tables, and the rules of leaving and time."""

import random
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from souk.engine.state import CHANCE, State
from souk.records.fairness import FairDice
from souk.server.tables import commands as c
from souk.server.tables import entries as e
from souk.server.tables import views
from souk.server.tables.commands import Code, Refusal
from souk.server.tables.new_table import new_table, rematch_request
from souk.server.tables.table import Receipt, Table
from souk.server.tables.table_request import NewTable
from tests.server.random_tables import (
    ADA,
    BEN,
    CLEO,
    COMPUTER,
    ME,
    OPEN,
    PEOPLE,
    ask,
    command,
    playing,
    random_commands,
    random_table,
)

seeds = st.integers(0, 2**32).map(random.Random)


def everything(table):
    """Return the whole state of a table, private parts included."""
    state = None if table.state is None else (list(table.state.buffer), table.state.history())
    rest = (table.n, table.version, table.seed, table.turn_since, table.takeover_due())
    rest += (dict(table.lines), dict(table.other_entries), dict(table.reconnects), table.deputy)
    rest += (table.deputy_due(), table.voters(), table.interrupted, table.hinted_version)
    rest += (dict(table.declined), table.is_abortable, repr(table.proposal), table.ended_by)
    rest += tuple(map(table.is_time_up, range(len(table.seats))))
    view = views.encode(views.welcome(table, 0))
    return view, state, dict(table.requests), repr(table.seats), rest


# ---- whatever happens ---------------------------------------------------------------------------


def test_random_tables_have_all_entries_and_refusals():
    kinds, codes, ends = set(), set(), set()
    for seed in range(90):
        pick = random.Random(seed)
        logged = random_table(pick)
        for _, _, outcome in random_commands(pick, logged, 120):
            codes.add(outcome.code if isinstance(outcome, Refusal) else None)
        kinds |= {type(entry).__name__ for entry in logged.log}
        ends.add(
            (
                logged.table.status,
                logged.table.state is not None and logged.table.state.is_terminal(),
            )
        )
    not_by_players = {"Rematched", "LineRemoved", "Renamed"}
    assert kinds == {kind.__name__ for kind in get_args(e.AnyEntry)} - not_by_players
    assert {"stale", "illegal", "not-your-turn", "over", "seats-open", "not-possible"} <= codes
    assert "request-used" in codes
    assert ends >= {("playing", False), ("over", False), ("over", True)}


@settings(max_examples=25)
@given(seeds)
def test_every_command_becomes_an_entry_or_a_refusal_with_a_sentence(pick):
    logged = random_table(pick)
    for person, sent, outcome in random_commands(pick, logged, 80):
        if isinstance(outcome, Refusal):
            assert outcome.code in get_args(Code)
            assert outcome.sentence.endswith(".") and not outcome.sentence.endswith("..")
            assert outcome.sentence[0].isupper() or outcome.code == "illegal"
        elif not isinstance(outcome, Receipt):
            assert isinstance(outcome, e.AnyEntry)
            assert (outcome.at, outcome.by) == (logged.now, person.id)
            assert outcome.request == sent.request


@settings(max_examples=25)
@given(seeds)
def test_decide_does_not_change_the_table(pick):
    logged = random_table(pick)
    for step, _ in enumerate(random_commands(pick, logged, 50)):
        if step % 3 == 0:
            before = everything(logged.table)
            for person in (ADA, BEN, CLEO):
                ask(logged, person, command(pick, logged.table))
            assert everything(logged.table) == before


@settings(max_examples=25)
@given(seeds)
def test_stored_entries_give_the_same_table(pick):
    logged = random_table(pick)
    for _ in random_commands(pick, logged, 80):
        pass
    config = e.decode_config(e.encode(logged.table.config))
    again = Table(config)
    for entry in logged.log:
        read = e.decode_entry(e.encode(entry))
        assert read == entry
        again.apply(read)
        views.event_view(again, read)
    assert config == logged.table.config
    assert everything(again) == everything(logged.table)
    if again.state is not None:
        state = State(again.game, list(again.start))
        for action in again.actions:
            state.apply_action(action)
        assert state.to_dict() == again.state.to_dict()


@settings(max_examples=25)
@given(seeds)
def test_chance_is_always_what_the_fair_dice_give(pick):
    logged = random_table(pick, seats=None)
    for _ in random_commands(pick, logged, 100):
        pass
    words, texts, seed = [""] * len(logged.table.seats), [], None
    for entry in logged.log:
        if isinstance(entry, e.WordsAdded):
            words[entry.seat] = entry.words
        if isinstance(entry, e.Sat | e.Left | e.Assigned):
            words[entry.seat] = ""
        if isinstance(entry, e.Started):
            seed, texts = entry.seed, list(entry.chance)
        if isinstance(entry, e.Acted):
            texts += (entry.action, *entry.chance)
        if isinstance(entry, e.Undone):
            texts.pop()
    if seed is None:
        return
    dice = FairDice(logged.table.config.secret, logged.table.game, words)
    state = logged.table.game.new_initial_state(seed)
    assert seed == dice.seed()
    for step, text in enumerate(texts):
        action = state.string_to_action(text)
        if state.current_player() == CHANCE:
            assert action == dice.draw(state, step)
        state.apply_action(action)
    assert state.current_player() != CHANCE, "nobody waits for dice"
    assert state.to_dict() == logged.table.state.to_dict()


@settings(max_examples=25)
@given(seeds)
def test_a_repeated_command_gets_the_same_answer_and_acts_once(pick):
    logged = random_table(pick)
    request = []
    for person, sent, outcome in random_commands(pick, logged, 80):
        for who, what, done in request[-10:]:
            assert ask(logged, who, what) == done
        if not isinstance(outcome, Refusal | Receipt):
            n = logged.table.n + 1
            after = len(getattr(outcome, "chance", ())) + isinstance(outcome, e.Acted | e.Undone)
            request.append((person, sent, Receipt(n, logged.table.version + after)))
    requests = [(entry.by, entry.request) for entry in logged.log if entry.request]
    assert len(set(requests)) == len(requests)


@settings(max_examples=25)
@given(seeds)
def test_the_same_request_name_of_another_person_is_another_request(pick):
    logged = random_table(pick, seats=[OPEN] * 2, game="marrakech(players=2)")
    logged.add(ask(logged, ADA, c.Sit("same", 0)))
    entry = ask(logged, BEN, c.Sit("same", 1))
    assert isinstance(entry, e.Sat) and entry.person == "ben"


@settings(max_examples=25)
@given(seeds)
def test_only_owners_act_and_only_when_it_is_their_turn(pick):
    logged = random_table(pick)
    for person, sent, outcome in random_commands(pick, logged, 80):
        if isinstance(outcome, e.Acted):
            seat = logged.table.seats[outcome.seat]
            assert outcome.seat == logged.table.mover and not outcome.computer
            assert seat.person == person.id and not seat.is_played_by_computer
        is_replaced = isinstance(outcome, e.TakenOver) and outcome.why == "stalled"
        if isinstance(outcome, e.Forfeited) or is_replaced:
            assert logged.table.seats[sent.seat].person != person.id
        elif isinstance(outcome, e.Left | e.WordsAdded | e.Resigned | e.TakenBack | e.TakenOver):
            assert logged.table.seats[sent.seat].person == person.id
        if isinstance(outcome, e.Started | e.Assigned | e.Chat):
            assert person.id in (logged.table.config.host, logged.table.deputy)


# ---- leaving, time and giving up ----------------------------------------------------------------


def test_time_runs_for_a_turn_and_not_for_each_action_of_it():
    logged = playing(seconds=60, absent="at-once")
    assert logged.table.deadline() == 1_060_000 and logged.table.takeover_due() == (
        1_060_000,
        "time",
    )
    logged.now += 40_000
    logged.add(ask(logged, ADA, c.Act("1", logged.table.version, "left")))
    while logged.table.mover == 0:
        assert logged.table.deadline() == 1_060_000, "still the same turn"
        action = logged.table.state.action_to_string(logged.table.state.legal_actions()[0])
        logged.add(ask(logged, ADA, c.Act(action, logged.table.version, action)))
    assert logged.table.deadline() == 1_100_000, "the other's turn began at 1,040,000"


@pytest.mark.parametrize(
    ("absent", "due"), [("at-once", 1_005_000), ("grace", 1_012_000), ("never", None)]
)
def test_the_computer_takes_over_for_absent_players_at_once_after_a_while_or_never(absent, due):
    logged = playing(seconds=None, absent=absent, grace=7)
    assert logged.table.takeover_due() is None
    logged.add(e.Away(at=1_005_000, seat=0))
    assert logged.table.takeover_due() == (None if due is None else (due, "away"))
    logged.add(e.Here(at=1_006_000, seat=0))
    assert logged.table.takeover_due() is None
    logged.add(e.Away(at=1_005_000, seat=1))
    assert logged.table.takeover_due() is None, "it is not Ben's turn"


def test_the_takeover_is_due_at_the_earlier_of_absence_and_deadline():
    logged = playing(seconds=60, absent="grace", grace=10)
    assert logged.table.takeover_due() == (1_070_000, "time")
    logged.add(e.Away(at=1_005_000, seat=0))
    assert logged.table.takeover_due() == (1_015_000, "away")


def test_a_seat_that_was_lost_by_being_away_is_taken_back():
    logged = playing(seconds=60, absent="at-once")
    logged.add(e.Away(at=1_005_000, seat=0))
    logged.add(e.TakenOver(at=1_005_000, seat=0, why="away"))
    logged.now = 1_030_000
    refusal = ask(logged, ADA, c.Act("1", logged.table.version, "left"))
    assert refusal.code == "not-your-turn" and "take your seat back" in refusal.sentence
    assert ask(logged, BEN, c.TakeBack("2", 0)).code == "not-your-seat"
    assert ask(logged, ADA, c.Leave("3", 0)).code == "not-possible"
    logged.add(ask(logged, ADA, c.TakeBack("4", 0)))
    assert logged.table.deadline() == 1_060_000
    assert logged.table.takeover_due() == (1_060_000, "time"), "who takes a seat back is there"
    assert ask(logged, ADA, c.TakeBack("5", 0)).code == "not-possible"
    assert isinstance(ask(logged, ADA, c.Act("6", logged.table.version, "left")), e.Acted)


@settings(max_examples=25)
@given(seeds)
def test_time_for_a_turn_is_up_once(pick):
    logged = random_table(pick, seconds=5, absent="at-once")
    for _ in random_commands(pick, logged, 120):
        if logged.table.mover is not None and logged.table.seats[logged.table.mover].takeover:
            owner = next(p for p in PEOPLE if p.id == logged.table.seats[logged.table.mover].person)
            entry = ask(logged, owner, c.TakeBack(f"back {logged.table.n}", logged.table.mover))
            if isinstance(entry, e.TakenBack):
                logged.add(entry)
    table, late = Table(logged.table.config), None
    for entry in logged.log:
        if isinstance(entry, e.TakenOver) and entry.why == "time":
            assert late is None, "it was up already"
            late = table.mover, table.game.turn_number(table.state.buffer)
        table.apply(entry)
        if late and late != (table.mover, table.game.turn_number(table.state.buffer)):
            late = None


def test_a_player_who_resigned_cannot_come_back():
    logged = random_table(random.Random(0), seats=[ME, OPEN, OPEN], game="marrakech(players=3)")
    logged.add(ask(logged, BEN, c.Sit("s", 1)))
    logged.add(ask(logged, CLEO, c.Sit("s", 2)))
    logged.add(ask(logged, ADA, c.Start("start")))
    logged.add(ask(logged, ADA, c.Resign("r", 0)))
    assert logged.table.status == "playing" and logged.table.seats[0].is_played_by_computer
    assert ask(logged, ADA, c.Resign("r2", 0)).code == "not-possible"
    assert ask(logged, ADA, c.TakeBack("t", 0)).code == "not-possible"
    assert ask(logged, ADA, c.Act("a", logged.table.version, "left")).code == "not-your-turn"
    logged.add(ask(logged, CLEO, c.Resign("r", 2)))
    assert logged.table.status == "over" and logged.table.mover is None
    result = views.result_view(logged.table)
    assert (result.how, result.ranking, result.returns) == ("resigned", [[1], [0, 2]], [0, 1, 0])
    for sent in (c.Act("x", logged.table.version, "left"), c.Resign("y", 1), c.Leave("z", 1)):
        assert ask(logged, BEN, sent).code == "over"


def test_a_game_without_people_is_over():
    seats = [ME, COMPUTER, COMPUTER]
    logged = random_table(random.Random(0), seats=seats, game="marrakech(players=3)")
    logged.add(ask(logged, ADA, c.Start("start")))
    logged.add(ask(logged, ADA, c.Resign("r", 0)))
    assert logged.table.status == "over"
    assert views.result_view(logged.table).returns == [0, 0.5, 0.5]


def test_another_spelling_of_a_lay_is_stored_as_its_own_text():
    logged = random_table(random.Random(0), seats=[ME, ME], game="marrakech(players=2,rugs=1)")
    logged.add(ask(logged, ADA, c.Start("start")))
    logged.add(ask(logged, ADA, c.Act("turn", logged.table.version, "left")))
    place = logged.table.state.action_to_string(logged.table.state.legal_actions()[0])
    spelling = f"{place[2:]}-{place[:2]}"
    entry = ask(logged, ADA, c.Act("lay", logged.table.version, spelling))
    assert entry.action == place


def test_a_rematch_has_the_longest_game_string_too():
    game = (
        "marrakech(players=2,edition=pergioco,dirhams=999999,rugs=999,two_player=two-colour,"
        "pile=open,cannot_pay=plays-on,full_tie=draw,start_facing=W,first=1,turn_last=True,"
        "cover_own=True)"
    )
    config, first = new_table(NewTable(game=game, seats=[ME, ME], start=True), ADA, 0)
    table = Table(config)
    for entry in first:
        table.apply(entry)
    with pytest.raises(Refusal, match="not over"):
        rematch_request(table, ADA)
    table.apply(e.Resigned(at=0, seat=0))
    table.apply(e.Resigned(at=0, seat=1))
    assert rematch_request(table, ADA).game == config.game
    with pytest.raises(Refusal, match="Only players of this game"):
        rematch_request(table, BEN)
