"""`souk rollout`: play on from a position many times and compare the actions."""

import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from souk.analysis.rollouts import Rollout, rollout
from souk.engine.errors import SoukError
from souk.engine.state import State
from souk.engine.styled_text import Styled, cell_width, make_printable, pad, wrap
from souk.games import FIRST, load_game
from souk.terminal.files import (
    INTERRUPTED,
    STREAM,
    label,
    parse_record,
    read_text,
    say,
    write_text,
)
from souk.terminal.palette import colour_depth, paint
from souk.terminal.show import move_number, read_valid_part

COLUMNS = 80
PLAYED = "played"

LEGEND = """\
Share is the expected share of the win in percent, loss what the action gives away against the \
best, in percentage points; each with its standard error. All actions had the same dice. Actions \
with fewer games were clearly worse and dropped."""


@dataclass(frozen=True)
class RolloutOptions:
    """The options of `souk rollout`."""

    number: int | None  # of the game in the file
    at: int | None  # moves before the position
    player: str | None
    games: int
    seconds: float | None
    truncate: int | None
    seed: int
    json: str | None


@dataclass(frozen=True)
class _Position:
    """A position of a file."""

    state: State
    names: list[str]
    where: str
    played: int | None = None  # the action that followed


def run_rollout(file: str, options: RolloutOptions) -> int:
    """Roll out a position of a record or a position's file; return the exit code."""
    position, code = _read(file, options)
    state = position.state
    if state.is_terminal():
        raise SoukError("the game is over in this position; choose an earlier one with --at")
    decides = not state.is_chance_node()
    settings: dict[str, Any] = {
        "games": options.games,
        "seconds": options.seconds,
        "truncate": options.truncate,
        "seed": options.seed,
    }
    try:
        results = (
            rollout(state, options.player, actions=state.legal_actions(), **settings)
            if decides
            else [rollout(state, options.player, **settings)]
        )
    except KeyboardInterrupt:
        return INTERRUPTED
    results.sort(key=lambda one: one.loss)
    _write_json(options.json, _to_json(position, options, results))
    lines = [
        *wrap(f"{state.game}, {position.where}", COLUMNS, style="strong"),
        *wrap(state.game.prompt(state, position.names), COLUMNS),
        [],
        *(_action_table(position, results) if decides else _seat_table(position, results[0])),
    ]
    out = sys.stderr if options.json == STREAM else sys.stdout
    depth = colour_depth(out)
    print("\n".join(paint(line, depth) for line in lines), file=out)
    return code


def _read(file: str, options: RolloutOptions) -> tuple[_Position, int]:
    """Return a position, and the exit code: 1 if the record is broken further on."""
    if file != STREAM and Path(file).suffix != ".json":
        record, code = read_valid_part(file, options.number)
    else:
        text = read_text(file)
        if file != STREAM or text.lstrip().startswith("{"):
            return _read_position(file, text, options), 0
        record, code = parse_record(text, file), 0
    number = move_number(record, options.at)
    played = record.actions[number] if number < len(record.actions) else None
    names = [make_printable(name) for name in record.names()]
    where = f"after move {number} of {len(record.actions)}"
    return _Position(record.replay(number), names, where, played), code


def _read_position(file: str, text: str, options: RolloutOptions) -> _Position:
    """Return the position of a JSON text, as `State.to_dict` gives it."""
    if options.at is not None or options.number is not None:
        raise SoukError("--at and --number are for records: this file has one position")
    try:
        values = json.loads(text)
    except ValueError as error:
        raise SoukError(f"{label(file)} is not JSON: {error}") from None
    game = values.get("game") if isinstance(values, dict) else None
    if not isinstance(game, str):
        example = load_game(FIRST)
        raise SoukError(f'{label(file)} has no "game", such as "{example}"')
    state = load_game(game).state_from_dict(values)
    return _Position(state, state.game.seat_names, "a position")


def _action_table(position: _Position, results: list[Rollout]) -> list[Styled]:
    seat = position.state.current_player()
    rows = [["action", "share", "±", "loss", "±", "games", ""]]
    for one in results:
        assert one.action is not None
        rows.append(
            [
                position.state.action_to_string(one.action),
                _percent(one.shares[seat]),
                _percent(one.errors[seat], 2),
                _percent(one.loss),
                _percent(one.loss_error, 2),
                f"{one.games:,}",
                PLAYED if one.action == position.played else "",
            ]
        )
    return [*_table(rows), [], *wrap(LEGEND, COLUMNS, style="dim")]


def _seat_table(position: _Position, result: Rollout) -> list[Styled]:
    rows = [["", "share", "±"]]
    for name, share, error in zip(position.names, result.shares, result.errors, strict=True):
        rows.append([name, _percent(share), _percent(error, 2)])
    text = f"Chance acts here. Shares of the win in percent after {result.games:,} games."
    return [*_table(rows), [], *wrap(text, COLUMNS, style="dim")]


def _table(rows: list[list[str]]) -> list[Styled]:
    widths = [max(cell_width(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines: list[Styled] = []
    for number, row in enumerate(rows):
        text = "  ".join(
            pad(cell, width) if column == 0 else " " * (width - cell_width(cell)) + cell
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append([(text.rstrip(), "" if number else "dim")])
    return lines


def _percent(share: float, digits: int = 1) -> str:
    """Return a share in percent.

    >>> _percent(0.527), _percent(-0.0), _percent(0.0031, 2)
    ('52.7', '0.0', '0.31')
    """
    return f"{share * 100 + 0.0:.{digits}f}"


def _to_json(
    position: _Position, options: RolloutOptions, results: list[Rollout]
) -> dict[str, Any]:
    state = position.state
    texts = [None if one.action is None else state.action_to_string(one.action) for one in results]
    return {
        "position": state.to_dict(),
        "player": options.player,
        "seed": options.seed,
        "truncate": options.truncate,
        "results": [
            asdict(one) | {"action": text} for one, text in zip(results, texts, strict=True)
        ],
    }


def _write_json(name: str | None, values: dict[str, Any]) -> None:
    text = json.dumps(values, indent=1, ensure_ascii=False) + "\n"
    if name == STREAM:
        sys.stdout.write(text)
    elif name is not None:
        write_text(Path(name), text)
        say(f"The JSON is in {name}", sys.stderr)
