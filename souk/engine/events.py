"""Events, which describe what an action caused, and previews of actions.

A game may define its own event classes. The page, the terminal and records describe a game by
its events, so they know no rules.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import Struct, to_builtins


class Event(Struct, frozen=True, tag_field="event", tag=str.lower):
    """The base class of events. Fields are plain data, or structs of plain data.

    The JSON that msgspec encodes is that of `to_dict`.
    """

    def to_dict(self) -> dict[str, Any]:
        """Return the event as plain data: its class under `event`, then its fields."""
        fields: dict[str, Any] = to_builtins(self)
        return fields

    def sentence(self, names: Sequence[str]) -> str:
        """Return the event as a sentence, with the names of the seats."""
        raise NotImplementedError(f"{type(self).__name__} has no sentence")

    def note(self) -> str:
        """Return a short comment for a game record, or an empty string."""
        return ""


class Acted(Event, frozen=True):
    """An action was applied: the event of games that define no others.

    >>> Acted(1, "pay 5", "{1} pays {0} 5 dirhams.").sentence(["Leila", "Karim"])
    'Karim pays Leila 5 dirhams.'
    """

    seat: int  # whose turn it is
    action: str
    text: str  # the sentence, with {0}, {1} … for the names of the seats

    def sentence(self, names: Sequence[str]) -> str:
        return re.sub(r"\{(\d+)\}", lambda place: names[int(place[1])], self.text)


class Over(Event, frozen=True):
    """The game ended."""

    scores: tuple[int, ...]
    ranking: tuple[tuple[int, ...], ...]

    def sentence(self, names: Sequence[str]) -> str:
        points = ", ".join(f"{names[seat]} {score}" for seat, score in enumerate(self.scores))
        return f"The game is over: {points}."


@dataclass(frozen=True)
class Outcome:
    """A chance outcome that may follow an action, and its events."""

    action: int
    text: str
    probability: float
    events: tuple[Event, ...]


@dataclass(frozen=True)
class Gain:
    """The change of a seat's score: its expected value and its bounds."""

    least: int
    expected: float
    most: int

    @property
    def is_certain(self) -> bool:
        """True if the change depends on neither chance nor choices."""
        return self.least == self.most

    def __str__(self) -> str:
        """Return the change as text.

        >>> str(Gain(50, 50, 50)), str(Gain(50, 81.25, 150))
        ('+50', 'about +81 (+50 to +150)')
        """
        if self.is_certain:
            return f"{self.least:+}"
        return f"about {round(self.expected):+} ({self.least:+} to {self.most:+})"


@dataclass(frozen=True)
class Preview:
    """The effects that an action would have: events, chance outcomes and gains."""

    action: int
    text: str
    events: tuple[Event, ...]  # at once
    outcomes: tuple[Outcome, ...]  # of the chance step that follows, if one does
    later: tuple[Event, ...]  # certain to follow, whatever chance and players decide
    gains: tuple[Gain, ...]  # of each seat, until all consequences of the action are over

    def to_dict(self) -> dict[str, Any]:
        """Return the preview as plain data."""
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
