"""Draws, pauses and aborts by agreement, players who stall, hints, interruptions of the server."""

import random

import pytest

from souk import records
from souk.games import load_game
from souk.server.http.record_export import record_of
from souk.server.store import StoredTable
from souk.server.tables import commands as c
from souk.server.tables import entries as e
from souk.server.tables import table as table_module
from souk.server.tables import views
from souk.server.tables.commands import Refusal
from souk.server.tables.new_table import rematch_request
from souk.server.tables.referee import action_entry
from souk.server.tables.request import Person
from souk.server.tables.table import Receipt, Table
from tests.server.random_tables import ADA, BEN, CLEO, COMPUTER, ME, OPEN, ask, random_table

DRAWS = "marrakech(players=2,full_tie=draw)"
THREE = "marrakech(players=3,rugs=2)"


def begun(game=DRAWS, people=(ADA, BEN), seats=None, **config):
    """Return a game of these people, started at time 1,000,000."""
    config = {"absent": "grace", "seconds": None, "patience": None, **config}
    seats = seats or [ME] + [OPEN] * (len(people) - 1)
    logged = random_table(random.Random(0), seats=seats, game=game, **config)
    for number, person in enumerate(people[1:], 1):
        logged.add(ask(logged, person, c.Sit("sit", number)))
    logged.add(ask(logged, ADA, c.Start("start")))
    return logged


def act(logged, person=None):
    """Play the first legal action, by its person or the computer."""
    table = logged.table
    text = table.state.action_to_string(table.state.legal_actions()[0])
    if person is None:
        logged.add(action_entry(table, table.mover, text, logged.now))
    else:
        logged.add(ask(logged, person, c.Act(f"act {table.version}", table.version, text)))


def everybody_acts(logged, people=(ADA, BEN)):
    """Play until every person has acted."""
    by_id = {person.id: person for person in people}
    while logged.table.is_abortable:
        act(logged, by_id[logged.table.seats[logged.table.mover].person])


def agree(logged, what, *people):
    """Let people agree on something, the first by proposing it."""
    logged.add(ask(logged, people[0], c.Propose(f"propose {logged.table.n}", what)))
    for person in people[1:]:
        logged.add(ask(logged, person, c.Answer("yes", logged.table.proposal.n, True)))


def code(outcome):
    """Return the code of a refusal; None if it is none."""
    return outcome.code if isinstance(outcome, Refusal) else None


# ---- proposals ----------------------------------------------------------------------------------


def test_a_draw_needs_the_agreement_of_every_player():
    logged = begun()
    logged.add(ask(logged, ADA, c.Propose("p", "draw")))
    shown = views.table_view(logged.table).proposal
    assert (shown.what, shown.seat, shown.agreed) == ("draw", 0, [0])
    assert code(ask(logged, ADA, c.Answer("a", shown.n, True))) == "not-possible"
    assert code(ask(logged, CLEO, c.Answer("a", shown.n, True))) == "not-your-seat"
    assert code(ask(logged, BEN, c.Answer("a", shown.n + 1, True))) == "not-possible"
    logged.add(ask(logged, BEN, c.Answer("b", shown.n, True)))
    result = views.result_view(logged.table)
    assert logged.table.status == "over" and logged.table.proposal is None
    assert (result.how, result.returns, result.text) == ("drawn", [0.5, 0.5], "draw by agreement")
    assert isinstance(ask(logged, BEN, c.Answer("b", shown.n, True)), Receipt)


