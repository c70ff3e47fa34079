"""Ask how to set up a new game; Enter takes the default."""

from collections.abc import Sequence
from dataclasses import dataclass

from souk.engine.errors import one_of
from souk.engine.knobs import Integer
from souk.games import game_class, names
from souk.players import default_player, players
from souk.terminal.keyboard import edit_line
from souk.terminal.seats import clean_name, user_name


@dataclass(frozen=True)
class Answers:
    """The answers of the person."""

    game: str
    players: int | None
    opponent: str
    name: str


def ask_all(default_game: str) -> Answers:
    """Ask for the game, the number of players, the opponent and the person's name."""
    print("A new game. Press Enter for the answer in brackets.\n")
    known = names()
    game = default_game if len(known) == 1 else _ask("Which game", known, default_game)
    return Answers(game, _ask_players(game), _ask_opponent(game), _ask_name())


def _ask_players(game: str) -> int | None:
    kind = game_class(game)
    for knob in kind.knobs:
        if knob.name == "players" and isinstance(knob, Integer):
            accepted = [str(number) for number in range(knob.low, knob.high + 1)]
            default = str(kind.default_settings({})["players"])
            return int(_ask("How many players", accepted, default))
    return None


def _ask_opponent(game: str) -> str:
    return _ask("Against which computer player", players(game), default_player(game))


def _ask_name() -> str:
    default = user_name()
    return clean_name(edit_line(f"Your name? [{default}] ").strip() or default)


def _ask(question: str, accepted: Sequence[str], default: str) -> str:
    """Ask until the answer is one of the accepted ones, or the beginning of only one."""
    while True:
        typed = edit_line(f"{question}? {one_of(accepted)} [{default}] ").strip() or default
        fitting = [value for value in accepted if value.casefold().startswith(typed.casefold())]
        exact = [value for value in fitting if value.casefold() == typed.casefold()]
        if len(exact or fitting) == 1:
            return (exact or fitting)[0]
        print(f"Please type {one_of(accepted)}, or just press Enter.")
