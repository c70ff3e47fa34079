"""The random setup is uniform over what the rules allow: exact counts against many deals.

A setup is three colours at each gate and the colours of the queue in order. Whether visitors of a
colour are distinguished does not matter: every such picture arises from equally many deals of 54
different visitors.
"""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, permutations, product
from math import comb, sqrt

import pytest

import souk
from tests.games.marracash.positions import has_three_alike_in_a_row
from tests.games.marracash.reference import CARDS, COLOURS, VISITORS

DEALS = 3000
TOO_RARE = 8  # expected fewer times: put together with others


# ---- counting queues -----------------------------------------------------------------------------


@cache
def runs(number):
    """How `number` of one colour fall apart, as {(runs, doubles): ways}; a run is one or two."""
    result = {}
    for parts in range(number + 1):
        doubles = number - parts
        if 0 <= doubles <= parts:
            result[parts, doubles] = comb(parts, doubles)
    return result


@cache
def blocks(number):
    """The same with neighbouring runs glued, with signs: {(blocks, doubles): signed ways}.

    Gluing and signs are inclusion and exclusion: runs of one colour must not stand side by side.
    """
    result = Counter()
    for (parts, doubles), ways in runs(number).items():
        if parts == 0:
            result[0, 0] += ways
        for glued in range(1, parts + 1):
            result[glued, doubles] += (-1) ** (parts - glued) * comb(parts - 1, glued - 1) * ways
    return result


@cache
def shuffled(numbers):
    """{(blocks, doubles): signed ways} to order blocks with given numbers of each colour."""
    if not numbers:
        return {(0, 0): 1}
    result = Counter()
    for (placed, pairs), ways in shuffled(numbers[:-1]).items():
        for (more, doubles), ways_of_last in blocks(numbers[-1]).items():
            result[placed + more, pairs + doubles] += (
                ways * ways_of_last * comb(placed + more, more)
            )
    return result


@cache
def queues_by_doubles(numbers):
    """{doubles: queues} with given numbers of each colour, without three alike in a row."""
    result = Counter()
    for (_, doubles), ways in shuffled(tuple(sorted(numbers))).items():
        result[doubles] += ways
    return {doubles: ways for doubles, ways in result.items() if ways}


@cache
def in_one_order(numbers):
    """The same as `shuffled` without regard to doubles, which is faster: {blocks: signed ways}."""
    if not numbers:
        return {0: 1}
    last = Counter()
    for (more, _), ways in blocks(numbers[-1]).items():
        last[more] += ways
    result = Counter()
    for placed, ways in in_one_order(numbers[:-1]).items():
        for more, ways_of_last in last.items():
            result[placed + more] += ways * ways_of_last * comb(placed + more, more)
    return result


@cache
def queues(numbers):
    """Return the number of queues with given numbers of each colour."""
    return sum(in_one_order(tuple(sorted(numbers))).values())


@cache
def queues_from(numbers, colour, least_run=1):
    """How many of them start with `colour`, with a run of two if `least_run` is 2."""
    total = 0
    for run in range(least_run, 3):
        if numbers[colour] >= run:
            rest = tuple(n - run * (c == colour) for c, n in enumerate(numbers))
            total += queues(rest) - queues_from(rest, colour)
    return total


@pytest.mark.parametrize(
    "numbers", [(1, 1), (2, 2), (3, 1), (4, 1), (3, 3), (4, 4), (2, 3, 1), (3, 2, 2), (1, 1, 2, 2)]
)
def test_the_counting_agrees_with_writing_all_queues_down(numbers):
    everyone = [colour for colour, number in enumerate(numbers) for _ in range(number)]
    written = {queue for queue in permutations(everyone) if not has_three_alike_in_a_row(queue)}
    doubles = Counter(sum(a == b for a, b in pairwise(queue)) for queue in written)
    assert queues_by_doubles(numbers) == doubles
    assert queues(numbers) == len(written)
    for colour in range(len(numbers)):
        assert queues_from(numbers, colour) == sum(queue[0] == colour for queue in written)
        assert queues_from(numbers, colour, 2) == sum(
            queue[:2] == (colour, colour) for queue in written
        )


# ---- what is to be expected ----------------------------------------------------------------------


@cache
def first_groups():
    """{how many of each colour are let in at first: ways}, over three gates."""
    trios = list(combinations(range(5), 3))
    result = Counter()
    for gates in product(trios, repeat=3):
        colours = [colour for trio in gates for colour in trio]
        result[tuple(colours.count(colour) for colour in range(5))] += 1
    return result


def waiting(let_in):
    return tuple(VISITORS[name] - n for name, n in zip(COLOURS, let_in, strict=True))


@cache
def all_setups():
    return sum(ways * queues(waiting(let_in)) for let_in, ways in first_groups().items())


def expected(count):
    """Probabilities of {key: setups} as `count(waiting)` gives them for each first group."""
    result = Counter()
    for let_in, ways in first_groups().items():
        for key, setups in count(let_in, waiting(let_in)).items():
            result[key] += ways * setups
    assert sum(result.values()) == all_setups()
    return {key: Fraction(setups, all_setups()) for key, setups in result.items()}


@pytest.fixture(scope="module")
def deals():
    game = souk.load_game("marracash", players=4, souvenirs=True)
    return [game.new_initial_state(seed=seed).to_dict() for seed in range(DEALS)]


