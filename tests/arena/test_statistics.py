"""The numbers are right: checked on players whose strength is known, since it was drawn from."""

import math
import random

import numpy as np
import pytest

from souk.arena.intervals import Wager, gain, interval, student
from souk.arena.ratings import SCALE, NoRatings, ratings
from souk.arena.standings import standing
from souk.arena.tournament import Question
from tests.arena.simulated import cup, decided_by, played

TRIALS = 300


def blocks(pick: random.Random, count: int, share: float, luck: float) -> list[float]:
    """Setups of two games: with probability `luck` the dice give one game to each."""
    return [
        0.5 if pick.random() < luck else (pick.random() < share) / 2 + (pick.random() < share) / 2
        for _ in range(count)
    ]


def test_students_quantile_is_the_one_of_the_tables() -> None:
    for freedom, value in {1: 12.706, 3: 3.182, 5: 2.571, 10: 2.228, 100: 1.984}.items():
        assert student(freedom) == pytest.approx(value, rel=2e-3)


@pytest.mark.parametrize(("share", "luck"), [(0.5, 0.0), (0.5, 0.6), (0.8, 0.3), (0.97, 0.0)])
@pytest.mark.parametrize("count", [12, 60])
def test_an_interval_holds_the_truth_as_often_as_it_says(
    share: float, luck: float, count: int
) -> None:
    pick = random.Random(1)
    truth = luck * 0.5 + (1 - luck) * share
    held = 0
    for _ in range(TRIALS):
        found = interval(blocks(pick, count, share, luck), 2 * count)
        held += found.low <= truth <= found.high
    assert held / TRIALS > 0.92  # 95 % less three standard deviations


def test_setups_that_share_their_luck_make_intervals_narrow() -> None:
    pick = random.Random(2)
    means = blocks(pick, 400, 0.5, 0.6)
    alone = blocks(pick, 400, 0.5, 0.0)
    narrow, wide = interval(means, 800), interval(alone, 800)
    assert (narrow.high - narrow.low) / (wide.high - wide.low) == pytest.approx(
        math.sqrt(0.4), rel=0.1
    )
    singles = [value for mean in means for value in ([1.0, 0.0] if mean == 0.5 else [mean] * 2)]
    found = gain(means, singles)
    assert found is not None and found == pytest.approx(2.5, rel=0.3)


def test_an_interval_of_very_few_setups_promises_nothing() -> None:
    assert (interval([1.0], 2).low, interval([1.0], 2).high) == (0.0, 1.0)
    assert interval([1.0, 1.0], 4).low < 0.2


@pytest.mark.parametrize("luck", [0.0, 0.5])
def test_the_sequential_test_errs_no_more_often_than_it_says(luck: float) -> None:
    """Equals are watched setup by setup; whoever looks after each must not be fooled."""
    pick = random.Random(3)
    fooled = 0
    for _ in range(TRIALS):
        means = blocks(pick, 400, 0.5, luck)
        fooled += any(
            Question("decided").answer(means[:count], 0.5, 0.05) for count in range(1, 401, 8)
        )
    assert fooled / TRIALS <= 0.05


@pytest.mark.parametrize(("share", "answer"), [(0.7, "above"), (0.3, "below")])
def test_the_sequential_test_finds_out_soon(share: float, answer: str) -> None:
    pick = random.Random(4)
    needed = []
    for _ in range(40):
        means = blocks(pick, 400, share, 0.0)
        found = next(
            count for count in range(1, 401) if Question("decided").answer(means[:count], 0.5, 0.05)
        )
        assert Question("decided").answer(means[:found], 0.5, 0.05) == answer
        needed.append(found)
    assert np.median(needed) < 80


def test_the_interval_that_always_holds_holds_always() -> None:
    pick = random.Random(5)
    missed = 0
    for _ in range(100):
        means = blocks(pick, 300, 0.8, 0.0)
        missed += any(
            not found.low - 1e-4 <= 0.8 <= found.high + 1e-4
            for found in (Wager(means[:count]).interval() for count in (5, 20, 50, 120, 300))
        )
    assert missed <= 5


def test_intervals_and_answers_of_the_sequential_test_agree() -> None:
    means = blocks(random.Random(6), 150, 0.65, 0.2)
    wager = Wager(means)
    found = wager.interval()
    assert found.low < found.share < found.high
    for value in np.linspace(0.02, 0.98, 49):
        assert wager.is_above(value) == (value < found.low - 1e-4) or abs(value - found.low) < 1e-3
        assert (
            wager.is_below(value) == (value > found.high + 1e-4) or abs(value - found.high) < 1e-3
        )


