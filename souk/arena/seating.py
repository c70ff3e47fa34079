"""Who meets whom, and where they sit: the plans of a tournament.

A pairing is a table that is played again and again: one player against copies of another, or
several different players. For every setup (a deal and its dice) a pairing is played once for each
rotation of the seats, so that nobody is lucky with seats or dice.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, permutations

from souk.engine.errors import SoukError, brief, one_of

Seats = tuple[str, ...]  # who sits where, by the texts of the entrants


@dataclass(frozen=True)
class Pairing:
    """Those who sit together, some of them perhaps several times."""

    seats: Seats  # as they sit in the first rotation

    @property
    def players(self) -> Seats:
        """Those who meet here, each once."""
        return tuple(dict.fromkeys(self.seats))

    @property
    def is_duel(self) -> bool:
        """Whether one player meets another or its copies."""
        return len(self.players) == 2

    def rotations(self, setup: int) -> list[Seats]:
        """How they sit in the games of a setup.

        Every rotation, so that each has every seat once. Where all are different the order round
        the table matters too: it changes from setup to setup, and not with the order in which
        players are named.

        >>> Pairing(("A", "B", "B")).rotations(0)
        [('A', 'B', 'B'), ('B', 'A', 'B'), ('B', 'B', 'A')]
        >>> [Pairing(("A", "B", "C")).rotations(setup)[0] for setup in (0, 1, 2)]
        [('A', 'B', 'C'), ('A', 'C', 'B'), ('A', 'B', 'C')]
        """
        order = self.seats
        if not self.is_duel:
            first, *others = sorted(self.seats)
            orders = list(permutations(others))
            order = (first, *orders[setup % len(orders)])
        return [order[-turn:] + order[:-turn] for turn in range(len(order))]

    def __str__(self) -> str:
        if not self.is_duel:
            return ", ".join(self.seats)
        copies = len(self.seats) - 1
        against = self.players[1]
        return f"{self.players[0]} against {against if copies == 1 else f'{copies} × {against}'}"


def _first(players: Sequence[str], seats: int) -> Iterator[Seats]:
    for other in players[1:]:
        yield (players[0], *[other] * (seats - 1))


def _each(players: Sequence[str], seats: int) -> Iterator[Seats]:
    for one, other in permutations(players, 2):
        is_known = seats == 2 and players.index(one) > players.index(other)  # the same two
        if not is_known:
            yield (one, *[other] * (seats - 1))


def _steps(players: Sequence[str], seats: int) -> Iterator[Seats]:
    for below, above in pairwise(players):
        yield (above, *[below] * (seats - 1))


def _together(players: Sequence[str], seats: int) -> Iterator[Seats]:
    if len(players) < seats:
        raise SoukError(
            f"the plan together wants at least as many players as seats: {len(players)} players, "
            f"{seats} seats"
        )
    yield from combinations(players, seats)


PLANS: dict[str, Callable[[Sequence[str], int], Iterator[Seats]]] = {
    "first": _first,  # the first against copies of each of the others
    "each": _each,  # each against copies of each other
    "steps": _steps,  # each against copies of the one named before it
    "together": _together,  # every choice of as many players as there are seats
}


def usual_plan(players: int, seats: int) -> str:
    """The plan for so many players, when nobody says.

    >>> usual_plan(2, 4), usual_plan(3, 2), usual_plan(3, 4), usual_plan(5, 3)
    ('first', 'each', 'each', 'together')
    """
    if players == 2:
        return "first"
    return "together" if seats > 2 and players >= seats else "each"


def pairings(plan: str, players: Sequence[str], seats: int) -> tuple[Pairing, ...]:
    """The pairings of a plan.

    >>> [str(pairing) for pairing in pairings("first", ["A", "B", "C"], 3)]
    ['A against 2 × B', 'A against 2 × C']
    """
    if plan not in PLANS:
        raise SoukError(f"a plan is {one_of(PLANS)}, not {brief(plan)}")
    if len(players) < 2:
        raise SoukError("a tournament needs at least two players; the same one may be named twice")
    return tuple(Pairing(found) for found in PLANS[plan](players, seats))
