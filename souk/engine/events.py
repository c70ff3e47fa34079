"""What actions cause, told as a list of events, and what they would cause: previews.

Each game has its own kinds of event. Page, terminal and records tell their story from these, so
none of them has to know a rule.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import Struct, to_builtins


class Event(Struct, frozen=True, tag_field="event", tag=str.lower):
    """Something that happened. The fields of each kind are plain data, or structs of it.

    The server sends events as they are: their JSON is that of `to_dict`.
    """

    def to_dict(self) -> dict[str, Any]:
        """The event as plain JSON: its kind under `event`, then its fields."""
        told: dict[str, Any] = to_builtins(self)
        return told

    def sentence(self, names: Sequence[str]) -> str:
        """The event in words, with the names of the seats."""
        raise NotImplementedError(f"{type(self).__name__} has no words")

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
class Gain:
    """How far a seat's score would change: what is expected, and between which bounds."""

    least: int
    expected: float
    most: int

    @property
    def is_certain(self) -> bool:
        """Whether neither chance nor anybody's choice can change it."""
        return self.least == self.most

    def __str__(self) -> str:
        """In words.

        >>> str(Gain(50, 50, 50)), str(Gain(50, 81.25, 150))
        ('+50', 'about +81 (+50 to +150)')
        """
        if self.is_certain:
            return f"{self.least:+}"
        return f"about {round(self.expected):+} ({self.least:+} to {self.most:+})"


@dataclass(frozen=True)
class Preview:
    """What an action would cause, what chance may add, and what all of it is worth."""

    action: int
    text: str
    events: tuple[Event, ...]  # at once
    outcomes: tuple[Outcome, ...]  # of the chance step that comes next, if one does
    later: tuple[Event, ...]  # sure to follow, whatever chance decides on the way
    gains: tuple[Gain, ...]  # of each seat, until all that the action set going is over

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
            "later": [event.to_dict() for event in self.later],
            "gains": [dict(vars(gain)) for gain in self.gains],
        }
