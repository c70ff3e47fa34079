"""Entrants, plans and pairings, and that no player is favoured by seats or dice."""

from collections import Counter

import pytest

import souk
from souk.arena import game_runner
from souk.arena.entrants import Entrant, parse_entrants
from souk.arena.game_runner import Job, play_game
from souk.arena.pairings import PLANS, Pairing, make_pairings
from souk.arena.tournament import Tournament

FIVE = ["a", "b", "c", "d", "e"]


@pytest.mark.parametrize("text", ["greedy", "greedy:seconds=0.1", "x:nodes=2000", "x:nodes=5#3"])
def test_an_entrant_is_written_as_it_is_read(text: str) -> None:
    assert str(Entrant.parse(text)) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a player is written name"),
        (":nodes=5", "a player is written name"),
        ("greedy:depth=3", "cannot read 'depth=3' in 'greedy:depth=3'"),
        ("greedy:", "after a colon comes seconds=0.1, nodes=2000"),
        ("greedy:nodes=many", "nodes is a number, not 'many'"),
        ("greedy:seconds=", "seconds is a number, not ''"),
    ],
)
def test_a_text_that_names_no_entrant_is_refused(text: str, message: str) -> None:
    with pytest.raises(souk.SoukError, match=message):
        Entrant.parse(text)


def test_the_common_limit_applies_to_entrants_without_their_own() -> None:
    entrants = parse_entrants(["greedy", "greedy:nodes=7", "greedy"], nodes=3)
    assert [str(one) for one in entrants] == [
        "greedy:nodes=3",
        "greedy:nodes=7",
        "greedy:nodes=3#2",
    ]


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_player_has_every_seat_equally_often(plan: str, seats: int) -> None:
    for pairing in make_pairings(plan, FIVE, seats):
        for setup in range(3):
            rotations = pairing.rotations(setup)
            assert len(set(rotations)) == seats
            for player in pairing.players:
                count = pairing.seating.count(player)
                held = Counter(
                    seat for one in rotations for seat, name in enumerate(one) if name == player
                )
                assert held == dict.fromkeys(range(seats), count)


def test_the_pairings_of_each_plan() -> None:
    def tables(plan: str, seats: int) -> list[str]:
        return [str(one) for one in make_pairings(plan, ["a", "b", "c"], seats)]

    assert tables("gauntlet", 3) == ["a against 2 × b", "a against 2 × c"]
    assert tables("ladder", 2) == ["b against a", "c against b"]
    assert tables("round-robin", 2) == ["a against b", "a against c", "b against c"]
    assert len(tables("round-robin", 3)) == 6
    assert tables("mixed", 3) == ["a, b, c"]
    assert len(make_pairings("mixed", FIVE, 3)) == 10


def test_mixed_pairings_play_both_orders_round_the_table() -> None:
    one = Pairing(("a", "b", "c"))
    assert set(one.rotations(0)) & set(one.rotations(1)) == set()
    assert set(one.rotations(0)) == set(Pairing(("c", "a", "b")).rotations(0))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"players": ["greedy"]}, "at least two players"),
        ({"players": ["greedy", "nobody"]}, "no computer player 'nobody'"),
        ({"players": ["greedy:nodes=0", "random"]}, "nodes is a whole number over 0"),
        ({"plan": "swiss"}, "a plan is gauntlet, round-robin, ladder or mixed, not 'swiss'"),
        ({"plan": "mixed"}, "at least as many players as seats: 2 players, 3 seats"),
        ({"games": 0}, "games is a whole number"),
        ({"until": "bored"}, "a stopping rule is decided, share=0.6"),
        ({"until": "share=2"}, "a number between 0 and 1, not 'share=2'"),
        ({"until": "width=x"}, "a stopping rule is"),
        ({"seconds": 1, "nodes": 1}, "seconds or nodes, not both"),
        ({"seed": -1}, "a seed is"),
    ],
)
def test_invalid_settings_are_refused(wrong: dict[str, object], message: str) -> None:
    given: dict[str, object] = {"players": ["greedy", "random"], **wrong}
    with pytest.raises(souk.SoukError, match=message):
        Tournament.of(souk.load_game("marrakech", players=3), **given)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["marrakech(players=3)", "marrakech(players=2,edition=pergioco)"])
def test_the_dice_are_the_same_for_every_rotation(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The players differ and so do the walks; the rolls do not."""
    drawn: list[int] = []
    draw = game_runner.SetupDice.draw

    def recording_draw(dice: game_runner.SetupDice, state: souk.State) -> int:
        drawn.append(draw(dice, state))
        return drawn[-1]

    monkeypatch.setattr(game_runner.SetupDice, "draw", recording_draw)
    game = souk.load_game(text)
    cup = Tournament.of(game, ["greedy", "random"], games=2)
    rolls: dict[int, list[list[int]]] = {0: [], 1: []}
    results = []
    for setup, seen in rolls.items():
        for job in cup.jobs(setup, cup.pairings[0]):
            drawn.clear()
            results.append(play_game(game, job, [Entrant.parse(name) for name in job.players]))
            seen.append([text for text in map(game.action_to_string, drawn) if text in "1234"])
    for seen in rolls.values():
        length = min(map(len, seen))
        assert length > 20 and all(one[:length] == seen[0][:length] for one in seen)
    assert rolls[0][0] != rolls[1][0]
    assert len({result.scores for result in results}) > 1


def test_a_game_depends_only_on_the_seed_the_setup_and_the_players() -> None:
    game = souk.load_game("marracash", players=3)
    one, again = (
        play_game(game, Job(str(game), 5, 2, names), [Entrant.parse(name) for name in names])
        for names in [("random", "random", "random#2")] * 2
    )
    assert (one.scores, one.returns, one.places, one.turns) == (
        again.scores,
        again.returns,
        again.places,
        again.turns,
    )
