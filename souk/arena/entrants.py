"""Who takes part: a computer player with how long it may think, in one readable text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from souk.engine.errors import SoukError, brief
from souk.engine.game import Game
from souk.players import Player, player

_TEXT = re.compile(r"(?P<name>[^:#]+)(?::(?P<limit>[^#]*))?(?:#(?P<number>[1-9]\d*))?")
LIMITS = ("seconds", "nodes")


@dataclass(frozen=True)
class Entrant:
    """A player of a tournament.

    >>> Entrant.parse("greedy:nodes=500")
    Entrant(name='greedy', seconds=None, nodes=500, number=1)
    >>> str(Entrant("greedy", seconds=0.1))
    'greedy:seconds=0.1'
    """

    name: str  # as `souk players` lists it
    seconds: float | None = None  # a move
    nodes: int | None = None  # a move
    number: int = 1  # tells apart those that are alike

    @classmethod
    def parse(cls, text: str) -> "Entrant":
        """A player as it is written on the command line: NAME, NAME:seconds=S or NAME:nodes=N."""
        found = _TEXT.fullmatch(text) if isinstance(text, str) else None
        if found is None:
            raise SoukError(
                f"a player is written name, name:seconds=0.1 or name:nodes=2000, not {brief(text)}"
            )
        number = int(found["number"] or 1)
        if found["limit"] is None:
            return cls(found["name"], number=number)
        limit, _, value = found["limit"].partition("=")
        if limit not in LIMITS:
            raise SoukError(
                f"cannot read {brief(found['limit'])} in {brief(text)}; after the colon comes "
                "seconds=0.1 or nodes=2000"
            )
        try:
            if limit == "seconds":
                return cls(found["name"], seconds=float(value), number=number)
            return cls(found["name"], nodes=int(value), number=number)
        except ValueError:
            raise SoukError(
                f"{limit} is a number, not {brief(value)} as in {brief(text)}"
            ) from None

    def __str__(self) -> str:
        limit = ""
        if self.seconds is not None:
            limit = f":seconds={self.seconds:.12g}"
        elif self.nodes is not None:
            limit = f":nodes={self.nodes}"
        return f"{self.name}{limit}{'' if self.number == 1 else f'#{self.number}'}"

    def player(self, game: Game, seed: int | None = None) -> Player:
        """The player itself, ready to be asked."""
        return player(self.name, game, seconds=self.seconds, nodes=self.nodes, seed=seed)


def entrants(
    players: Sequence[str | Entrant], *, seconds: float | None = None, nodes: int | None = None
) -> tuple[Entrant, ...]:
    """Those who take part, with a limit for all that have none of their own.

    The same player may come twice; the second is called #2.

    >>> [str(one) for one in entrants(["random", "greedy:nodes=9", "random"], seconds=0.5)]
    ['random:seconds=0.5', 'greedy:nodes=9', 'random:seconds=0.5#2']
    """
    if seconds is not None and nodes is not None:
        raise SoukError("give seconds or nodes, not both")
    chosen: list[Entrant] = []
    for given in players:
        one = given if isinstance(given, Entrant) else Entrant.parse(given)
        if one.seconds is None and one.nodes is None:
            one = replace(one, seconds=seconds, nodes=nodes)
        while one in chosen:
            one = replace(one, number=one.number + 1)
        chosen.append(one)
    return tuple(chosen)
