"""Rules that people might try to bend: clock, resignation, request names, full logs."""

import random

import pytest

from souk import records
from souk.engine.state import State
from souk.games.marrakech.game import Marrakech
from souk.server.http.record_export import record_text
from souk.server.store import StoredTable
from souk.server.tables import commands as c
from souk.server.tables import entries as e
from souk.server.tables import views
from souk.server.tables.commands import Refusal
from souk.server.tables.referee import action_entry, presence_entry
from souk.server.tables.request import Person
from souk.server.tables.table import Receipt, Table
from tests.server.random_tables import (
    ADA,
    BEN,
    CLEO,
    COMPUTER,
    ME,
    OPEN,
    LoggedTable,
    ask,
    playing,
    random_table,
)

THREE = "marrakech(players=3,rugs=2)"


def rebuild(logged):
    """Return the same table, built from its stored entries."""
    again = LoggedTable(Table(logged.table.config), [], logged.now)
    for entry in logged.log:
        again.add(e.decode_entry(e.encode(entry)))
    return again


# ---- the clock ----------------------------------------------------------------------------------


def test_a_player_who_leaves_and_comes_back_gets_no_new_time():
    logged = playing(seconds=60, absent="at-once")
    logged.now += 50_000
    logged.add(ask(logged, ADA, c.Leave("leave", 0)))
    logged.add(ask(logged, ADA, c.TakeBack("back", 0)))
    assert logged.table.seats[0].takeover is None
    assert logged.table.deadline() == 1_060_000


def test_a_player_who_was_away_and_comes_back_gets_no_new_time():
    logged = playing(seconds=60, absent="at-once")
    logged.add(e.Away(at=1_005_000, seat=0))
    logged.add(e.TakenOver(at=1_005_000, seat=0, why="away"))
    logged.add(e.Here(at=1_050_000, seat=0))
    logged.now = 1_050_000
    logged.add(ask(logged, ADA, c.TakeBack("back", 0)))
    assert logged.table.deadline() == 1_060_000


def play_on(logged, seat):
    """Let the computer play until a seat is no longer to move."""
    table = logged.table
    while table.mover == seat:
        text = table.state.action_to_string(table.state.legal_actions()[0])
        logged.add(action_entry(table, seat, text, logged.now))


@pytest.mark.parametrize("absent", ["at-once", "grace"])
@pytest.mark.parametrize("after", [lambda logged: logged, rebuild], ids=["at once", "restarted"])
def test_a_player_who_ran_out_of_time_has_the_full_time_in_the_next_turn(absent, after):
    logged = playing(seconds=60, absent=absent, grace=1)
    logged.now, why = logged.table.takeover_due()
    logged.add(e.TakenOver(at=logged.now, seat=0, why=why))
    logged = after(logged)
    refusal = ask(logged, ADA, c.TakeBack("back", 0))
    assert refusal.code == "not-your-turn" and "next turn" in refusal.sentence
    logged.add(action_entry(logged.table, 0, "left", logged.now))
    assert logged.table.mover == 0, "a rug is still to be laid"
    assert isinstance(ask(after(logged), ADA, c.TakeBack("back", 0)), Refusal), "in the same turn"
    play_on(logged, 0)
    ours = ask(logged, ADA, c.TakeBack("back", 0))
    assert isinstance(ours, e.TakenBack), "while the other plays"
    play_on(logged, 1)
    logged.add(ask(logged, ADA, c.TakeBack("back", 0)))
    assert logged.table.deadline() == logged.now + 60_000
    assert isinstance(ask(logged, ADA, c.Act("1", logged.table.version, "left")), e.Acted)


def test_a_player_may_run_out_of_time_again_in_the_next_turn():
    logged = playing(seconds=60, absent="at-once")
    logged.now = 1_060_000
    logged.add(e.TakenOver(at=logged.now, seat=0, why="time"))
    play_on(logged, 0)
    logged.add(ask(logged, ADA, c.TakeBack("back", 0)))
    play_on(logged, 1)
    logged.now, why = logged.table.takeover_due()
    logged.add(e.TakenOver(at=logged.now, seat=0, why=why))
    assert ask(logged, ADA, c.TakeBack("again", 0)).code == "not-your-turn"
    play_on(logged, 0)
    assert isinstance(ask(logged, ADA, c.TakeBack("again", 0)), e.TakenBack)


