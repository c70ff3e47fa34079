"""Parse and format arena entrants such as `master:seconds=0.1`."""

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
    """A player of a tournament with its limit per move.

    >>> Entrant.parse("greedy:nodes=500")
    Entrant(name='greedy', seconds=None, nodes=500, number=1)
    >>> str(Entrant("greedy", seconds=0.1))
    'greedy:seconds=0.1'
    """

    name: str  # as `souk players` lists it
    seconds: float | None = None  # per move
    nodes: int | None = None  # per move
    number: int = 1  # distinguishes entrants that are otherwise equal

    @classmethod
    def parse(cls, text: str) -> "Entrant":
        """Parse an entrant: NAME, NAME:seconds=S or NAME:nodes=N."""
        match = _TEXT.fullmatch(text) if isinstance(text, str) else None
        if match is None:
            raise SoukError(
                f"a player is written name, name:seconds=0.1 or name:nodes=2000, not {brief(text)}"
            )
        number = int(match["number"] or 1)
        if match["limit"] is None:
            return cls(match["name"], number=number)
        limit, _, value = match["limit"].partition("=")
        if limit not in LIMITS:
            raise SoukError(
                f"cannot read {brief(match['limit'])} in {brief(text)}; after the colon comes "
                "seconds=0.1 or nodes=2000"
            )
        try:
            if limit == "seconds":
                return cls(match["name"], seconds=float(value), number=number)
            return cls(match["name"], nodes=int(value), number=number)
        except ValueError:
            raise SoukError(f"{limit} is a number, not {brief(value)}, in {brief(text)}") from None

    def __str__(self) -> str:
        limit = ""
        if self.seconds is not None:
            limit = f":seconds={self.seconds:.12g}"
        elif self.nodes is not None:
            limit = f":nodes={self.nodes}"
        return f"{self.name}{limit}{'' if self.number == 1 else f'#{self.number}'}"

    def player(self, game: Game, seed: int | None = None) -> Player:
        """Return a new player for a game."""
        return player(self.name, game, seconds=self.seconds, nodes=self.nodes, seed=seed)


def parse_entrants(
    players: Sequence[str | Entrant], *, seconds: float | None = None, nodes: int | None = None
) -> tuple[Entrant, ...]:
    """Parse the entrants of a tournament; those without a limit get the common one.

    A player may be named twice; the second is numbered #2.

    >>> texts = ["random", "greedy:nodes=9", "random"]
    >>> [str(entrant) for entrant in parse_entrants(texts, seconds=0.5)]
    ['random:seconds=0.5', 'greedy:nodes=9', 'random:seconds=0.5#2']
    """
    if seconds is not None and nodes is not None:
        raise SoukError("give seconds or nodes, not both")
    entrants: list[Entrant] = []
    for given in players:
        entrant = given if isinstance(given, Entrant) else Entrant.parse(given)
        if entrant.seconds is None and entrant.nodes is None:
            entrant = replace(entrant, seconds=seconds, nodes=nodes)
        while entrant in entrants:
            entrant = replace(entrant, number=entrant.number + 1)
        entrants.append(entrant)
    return tuple(entrants)
