"""Intervals, sequential tests, ratings and standings, checked on players of known strength."""

import math
import random

import numpy as np
import pytest

from souk.arena.intervals import (
    SequentialTest,
    confidence_interval,
    game_efficiency,
    student_t,
)
from souk.arena.ratings import SCALE, NoRatings, ratings
from souk.arena.standings import compute_standings
from souk.arena.stopping_rule import StoppingRule
from tests.arena.synthetic_games import make_result, make_tournament, play_synthetic

TRIALS = 300


def setup_means(pick: random.Random, count: int, share: float, luck: float) -> list[float]:
    """Return the means of setups of two games: with probability `luck` each player wins one."""
    return [
        0.5 if pick.random() < luck else (pick.random() < share) / 2 + (pick.random() < share) / 2
        for _ in range(count)
    ]


def test_student_t_has_the_tabulated_values() -> None:
    for freedom, value in {1: 12.706, 3: 3.182, 5: 2.571, 10: 2.228, 100: 1.984}.items():
        assert student_t(freedom) == pytest.approx(value, rel=2e-3)


@pytest.mark.parametrize(("share", "luck"), [(0.5, 0.0), (0.5, 0.6), (0.8, 0.3), (0.97, 0.0)])
@pytest.mark.parametrize("count", [12, 60])
def test_an_interval_contains_the_true_share_as_often_as_it_should(
    share: float, luck: float, count: int
) -> None:
    pick = random.Random(1)
    truth = luck * 0.5 + (1 - luck) * share
    held = 0
    for _ in range(TRIALS):
        interval = confidence_interval(setup_means(pick, count, share, luck), 2 * count)
        held += interval.low <= truth <= interval.high
    assert held / TRIALS > 0.92  # 95% less three standard deviations


def test_rotations_with_the_same_dice_make_intervals_narrower() -> None:
    pick = random.Random(2)
    means = setup_means(pick, 400, 0.5, 0.6)
    alone = setup_means(pick, 400, 0.5, 0.0)
    narrow, wide = confidence_interval(means, 800), confidence_interval(alone, 800)
    assert (narrow.high - narrow.low) / (wide.high - wide.low) == pytest.approx(
        math.sqrt(0.4), rel=0.1
    )
    singles = [value for mean in means for value in ([1.0, 0.0] if mean == 0.5 else [mean] * 2)]
    efficiency = game_efficiency(means, singles)
    assert efficiency is not None and efficiency == pytest.approx(2.5, rel=0.3)


def test_an_interval_of_very_few_setups_is_wide() -> None:
    assert (confidence_interval([1.0], 2).low, confidence_interval([1.0], 2).high) == (0.0, 1.0)
    assert confidence_interval([1.0, 1.0], 4).low < 0.2


@pytest.mark.parametrize("luck", [0.0, 0.5])
def test_the_sequential_test_keeps_its_error_rate(luck: float) -> None:
    """Equal players are tested again and again while setups are added."""
    pick = random.Random(3)
    wrong = 0
    for _ in range(TRIALS):
        means = setup_means(pick, 400, 0.5, luck)
        wrong += any(
            StoppingRule("decided").answer(means[:count], 0.5, 0.05) for count in range(1, 401, 8)
        )
    assert wrong / TRIALS <= 0.05


@pytest.mark.parametrize(("share", "answer"), [(0.7, "above"), (0.3, "below")])
def test_the_sequential_test_needs_few_setups(share: float, answer: str) -> None:
    pick = random.Random(4)
    needed = []
    for _ in range(40):
        means = setup_means(pick, 400, share, 0.0)
        count = next(
            count
            for count in range(1, 401)
            if StoppingRule("decided").answer(means[:count], 0.5, 0.05)
        )
        assert StoppingRule("decided").answer(means[:count], 0.5, 0.05) == answer
        needed.append(count)
    assert np.median(needed) < 80


def test_the_sequential_interval_contains_the_true_share_at_all_times() -> None:
    pick = random.Random(5)
    missed = 0
    for _ in range(100):
        means = setup_means(pick, 300, 0.8, 0.0)
        missed += any(
            not interval.low - 1e-4 <= 0.8 <= interval.high + 1e-4
            for interval in (
                SequentialTest(means[:count]).interval() for count in (5, 20, 50, 120, 300)
            )
        )
    assert missed <= 5


def test_the_sequential_interval_agrees_with_the_test() -> None:
    means = setup_means(random.Random(6), 150, 0.65, 0.2)
    test = SequentialTest(means)
    interval = test.interval()
    assert interval.low < interval.share < interval.high
    for value in np.linspace(0.02, 0.98, 49):
        assert (
            test.is_above(value) == (value < interval.low - 1e-4)
            or abs(value - interval.low) < 1e-3
        )
        assert (
            test.is_below(value) == (value > interval.high + 1e-4)
            or abs(value - interval.high) < 1e-3
        )