def test_draws_are_agreed_on_only_where_the_rules_have_them_and_only_between_people():
    assert load_game(DRAWS).has_draws() and load_game("marrakech(edition=pergioco)").has_draws()
    assert not load_game("marrakech").has_draws() and not load_game("marracash").has_draws()
    assert views.table_view(begun().table).draws
    shared = begun("marrakech(players=2)")
    assert not views.table_view(shared.table).draws
    assert "no draws by the rules" in ask(shared, ADA, c.Propose("p", "draw")).sentence
    game = "marrakech(players=3,full_tie=draw)"
    computer = begun(game, seats=[ME, OPEN, COMPUTER])
    assert "computer does not agree" in ask(computer, ADA, c.Propose("p", "draw")).sentence
    late = begun()
    late.add(ask(late, ADA, c.Propose("p", "draw")))
    late.add(ask(late, ADA, c.Leave("l", 0)))
    assert (
        "computer does not agree"
        in ask(late, BEN, c.Answer("a", late.table.proposal.n, True)).sentence
    )


def test_a_player_who_resigned_has_no_part_in_a_draw():
    cleo = Person("cleo", "Cleo")
    logged = begun("marrakech(players=3,full_tie=draw)", (ADA, BEN, cleo))
    logged.add(ask(logged, cleo, c.Resign("r", 2)))
    assert code(ask(logged, cleo, c.Propose("p", "draw"))) == "not-your-seat"
    agree(logged, "draw", BEN, ADA)
    result = views.result_view(logged.table)
    assert (result.how, result.ranking, result.returns) == ("drawn", [[0, 1], [2]], [0.5, 0.5, 0])
    assert result.text == "draw by agreement, seat 3 resigned"


def test_a_declined_proposal_cannot_be_repeated_until_the_game_goes_on():
    logged = begun()
    logged.add(ask(logged, ADA, c.Propose("p", "draw")))
    assert "waiting for answers" in ask(logged, BEN, c.Propose("q", "pause")).sentence
    logged.add(ask(logged, BEN, c.Answer("no", logged.table.proposal.n, False)))
    assert logged.table.proposal is None and logged.table.status == "playing"
    assert "declined" in ask(logged, ADA, c.Propose("again", "pause")).sentence
    assert code(ask(logged, BEN, c.Propose("q", "draw"))) is None, "others may propose"
    act(logged, ADA)
    assert code(ask(logged, ADA, c.Propose("again", "draw"))) is None


def test_a_proposal_lapses_after_two_minutes_and_can_be_withdrawn():
    logged = begun()
    logged.add(ask(logged, ADA, c.Propose("p", "draw")))
    logged.now += 120_000
    assert (
        "no longer open" in ask(logged, BEN, c.Answer("a", logged.table.proposal.n, True)).sentence
    )
    logged.add(ask(logged, BEN, c.Propose("q", "abort")))
    logged.add(ask(logged, BEN, c.Answer("no", logged.table.proposal.n, False)))
    assert logged.table.proposal is None


# ---- pauses -------------------------------------------------------------------------------------


def test_a_pause_stops_clocks_and_moves_until_everybody_agrees_to_resume():
    logged = begun(seconds=60, absent="at-once")
    logged.now += 20_000
    agree(logged, "pause", ADA, BEN)
    table, view = logged.table, views.position_view(logged.table)
    assert views.table_view(table).paused == logged.now
    assert (view.legal, view.deadline, table.takeover_due()) == ([], None, None)
    assert code(ask(logged, ADA, c.Act("act", table.version, "left"))) == "paused"
    assert code(ask(logged, ADA, c.Propose("again", "pause"))) == "paused"
    logged.add(e.Away(at=logged.now, seat=0))
    logged.now += 3_600_000
    assert table.takeover_due() is None
    logged.add(e.Here(at=logged.now, seat=0))
    agree(logged, "resume", BEN, ADA)
    assert table.deadline() == logged.now + 40_000, "as much time is left as before"
    assert views.position_view(table).legal and views.table_view(table).paused is None
    assert "not paused" in ask(logged, ADA, c.Propose("r", "resume")).sentence


def test_anybody_may_end_a_pause_of_a_day():
    logged = begun()
    agree(logged, "pause", ADA, BEN)
    logged.now += 86_399_000
    logged.add(ask(logged, BEN, c.Propose("r", "resume")))
    assert logged.table.paused_since is not None
    logged.add(ask(logged, ADA, c.Answer("no", logged.table.proposal.n, False)))
    logged.now += 1000
    logged.add(ask(logged, BEN, c.Propose("s", "resume")))
    assert logged.table.paused_since is None


