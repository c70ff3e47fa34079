"""Who sits where: people and computer players, and what they are called."""

import getpass
from collections.abc import Sequence

from souk.engine.errors import SoukError, one_of
from souk.engine.game import Game
from souk.players import Player, player, players
from souk.records import Seat
from souk.records.record import PERSON
from souk.records.writing import one_line

# What computer players are called at a table: people of the market.
TRADERS = ("Leila", "Karim", "Amina", "Omar", "Zineb", "Hamid", "Salma", "Idriss")
LONGEST_NAME = 20


def strongest(game: str) -> str:
    """The name of the strongest computer player of a game."""
    return players(game)[-1]


def fill(game: Game, kinds: Sequence[str], rest: Sequence[str]) -> list[str]:
    """The kind of every seat: those that were given, then what the other seats have by default."""
    seats = game.num_players()
    if len(kinds) > seats:
        raise SoukError(f"{game} has {seats} seats, but {len(kinds)} were given with --seat")
    known = [PERSON, *players(game.name)]
    for kind in kinds:
        if kind not in known:
            raise SoukError(f"a seat is {one_of(known)}, not {kind!r}")
    return [*kinds, *rest[len(kinds) : seats]]


def seat(kinds: Sequence[str], names: Sequence[str]) -> tuple[Seat, ...]:
    """Kinds and names together.

    As many names as seats go in their order; fewer go to the people first.

    >>> [seat.name for seat in seat(["greedy", "person"], ["Ada"])]
    ['Leila', 'Ada']
    """
    if len(names) > len(kinds):
        raise SoukError(f"there are {len(kinds)} seats, but {len(names)} names")
    order = list(range(len(kinds)))
    if len(names) < len(kinds):
        order.sort(key=lambda number: kinds[number] != PERSON)
    chosen = {number: tidy(name) for number, name in zip(order, names, strict=False)}
    if len({name.casefold() for name in chosen.values()}) < len(chosen):
        raise SoukError(f"two seats have the same name: {', '.join(chosen.values())}")
    for number, kind in enumerate(kinds):
        if number not in chosen:
            pool = TRADERS if kind != PERSON else (own_name(), "Guest")
            chosen[number] = _free(pool, set(chosen.values()))
    return tuple(Seat(chosen[number], kind) for number, kind in enumerate(kinds))


def tidy(name: str) -> str:
    """A name that fits on a line and in a record.

    >>> tidy("  Ada, Countess of Lovelace  ")
    'Ada Countess of Love'
    """
    return one_line(name.replace(",", " ").replace(";", " ").replace(":", " "))[
        :LONGEST_NAME
    ].strip()


def own_name() -> str:
    """What to call the person at the keyboard, if nobody says."""
    try:
        name = getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "Guest"
    return name.capitalize() if name.isalpha() and name != "root" else "Guest"


def _free(pool: Sequence[str], taken: set[str]) -> str:
    for name in pool:
        if name not in taken:
            return name
    number = 2
    while f"{pool[-1]} {number}" in taken:
        number += 1
    return f"{pool[-1]} {number}"


def computers(
    game: Game,
    seats: Sequence[Seat],
    *,
    seconds: float | None = None,
    nodes: int | None = None,
) -> dict[int, Player]:
    """The computer players by seat."""
    return {
        number: player(seat.plays, game, seconds=seconds, nodes=nodes)
        for number, seat in enumerate(seats)
        if seat.plays != PERSON
    }