# ---- a host who is not there --------------------------------------------------------------------


def waiting():
    """Ada's table of three: she and Ben sit there."""
    logged = random_table(random.Random(0), seats=[ME, OPEN, OPEN], game=THREE, absent="grace")
    logged.add(ask(logged, BEN, c.Sit("sit", 1)))
    return logged


def may_host(logged, person):
    """Return whether a person may act as host."""
    sent = (c.Assign("p", 2, "random"), c.Chat("c", False), c.Start("s"))
    answers = [ask(logged, person, one) for one in sent]
    codes = [one.code if isinstance(one, Refusal) else None for one in answers]
    assert codes in ([None, None, "seats-open"], ["not-the-host"] * 3), codes
    return codes[0] is None


def test_there_is_no_deputy_while_the_host_is_present():
    logged = waiting()
    assert logged.table.deputy is None and may_host(logged, ADA) and not may_host(logged, BEN)
    logged.add(e.Away(at=logged.now, seat=1))
    assert logged.table.deputy is None and not may_host(logged, BEN)


def deputise(logged, seconds=60):
    """Let time pass, and add the entry of a deputy if that is due."""
    logged.now += 1000 * seconds
    due = logged.table.deputy_due()
    if due is not None and due[0] <= logged.now:
        logged.add(e.Deputised(at=logged.now, seat=due[1]))
    return logged.table.deputy


def test_after_a_minute_without_the_host_the_lowest_seat_s_person_stands_in():
    logged = waiting()
    dan = Person("dan", "Dan")
    logged.add(ask(logged, dan, c.Sit("sit", 2)))
    logged.add(e.Away(at=logged.now, seat=0))
    assert deputise(logged, 59) is None and ask(logged, BEN, c.Start("s")).code == "not-the-host"
    assert deputise(logged, 1) == views.table_view(logged.table).deputy == "ben"
    assert logged.table.config.host == views.table_view(logged.table).host == "ada"
    logged.add(e.Away(at=logged.now, seat=1))
    assert deputise(logged, 59) == "ben", "a deputy has a minute too"
    assert deputise(logged, 1) == "dan"
    logged.add(e.Here(at=logged.now, seat=1))
    assert deputise(logged) == "dan"
    logged.add(ask(logged, dan, c.Leave("up", 2)))
    assert logged.table.deputy is None and deputise(logged, 60) == "ben"
    logged.add(e.Here(at=logged.now, seat=0))
    assert logged.table.deputy is None and deputise(logged) is None


def test_a_deputy_fills_open_seats_but_takes_none_from_a_person():
    logged = waiting()
    logged.add(ask(logged, CLEO, c.Sit("sit", 2)))
    logged.add(e.Away(at=logged.now, seat=0))
    assert deputise(logged) == "ben"
    for seat in (0, 1, 2):
        for level in (None, "random"):
            refusal = ask(logged, BEN, c.Assign("p", seat, level))
            assert refusal.code == "not-the-host" and "take the seat from" in refusal.sentence
    assert isinstance(ask(logged, ADA, c.Assign("p", 1, None)), e.Assigned), "the host may"
    logged.add(ask(logged, CLEO, c.Leave("up", 2)))
    logged.add(ask(logged, BEN, c.Assign("p", 2, "random")))
    logged.add(ask(logged, BEN, c.Assign("q", 2, None)))
    logged.add(ask(logged, BEN, c.Assign("r", 2, "random")))
    assert isinstance(ask(logged, BEN, c.Start("s")), e.Started)


def test_a_host_who_left_the_seat_can_be_replaced_and_may_come_back():
    logged = waiting()
    logged.add(ask(logged, ADA, c.Leave("leave", 0)))
    assert not may_host(logged, BEN) and deputise(logged) == "ben"
    assert may_host(logged, BEN) and may_host(logged, ADA), "she may still watch, and start"
    assert not may_host(logged, CLEO)
    logged.add(ask(logged, CLEO, c.Sit("sit", 0)))
    assert logged.table.deputy == "ben", (
        "a program waits for people, though it sits in a lower seat"
    )
    logged.add(ask(logged, BEN, c.Assign("p", 2, "random")))
    logged.add(ask(logged, BEN, c.Start("start")))
    assert logged.table.status == "playing" and logged.table.deputy is None
    assert ask(logged, BEN, c.Chat("off", False)).code == "not-the-host", "that was for the start"
    assert isinstance(ask(logged, ADA, c.Chat("off", False)), e.Chat)