@pytest.mark.parametrize("why", ["left", "away"])
def test_who_did_not_agree_to_a_pause_may_end_it(why):
    logged = begun()
    logged.add(e.TakenOver(at=logged.now, seat=1, why=why))
    agree(logged, "pause", ADA)
    assert logged.table.paused_since is not None
    logged.add(ask(logged, BEN, c.TakeBack("t", 1)))
    logged.add(ask(logged, ADA, c.Propose("r", "resume")))
    assert logged.table.paused_since is not None, "Ada wanted the pause, and Ben is here now"
    logged.add(ask(logged, ADA, c.Answer("w", logged.table.proposal.n, False)))
    agree(logged, "resume", BEN)
    assert logged.table.paused_since is None


def test_a_player_who_was_away_during_a_pause_has_the_same_grace_after_it():
    logged = begun(absent="grace", grace=60)
    logged.add(e.Away(at=logged.now - 20_000, seat=0))
    agree(logged, "pause", ADA, BEN)
    logged.now += 500_000
    agree(logged, "resume", BEN, ADA)
    assert logged.table.takeover_due() == (logged.now + 40_000, "away")


# ---- aborting -----------------------------------------------------------------------------------


def test_a_game_can_be_aborted_by_anybody_until_everybody_has_played():
    logged = begun()
    assert views.position_view(logged.table).abortable
    assert isinstance(ask(logged, BEN, c.Abort("a")), e.Aborted)
    everybody_acts(logged)
    assert not views.position_view(logged.table).abortable
    assert "others must agree" in ask(logged, ADA, c.Abort("a")).sentence
    assert code(ask(logged, CLEO, c.Abort("a"))) == "not-your-seat"
    agree(logged, "abort", ADA, BEN)
    result = views.result_view(logged.table)
    assert (result.how, result.ranking, result.returns) == ("aborted", [[0, 1]], [0, 0])
    assert rematch_request(logged.table, BEN).game == logged.table.config.game


def test_who_lets_the_computer_play_first_cannot_abort_later():
    logged = begun()
    logged.add(ask(logged, BEN, c.Leave("leave", 1)))
    for _ in range(4):
        act(logged, ADA if logged.table.mover == 0 else None)
    logged.add(ask(logged, BEN, c.TakeBack("back", 1)))
    assert code(ask(logged, BEN, c.Abort("a"))) == "not-possible"


def test_who_plays_only_computers_may_always_abort():
    logged = begun(THREE, (ADA,), [ME, COMPUTER, COMPUTER])
    everybody_acts(logged, (ADA,))
    assert isinstance(ask(logged, ADA, c.Abort("a")), e.Aborted)
    agree(logged, "abort", ADA)
    assert logged.table.status == "over"


@pytest.mark.parametrize("why", ["away", "time", "left", "stalled"])
def test_a_game_is_not_aborted_behind_the_back_of_a_player_who_lost_the_connection(why):
    logged = begun()
    everybody_acts(logged)
    logged.add(e.TakenOver(at=logged.now, seat=0, why=why))
    is_refused = why in ("away", "time")
    assert code(ask(logged, BEN, c.Abort("a"))) == ("not-possible" if is_refused else None)
    logged.add(ask(logged, BEN, c.Propose("p", "abort")))
    assert logged.table.status == ("playing" if is_refused else "over")


@pytest.mark.parametrize(("what", "text"), [("draw", "draw by agreement"), ("abort", "aborted")])
def test_the_record_says_how_a_game_ended_by_agreement(what, text):
    logged = begun()
    everybody_acts(logged)
    agree(logged, what, ADA, BEN)
    stored = StoredTable(logged.table.config, [e.encode(entry) for entry in logged.log])
    record = records.read(records.write(record_of(stored)[1]))
    assert record.extra["ended"] == text and "secret" in record.extra


