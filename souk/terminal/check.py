"""`souk check` and `souk verify`: check records, and find out what is proven of them."""

import sys
from collections.abc import Sequence

from souk.engine.errors import SoukError
from souk.engine.state import State
from souk.records import fairness
from souk.terminal.files import FileError, label, read_record, say

UNPROVEN = 3  # the exit code for a record that may be true, but need not be
_PROVEN = "proven: this game was played, and its dice follow from the secret"
_UNPROVEN = (
    "not proven: the dice follow from the secret, but nothing shows that this game was played"
)


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


def verify(
    files: Sequence[str],
    commitment: str | None = None,
    *,
    history_hashes: Sequence[str] = (),
    key: str | None = None,
) -> int:
    """Print what is proven of every file; return the exit code.

    It is 0 if every game is proven, 1 if any is refuted or cannot be read, otherwise UNPROVEN.
    `commitment` and `history_hashes` are what the table showed before and during the game, `key`
    is the public key of the server.
    """
    if (commitment is not None or history_hashes) and len(files) > 1:
        what = "a commitment" if commitment is not None else "a history hash"
        raise SoukError(f"{what} belongs to one game: give one record with it")
    codes = {0}
    for file in files:
        try:
            record = read_record(file)
            verdict = fairness.verify(record, commitment, history_hashes=history_hashes, key=key)
        except SoukError as error:
            codes.add(1)
            _say_error(file, error)
            continue
        if verdict.is_fair:
            codes.add(0 if verdict.is_proven else UNPROVEN)
            say(f"{label(file)}: {_PROVEN if verdict.is_proven else _UNPROVEN}")
            for one in verdict.findings:
                say(
                    f"  {one.subject}: {'' if one.status == 'proven' else 'not proven: '}{one.text}"
                )
        else:
            codes.add(1)
            for problem in verdict.problems:
                say(f"{label(file)}: refuted: {problem}", sys.stderr)
    return 1 if 1 in codes else max(codes)


def _say_error(file: str, error: SoukError) -> None:
    named = isinstance(error, FileError)
    say(str(error) if named else f"{label(file)}: {error}", sys.stderr)
