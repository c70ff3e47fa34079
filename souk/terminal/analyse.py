"""`souk analyse`: report on luck and skill in a recorded game."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path

from souk.analysis import AnalysedStep, GameAnalysis
from souk.analysis import analyse as analyse_game
from souk.analysis.game_analysis import NEGLIGIBLE
from souk.analysis.mistakes import SYMBOLS, THRESHOLDS
from souk.engine.errors import SoukError
from souk.engine.styled_text import Styled, cell_width, crop, make_printable, pad, wrap
from souk.records import Record
from souk.terminal.files import INTERRUPTED, STREAM, say, write_text
from souk.terminal.palette import colour_depth, paint
from souk.terminal.progress_bar import progress_bar
from souk.terminal.show import read_valid_part

COLUMNS = 80
MAX_NAME_COLUMNS = 16
SPARKLINE_COLUMNS = 56
SPARKLINE = "▁▂▃▄▅▆▇█"
MAX_OPTIONS = 3  # of a decision, listed beside the one chosen

LEGEND = """\
Start and end are winning chances in percent. The columns between them are changes in percentage \
points: luck by chance, own by the player's decisions, others by the decisions of others, \
hindsight by what the computer saw only later. They add up to the end."""
MISTAKES = f"""\
A decision that costs at least {100 * THRESHOLDS.inaccuracy:g} points is an inaccuracy \
({SYMBOLS["inaccuracy"]}), at least {100 * THRESHOLDS.mistake:g} a mistake ({SYMBOLS["mistake"]}), \
at least {100 * THRESHOLDS.blunder:g} a blunder ({SYMBOLS["blunder"]}). The error rate is the mean \
cost of a decision in thousandths of the win."""


@dataclass(frozen=True)
class AnalyseOptions:
    """The options of `souk analyse`."""

    number: int | None  # of the game in the file
    level: str | None
    nodes: int | None
    seconds: float | None
    moves: bool
    json: str | None
    chart: str | None
    theme: str


def analyse(file: str, options: AnalyseOptions) -> int:
    """Analyse a record, up to the error if it is broken, and report; return the exit code."""
    if options.json == options.chart == STREAM:
        raise SoukError("only one of --json and --chart can go to standard output")
    if options.theme not in ("light", "dark", "auto"):
        raise SoukError(f"a theme is light, dark or auto, not {options.theme!r}")
    record, code = read_valid_part(file, options.number)
    try:
        with progress_bar() as show:
            analysis = analyse_game(
                record,
                level=options.level,
                nodes=options.nodes,
                seconds=options.seconds,
                progress=show,
            )
    except KeyboardInterrupt:
        return INTERRUPTED
    data = json.dumps(analysis.to_dict(), indent=1, ensure_ascii=False) + "\n"
    _write(options.json, data, "JSON")
    _write(options.chart, analysis.svg(theme=options.theme) if options.chart else "", "chart")
    # Standard output must hold only the data if a program reads it.
    out = sys.stderr if STREAM in (options.json, options.chart) else sys.stdout
    lines = _move_list(analysis) if options.moves else report(analysis, record)
    depth = colour_depth(out)
    print("\n".join(paint(line, depth) for line in lines), file=out)
    return code


def _write(name: str | None, text: str, kind: str) -> None:
    if name == STREAM:
        sys.stdout.write(text)
    elif name is not None:
        write_text(Path(name), text)
        say(f"The {kind} is in {name}", sys.stderr)


# ---- the report ---------------------------------------------------------------------------------


def report(analysis: GameAnalysis, record: Record) -> list[Styled]:
    """Return the whole report as lines."""
    count = len(analysis.steps)
    moves = "1 move" if count == 1 else f"{count} moves"
    nodes = f", {analysis.nodes:,} nodes per position" if analysis.nodes else ""
    state = record.replay()
    names = [make_printable(name) for name in record.names()]
    result = state.game.prompt(state, names) if analysis.over else "Not over yet."
    return [
        *wrap(f"{analysis.game}, {moves}. {result}", COLUMNS, style="strong"),
        *wrap(f"evaluated by {analysis.level}{nodes}", COLUMNS, style="dim"),
        [],
        *_table(_changes_by_player(analysis)),
        [],
        *wrap(LEGEND, COLUMNS, style="dim"),
        [],
        *_table(_mistakes_by_player(analysis)),
        [],
        *wrap(MISTAKES, COLUMNS, style="dim"),
        [],
        *_sparklines(analysis),
        *_step_list(analysis, "Costliest decisions", analysis.costliest),
        *_step_list(analysis, "Turning points", analysis.turning_points),
    ]


def _name(text: str) -> str:
    """Return a name that fits a column and has no control characters."""
    return crop([(make_printable(text), "")], MAX_NAME_COLUMNS)[0][0]


def _changes_by_player(analysis: GameAnalysis) -> list[list[str]]:
    rows = [["", "start", "luck", "own", "others", "hindsight", "end"]]
    for one in analysis.players:
        changes = [_signed(part) for part in (one.luck, one.own, one.others, one.hindsight)]
        rows.append([_name(one.name), _percent(one.start), *changes, _percent(one.end)])
    return rows


def _mistakes_by_player(analysis: GameAnalysis) -> list[list[str]]:
    rows = [["", "error rate", "inaccuracies", "mistakes", "blunders", "best choices"]]
    for one in analysis.players:
        counts = [str(count) for count in (one.inaccuracies, one.mistakes, one.blunders)]
        best = f"{one.best} of {one.decisions}"
        rows.append([_name(one.name), f"{one.error_rate:.1f}", *counts, best])
    return rows