def test_what_a_deputy_did_is_acknowledged_again_when_the_host_is_back():
    logged = waiting()
    logged.add(e.Away(at=logged.now, seat=0))
    deputise(logged)
    logged.add(ask(logged, BEN, c.Assign("p", 2, "random")))
    logged.add(e.Here(at=logged.now, seat=0))
    assert isinstance(ask(logged, BEN, c.Assign("p", 2, "random")), Receipt)
    assert ask(logged, BEN, c.Assign("q", 2, None)).code == "not-the-host"


# ---- giving up ----------------------------------------------------------------------------------


def three_player_game(pick, resigned, game=THREE, computers=()):
    """A game of three that is played to its end after some of them resigned."""
    logged = random_table(pick, seats=[ME, OPEN, OPEN, *computers], game=game, seconds=None)
    logged.add(ask(logged, BEN, c.Sit("sit", 1)))
    logged.add(ask(logged, CLEO, c.Sit("sit", 2)))
    logged.add(ask(logged, ADA, c.Start("start")))
    for seat in resigned:
        logged.add(ask(logged, (ADA, BEN, CLEO)[seat], c.Resign("resign", seat)))
    table = logged.table
    while table.mover is not None:
        action = pick.choice(table.state.legal_actions())
        logged.add(
            action_entry(table, table.mover, table.state.action_to_string(action), logged.now)
        )
    return logged


def test_a_player_who_resigned_does_not_win_even_if_the_computer_does():
    winners = set()
    for seed in range(12):
        logged = three_player_game(random.Random(seed), [0])
        result, rules = views.result_view(logged.table), logged.table.state.ranking()
        left = [[seat for seat in group if seat != 0] for group in rules]
        winners |= set(rules[0])
        assert result.how == "played" and result.scores == logged.table.state.scores()
        assert result.ranking == [*filter(None, left), [0]]
        best = result.ranking[0]
        assert result.returns == [1 / len(best) if seat in best else 0 for seat in range(3)]
        if len(best) == 1:
            assert result.text == f"seat {best[0] + 1} wins, seat 1 resigned"
        else:
            assert result.text == "seats 2 and 3 share the win, seat 1 resigned"
    assert 0 in winners, "or nothing was shown"


def test_those_who_are_left_share_a_tie(monkeypatch):
    logged = three_player_game(random.Random(0), [1])
    monkeypatch.setattr(State, "ranking", lambda _: [[0, 1, 2]])
    result = views.result_view(logged.table)
    assert (result.ranking, result.returns) == ([[0, 2], [1]], [0.5, 0, 0.5])
    assert result.text == "seats 1 and 3 share the win, seat 2 resigned"


def test_a_tie_without_a_winner_is_drawn(monkeypatch):
    monkeypatch.setattr(State, "ranking", lambda _: [[0, 1, 2]])
    monkeypatch.setattr(Marrakech, "has_draws", lambda _: True)
    result = views.result_view(three_player_game(random.Random(0), []).table)
    assert (result.how, result.text) == ("drawn", "draw")
    result = views.result_view(three_player_game(random.Random(0), [1]).table)
    assert (result.how, result.text) == ("drawn", "draw, seat 2 resigned")
    assert (result.ranking, result.returns) == ([[0, 2], [1]], [0.5, 0, 0.5])


def test_a_draw_pays_only_the_tied_leaders_of_those_who_are_left(monkeypatch):
    logged = three_player_game(
        random.Random(0), [1], "marrakech(players=4,edition=pergioco,rugs=2)", [COMPUTER]
    )
    monkeypatch.setattr(State, "ranking", lambda _: [[0, 1, 2], [3]])
    monkeypatch.setattr(Marrakech, "has_draws", lambda _: True)
    result = views.result_view(logged.table)
    assert (result.how, result.ranking) == ("drawn", [[0, 2], [3], [1]])
    assert result.returns == [0.5, 0, 0.5, 0]
    monkeypatch.setattr(State, "ranking", lambda _: [[1], [0, 2], [3]])  # the leader has resigned
    result = views.result_view(logged.table)
    assert (result.how, result.ranking) == ("drawn", [[0, 2], [3], [1]])


