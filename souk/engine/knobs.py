"""Knobs, the settings of a game, and game strings such as `marrakech(players=3)`."""

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import cast

from souk.engine.errors import BadKnob, as_int, brief, one_of

Value = int | str | bool  # of a knob


@dataclass(frozen=True)
class Knob(ABC):
    """One setting of a game."""

    name: str
    about: str  # one line for `--help` and the docs
    # The values of other knobs with which this knob has an effect, by their names.
    needs: Mapping[str, tuple[Value, ...]] = field(default_factory=dict, kw_only=True, hash=False)
    default: Value | None = field(default=None, kw_only=True)  # None: the first value accepted

    @property
    @abstractmethod
    def first(self) -> Value:
        """The first value that it accepts."""

    @property
    @abstractmethod
    def accepts(self) -> str:
        """A description of the accepted values for error messages."""

    @abstractmethod
    def fits(self, value: object) -> bool:
        """Return whether the knob accepts a value."""

    def check(self, value: object) -> Value:
        """Return an accepted value, NumPy integers as int. Raise BadKnob for any other value."""
        if self.fits(value):
            number = as_int(value)
            return number if number is not None else cast(Value, value)
        raise BadKnob(f"{self.name} accepts {self.accepts}, not {brief(value)}")


@dataclass(frozen=True)
class Integer(Knob):
    """An integer between two limits, both included."""

    low: int
    high: int

    @property
    def first(self) -> int:
        return self.low

    @property
    def accepts(self) -> str:
        return f"a whole number from {self.low} to {self.high}"

    def fits(self, value: object) -> bool:
        number = as_int(value)
        return number is not None and self.low <= number <= self.high


@dataclass(frozen=True)
class Choice(Knob):
    """One of several words."""

    values: tuple[str, ...]

    @property
    def first(self) -> str:
        return self.values[0]

    @property
    def accepts(self) -> str:
        return one_of(self.values)

    def fits(self, value: object) -> bool:
        return isinstance(value, str) and value in self.values


@dataclass(frozen=True)
class Flag(Knob):
    """On or off."""

    accepts = "True or False"
    first = False

    def fits(self, value: object) -> bool:
        return isinstance(value, bool)


@dataclass(frozen=True)
class FlagOrChoice(Knob):
    """Off, on, or one of several words for what on means; alone, on means one of them."""

    values: tuple[str, ...]  # the words
    first = False

    @property
    def accepts(self) -> str:
        return one_of(("False", "True", *self.values))

    def fits(self, value: object) -> bool:
        return isinstance(value, bool) or (isinstance(value, str) and value in self.values)


@dataclass(frozen=True)
class Text(Knob):
    """One of several names, or the path of a file."""

    takes: str  # a description for error messages
    examples: tuple[str, ...]  # the names, the default first

    @property
    def first(self) -> str:
        return self.examples[0]

    @property
    def accepts(self) -> str:
        return self.takes

    def fits(self, value: object) -> bool:
        return isinstance(value, str) and value != ""

    def is_path(self, value: Value) -> bool:
        """Return whether a value is the path of a file."""
        return isinstance(value, str) and value not in self.examples


_BARE = re.compile(r"[A-Za-z_][\w./+-]*")
_CALL = re.compile(r"\s*([\w-]+)\s*(?:\((.*)\)\s*)?", re.DOTALL)
_SETTING = re.compile(
    r"""\s*(?P<name>\w+)\s*=\s*
        (?P<value>"(?:[^"\\]|\\.)*" | '[^'\\]*' | [^\s,()"']+)
        \s*(?:,(?!\s*$)|$)""",
    re.VERBOSE,
)


def format_value(value: Value) -> str:
    """Return a value as it is written in a game string; texts are quoted if necessary.

    >>> format_value("face-down"), format_value("my board.json"), format_value(True)
    ('face-down', '"my board.json"', 'True')
    """
    if isinstance(value, str):
        is_plain = _BARE.fullmatch(value) and value not in ("True", "False")
        return value if is_plain else json.dumps(value, ensure_ascii=False)
    return str(value)


def parse_value(text: str) -> Value:
    """Return the value that `format_value` has written.

    >>> parse_value("3"), parse_value("True"), parse_value('"a, b"'), parse_value("open")
    (3, True, 'a, b', 'open')
    """
    if text in ("True", "False"):
        return text == "True"
    if re.fullmatch(r"-?[0-9]{1,18}", text):
        return int(text)
    if text.startswith("'"):
        return text[1:-1]
    if text.startswith('"'):
        try:
            return str(json.loads(text))
        except json.JSONDecodeError:
            raise BadKnob(f"{text} is not a quoted text") from None
    return text


def format_game(name: str, settings: Mapping[str, Value]) -> str:
    """Return the game string of a game and settings.

    >>> format_game("marrakech", {"players": 3, "edition": "gigamic"})
    'marrakech(players=3,edition=gigamic)'
    """
    inside = ",".join(f"{knob}={format_value(value)}" for knob, value in settings.items())
    return f"{name}({inside})"


def parse_game(text: str) -> tuple[str, dict[str, Value]]:
    """Return the name and the settings in a game string; the brackets may be left out.

    >>> parse_game("marrakech(players=2, pile=face-down)")
    ('marrakech', {'players': 2, 'pile': 'face-down'})
    """
    call = _CALL.fullmatch(text)
    if call is None:
        raise BadKnob(f"{brief(text)} is not a game; write it like name(players=3,knob=value)")
    settings: dict[str, Value] = {}
    inside = (call[2] or "").rstrip()
    at = 0
    while at < len(inside):
        setting = _SETTING.match(inside, at)
        if setting is None:
            raise BadKnob(
                f"cannot read {brief(inside[at:])} in {brief(text)}; write knobs like name=value"
            )
        if setting["name"] in settings:
            raise BadKnob(f"{setting['name']} is set twice in {brief(text)}")
        settings[setting["name"]] = parse_value(setting["value"])
        at = setting.end()
    return call[1], settings


def check_settings(
    game: str, knobs: Iterable[Knob], given: Mapping[str, object]
) -> dict[str, Value]:
    """Return settings checked by their knobs. Raise BadKnob for unknown ones."""
    known = {knob.name: knob for knob in knobs}
    for name in given:
        if name not in known:
            raise BadKnob(f"{game} has no knob {brief(name)}; it has {one_of(known) or 'none'}")
    return {name: known[name].check(value) for name, value in given.items()}
