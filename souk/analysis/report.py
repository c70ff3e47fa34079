"""What an analysis tells: plain data, the same for Python, JSON, the server and the page."""

from typing import Any

import msgspec
from msgspec import Struct

MOST_COSTLY = 3  # decisions that are worth another look
MOST_TURNING = 3  # steps that decided the game
WORTH_A_WORD = 0.005  # of the win: what costs less is as good as the best


class Alternative(Struct, frozen=True):
    """Something that could be done, or that chance could bring."""

    action: str
    shares: list[float]  # of the win that every seat may expect after it
    probability: float | None  # of a chance outcome; None for a choice


class AnalysedStep(Struct, frozen=True):
    """A choice or a chance outcome, and what it changed."""

    step: int  # from 1; the position after it is frame number `step` of a replay
    turn: int
    seat: int | None  # who chose; None for chance
    action: str
    change: list[float]  # what the choice, or the luck, brought every seat; sums to 0
    revision: list[float]  # what the computer saw differently one step later
    shares: list[float]  # of the win that every seat may expect after it
    cost: float  # of the win that the choice cost its player; 0 for chance
    best: str | None  # the action that it should have been; None for chance
    alternatives: list[Alternative]  # all of them, the best for the player first


class Account(Struct, frozen=True):
    """What a seat's share of the win is made of: start + luck + own + others + revision = end."""

    seat: int
    name: str
    colour: str  # of its pieces, to draw it in
    start: float  # expected before the first step
    luck: float  # what chance brought
    own: float  # what the own choices cost; never above 0 but for rounding
    others: float  # what the choices of the others brought
    revision: float  # what the computer saw differently later
    end: float  # the result, or what is expected where the game stands
    decisions: int  # with at least two options
    best: int  # of these, how many were the best, or as good as


class GameAnalysis(Struct, frozen=True):
    """A whole game: every step, what it adds up to for each seat, and what mattered most."""

    game: str  # with its knobs
    level: str  # of the computer player who judged
    nodes: int | None  # that it looked at for each position; None if it went by the clock
    over: bool
    start: list[float]  # of the win that every seat may expect before the first step
    accounts: list[Account]
    steps: list[AnalysedStep]
    costly: list[int]  # the steps of the decisions that cost most, the worst first
    turning: list[int]  # the steps that moved most, by luck or by choice, the largest first

    def step(self, number: int) -> AnalysedStep:
        """A step by its number, from 1."""
        if not 1 <= number <= len(self.steps):
            raise IndexError(f"there are steps 1 to {len(self.steps)}, not {number}")
        return self.steps[number - 1]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain JSON."""
        told: dict[str, Any] = msgspec.to_builtins(self)
        return told

    def svg(self, *, theme: str = "light", size: int = 900) -> str:
        """The expected shares over time as SVG; `theme` is light, dark or auto."""
        from souk.analysis.chart import draw

        return draw(self, theme=theme, size=size)

    def _repr_svg_(self) -> str:
        return self.svg(theme="auto")


def swing(step: AnalysedStep) -> float:
    """How much of the win changed hands by luck or by choice."""
    return sum(map(abs, step.change)) / 2


def costliest(steps: list[AnalysedStep]) -> list[int]:
    """The decisions that cost most."""
    worst = sorted(steps, key=lambda step: -step.cost)
    return [step.step for step in worst[:MOST_COSTLY] if step.cost >= WORTH_A_WORD]


def turning_points(steps: list[AnalysedStep]) -> list[int]:
    """The steps that moved most."""
    largest = sorted(steps, key=lambda step: -swing(step))
    return [step.step for step in largest[:MOST_TURNING] if swing(step) >= WORTH_A_WORD]
