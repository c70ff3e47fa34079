"""Decide who sits where: the kind and the name of every seat."""

import getpass
from collections.abc import Sequence

from souk.engine.errors import SoukError, brief, one_of
from souk.engine.game import Game
from souk.players import Player, player
from souk.players.named_player import NamedPlayer
from souk.players.names import COMPUTER_NAMES
from souk.records import Seat
from souk.records.record import PERSON
from souk.records.replay import one_line

MAX_NAME_LENGTH = 20


def fill_seats(
    game: Game, kinds: Sequence[str], defaults: Sequence[str], accepted: Sequence[str]
) -> list[str]:
    """Return the kind of every seat: those given, then the defaults of the other seats."""
    seats = game.num_players()
    if len(kinds) > seats:
        raise SoukError(f"{game} has {seats} seats, but {len(kinds)} were given with --seat")
    for kind in kinds:
        name = kind if kind == PERSON else NamedPlayer.parse(kind).name
        if name not in accepted or (name == PERSON != kind):
            raise SoukError(f"a seat is {one_of(accepted)}, not {brief(kind)}")
    return [*kinds, *defaults[len(kinds) : seats]]


def name_seats(kinds: Sequence[str], names: Sequence[str]) -> tuple[Seat, ...]:
    """Return seats with names.

    As many names as seats go in their order; fewer go to the people first.

    >>> [seat.name for seat in name_seats(["greedy", "person"], ["Ada"])]
    ['Leila', 'Ada']
    """
    if len(names) > len(kinds):
        raise SoukError(f"there are {len(kinds)} seats, but {len(names)} names")
    order = list(range(len(kinds)))
    if len(names) < len(kinds):
        order.sort(key=lambda number: kinds[number] != PERSON)
    chosen = {number: clean_name(name) for number, name in zip(order, names, strict=False)}
    if len({name.casefold() for name in chosen.values()}) < len(chosen):
        raise SoukError(f"two seats have the same name: {', '.join(chosen.values())}")
    for number, kind in enumerate(kinds):
        if number not in chosen:
            candidates = COMPUTER_NAMES if kind != PERSON else (user_name(), "Guest")
            chosen[number] = _unused(candidates, set(chosen.values()))
    return tuple(Seat(chosen[number], kind) for number, kind in enumerate(kinds))


def clean_name(name: str) -> str:
    """Return a name that fits on a line and in a record.

    >>> clean_name("  Ada, Countess of Lovelace  ")
    'Ada Countess of Love'
    """
    text = one_line(name.replace(",", " ").replace(";", " ").replace(":", " "))
    return text[:MAX_NAME_LENGTH].strip()


def user_name() -> str:
    """Return the default name of the person at the keyboard."""
    try:
        name = getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "Guest"
    return name.capitalize() if name.isalpha() and name != "root" else "Guest"


def _unused(candidates: Sequence[str], taken: set[str]) -> str:
    for name in candidates:
        if name not in taken:
            return name
    number = 2
    while f"{candidates[-1]} {number}" in taken:
        number += 1
    return f"{candidates[-1]} {number}"


def computer_players(
    game: Game,
    seats: Sequence[Seat],
    *,
    seconds: float | None = None,
    nodes: int | None = None,
) -> dict[int, Player]:
    """Return the computer players by seat."""
    return {
        number: player(seat.plays, game, seconds=seconds, nodes=nodes)
        for number, seat in enumerate(seats)
        if seat.plays != PERSON
    }
