"""What actions cause, told as a list of events, and what they would cause: previews.

Each game has its own kinds of event. Page, terminal and records tell their story from these, so
none of them has to know a rule.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Event(ABC):
    """Something that happened. The fields of each kind are plain data."""

    def to_dict(self) -> dict[str, Any]:
        """The event as plain JSON: its kind under `event`, then its fields."""
        return {"event": type(self).__name__.lower(), **asdict(self)}

    @abstractmethod
    def sentence(self, names: Sequence[str]) -> str:
        """The event in words, with the names of the seats."""

    def note(self) -> str:
        """The event as a short comment in a game record; empty if the action says it all."""
        return ""


@dataclass(frozen=True)
class Outcome:
    """A chance outcome that may follow an action, and what it would cause."""

    action: int
    text: str
    probability: float
    events: tuple[Event, ...]


@dataclass(frozen=True)
class Preview:
    """What an action would cause, and what chance may add if its step comes next."""

    action: int
    text: str
    events: tuple[Event, ...]
    outcomes: tuple[Outcome, ...]

    def to_dict(self) -> dict[str, Any]:
        """The preview as plain JSON."""
        return {
            "action": self.text,
            "events": [event.to_dict() for event in self.events],
            "outcomes": [
                {
                    "action": outcome.text,
                    "probability": outcome.probability,
                    "events": [event.to_dict() for event in outcome.events],
                }
                for outcome in self.outcomes
            ],
        }