def assert_follows(seen, probabilities):
    """A chi-square test that fails a good dealer once in a million times."""
    assert set(seen) <= set(probabilities)
    cells, rare = [], [0, 0.0]
    for key, probability in probabilities.items():
        times = float(probability) * sum(seen.values())
        if times < TOO_RARE:
            rare = [rare[0] + seen[key], rare[1] + times]
        else:
            cells.append((seen[key], times))
    if rare[1] >= TOO_RARE:
        cells.append(tuple(rare))
    chi_square = sum((observed - times) ** 2 / times for observed, times in cells)
    freedom = len(cells) - 1
    # Wilson and Hilferty: the cube root of chi-square over its mean is close to normal
    deviation = (chi_square / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))
    assert deviation / sqrt(2 / (9 * freedom)) < 4.75, (chi_square, freedom)


def colours_let_in(position):
    together = Counter()
    for group in position["groups"].values():
        together.update(group)
    return tuple(together[colour] for colour in COLOURS)


# ---- what is dealt -------------------------------------------------------------------------------


def test_the_first_groups_are_as_likely_as_queues_are_left_for_them(deals):
    """More queues are left where yellow is let in: uniform trios at the gates would not do."""
    probabilities = expected(lambda let_in, rest: {let_in: queues(rest)})
    assert_follows(Counter(colours_let_in(position) for position in deals), probabilities)


def test_how_many_yellow_visitors_come_first(deals):
    probabilities = expected(lambda let_in, rest: {let_in[1]: queues(rest)})
    assert_follows(Counter(colours_let_in(position)[1] for position in deals), probabilities)


def test_the_three_gates_are_dealt_alike(deals):
    trios = Counter()
    for position in deals:
        for gate, group in position["groups"].items():
            trios[gate, tuple(sorted(group))] += 1
    share = Counter()
    for let_in, ways in first_groups().items():
        share[let_in] = ways * queues(waiting(let_in))
    of_trio = Counter()  # every gate sees each trio as often as any other gate does
    for gates in product(combinations(range(5), 3), repeat=3):
        colours = [colour for trio in gates for colour in trio]
        let_in = tuple(colours.count(colour) for colour in range(5))
        of_trio[gates[0]] += queues(waiting(let_in))
    probabilities = {
        (gate, tuple(sorted(COLOURS[colour] for colour in trio))): Fraction(
            setups, 3 * all_setups()
        )
        for gate in deals[0]["groups"]
        for trio, setups in of_trio.items()
    }
    assert_follows(trios, probabilities)


def test_neighbours_in_the_queue_are_alike_as_often_as_in_all_queues(deals):
    """Queues repaired by swapping, or built one by one from what is left, have other numbers."""
    probabilities = expected(lambda _, rest: queues_by_doubles(rest))
    seen = Counter(sum(a == b for a, b in pairwise(position["queue"])) for position in deals)
    assert_follows(seen, probabilities)


@pytest.mark.parametrize("end", ["head", "tail"])
def test_both_ends_of_the_queue_begin_as_all_queues_do(deals, end):
    """The colour of the first, and whether the second is alike; the tail read backwards."""

    def beginnings(_, rest):
        result = {}
        for colour in range(5):
            alike = queues_from(rest, colour, 2)
            result[colour, True] = alike
            result[colour, False] = queues_from(rest, colour) - alike
        return result

    seen = Counter()
    for position in deals:
        queue = position["queue"] if end == "head" else position["queue"][::-1]
        seen[COLOURS.index(queue[0]), queue[0] == queue[1]] += 1
    assert_follows(seen, expected(beginnings))


def test_every_place_of_the_queue_sees_as_much_yellow_as_the_next(deals):
    """Not the ends, which have one neighbour: places apart from them differ by chance alone."""
    seen = Counter()
    for position in deals:
        for place in range(10, 35, 5):
            seen[place] += position["queue"][place] == "yellow"
    assert_follows(seen, dict.fromkeys(seen, Fraction(1, len(seen))))


def test_the_first_two_cards_are_any_two_of_the_25(deals):
    deck = [(colour, value) for colour, values in CARDS.items() for value in values]
    pairs = Counter(
        frozenset(tuple(card) for card in position["cards"]["open"]) for position in deals
    )
    probabilities = {frozenset(pair): Fraction(1, 300) for pair in combinations(deck, 2)}
    assert_follows(pairs, probabilities)


def test_cards_and_visitors_have_nothing_to_do_with_each_other(deals):
    seen = Counter(
        (position["queue"][0] == "yellow", any(c == "yellow" for c, _ in position["cards"]["open"]))
        for position in deals
    )
    yellow = sum(seen[True, shown] for shown in (True, False)) / DEALS
    shown = 1 - comb(20, 2) / comb(25, 2)
    assert_follows(
        seen,
        {
            (a, b): (yellow if a else 1 - yellow) * (shown if b else 1 - shown)
            for a in (True, False)
            for b in (True, False)
        },
    )


# ---- the seed ------------------------------------------------------------------------------------


def test_a_seed_deals_the_same_setup_again():
    game = souk.load_game("marracash", players=3)
    for seed in (0, 1, 7, 2**63 - 1):
        assert game.new_initial_state(seed=seed) == game.new_initial_state(seed=seed)


def test_other_seeds_and_no_seed_deal_other_setups(deals):
    assert len({str(position["queue"]) for position in deals}) == DEALS
    game = souk.load_game("marracash", players=3)
    assert game.new_initial_state() != game.new_initial_state()


def test_the_setup_does_not_depend_on_who_plays_or_how():
    """The same seed deals the same visitors to three as to four, whatever their rules."""
    setups = [
        souk.load_game("marracash", **knobs).new_initial_state(seed=11).to_dict()
        for knobs in (
            {"players": 3},
            {"players": 4},
            {"players": 4, "souvenirs": True},
            {"players": 3, "pull_in": True, "commission": "per-group"},
        )
    ]
    assert all(setup["queue"] == setups[0]["queue"] for setup in setups)
    assert all(setup["groups"] == setups[0]["groups"] for setup in setups)
