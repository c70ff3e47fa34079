"""`souk analyse`: what was luck and what was skill in a recorded game."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path

from souk.analysis import AnalysedStep, GameAnalysis
from souk.analysis import analyse as work_out
from souk.analysis.report import WORTH_A_WORD
from souk.engine.errors import SoukError
from souk.engine.styled_text import Styled, cell_width, crop, make_printable, pad, wrap
from souk.records import Record, RecordError
from souk.terminal.files import INTERRUPTED, STREAM, label, read_record, say, write_text
from souk.terminal.palette import depth_of, paint
from souk.terminal.progress import progress

COLUMNS = 80
LONGEST_NAME = 16
CURVE = 56  # columns of a line over time
HEIGHTS = "▁▂▃▄▅▆▇█"
MOST_LISTED = 3  # options of a decision beside the one that was taken

EXPLAINED = """\
All numbers are in hundredths of the win. Start is what the seat could expect; luck is what chance \
brought; own is what its own choices gave away; others what the others' choices gave it; later is \
what the computer saw only afterwards. Together they make the end."""


@dataclass(frozen=True)
class Wanted:
    """What a person asks for."""

    level: str | None
    nodes: int | None
    seconds: float | None
    moves: bool
    json: str | None
    chart: str | None
    theme: str


def analyse(file: str, wanted: Wanted) -> int:
    """Analyse a record and report; returns the exit code. Of a broken one what can be read."""
    if wanted.json == wanted.chart == STREAM:
        raise SoukError("only one of --json and --chart can go to standard output")
    if wanted.theme not in ("light", "dark", "auto"):
        raise SoukError(f"a theme is light, dark or auto, not {wanted.theme!r}")
    record, code = _read(file)
    try:
        with progress() as show:
            found = work_out(
                record,
                level=wanted.level,
                nodes=wanted.nodes,
                seconds=wanted.seconds,
                progress=show,
            )
    except KeyboardInterrupt:
        return INTERRUPTED
    _write(wanted.json, json.dumps(found.to_dict(), indent=1, ensure_ascii=False) + "\n", "JSON")
    _write(wanted.chart, found.svg(theme=wanted.theme) if wanted.chart else "", "chart")
    # What a program reads has standard output for itself.
    out = sys.stderr if STREAM in (wanted.json, wanted.chart) else sys.stdout
    lines = _moves(found) if wanted.moves else report(found, record)
    depth = depth_of(out)
    print("\n".join(paint(line, depth) for line in lines), file=out)
    return code


def _read(file: str) -> tuple[Record, int]:
    """The record, and the exit code that it leads to."""
    try:
        return read_record(file), 0
    except RecordError as error:
        if error.record is None:
            raise SoukError(f"{label(file)}: {error}") from None
        say(f"souk: {label(file)}: {error}; here is what comes before that", sys.stderr)
        return error.record, 1


def _write(name: str | None, text: str, what: str) -> None:
    if name == STREAM:
        sys.stdout.write(text)
    elif name is not None:
        write_text(Path(name), text)
        say(f"The {what} is in {name}", sys.stderr)


# ---- the report ---------------------------------------------------------------------------------


def report(found: GameAnalysis, record: Record) -> list[Styled]:
    """The whole report as lines."""
    count = len(found.steps)
    moves = "1 move" if count == 1 else f"{count} moves"
    effort = f", {found.nodes:,} nodes a position" if found.nodes else ""
    state = record.replay()
    names = [make_printable(name) for name in record.names()]
    result = state.game.prompt(state, names) if found.over else "Not over yet."
    return [
        *wrap(f"{found.game}, {moves}. {result}", COLUMNS, style="strong"),
        *wrap(f"judged by {found.level}{effort}", COLUMNS, style="dim"),
        [],
        *_accounts(found),
        [],
        *wrap(EXPLAINED, COLUMNS, style="dim"),
        [],
        *_curves(found),
        *_listed(found, "What cost most", found.costly),
        *_listed(found, "What moved most", found.turning),
    ]


def _name(text: str) -> str:
    """A name that fits a column, and steers no terminal."""
    return crop([(make_printable(text), "")], LONGEST_NAME)[0][0]


