"""The result of an analysis as plain data, the same for Python, JSON, the server and the page."""

from typing import Any

import msgspec
from msgspec import Struct

from souk.analysis.mistakes import THRESHOLDS, Mistake, Thresholds, mistake_of

MAX_COSTLIEST = 3
MAX_TURNING_POINTS = 3
NEGLIGIBLE = 0.005  # a decision that costs less counts as best


class Alternative(Struct, frozen=True):
    """A possible decision or chance outcome."""

    action: str
    shares: list[float]  # winning chances of every seat after it
    probability: float | None  # of a chance outcome; None for a decision


class AnalysedStep(Struct, frozen=True):
    """A decision or a chance outcome, and what it changed."""

    step: int  # from 1; the position after it is frame number `step` of a replay
    turn: int
    seat: int | None  # who decided; None for chance
    action: str
    change: list[float]  # of every seat's winning chances by the decision or luck; sums to 0
    hindsight: list[float]  # the further change when the next position is evaluated
    shares: list[float]  # winning chances of every seat after it
    cost: float  # what the decision cost its player; 0 for chance
    best: str | None  # the best action; None for chance
    alternatives: list[Alternative]  # all of them, best for the player first
    mistake: Mistake | None = None  # the name of a decision that cost much


class PlayerSummary(Struct, frozen=True):
    """The changes of a seat's winning chances: start + luck + own + others + hindsight = end."""

    seat: int
    name: str
    colour: str  # of the player's pieces
    start: float  # winning chances before the first step
    luck: float  # change by chance outcomes
    own: float  # change by the player's own decisions; never above 0 except for rounding
    others: float  # change by the decisions of others
    hindsight: float  # change because later evaluations see further
    end: float  # the result, or the winning chances where the game stands
    decisions: int  # with at least two options
    best: int  # decisions that were best, or nearly so
    inaccuracies: int
    mistakes: int
    blunders: int
    error_rate: float  # the mean cost of the decisions, times 1000


class GameAnalysis(Struct, frozen=True):
    """The analysis of a whole game."""

    game: str  # with its knobs
    level: str  # the computer player that evaluated
    nodes: int | None  # per position; None if it was limited by time
    over: bool
    start: list[float]  # winning chances of every seat before the first step
    players: list[PlayerSummary]
    steps: list[AnalysedStep]
    costliest: list[int]  # the steps of the decisions that cost most, worst first
    turning_points: list[int]  # the steps that changed most by luck or decision, largest first
    thresholds: Thresholds = THRESHOLDS  # of the names of mistakes

    def step(self, number: int) -> AnalysedStep:
        """Return a step by its number, from 1."""
        if not 1 <= number <= len(self.steps):
            raise IndexError(f"there are steps 1 to {len(self.steps)}, not {number}")
        return self.steps[number - 1]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain JSON."""
        values: dict[str, Any] = msgspec.to_builtins(self)
        return values

    def svg(self, *, theme: str = "light", size: int = 900) -> str:
        """Draw the winning chances over time as SVG; `theme` is light, dark or auto."""
        from souk.analysis.chart import draw

        return draw(self, theme=theme, size=size)

    def _repr_svg_(self) -> str:
        return self.svg(theme="auto")


def name_mistakes(steps: list[AnalysedStep]) -> list[AnalysedStep]:
    """Return the steps with the names of decisions that cost much."""
    return [msgspec.structs.replace(step, mistake=mistake_of(step.cost)) for step in steps]


def swing(step: AnalysedStep) -> float:
    """Return how much of the winning chances changed hands by luck or decision."""
    return sum(map(abs, step.change)) / 2


def costliest(steps: list[AnalysedStep]) -> list[int]:
    """Return the steps of the decisions that cost most."""
    worst = sorted(steps, key=lambda step: -step.cost)
    return [step.step for step in worst[:MAX_COSTLIEST] if step.cost >= NEGLIGIBLE]


def turning_points(steps: list[AnalysedStep]) -> list[int]:
    """Return the steps that changed the winning chances most."""
    largest = sorted(steps, key=lambda step: -swing(step))
    return [step.step for step in largest[:MAX_TURNING_POINTS] if swing(step) >= NEGLIGIBLE]