def test_without_resignations_the_result_is_that_of_the_rules():
    logged = three_player_game(random.Random(1), [])
    result, state = views.result_view(logged.table), logged.table.state
    assert (result.ranking, result.returns) == (state.ranking(), state.returns())
    assert "resigned" not in result.text


@pytest.mark.parametrize(("resigned", "ended"), [([0], "seat 1 resigned"), ([], None)])
def test_the_record_says_who_resigned_and_follows_the_rules_otherwise(resigned, ended):
    logged = three_player_game(random.Random(2), resigned)
    text = record_text(StoredTable(logged.table.config, [e.encode(entry) for entry in logged.log]))
    read = records.read(text)
    assert read.extra.get("ended") == ended
    assert records.write(read) == text
    assert f"result: {records.record.format_result(logged.table.state)}\n" in text


# ---- the names of requests ----------------------------------------------------------------------


def pairs():
    """Return tables with a request, its command, and other commands of the same name."""
    waiting = random_table(random.Random(0), seats=[ME, OPEN, OPEN], game=THREE, absent="grace")
    begun = playing(absent="grace")
    left = playing(absent="grace")
    left.add(ask(left, ADA, c.Leave("leave", 0)))
    version = begun.table.version
    return [
        (waiting, c.Sit("x", 1, " Zoë "), [c.Sit("x", 2), c.Sit("x", 1, "Ada"), c.Leave("x", 1)]),
        (waiting, c.Leave("x", 0), [c.Leave("x", 1), c.Sit("x", 0), c.TakeBack("x", 0)]),
        (waiting, c.Assign("x", 1, None), [c.Assign("x", 1, "no"), c.Assign("x", 2, None)]),
        (waiting, c.Words("x", 0, "a  b"), [c.Words("x", 0, "ab"), c.Words("x", 1, "a b")]),
        (waiting, c.Say("x", "hello\n"), [c.Say("x", "hell"), c.Start("x")]),
        (waiting, c.Chat("x", False), [c.Chat("x", True), c.Say("x", "false")]),
        (begun, c.Leave("x", 0), [c.Leave("x", 1), c.Resign("x", 0)]),
        (begun, c.Resign("x", 0), [c.Resign("x", 1), c.Leave("x", 0)]),
        (left, c.TakeBack("x", 0), [c.TakeBack("x", 1), c.Resign("x", 0)]),
        (
            begun,
            c.Act("x", version, "left"),
            [c.Act("x", version, "right"), c.Act("x", version + 2, "left"), c.Resign("x", 0)],
        ),
    ]


@pytest.mark.parametrize("number", range(len(pairs())))
@pytest.mark.parametrize("after", [lambda logged: logged, rebuild], ids=["at once", "restarted"])
def test_a_name_that_was_used_is_refused_for_something_else(number, after):
    logged, first, others = pairs()[number]
    logged.add(ask(logged, ADA, first))
    done = Receipt(logged.table.n, logged.table.version)
    logged = after(logged)
    assert ask(logged, ADA, first) == done
    for other in others:
        refusal = ask(logged, ADA, other)
        assert isinstance(refusal, Refusal) and refusal.code == "request-used", other
    assert ask(logged, ADA, first) == done


def test_the_start_is_acknowledged_again():
    logged = playing()
    assert isinstance(ask(logged, ADA, c.Start("start")), Receipt)
    assert ask(logged, ADA, c.Chat("start", False)).code == "request-used"


def test_a_repeated_sit_is_the_same_request_after_a_change_of_name():
    logged = playing()
    renamed = Person(BEN.id, "Benjamin")
    assert isinstance(ask(logged, renamed, c.Sit("sit", 1)), Receipt)


# ---- full logs ----------------------------------------------------------------------------------


def fill(logged, person, commands):
    """Send commands until one is refused; return their number and the refusal."""
    count = 0
    while not isinstance(outcome := ask(logged, person, commands(count)), Refusal):
        logged.add(outcome)
        count += 1
    return count, outcome