# ---- stalling -----------------------------------------------------------------------------------


def test_others_may_let_the_computer_play_for_a_player_who_stalls():
    logged = begun()
    assert views.position_view(logged.table).stalls == 1_300_000
    logged.now = 1_299_500
    assert ask(logged, BEN, c.Replace("r", 0)).sentence == "Ada has 1 seconds left to move."
    logged.now = 1_300_000
    assert code(ask(logged, ADA, c.Replace("r", 0))) == "not-possible", "their own seat"
    assert code(ask(logged, BEN, c.Replace("r", 1))) == "not-possible"
    assert code(ask(logged, CLEO, c.Replace("r", 0))) == "not-your-seat"
    assert "take over instead" in ask(logged, BEN, c.Claim("c", 0)).sentence
    logged.add(ask(logged, BEN, c.Replace("r", 0)))
    assert logged.table.seats[0].takeover == "stalled" and logged.table.stalls_at() is None
    assert code(ask(logged, ADA, c.TakeBack("t", 0))) == "not-your-turn", "this turn is lost"
    while logged.table.mover == 0:
        act(logged)
    logged.add(ask(logged, ADA, c.TakeBack("t", 0)))
    assert logged.table.seats[0].takeover is None


def test_where_the_computer_never_takes_over_the_game_is_claimed_after_a_day():
    logged = begun(absent="never")
    logged.now += 86_399_000
    assert "claim the game" in ask(logged, BEN, c.Replace("r", 0)).sentence
    assert code(ask(logged, BEN, c.Claim("c", 0))) == "not-possible"
    logged.now += 1000
    assert "your own" in ask(logged, ADA, c.Claim("c", 0)).sentence
    logged.add(ask(logged, BEN, c.Claim("c", 0)))
    result = views.result_view(logged.table)
    assert logged.table.status == "over" and (result.how, result.returns) == ("resigned", [0, 1])


def test_with_three_players_the_game_goes_on_after_a_claim():
    cleo = Person("cleo", "Cleo")
    logged = begun(THREE, (ADA, BEN, cleo), absent="never", patience=60)
    logged.now += 60_000
    logged.add(ask(logged, cleo, c.Claim("c", 0)))
    assert logged.table.status == "playing" and logged.table.seats[0].resigned


def test_a_game_that_stalls_can_be_aborted_by_those_who_wait():
    logged = begun(patience=60)
    everybody_acts(logged)
    waiting = BEN if logged.table.mover == 0 else ADA
    stalling = ADA if waiting is BEN else BEN
    logged.now += 60_000
    assert code(ask(logged, stalling, c.Abort("a"))) == "not-possible"
    assert isinstance(ask(logged, waiting, c.Abort("a")), e.Aborted)


@pytest.mark.parametrize("seconds", [None, 60])
def test_a_game_with_as_many_actions_as_it_may_have_can_only_be_ended(seconds, monkeypatch):
    """The rules of MarraCash set no limit: a game could grow for ever."""
    logged = begun(seconds=seconds, patience=60 if seconds is None else None)
    everybody_acts(logged)
    monkeypatch.setattr(table_module, "MAX_ACTIONS", len(logged.table.actions))
    table, mover = logged.table, logged.table.mover
    assert table.is_full and (table.deadline(), table.takeover_due()) == (None, None)
    text = table.state.action_to_string(table.state.legal_actions()[0])
    people = [ADA, BEN]
    act = c.Act("act", table.version, text)
    assert "abort it, or resign" in ask(logged, people[mover], act).sentence
    with pytest.raises(Refusal, match=r"at most .* actions: abort it"):  # for the computer too
        action_entry(table, mover, text, logged.now)
    logged.now += 10_000_000
    waiting = people[1 - mover]
    assert code(ask(logged, waiting, c.Replace("r", mover))) == "not-possible"
    assert code(ask(logged, waiting, c.Claim("r", mover))) == "not-possible"
    assert isinstance(ask(logged, waiting, c.Propose("p", "abort")), e.Proposed)
    assert isinstance(ask(logged, waiting, c.Resign("r", 1 - mover)), e.Resigned)
    assert views.position_view(table).abortable
    logged.add(ask(logged, waiting, c.Abort("a")))
    assert table.status == "over" and not views.position_view(table).abortable


