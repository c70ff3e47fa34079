"""The base class of trainers, and the way to the trainer of a game (`Game.trainer`)."""

import json
import pkgutil
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Protocol, Self, get_type_hints

import msgspec
from msgspec import Meta

from souk.engine.errors import SoukError, brief, one_of
from souk.engine.game import Game
from souk.engine.intervals import wilson_interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Options that most plans have.
Rounds = Annotated[int, Meta(ge=1, description="rounds of games")]
Games = Annotated[int, Meta(ge=20, le=1_000_000, description="games per round")]
Seed = Annotated[int, Meta(ge=0, le=2**63 - 1, description="the same seed gives the same result")]
Part = Annotated[float, Meta(ge=0, le=1)]


@dataclass(frozen=True)
class Share:
    """A share of the win with its 95% confidence interval, by Wilson."""

    share: float
    low: float
    high: float

    @classmethod
    def of(cls, wins: Any) -> "Share":
        """Return the mean of an array of shares, one for each game.

        >>> import numpy as np
        >>> str(Share.of(np.zeros(20)))
        '0.000 (0.000–0.161)'
        """
        share = float(wins.mean())
        return cls(share, *wilson_interval(share, len(wins)))

    def __str__(self) -> str:
        return f"{self.share:.3f} ({self.low:.3f}–{self.high:.3f})"


class Report(Protocol):
    """The progress of a training: a dataclass whose text is a line to print."""

    @property
    def round(self) -> int: ...


class Trainer(ABC):
    """Train the evaluation of a game: iterate over it for reports, and save it after any.

    A subclass draws random numbers from seeds that depend on the plan and the number of the round
    only, and `arrays` returns all else that the next round depends on. So a training that goes on
    from a checkpoint gives the very weights of one that was never interrupted.

    The plan is a frozen dataclass with at least `game` and `rounds`. Its fields are the options of
    `souk train`: what their types accept is checked, and their descriptions are the help.
    """

    plan_class: ClassVar[type]
    report_class: ClassVar[type]
    suffix: ClassVar[str]  # of the files that hold what was learned
    headings: ClassVar[tuple[str, ...]]  # lines to print above the reports
    rounds_per_report: ClassVar[int] = 1
    plan: Any

    def __init__(self, plan: Any) -> None:
        self.plan = plan
        self.round = 0  # the last one that is done
        self.seconds = 0.0  # of all rounds
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
                    f"{option_flag(name)} does not apply here: the trainer of this game takes "
                    f"{one_of([option_flag(one) for one in types if one != 'game'])}"
                )
            try:
                plan[name] = msgspec.convert(value, types[name], strict=False)
            except msgspec.ValidationError:
                accepted = _accepted(types[name])
                raise SoukError(f"{option_flag(name)} is {accepted}, not {brief(value)}") from None
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
                lines.append((f"{option_flag(field.name)} VALUE", text))
        return lines

    def __iter__(self) -> Iterator[Report]:
        """Train, and yield a report every few rounds and after the last."""
        return filter(None, self.rounds())

    def rounds(self) -> Iterator[Report | None]:
        """Train the rounds that are left; yield after each its report, or None if it has none."""
        began = time.perf_counter() - self.seconds
        while self.round < self.plan.rounds:
            number = self.round + 1
            outcome = self.train_round(number)
            report = None
            if number % self.rounds_per_report == 0 or number == self.plan.rounds:
                report = self.report(number, outcome, lambda: time.perf_counter() - began)
                self.reports.append(report)
            self.round, self.seconds = number, time.perf_counter() - began
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
        """Return a report after a round; `seconds()` is the time that training took."""

    @abstractmethod
    def arrays(self) -> "dict[str, NDArray[Any]]":
        """Return the arrays that the next round depends on, for a checkpoint."""

    @abstractmethod
    def set_arrays(self, arrays: "Mapping[str, NDArray[Any]]") -> None:
        """Continue with arrays that `arrays` returned."""

    @abstractmethod
    def save(self, path: Path) -> None:
        """Write the weights learned so far and `about` to a file."""


def trainer_class(game: Game | type[Game]) -> type[Trainer]:
    """Return the trainer of a game; a game that has none is refused."""
    if not game.trainer:
        raise SoukError(f"{game.name} has nothing to train: its players do not learn")
    result: type[Trainer] = pkgutil.resolve_name(game.trainer)
    return result


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


def option_flag(name: str) -> str:
    """Return an option of a plan as the command line has it."""
    return f"--{name.replace('_', '-')}"