def test_chat_cannot_fill_the_log(monkeypatch):
    monkeypatch.setattr("souk.server.tables.chat.MAX_LINES", 30)
    logged = random_table(random.Random(0), seats=[ME, OPEN], game="marrakech(players=2)")
    count, refusal = fill(logged, BEN, lambda n: c.Say(str(n), "and"))
    assert (count, refusal.code) == (30, "not-possible")
    assert isinstance(ask(logged, BEN, c.Say("29", "and")), Receipt), "what was done stays done"
    assert isinstance(ask(rebuild(logged), BEN, c.Say("more", "and")), Refusal)
    logged.add(ask(logged, ADA, c.Say("a", "others go on")))
    logged.add(ask(logged, BEN, c.Sit("sit", 1)))
    logged.add(ask(logged, ADA, c.Start("start")))
    assert isinstance(ask(logged, ADA, c.Act("act", logged.table.version, "left")), e.Acted)
    assert isinstance(ask(logged, ADA, c.Chat("off", False)), e.Chat)


@pytest.mark.parametrize(
    "commands",
    [
        lambda n: (c.Leave, c.Sit)[n % 2](str(n), 0),
        lambda n: c.Assign(str(n), 1, None),
        lambda n: c.Words(str(n), 0, "more"),
        lambda n: c.Chat(str(n), n % 2 == 1),
    ],
    ids=["sitting", "placing", "words", "chat"],
)
def test_commands_before_the_start_cannot_fill_the_log(monkeypatch, commands):
    monkeypatch.setattr("souk.server.tables.request.MAX_ENTRIES", 30)
    logged = random_table(random.Random(0), seats=[ME, OPEN], game="marrakech(players=2)")
    count, refusal = fill(logged, ADA, commands)
    assert 30 <= count <= 31 and refusal.code == "not-possible"
    if logged.table.chat_open:
        assert isinstance(ask(logged, ADA, c.Say("say", "still here")), e.Said)


def strangers(number):
    return [Person(f"eve{n}", "Eve") for n in range(number)]


@pytest.mark.parametrize("after", [lambda logged: logged, rebuild], ids=["at once", "restarted"])
def test_strangers_who_sit_and_leave_cannot_use_up_what_others_need(after):
    """Ten identities filled the log of a table: then its host could not sit, add words or start."""
    logged = random_table(random.Random(0), seats=[OPEN, OPEN, OPEN], game=THREE)
    logged.add(ask(logged, BEN, c.Sit("ben", 1)))
    counts = [
        fill(logged, eve, lambda n: (c.Sit, c.Leave)[n % 2](str(n), 2))[0] for eve in strangers(12)
    ]
    assert len(counts) * 50 < sum(counts) < 4000
    logged = after(logged)
    assert ask(logged, strangers(1)[0], c.Sit("again", 2)).code == "not-possible"
    logged.add(ask(logged, BEN, c.Words("words", 1, "mine")))
    logged.add(ask(logged, ADA, c.Sit("host", 0)))
    logged.add(ask(logged, ADA, c.Words("words", 0, "mine too")))
    logged.add(ask(logged, ADA, c.Assign("computer", 2, "greedy")))
    assert isinstance(ask(logged, ADA, c.Start("start")), e.Started)


def test_any_number_of_strangers_is_bounded_but_not_the_host_nor_those_who_sit(monkeypatch):
    monkeypatch.setattr("souk.server.tables.referee.MAX_GUEST_ENTRIES", 40)
    monkeypatch.setattr("souk.server.tables.chat.MAX_GUEST_LINES", 40)
    logged = random_table(random.Random(0), seats=[OPEN, OPEN, OPEN], game=THREE)
    logged.add(ask(logged, BEN, c.Sit("ben", 1)))
    for eve in strangers(40):
        for command in (c.Sit("sit", 2), c.Leave("leave", 2), c.Say("1", "and"), c.Say("2", "and")):
            outcome = ask(logged, eve, command)
            if not isinstance(outcome, Refusal):
                logged.add(outcome)
    assert len(logged.log) < 90
    assert ask(logged, eve, c.Sit("more", 2)).sentence == (
        "This table has reached its limit of changes by guests."
    )
    assert ask(logged, eve, c.Say("more", "and")).sentence == "The chat of this table is full."
    for one, command in (
        (ADA, c.Sit("host", 0)),
        (BEN, c.Words("w", 1, "my words")),
        (BEN, c.Say("say", "still here")),
        (ADA, c.Say("say", "so am I")),
        (ADA, c.Assign("a", 2, "random")),
        (ADA, c.Start("start")),
    ):
        logged.add(ask(logged, one, command))