def test_with_a_time_limit_the_clock_decides():
    logged = begun(seconds=60)
    logged.now += 10_000_000
    assert views.position_view(logged.table).stalls is None
    assert "clock" in ask(logged, BEN, c.Replace("r", 0)).sentence


# ---- hints --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("people", "seats", "allowed"),
    [
        ((ADA, BEN, CLEO), [ME, OPEN, OPEN], False),
        ((ADA, BEN), [ME, OPEN, COMPUTER], False),
        ((ADA,), [ME, COMPUTER, COMPUTER], True),
        ((ADA,), [ME, ME, ME], True),
    ],
)
@pytest.mark.parametrize("option", [None, False, True])
def test_hints_are_off_between_people_unless_the_table_allows_them(people, seats, allowed, option):
    logged = begun(THREE, people, seats, hints=option)
    assert views.table_view(logged.table).hints == (allowed if option is None else option)
    outcome = ask(logged, ADA, c.Hint("h"))
    assert code(outcome) == (None if logged.table.are_hints_allowed else "hints-off")
    while logged.table.status == "playing":
        logged.add(ask(logged, ADA, c.Abort("a")))
    assert rematch_request(logged.table, ADA).hints == option


def test_a_hint_is_announced_once_for_each_position():
    logged = begun(hints=True)
    assert code(ask(logged, BEN, c.Hint("h"))) == "not-your-turn"
    logged.add(ask(logged, ADA, c.Hint("h")))
    assert views.event_view(logged.table, logged.log[-1]).kind == "hinted"
    assert isinstance(ask(logged, ADA, c.Hint("h")), Receipt)
    assert isinstance(ask(logged, ADA, c.Hint("i")), Receipt), "the same position"
    act(logged, ADA)
    logged.add(ask(logged, ADA, c.Hint("j")))
    assert [seat.hints for seat in views.table_view(logged.table).seats] == [2, 0]


# ---- interruptions ------------------------------------------------------------------------------


def test_an_interruption_of_the_server_costs_no_time():
    logged = begun(seconds=60, absent="at-once")
    logged.add(e.Interrupted(at=1_051_000, since=1_020_000, until=1_050_000))
    assert logged.table.deadline() == 1_090_000
    logged.add(e.Interrupted(at=1_055_000, since=1_052_000, until=1_055_000, extra=10_000))
    assert logged.table.deadline() == 1_103_000


def test_a_turn_gets_back_only_the_time_since_it_began():
    logged = begun(seconds=60, absent="at-once")
    logged.add(e.Interrupted(at=1_010_000, since=900_000, until=1_010_000))
    assert logged.table.deadline() == 1_070_000


def test_an_interruption_lengthens_the_grace_of_a_player_who_is_away():
    logged = begun(absent="grace", grace=60)
    logged.add(e.Away(at=1_010_000, seat=0))
    logged.add(e.Interrupted(at=1_200_000, since=1_020_000, until=1_200_000))
    assert logged.table.takeover_due() == (1_250_000, "away")


def test_tables_of_before_have_the_defaults_of_the_new_options():
    logged = begun(THREE, (ADA,), [ME, COMPUTER, COMPUTER])
    raw = e.encode(logged.table.config).replace(b',"hints":null,"patience":null', b"")
    assert b"hints" not in raw and b"patience" not in raw
    table = Table(e.decode_config(raw))
    assert table.config == logged.table.config and table.are_hints_allowed
