"""Convert the file paths in a game string, such as the path of a board.

In a record, a path is relative to the record's folder, so that a record and its board can be moved
together. In memory, it is relative to the current folder, as everywhere else.
"""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from souk.engine.errors import BadKnob
from souk.engine.knobs import Text, format_game, parse_game
from souk.games import game_class


def resolve_paths(text: str, folder: Path | None) -> str:
    """Return a game string with its paths, relative to a record's folder, made absolute.

    >>> resolve_paths("marrakech(players=2)", Path("/games"))
    'marrakech(players=2)'
    """
    if folder is None:
        return text
    return _convert_paths(text, lambda path: str(_absolute(folder / path)))


def has_paths(text: str) -> bool:
    """Return whether a game string names a file.

    >>> has_paths("marrakech(players=2)")
    False
    """
    return _convert_paths(text, lambda path: f"{path}/") != text


def relativise_paths(text: str, folder: Path | None) -> str:
    """Return a game string with its paths relative to a folder; other paths are absolute."""
    if folder is None:
        return text
    home = _absolute(folder)

    def relativise(path: str) -> str:
        full = _absolute(Path(path))
        return full.relative_to(home).as_posix() if full.is_relative_to(home) else str(full)

    return _convert_paths(text, relativise)


def convert_position(
    position: Mapping[str, Any], convert: Callable[[str, Path | None], str], folder: Path | None
) -> dict[str, Any]:
    """Return a position with its game string converted by one of these functions."""
    named = position.get("game")
    if not isinstance(named, str):
        return dict(position)
    try:
        return {**position, "game": convert(named, folder)}
    except BadKnob:  # loading the position reports what is wrong
        return dict(position)


def _convert_paths(text: str, convert: Callable[[str], str]) -> str:
    """Return a game string with its paths converted, unchanged if it has none."""
    name, settings = parse_game(text)
    paths = {
        knob.name: convert(str(settings[knob.name]))
        for knob in game_class(name).knobs
        if isinstance(knob, Text) and knob.name in settings and knob.is_path(settings[knob.name])
    }
    return format_game(name, {**settings, **paths}) if paths else text


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path))  # noqa: PTH100  # resolve would follow links
