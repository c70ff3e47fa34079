"""List the pairings of a tournament and the seats of the players in each.

A pairing is a table that plays many games: one player against copies of another, or several
different players. A pairing plays every setup (a deal and its dice) once for each rotation of the
seats, so that no player is favoured by seats or dice.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, permutations

from souk.engine.errors import SoukError, brief, one_of

Seating = tuple[str, ...]  # the texts of the entrants by seat


@dataclass(frozen=True)
class Pairing:
    """Players at one table, some of them perhaps in several seats."""

    seating: Seating  # in the first rotation

    @property
    def players(self) -> Seating:
        """The players, each once."""
        return tuple(dict.fromkeys(self.seating))

    @property
    def is_duel(self) -> bool:
        """True if one player meets another or its copies."""
        return len(self.players) == 2

    def rotations(self, setup: int) -> list[Seating]:
        """Return the seatings of the games of a setup.

        Every rotation is one of them, so each player has every seat once. Where all players are
        different, the order round the table matters too: it changes from setup to setup and does
        not depend on the order in which the players were named.

        >>> Pairing(("A", "B", "B")).rotations(0)
        [('A', 'B', 'B'), ('B', 'A', 'B'), ('B', 'B', 'A')]
        >>> [Pairing(("A", "B", "C")).rotations(setup)[0] for setup in (0, 1, 2)]
        [('A', 'B', 'C'), ('A', 'C', 'B'), ('A', 'B', 'C')]
        """
        order = self.seating
        if not self.is_duel:
            first, *others = sorted(self.seating)
            orders = list(permutations(others))
            order = (first, *orders[setup % len(orders)])
        return [order[-shift:] + order[:-shift] for shift in range(len(order))]

    def __str__(self) -> str:
        if not self.is_duel:
            return ", ".join(self.seating)
        copies = len(self.seating) - 1
        player, opponent = self.players
        return f"{player} against {opponent if copies == 1 else f'{copies} × {opponent}'}"


def _gauntlet(players: Sequence[str], seats: int) -> Iterator[Seating]:
    for opponent in players[1:]:
        yield (players[0], *[opponent] * (seats - 1))


def _round_robin(players: Sequence[str], seats: int) -> Iterator[Seating]:
    for player, opponent in permutations(players, 2):
        is_repeated = seats == 2 and players.index(player) > players.index(opponent)
        if not is_repeated:
            yield (player, *[opponent] * (seats - 1))


def _ladder(players: Sequence[str], seats: int) -> Iterator[Seating]:
    for below, above in pairwise(players):
        yield (above, *[below] * (seats - 1))


def _mixed(players: Sequence[str], seats: int) -> Iterator[Seating]:
    if len(players) < seats:
        raise SoukError(
            f"the plan mixed needs at least as many players as seats: {len(players)} players, "
            f"{seats} seats"
        )
    yield from combinations(players, seats)


PLANS: dict[str, Callable[[Sequence[str], int], Iterator[Seating]]] = {
    "gauntlet": _gauntlet,  # the first player against copies of each of the others
    "round-robin": _round_robin,  # each player against copies of each other player
    "ladder": _ladder,  # each player against copies of the one named before it
    "mixed": _mixed,  # every choice of as many different players as there are seats
}


def default_plan(players: int, seats: int) -> str:
    """Return the plan for a number of players and seats.

    >>> default_plan(2, 4), default_plan(3, 2), default_plan(3, 4), default_plan(5, 3)
    ('gauntlet', 'round-robin', 'round-robin', 'mixed')
    """
    if players == 2:
        return "gauntlet"
    return "mixed" if seats > 2 and players >= seats else "round-robin"


def make_pairings(plan: str, players: Sequence[str], seats: int) -> tuple[Pairing, ...]:
    """Return the pairings of a plan.

    >>> [str(pairing) for pairing in make_pairings("gauntlet", ["A", "B", "C"], 3)]
    ['A against 2 × B', 'A against 2 × C']
    """
    if plan not in PLANS:
        raise SoukError(f"a plan is {one_of(PLANS)}, not {brief(plan)}")
    if len(players) < 2:
        raise SoukError("a tournament needs at least two players; the same one may be named twice")
    return tuple(Pairing(seating) for seating in PLANS[plan](players, seats))
