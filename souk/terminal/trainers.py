"""What `souk train` can train: each game in its own way."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, Protocol

from souk.engine.errors import SoukError, one_of
from souk.games import load_game
from souk.games.marracash.ai.trainer import Fitting
from souk.games.marracash.ai.trainer import Plan as FittingPlan
from souk.games.marrakech.ai.trainer import Plan, Training
from souk.train.devices import machine

ENDINGS = {"marrakech": Training.ending, "marracash": Fitting.ending}


class Course(Protocol):
    """A training: ask for reports until there are no more, and keep what it has learned."""

    @property
    def headings(self) -> Sequence[str]:
        """What stands above the reports."""

    def __iter__(self) -> Iterator[Any]:
        """Train, with a report now and then: it has a round, and is a line to print."""

    def save(self, path: Path) -> None:
        """Keep what was learned so far, and how."""


def ending_of(game: str) -> str:
    """How the names of files end that keep what a game's training has learned."""
    name = load_game(game).name
    if name not in ENDINGS:
        raise SoukError(f"{one_of(list(ENDINGS))} can be trained, not {name}")
    return ENDINGS[name]


def course(game: str, wishes: Mapping[str, Any]) -> Course:
    """The training of a game, with wishes about its plan and the machine it runs on."""
    played = load_game(game)
    given = {wish: value for wish, value in wishes.items() if value is not None}
    if played.name == "marrakech":
        on = given.pop("on", "cpu")
        return Training(Plan(game=str(played), **given), machine(on))
    known = [field.name for field in fields(FittingPlan)]
    if strange := [wish for wish in given if wish not in known]:
        raise SoukError(
            f"{_option(strange[0])} is for nets; the judgement of marracash takes "
            f"{one_of([_option(wish) for wish in wishes if wish in known])}"
        )
    return Fitting(FittingPlan(game=str(played), **given))


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"
