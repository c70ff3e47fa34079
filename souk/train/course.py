"""What `souk train` can train: each game in its own way."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, Protocol

from souk.engine.errors import SoukError, one_of
from souk.games import load_game
from souk.train import fitting, training
from souk.train.machines import machine

MACHINE = "on"


class Course(Protocol):
    """A training: ask for reports until there are no more, and keep what it has learned."""

    @property
    def ending(self) -> str:
        """Of the files that it is kept in."""

    @property
    def headings(self) -> Sequence[str]:
        """What stands above the reports."""

    @property
    def reports(self) -> Sequence[Any]:
        """All reports so far; each has a round, and a line to print."""

    def __iter__(self) -> Iterator[Any]:
        """Train, with a report now and then."""

    def save(self, path: Path) -> None:
        """Keep what was learned so far, and how."""


def course(game: str, wishes: Mapping[str, Any]) -> Course:
    """The training of a game, with wishes about its plan and the machine it runs on."""
    name = load_game(game).name
    given = {wish: value for wish, value in wishes.items() if value is not None}
    if name == "marrakech":
        on = given.pop(MACHINE, "cpu")
        return training.Training(training.Plan(game=game, **given), machine(on))
    if name != "marracash":
        raise SoukError(f"marrakech and marracash can be trained, not {name}")
    known = [field.name for field in fields(fitting.Plan)]
    if strange := [wish for wish in given if wish not in known]:
        raise SoukError(
            f"{_option(strange[0])} is for nets; the judgement of marracash takes "
            f"{one_of([_option(wish) for wish in wishes if wish in known])}"
        )
    return fitting.Fitting(fitting.Plan(game=game, **given))


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"
