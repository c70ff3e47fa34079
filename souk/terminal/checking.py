"""`souk check`: whether records can be read and every move in them is legal."""

import sys
from collections.abc import Sequence

from souk.engine.errors import SoukError
from souk.records import RecordError
from souk.records.record import result_of
from souk.terminal.files import FileError, label, read_record


def check(files: Sequence[str]) -> int:
    """A line for every file; returns the exit code, 1 if any of them is bad."""
    code = 0
    for file in files:
        try:
            print(f"{label(file)}: {verdict(file)}", flush=True)
        except RecordError as error:
            print(f"{label(file)}: {error}", file=sys.stderr, flush=True)
            code = 1
        except SoukError as error:
            about = str(error) if isinstance(error, FileError) else f"{label(file)}: {error}"
            print(about, file=sys.stderr, flush=True)
            code = 1
    return code


def verdict(file: str) -> str:
    """What a good record comes to; a bad one raises."""
    record = read_record(file)
    state = record.replay()
    count = len(record.actions)
    moves = "1 move" if count == 1 else f"{count} moves"
    scores = ", ".join(
        f"{name} {score}" for name, score in zip(record.names(), state.scores(), strict=True)
    )
    return f"ok, {moves}, {result_of(state)} ({scores})"
