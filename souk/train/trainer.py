"""The base class of trainers, and the way to the trainer of a game (`Game.trainer`)."""

import json
import math
import pkgutil
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Annotated, Any, ClassVar, Protocol, Self, get_type_hints

import msgspec
from msgspec import Meta

from souk.engine.errors import SoukError, brief, one_of
from souk.engine.game import Game

# Options that most plans have.
Rounds = Annotated[int, Meta(ge=1, description="rounds of games")]
Games = Annotated[int, Meta(ge=20, le=1_000_000, description="games per round")]
Seed = Annotated[int, Meta(ge=0, le=2**63 - 1, description="the same seed gives the same result")]
Part = Annotated[float, Meta(ge=0, le=1)]


class Report(Protocol):
    """The progress of a training: a dataclass whose text is a line to print."""

    @property
    def round(self) -> int: ...


class Trainer(ABC):
    """Train the evaluation of a game: iterate over it for reports, and save it after any.

    The plan is a frozen dataclass with at least `game` and `rounds`. Its fields are the options of
    `souk train`: what their types accept is checked, and their descriptions are the help.
    """

    plan_class: ClassVar[type]
    suffix: ClassVar[str]  # of the files that hold what was learned
    headings: ClassVar[tuple[str, ...]]  # lines to print above the reports
    rounds_per_report: ClassVar[int] = 1
    plan: Any

    def __init__(self, plan: Any) -> None:
        self.plan = plan
        self.reports: list[Any] = []
        self.previous: dict[str, Any] | None = None  # `about` of the file it began with

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Self:
        """Return a trainer with the given options and the plan's defaults for all others.

        Values may be texts, as on a command line.
        """
        types = get_type_hints(cls.plan_class, include_extras=True)
        plan = {}
        for name, value in options.items():
            if name not in types:
                raise SoukError(
                    f"{_flag(name)} does not apply here: the trainer of this game takes "
                    f"{one_of([_flag(one) for one in types if one != 'game'])}"
                )
            try:
                plan[name] = msgspec.convert(value, types[name], strict=False)
            except msgspec.ValidationError:
                accepted = _accepted(types[name])
                raise SoukError(f"{_flag(name)} is {accepted}, not {brief(value)}") from None
        return cls(cls.plan_class(**plan))

    @classmethod
    def help(cls) -> list[tuple[str, str]]:
        """Return the options of its plan, each with a description."""
        types = get_type_hints(cls.plan_class, include_extras=True)
        lines = []
        for field in fields(cls.plan_class):
            if field.name != "game":
                about = [one.description for one in getattr(types[field.name], "__metadata__", ())]
                default = f"[{field.default}]" if field.default != "" else ""
                text = " ".join(filter(None, (*about, default)))
                lines.append((f"{_flag(field.name)} VALUE", text))
        return lines

    def __iter__(self) -> Iterator[Report]:
        """Train, and yield a report every few rounds and after the last."""
        began = time.perf_counter()
        for number in range(1, self.plan.rounds + 1):
            outcome = self.train_round(number)
            if number % self.rounds_per_report == 0 or number == self.plan.rounds:
                report = self.report(number, outcome, lambda: time.perf_counter() - began)
                self.reports.append(report)
                yield report

    def about(self) -> str:
        """Return how the weights were trained, as JSON to save beside them."""
        reports = [asdict(one) for one in self.reports]
        return json.dumps({"plan": asdict(self.plan), "reports": reports, "before": self.previous})

    @abstractmethod
    def train_round(self, number: int) -> Any:
        """Play and learn for one round, counted from 1; return what `report` needs of it."""

    @abstractmethod
    def report(self, number: int, outcome: Any, seconds: Callable[[], float]) -> Report:
        """Return a report after a round; `seconds()` is the time since training began."""

    @abstractmethod
    def save(self, path: Path) -> None:
        """Write the weights learned so far and `about` to a file."""


def trainer_class(game: Game | type[Game]) -> type[Trainer]:
    """Return the trainer of a game; a game that has none is refused."""
    if not game.trainer:
        raise SoukError(f"{game.name} has nothing to train: its players do not learn")
    result: type[Trainer] = pkgutil.resolve_name(game.trainer)
    return result


def mean_and_margin(values: Any) -> tuple[float, float]:
    """Return the mean of an array and the half width of its 95% confidence interval."""
    return float(values.mean()), float(1.96 * values.std() / math.sqrt(len(values)))


def _accepted(kind: Any) -> str:
    """Return what the type of an option accepts, in words.

    >>> _accepted(Games)
    'a whole number from 20 to 1000000'
    """
    accepted = "a whole number" if int in (kind, getattr(kind, "__origin__", None)) else "a number"
    for meta in getattr(kind, "__metadata__", ()):
        accepted += "" if meta.ge is None else f" from {meta.ge}"
        accepted += "" if meta.le is None else f" to {meta.le}"
    return accepted


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"
