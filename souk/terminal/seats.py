"""Which game, and who sits where: from the command line, or from a few questions."""

import getpass
from collections.abc import Sequence
from dataclasses import dataclass

from souk.engine.errors import BadKnob, SoukError, brief, one_of
from souk.engine.game import Game
from souk.engine.knobs import Integer, Text, Value, parse_game, parse_value
from souk.games import game_class, load_game, names
from souk.players import Player, friendly, player, players
from souk.players.names import TRADERS
from souk.records import Seat
from souk.records.record import PERSON
from souk.records.writing import one_line
from souk.terminal.keys import edit_line

LONGEST_NAME = 20


# ---- the game ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Wish:
    """What the command line says about the game."""

    text: str  # a name or a game string
    players: int | None = None
    knobs: Sequence[str] = ()  # name=value

    def game(self, seats: int = 0) -> Game:
        """The game; as many players as seats were named, if it can and nothing else says so."""
        name, inside = parse_game(self.text)
        kind = game_class(name)
        settings: dict[str, Value] = {}
        if self.players is not None:
            settings["players"] = self.players
        for text in self.knobs:
            name, value = _setting(text, kind)
            if name in settings:
                raise BadKnob(f"{name} is set twice")
            settings[name] = value
        if "players" not in (*inside, *settings) and _is_wish(seats, kind):
            settings["players"] = seats
        return load_game(self.text, **settings)


def _setting(text: str, kind: type[Game]) -> tuple[str, Value]:
    """A knob and its value, from name=value."""
    name, equals, value = text.partition("=")
    name, value = name.strip(), value.strip()
    if not (name and equals):
        raise BadKnob(f"a knob is written name=value, like players=3, not {text!r}")
    if any(knob.name == name and isinstance(knob, Text) for knob in kind.knobs):
        return name, value  # any text may be a path
    return name, parse_value(value.capitalize() if value.lower() in ("true", "false") else value)


def _is_wish(seats: int, kind: type[Game]) -> bool:
    """Whether naming so many seats says how many play; too few leave the rest to others."""
    return seats > 1 and any(
        knob.name == "players" and isinstance(knob, Integer) and seats >= knob.low
        for knob in kind.knobs
    )


# ---- the seats -----------------------------------------------------------------------------------


def fill(game: Game, kinds: Sequence[str], rest: Sequence[str], known: Sequence[str]) -> list[str]:
    """The kind of every seat: those that were given, then what the other seats have by default."""
    seats = game.num_players()
    if len(kinds) > seats:
        raise SoukError(f"{game} has {seats} seats, but {len(kinds)} were given with --seat")
    for kind in kinds:
        if kind not in known:
            raise SoukError(f"a seat is {one_of(known)}, not {brief(kind)}")
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


# ---- the questions before a first game: Enter takes what is offered ------------------------------


@dataclass(frozen=True)
class Answers:
    """What the person chose."""

    game: str
    players: int | None
    opponent: str
    name: str


def ask_all(offered: str) -> Answers:
    """Ask how the person wants to play; the offered game is what Enter takes."""
    print("A new game. Enter takes what is in brackets.\n")
    known = names()
    game = offered if len(known) == 1 else _ask("Which game", known, offered)
    return Answers(game, _how_many(game), _against(game), _name())


def _how_many(game: str) -> int | None:
    kind = game_class(game)
    for knob in kind.knobs:
        if knob.name == "players" and isinstance(knob, Integer):
            accepted = [str(number) for number in range(knob.low, knob.high + 1)]
            usual = str(kind.default_settings({})["players"])
            return int(_ask("How many players", accepted, usual))
    return None


def _against(game: str) -> str:
    return _ask("Against which computer player", players(game), friendly(game))


def _name() -> str:
    usual = own_name()
    return tidy(edit_line(f"Your name? [{usual}] ").strip() or usual)


def _ask(question: str, accepted: Sequence[str], usual: str) -> str:
    """Ask until the answer is clear."""
    while True:
        typed = edit_line(f"{question}? {one_of(accepted)} [{usual}] ").strip() or usual
        found = [value for value in accepted if value.casefold().startswith(typed.casefold())]
        exact = [value for value in found if value.casefold() == typed.casefold()]
        if len(exact or found) == 1:
            return (exact or found)[0]
        print(f"Please type {one_of(accepted)}, or just Enter.")
