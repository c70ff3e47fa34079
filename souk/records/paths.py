"""Files that the knobs of a game name, like a board: in a record they count from its own folder.

So a record and its board can be moved together and read from anywhere. In memory their paths count
from the current folder, as everywhere else.
"""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from souk.engine.errors import BadKnob
from souk.engine.knobs import Text, format_game, parse_game
from souk.games import game_class


def found_from(text: str, folder: Path | None) -> str:
    """A game string of a record in some folder, as it is to be loaded.

    >>> found_from("marrakech(players=2)", Path("/games"))
    'marrakech(players=2)'
    """
    if folder is None:
        return text
    return _with_paths(text, lambda path: str(_absolute(folder / path)))


def told_from(text: str, folder: Path | None) -> str:
    """The inverse; only what lies outside the folder keeps its whole path."""
    if folder is None:
        return text
    home = _absolute(folder)

    def told(path: str) -> str:
        whole = _absolute(Path(path))
        return whole.relative_to(home).as_posix() if whole.is_relative_to(home) else str(whole)

    return _with_paths(text, told)


def in_position(
    position: Mapping[str, Any], change: Callable[[str, Path | None], str], folder: Path | None
) -> dict[str, Any]:
    """A position with the game string that it names changed in one of these ways."""
    named = position.get("game")
    if not isinstance(named, str):
        return dict(position)
    try:
        return {**position, "game": change(named, folder)}
    except BadKnob:  # whoever loads the position says what is wrong
        return dict(position)


def _with_paths(text: str, change: Callable[[str], str]) -> str:
    """A game string with its paths changed; one without any as it is."""
    name, settings = parse_game(text)
    paths = {
        knob.name: change(str(settings[knob.name]))
        for knob in game_class(name).knobs
        if isinstance(knob, Text) and knob.name in settings and knob.is_path(settings[knob.name])
    }
    return format_game(name, {**settings, **paths}) if paths else text


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path))  # noqa: PTH100  # resolve would follow links
