"""Parse and format arena entrants: names such as `master:seconds=0.1`, and classes of players."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from souk.engine.errors import SoukError, brief
from souk.engine.game import Game
from souk.players import Player, make_player, player_class, players

# Makes a player, as a subclass of Player does: (game, *, seconds, nodes, seed).
PlayerMaker = Callable[..., Player]

_TEXT = re.compile(r"(?P<name>[^:#,;]+)(?::(?P<limit>[^#]*))?(?:#(?P<number>[1-9]\d*))?")
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
    def parse(cls, text: str) -> "Entrant":
        """Parse an entrant: NAME, NAME:seconds=S or NAME:nodes=N."""
        is_line = isinstance(text, str) and text.isprintable()
        match = _TEXT.fullmatch(text) if is_line else None
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
        make = self.make or player_class(self.name, game)
        return make_player(make, self.name, game, self.seconds, self.nodes, seed)

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

    A player may be named twice; the second is numbered #2.

    >>> texts = ["random", "greedy:nodes=9", "random"]
    >>> [str(entrant) for entrant in parse_entrants(texts, seconds=0.5)]
    ['random:seconds=0.5', 'greedy:nodes=9', 'random:seconds=0.5#2']
    """
    if seconds is not None and nodes is not None:
        raise SoukError("give seconds or nodes, not both")
    entrants: list[Entrant] = []
    for entrant in map(Entrant.of, given):
        if entrant.seconds is None and entrant.nodes is None:
            entrant = replace(entrant, seconds=seconds, nodes=nodes)
        while entrant in entrants:
            entrant = replace(entrant, number=entrant.number + 1)
        entrants.append(entrant)
    return tuple(entrants)