def _table(rows: list[list[str]]) -> list[Styled]:
    widths = [max(cell_width(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines: list[Styled] = []
    for number, row in enumerate(rows):
        text = "  ".join(
            pad(cell, width) if column == 0 else " " * (width - cell_width(cell)) + cell
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append([(text, "" if number else "dim")])
    return lines


def _percent(share: float) -> str:
    """Return winning chances in percent.

    >>> _percent(0.527), _percent(-0.0)
    ('52.7', '0.0')
    """
    return f"{abs(share) * 100:.1f}"


def _signed(change: float) -> str:
    """Return a change in percentage points with its sign.

    >>> _signed(0.123), _signed(-0.04), _signed(0.0001)
    ('+12.3', '−4.0', '0.0')
    """
    text = f"{abs(change) * 100:.1f}"
    if text == "0.0":
        return text
    return f"{'+' if change > 0 else '−'}{text}"


def _sparklines(analysis: GameAnalysis) -> list[Styled]:
    """Return the winning chances of every player over time, a line for each."""
    if not analysis.steps:
        return []
    lines: list[Styled] = [[("Winning chances over time", "strong")]]
    width = max(cell_width(_name(one.name)) for one in analysis.players)
    for one in analysis.players:
        shares = [analysis.start[one.seat], *(step.shares[one.seat] for step in analysis.steps)]
        line = "".join(
            SPARKLINE[min(7, max(0, int(share * 8)))]
            for share in _sample(shares, SPARKLINE_COLUMNS)
        )
        lines.append([(f"{pad(_name(one.name), width)}  {line}", "")])
    return [*lines, []]


def _sample(values: list[float], limit: int) -> list[float]:
    """Return at most `limit` of the values, evenly spaced, including the first and the last.

    >>> _sample([1, 2, 3, 4, 5], 3)
    [1, 3, 5]
    """
    if len(values) <= limit:
        return values
    return [values[round(number * (len(values) - 1) / (limit - 1))] for number in range(limit)]


def _step_list(analysis: GameAnalysis, title: str, numbers: list[int]) -> list[Styled]:
    if not numbers:
        return []
    lines: list[Styled] = [[(title, "strong")]]
    for rank, number in enumerate(numbers, start=1):
        sentence = _sentence(analysis, analysis.step(number))
        lines += wrap(sentence, COLUMNS, label=f"{rank}.", hang=4)
    return [*lines, []]


def _sentence(analysis: GameAnalysis, step: AnalysedStep) -> str:
    """Describe a step: the action and what it changed."""
    where = f"Move {step.step}, turn {step.turn}: "
    names = [_name(one.name) for one in analysis.players]
    chosen = next(one for one in step.alternatives if one.action == step.action)
    if step.seat is None:
        probability = f"{chosen.probability or 0:.0%}"
        return f"{where}chance gave {step.action} ({probability}): {_changes(step, names)}."
    chances = f"{_percent(chosen.shares[step.seat])}%"
    if step.action == step.best or step.cost == 0:
        return f"{where}{names[step.seat]} chose {step.action} ({chances}), the best option."
    best = step.alternatives[0]
    name = f", {_article(step.mistake)}" if step.mistake else ""
    return (
        f"{where}{names[step.seat]} chose {_marked(step)} ({chances}){name}; {best.action} "
        f"({_percent(best.shares[step.seat])}%) was better by {_percent(step.cost)} points."
    )


def _marked(step: AnalysedStep) -> str:
    """Return the action of a step with the symbol of a mistake: `left??`."""
    return f"{step.action}{SYMBOLS[step.mistake] if step.mistake else ''}"


def _article(name: str) -> str:
    return f"an {name}" if name == "inaccuracy" else f"a {name}"


def _changes(step: AnalysedStep, names: list[str]) -> str:
    changes = zip(names, step.change, strict=True)
    return ", ".join(f"{name} {_signed(change)}" for name, change in changes)


# ---- every move ---------------------------------------------------------------------------------


def _move_list(analysis: GameAnalysis) -> list[Styled]:
    """Return every move with its cost or luck and the best alternatives."""
    names = [_name(one.name) for one in analysis.players]
    digits = len(str(len(analysis.steps)))
    width = max(map(cell_width, [*names, "chance"]))
    lines: list[Styled] = []
    for step in analysis.steps:
        mover = "chance" if step.seat is None else names[step.seat]
        head = f"{step.step:>{digits}}. {pad(mover, width)}  "
        indent = cell_width(head)
        if step.seat is None:
            text = f"{step.action}: {_changes(step, names)}"
        else:
            text = _decision(step, step.seat)
        style = "strong" if step.cost >= NEGLIGIBLE else ""
        rows = wrap(text, COLUMNS - indent)
        lines.append([(head, style), *rows[0]])
        lines += ([(" " * indent, ""), *row] for row in rows[1:])
    return lines or [[("No moves yet.", "")]]


def _decision(step: AnalysedStep, seat: int) -> str:
    if len(step.alternatives) == 1:
        return f"{step.action}, the only option"
    chosen = next(one for one in step.alternatives if one.action == step.action)
    others = [one for one in step.alternatives if one is not chosen]
    options = ", ".join(
        f"{one.action} {_percent(one.shares[seat])}" for one in others[:MAX_OPTIONS]
    )
    more = f" and {len(others) - MAX_OPTIONS} more" if len(others) > MAX_OPTIONS else ""
    cost = f", {_percent(step.cost)} lost" if step.cost >= NEGLIGIBLE else ""
    return f"{_marked(step)} {_percent(chosen.shares[seat])}{cost}; or {options}{more}"