def _accounts(found: GameAnalysis) -> list[Styled]:
    rows = [["", "start", "luck", "own", "others", "later", "end", "best choices"]]
    for one in found.accounts:
        parts = [_signed(part) for part in (one.luck, one.own, one.others, one.revision)]
        best = f"{one.best} of {one.decisions}"
        rows.append([_name(one.name), _percent(one.start), *parts, _percent(one.end), best])
    widths = [max(cell_width(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines: list[Styled] = []
    for number, row in enumerate(rows):
        told = "  ".join(
            pad(cell, wide) if column == 0 else " " * (wide - cell_width(cell)) + cell
            for column, (cell, wide) in enumerate(zip(row, widths, strict=True))
        )
        lines.append([(told, "" if number else "dim")])
    return lines


def _percent(share: float) -> str:
    """A share of the win in hundredths.

    >>> _percent(0.527), _percent(-0.0)
    ('52.7', '0.0')
    """
    return f"{abs(share) * 100:.1f}"


def _signed(part: float) -> str:
    """A change in hundredths, with its sign.

    >>> _signed(0.123), _signed(-0.04), _signed(0.0001)
    ('+12.3', '−4.0', '0.0')
    """
    told = f"{abs(part) * 100:.1f}"
    if told == "0.0":
        return told
    return f"{'+' if part > 0 else '−'}{told}"


def _curves(found: GameAnalysis) -> list[Styled]:
    """The expected share of every seat over time, in one line each."""
    if not found.steps:
        return []
    lines: list[Styled] = [[("Expected share over time", "strong")]]
    wide = max(cell_width(_name(one.name)) for one in found.accounts)
    for one in found.accounts:
        shares = [found.start[one.seat], *(step.shares[one.seat] for step in found.steps)]
        curve = "".join(
            HEIGHTS[min(7, max(0, int(share * 8)))] for share in _thinned(shares, CURVE)
        )
        lines.append([(f"{pad(_name(one.name), wide)}  {curve}", "")])
    return [*lines, []]


def _thinned(values: list[float], most: int) -> list[float]:
    """So many of the values, evenly, the first and the last among them.

    >>> _thinned([1, 2, 3, 4, 5], 3)
    [1, 3, 5]
    """
    if len(values) <= most:
        return values
    return [values[round(at * (len(values) - 1) / (most - 1))] for at in range(most)]


def _listed(found: GameAnalysis, title: str, numbers: list[int]) -> list[Styled]:
    if not numbers:
        return []
    lines: list[Styled] = [[(title, "strong")]]
    for rank, number in enumerate(numbers, start=1):
        lines += wrap(_sentence(found, found.step(number)), COLUMNS, label=f"{rank}.", hang=4)
    return [*lines, []]


def _sentence(found: GameAnalysis, step: AnalysedStep) -> str:
    """A step in words: what was done or drawn, and what that changed."""
    where = f"Move {step.step}, turn {step.turn}: "
    names = [_name(one.name) for one in found.accounts]
    if step.seat is None:
        drawn = next(one for one in step.alternatives if one.action == step.action)
        changes = ", ".join(
            f"{name} {_signed(part)}" for name, part in zip(names, step.change, strict=True)
        )
        return f"{where}chance gave {step.action} ({drawn.probability or 0:.0%}): {changes}."
    chosen = next(one for one in step.alternatives if one.action == step.action)
    expected = f"{_percent(chosen.shares[step.seat])}"
    if step.action == step.best or step.cost == 0:
        return f"{where}{names[step.seat]} chose {step.action} ({expected}), the best."
    best = step.alternatives[0]
    return (
        f"{where}{names[step.seat]} chose {step.action} ({expected}) where {best.action} "
        f"({_percent(best.shares[step.seat])}) was better: {_percent(step.cost)} lost."
    )


# ---- every move ---------------------------------------------------------------------------------


def _moves(found: GameAnalysis) -> list[Styled]:
    """Every move with what it cost or brought, and the options that were better or next to it."""
    names = [_name(one.name) for one in found.accounts]
    wide = len(str(len(found.steps)))
    who_wide = max(map(cell_width, [*names, "chance"]))
    lines: list[Styled] = []
    for step in found.steps:
        who = "chance" if step.seat is None else names[step.seat]
        head = f"{step.step:>{wide}}. {pad(who, who_wide)}  "
        hang = cell_width(head)
        told = _luck(step, names) if step.seat is None else _choice(step, step.seat)
        style = "strong" if step.cost >= WORTH_A_WORD else ""
        rows = wrap(told, COLUMNS - hang)
        lines.append([(head, style), *rows[0]])
        lines += ([(" " * hang, ""), *row] for row in rows[1:])
    return lines or [[("No moves yet.", "")]]


def _luck(step: AnalysedStep, names: list[str]) -> str:
    changes = zip(names, step.change, strict=True)
    return f"{step.action}: {', '.join(f'{name} {_signed(part)}' for name, part in changes)}"


def _choice(step: AnalysedStep, seat: int) -> str:
    if len(step.alternatives) == 1:
        return f"{step.action}, the only option"
    chosen = next(one for one in step.alternatives if one.action == step.action)
    others = [one for one in step.alternatives if one is not chosen]
    told = ", ".join(f"{one.action} {_percent(one.shares[seat])}" for one in others[:MOST_LISTED])
    more = f" and {len(others) - MOST_LISTED} more" if len(others) > MOST_LISTED else ""
    cost = f", {_percent(step.cost)} lost" if step.cost >= WORTH_A_WORD else ""
    return f"{step.action} {_percent(chosen.shares[seat])}{cost}; or {told}{more}"
