"""The few questions before a first game. Enter takes what is offered."""

from collections.abc import Callable, Sequence

from souk.engine.errors import SoukError, one_of
from souk.engine.knobs import Whole
from souk.games import game_class, names
from souk.players import players
from souk.terminal.keys import edit_line
from souk.terminal.seats import own_name, strongest, tidy


class Answers:
    """What the person chose."""

    def __init__(self, game: str, players: int | None, opponent: str, name: str) -> None:
        self.game = game
        self.players = players
        self.opponent = opponent
        self.name = name


def ask_all(offered: str) -> Answers:
    """Ask how the person wants to play; the offered game is what Enter takes."""
    print("A new game. Enter takes what is in brackets.\n")
    known = names()
    game = offered if len(known) == 1 else _ask("Which game", known, offered)
    return Answers(game, _how_many(game), _against(game), _name())


def _how_many(game: str) -> int | None:
    kind = game_class(game)
    for knob in kind.knobs:
        if knob.name == "players" and isinstance(knob, Whole):
            accepted = [str(number) for number in range(knob.low, knob.high + 1)]
            usual = str(kind.defaults({})["players"])
            return int(_ask("How many players", accepted, usual))
    return None


def _against(game: str) -> str:
    return _ask("Against which computer player", players(game), strongest(game))


def _name() -> str:
    usual = own_name()
    return tidy(edit_line(f"Your name? [{usual}] ").strip() or usual)


def _ask(question: str, accepted: Sequence[str], usual: str) -> str:
    prompt = f"{question}? {one_of(accepted)} [{usual}] "
    return repeated(prompt, lambda typed: _one(typed or usual, accepted))


def _one(typed: str, accepted: Sequence[str]) -> str:
    found = [value for value in accepted if value.casefold().startswith(typed.casefold())]
    exact = [value for value in found if value.casefold() == typed.casefold()]
    if len(exact or found) != 1:
        raise SoukError(f"Please type {one_of(accepted)}, or just Enter.")
    return (exact or found)[0]


def repeated(prompt: str, understand: Callable[[str], str]) -> str:
    """Ask until the answer is understood."""
    while True:
        try:
            return understand(edit_line(prompt).strip())
        except SoukError as error:
            print(error)