def test_leaving_and_coming_back_cannot_fill_the_log_nor_block_play(monkeypatch):
    monkeypatch.setattr("souk.server.tables.request.MAX_ENTRIES", 31)
    logged = playing(seconds=60, absent="at-once")
    count, refusal = fill(logged, BEN, lambda n: (c.Leave, c.TakeBack)[n % 2](str(n), 1))
    assert 30 <= count <= 31 and refusal.code == "not-possible"
    assert logged.table.seats[1].takeover is None, "nobody is prevented from coming back"
    logged.add(e.TakenOver(at=1_050_000, seat=0, why="away"))
    logged.add(ask(logged, ADA, c.TakeBack("back", 0)))
    assert isinstance(ask(logged, ADA, c.Act("act", logged.table.version, "left")), e.Acted)
    assert isinstance(ask(logged, BEN, c.Resign("resign", 1)), e.Resigned)


def test_the_host_can_always_switch_the_chat_off_but_not_endlessly_on_and_off(monkeypatch):
    monkeypatch.setattr("souk.server.tables.request.MAX_ENTRIES", 0)
    logged = random_table(random.Random(0), seats=[ME, ME], game="marrakech(players=2)")
    logged.add(ask(logged, ADA, c.Chat("off", False)))
    assert not logged.table.chat_open
    assert ask(logged, ADA, c.Chat("again", False)).code == "not-possible"
    assert ask(logged, ADA, c.Chat("on", True)).code == "not-possible"


def flap(logged, seat, times):
    """Simulate an unstable connection; return the logged entries."""
    before = len(logged.log)
    for _ in range(times):
        for is_there in (False, True):
            entry = presence_entry(logged.table, seat, logged.now, is_connected=is_there)
            if entry is not None:
                logged.add(entry)
    return len(logged.log) - before


@pytest.mark.parametrize("after", [lambda logged: logged, rebuild], ids=["at once", "restarted"])
def test_an_unstable_connection_cannot_fill_the_log(monkeypatch, after):
    monkeypatch.setattr("souk.server.tables.table.MAX_RECONNECTS", 10)
    for logged in (waiting(), playing(absent="at-once")):
        most = 2 * (10 + logged.table.version) + 1
        assert flap(logged, 1, 500) == most
        there = after(logged)
        assert there.table.seats[1].away_since is not None, "that somebody is gone is always noted"
        assert flap(there, 1, 500) == 0
        assert flap(there, 0, 3) == 6, "others are not held up"


def test_a_player_who_reconnects_too_often_counts_as_away_until_the_game_continues(
    monkeypatch,
):
    monkeypatch.setattr("souk.server.tables.table.MAX_RECONNECTS", 10)
    logged = playing(absent="at-once", seconds=None)
    flap(logged, 0, 500)
    assert logged.table.takeover_due() == (logged.now, "away")
    logged.add(e.TakenOver(at=logged.now, seat=0, why="away"))
    assert ask(logged, ADA, c.TakeBack("back", 0)).code == "too-fast"
    play_on(logged, 0)
    assert isinstance(presence_entry(logged.table, 0, logged.now, is_connected=True), e.Here)
    logged.add(ask(logged, ADA, c.TakeBack("back", 0)))
    assert logged.table.seats[0].away_since is None and logged.table.seats[0].takeover is None


def test_leaving_and_taking_back_a_seat_cannot_fill_the_log(monkeypatch):
    monkeypatch.setattr("souk.server.tables.table.MAX_RECONNECTS", 10)
    logged = playing(absent="at-once", seconds=None)
    for number in range(500):
        logged.add(e.Away(at=logged.now, seat=0))
        logged.add(e.TakenOver(at=logged.now, seat=0, why="away"))
        outcome = ask(logged, ADA, c.TakeBack(str(number), 0))
        if isinstance(outcome, Refusal):
            break
        logged.add(outcome)
    assert outcome.code == "too-fast" and number == 10 + logged.table.version