def test_nothing_is_known_before_the_first_setup() -> None:
    found = Wager([]).interval()
    assert found.low < 1e-4 and found.high > 1 - 1e-4


STRENGTHS = {"random": 1.0, "random#2": 2.0, "random#3": 4.0, "random#4": 0.5}


@pytest.mark.parametrize(
    ("seats", "plan"), [(2, "each"), (2, "steps"), (3, "each"), (3, "together"), (4, "together")]
)
def test_ratings_find_the_strengths(seats: int, plan: str) -> None:
    truth = {player: SCALE * math.log(value) for player, value in STRENGTHS.items()}
    inside = 0
    trials = 6
    for seed in range(trials):
        games = 600 if plan == "together" else 240
        found = standing(played(cup(4, seats, games=games, plan=plan), STRENGTHS, seed))
        assert found.no_ratings is None
        for one in found.ratings[1:]:
            assert one.rating == pytest.approx(truth[one.player], abs=130)
            inside += one.low <= truth[one.player] <= one.high
        assert found.ratings[0].rating == 0
    assert inside >= 15  # of 18; 95 % expected


def test_the_rating_of_two_is_the_logarithm_of_their_odds() -> None:
    ledger = played(cup(2, 2, games=1000), {"random": 3.0, "random#2": 1.0}, 1)
    found = standing(ledger)
    share = found.shares[0].share
    odds = (500 * 2 * share + 0.5) / (500 * 2 * (1 - share) + 0.5)  # with the one game more
    assert found.ratings[1].rating == pytest.approx(-SCALE * math.log(odds), abs=0.01)


def test_one_that_never_loses_has_a_rating_and_an_interval_that_says_how_little_is_known() -> None:
    ledger = played(cup(2, 2, games=200), {"random": 1.0, "random#2": 0.0}, 1)
    one = standing(ledger).ratings[1]
    assert -2500 < one.rating < -700
    assert one.high - one.low > 300
    assert one.high < 0


def test_players_who_never_met_have_no_common_rating() -> None:
    pick = random.Random(1)
    strengths = dict.fromkeys("abcd", 1.0)
    games = [decided_by(strengths, seats, 0, pick) for seats in [("a", "b"), ("c", "d")]]
    with pytest.raises(NoRatings, match="have not met"):
        ratings(games, list("abcd"))


def test_shares_seats_points_and_lengths_add_up() -> None:
    ledger = played(cup(2, 3, games=300), {"random": 2.0, "random#2": 1.0}, 7)
    found = standing(ledger)
    games = ledger.counted()
    assert found.games == len(games) == 300 and found.begun == 0
    share = found.share("random", "random#2")
    assert share.low < 0.5 < share.high and share.fair == pytest.approx(1 / 3)
    wins = sum(game.shares[game.seats.index("random")] for game in games)
    assert share.share == pytest.approx(wins / 300)
    assert sum(seat.share for seat in found.seats) == pytest.approx(1)
    assert all(seat.low < 1 / 3 < seat.high for seat in found.seats)
    first, other = found.players
    assert first.share == pytest.approx(share.share)
    assert first.share + 2 * other.share == pytest.approx(1)
    assert found.length is not None and found.length.mean == 1


def test_a_tournament_stops_when_its_question_is_answered() -> None:
    def games(until: str | None) -> int:
        tournament = cup(2, 2, games=2000, until=until)
        return played(tournament, {"random": 3.0, "random#2": 1.0}, 1).played

    assert games(None) == 2000
    assert games("decided") < 200
    assert games("share=0.6") < 500
    assert 200 < games("width=0.15") < 1500
    assert games("share=0.75") == 2000  # that is what it is: no end


def test_setups_count_in_their_order_only() -> None:
    """A long game must not count later than short ones: that would bend the result."""
    tournament = cup(2, 2, games=10)
    ledger = played(tournament, {"random": 1.0, "random#2": 1.0}, 1)
    full = ledger.counted()
    late = type(ledger)(tournament)
    for game in full:
        if game.key != (1, ("random", "random#2")):
            late.add(game)
    assert {game.setup for game in late.counted()} == {0}
    assert standing(late).begun == 7
    late.add(next(game for game in full if game.key == (1, ("random", "random#2"))))
    assert standing(late).to_dict() == standing(ledger).to_dict()


def test_it_does_not_matter_in_which_order_games_ended():
    draw = random.Random(1)
    means = [draw.random() for _ in range(60)]
    singles = [draw.random() for _ in range(120)]
    found = interval(means, 120), gain(means, singles)
    for _ in range(20):
        draw.shuffle(means)
        draw.shuffle(singles)
        assert (interval(means, 120), gain(means, singles)) == found