def test_the_sequential_interval_is_everything_before_the_first_setup() -> None:
    interval = SequentialTest([]).interval()
    assert interval.low < 1e-4 and interval.high > 1 - 1e-4


STRENGTHS = {"random": 1.0, "random#2": 2.0, "random#3": 4.0, "random#4": 0.5}


@pytest.mark.parametrize(
    ("seats", "plan"),
    [(2, "round-robin"), (2, "ladder"), (3, "round-robin"), (3, "mixed"), (4, "mixed")],
)
def test_ratings_recover_the_strengths(seats: int, plan: str) -> None:
    truth = {player: SCALE * math.log(value) for player, value in STRENGTHS.items()}
    inside = 0
    trials = 6
    for seed in range(trials):
        games = 600 if plan == "mixed" else 240
        standings = compute_standings(
            play_synthetic(make_tournament(4, seats, games=games, plan=plan), STRENGTHS, seed)
        )
        assert standings.no_ratings is None
        for one in standings.ratings[1:]:
            assert one.rating == pytest.approx(truth[one.player], abs=130)
            inside += one.low <= truth[one.player] <= one.high
        assert standings.ratings[0].rating == 0
    assert inside >= 15  # of 18; 95% expected


def test_the_rating_of_two_players_is_the_logarithm_of_their_odds() -> None:
    progress = play_synthetic(
        make_tournament(2, 2, games=1000), {"random": 3.0, "random#2": 1.0}, 1
    )
    standings = compute_standings(progress)
    share = standings.shares[0].share
    odds = (500 * 2 * share + 0.5) / (500 * 2 * (1 - share) + 0.5)  # with the added game
    assert standings.ratings[1].rating == pytest.approx(-SCALE * math.log(odds), abs=0.01)


def test_a_player_that_never_loses_has_a_rating_with_a_wide_interval() -> None:
    progress = play_synthetic(make_tournament(2, 2, games=200), {"random": 1.0, "random#2": 0.0}, 1)
    one = compute_standings(progress).ratings[1]
    assert -2500 < one.rating < -700
    assert one.high - one.low > 300
    assert one.high < 0


def test_players_that_never_met_have_no_common_rating() -> None:
    pick = random.Random(1)
    strengths = dict.fromkeys("abcd", 1.0)
    games = [make_result(strengths, seats, 0, pick) for seats in [("a", "b"), ("c", "d")]]
    with pytest.raises(NoRatings, match="have not met"):
        ratings(games, list("abcd"))


def test_shares_seats_scores_and_lengths_add_up() -> None:
    progress = play_synthetic(make_tournament(2, 3, games=300), {"random": 2.0, "random#2": 1.0}, 7)
    standings = compute_standings(progress)
    games = progress.complete_games()
    assert standings.games == len(games) == 300 and standings.incomplete == 0
    share = standings.share("random", "random#2")
    assert share.low < 0.5 < share.high and share.fair == pytest.approx(1 / 3)
    wins = sum(game.returns[game.players.index("random")] for game in games)
    assert share.share == pytest.approx(wins / 300)
    assert sum(seat.share for seat in standings.seats) == pytest.approx(1)
    assert all(seat.low < 1 / 3 < seat.high for seat in standings.seats)
    first, other = standings.players
    assert first.share == pytest.approx(share.share)
    assert first.share + 2 * other.share == pytest.approx(1)
    assert standings.length is not None and standings.length.mean == 1


def test_a_tournament_stops_by_its_rule() -> None:
    def games(until: str | None) -> int:
        tournament = make_tournament(2, 2, games=2000, until=until)
        return play_synthetic(tournament, {"random": 3.0, "random#2": 1.0}, 1).played

    assert games(None) == 2000
    assert games("decided") < 200
    assert games("share=0.6") < 500
    assert 200 < games("width=0.15") < 1500
    assert games("share=0.75") == 2000  # the true share: never decided


def test_setups_count_in_their_order() -> None:
    """A long game must not count later than short ones: that would bias the result."""
    tournament = make_tournament(2, 2, games=10)
    progress = play_synthetic(tournament, {"random": 1.0, "random#2": 1.0}, 1)
    full = progress.complete_games()
    late = type(progress)(tournament)
    for game in full:
        if game.key != (1, ("random", "random#2")):
            late.add(game)
    assert {game.setup for game in late.complete_games()} == {0}
    assert compute_standings(late).incomplete == 7
    late.add(next(game for game in full if game.key == (1, ("random", "random#2"))))
    assert compute_standings(late).to_dict() == compute_standings(progress).to_dict()


def test_the_order_in_which_games_end_does_not_matter() -> None:
    draw = random.Random(1)
    means = [draw.random() for _ in range(60)]
    singles = [draw.random() for _ in range(120)]
    expected = confidence_interval(means, 120), game_efficiency(means, singles)
    for _ in range(20):
        draw.shuffle(means)
        draw.shuffle(singles)
        assert (confidence_interval(means, 120), game_efficiency(means, singles)) == expected
