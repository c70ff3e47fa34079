"""Parse and format arena entrants: names such as `master:seconds=0.1`, and classes of players."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from souk.engine.errors import SoukError, brief
from souk.engine.game import Game
from souk.players import Player, make_player, player_class, players
from souk.players.named_player import NamedPlayer
from souk.train.weights_file import with_digest

# Makes a player, as a subclass of Player does: (game, *, seconds, nodes, seed).
PlayerMaker = Callable[..., Player]

_NUMBERED = re.compile(r"(?P<player>.+?)(?:#(?P<number>[1-9]\d*))?")


@dataclass(frozen=True)
class Entrant(NamedPlayer):
    """A player of a tournament.

    >>> Entrant.parse("greedy:nodes=500#2")
    Entrant(name='greedy', seconds=None, nodes=500, weights=None, number=2)
    """

    number: int = 1  # distinguishes entrants that are otherwise equal
    make: PlayerMaker | None = field(default=None, compare=False, repr=False)  # None: by its name

    @classmethod
    def of(cls, given: "str | Entrant | type[Player] | tuple[str, PlayerMaker]") -> "Entrant":
        """Return the entrant that a name, a class, or a name with a class or function gives.

        >>> from souk.players import Player
        >>> class Last(Player):
        ...     def think(self, state, actions):
        ...         return actions[-1]
        >>> str(Entrant.of(Last)), str(Entrant.of(("last:nodes=5", Last)))
        ('Last', 'last:nodes=5')
        """
        match given:
            case Entrant():
                return given
            case str():
                return cls.parse(given)
            case type() if issubclass(given, Player):
                # A name that is inherited belongs to another player.
                return cls.of((given.__dict__.get("name", given.__name__), given))
            case (str() as text, make) if _makes_players(make):
                return replace(cls.parse(text), make=make)
            case Player():
                raise SoukError(
                    f"give the class {type(given).__name__}, not a player that exists: every game "
                    "has new players"
                )
        raise SoukError(
            "a player is given by its name, as a subclass of souk.players.Player, or as "
            f"('name', class or function that makes it), not {brief(given)}"
        )

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse an entrant: a player with its settings, and perhaps a number such as #2."""
        match = _NUMBERED.fullmatch(text) if isinstance(text, str) else None
        named = NamedPlayer.parse(match["player"] if match else text)
        return cls(**vars(named), number=int(match["number"] or 1) if match else 1)

    def __str__(self) -> str:
        return f"{super().__str__()}{'' if self.number == 1 else f'#{self.number}'}"

    def player(self, game: Game, seed: int | None = None) -> Player:
        """Return a new player for a game."""
        make = self.make or player_class(self.name, game)
        settings = (self.seconds, self.nodes, seed, self.weights)
        return make_player(make, self.name, game, *settings)

    def check(self, game: Game) -> None:
        """Raise a SoukError if it cannot play a game, or has the name of another player."""
        is_named_like_another = (
            self.make is not None
            and self.name in players(game.name)
            and player_class(self.name, game) is not self.make
        )
        if is_named_like_another:
            raise SoukError(
                f"{game.name} has another player {self.name!r}: give yours another name"
            )
        self.player(game)


def _makes_players(make: object) -> bool:
    return issubclass(make, Player) if isinstance(make, type) else callable(make)


EntrantLike = str | Entrant | type[Player] | tuple[str, PlayerMaker]


def parse_entrants(
    given: Sequence[EntrantLike], *, seconds: float | None = None, nodes: int | None = None
) -> tuple[Entrant, ...]:
    """Return the entrants of a tournament; those without a limit get the common one.

    A player may be named twice; the second is numbered #2. A file of weights is named with its
    digest, so that the games of a tournament are all played with the same content.

    >>> texts = ["random", "greedy:nodes=9", "random"]
    >>> [str(entrant) for entrant in parse_entrants(texts, seconds=0.5)]
    ['random:seconds=0.5', 'greedy:nodes=9', 'random:seconds=0.5#2']
    """
    if seconds is not None and nodes is not None:
        raise SoukError("give seconds or nodes, not both")
    entrants: list[Entrant] = []
    for entrant in map(Entrant.of, given):
        entrant = entrant.with_limit(seconds, nodes)
        if entrant.weights is not None:
            entrant = replace(entrant, weights=with_digest(entrant.weights))
        while entrant in entrants:
            entrant = replace(entrant, number=entrant.number + 1)
        entrants.append(entrant)
    return tuple(entrants)
