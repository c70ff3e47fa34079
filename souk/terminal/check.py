"""`souk check` and `souk verify`: check records, and prove that their dice were fair."""

import sys
from collections.abc import Sequence

from souk.engine.errors import SoukError
from souk.engine.state import State
from souk.records import fairness
from souk.terminal.files import FileError, label, read_record, say


def check(files: Sequence[str]) -> int:
    """Print a line for every file; return the exit code, 1 if any of them is invalid."""
    code = 0
    for file in files:
        try:
            say(f"{label(file)}: {_summary(file)}")
        except SoukError as error:
            code = 1
            _say_error(file, error)
    return code


def _summary(file: str) -> str:
    """Return the summary of a valid record; raise for an invalid one."""
    record = read_record(file)
    state = record.replay()
    count = len(record.actions)
    moves = "1 move" if count == 1 else f"{count} moves"
    names = record.names()
    scores = ", ".join(f"{name} {score}" for name, score in zip(names, state.scores(), strict=True))
    return f"ok, {moves}, {_result(state, names)} ({scores})"


def _result(state: State, names: Sequence[str]) -> str:
    """Return the result with the names of the winners."""
    if not state.is_terminal():
        return "unfinished"
    if state.game.is_draw(state):
        return "draw"
    winners = [names[seat] for seat in state.ranking()[0]]
    return f"{' and '.join(winners)} {'wins' if len(winners) == 1 else 'share the win'}"


def verify(files: Sequence[str], commitment: str | None = None) -> int:
    """Print a line for every file; return the exit code, 1 unless the dice of all were fair.

    `commitment` is what the table showed before the game.
    """
    if commitment is not None and len(files) > 1:
        raise SoukError("a commitment belongs to one game: give one record with it")
    code = 0
    for file in files:
        try:
            verdict = fairness.verify(read_record(file), commitment)
        except SoukError as error:
            code = 1
            _say_error(file, error)
            continue
        if verdict.is_fair:
            draws = "1 draw follows" if verdict.draws == 1 else f"{verdict.draws} draws follow"
            say(f"{label(file)}: proven: setup and {draws} from the committed secret")
        else:
            code = 1
            for problem in verdict.problems:
                say(f"{label(file)}: refuted: {problem}", sys.stderr)
    return code


def _say_error(file: str, error: SoukError) -> None:
    named = isinstance(error, FileError)
    say(str(error) if named else f"{label(file)}: {error}", sys.stderr)
