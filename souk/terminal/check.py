"""`souk check` and `souk verify`: check records, and find out what is proven of them."""

import sys
from collections.abc import Iterator, Sequence
from itertools import groupby

from souk.arena.report import quantity
from souk.engine.errors import SoukError, all_of
from souk.records import Record, fairness
from souk.records.file_reading import Entry, read_entries
from souk.terminal.files import say, source

UNPROVEN = 3  # the exit code for a record that may be true, but need not be
_PROVEN = "proven: this game was played, and its dice follow from the secret"
_UNPROVEN = (
    "not proven: the dice follow from the secret, but nothing shows that this game was played"
)
_PARTLY = "not proven: the dice follow from the secret, but only the first moves were noted"


def check(files: Sequence[str]) -> int:
    """Print a line for every file; return the exit code, 1 if a game of any of them is invalid."""
    code = 0
    for file, entries in _by_file(files):
        total = good = 0
        for entry in entries:
            total += 1
            if entry.record is not None:
                good += 1
                line = summary(entry.record)
            else:
                say(str(entry.error), sys.stderr)
        if total > 1:
            count = quantity(total, "game")
            say(f"{file}: ok, {count}" if good == total else f"{file}: {good:,} of {count} are ok")
        elif good:
            say(f"{file}: ok, {line}")
        code = code if good == total else 1
    return code


def _by_file(files: Sequence[str]) -> Iterator[tuple[str, Iterator[Entry]]]:
    for _, group in groupby(read_entries([*map(source, files)]), key=lambda entry: entry.file):
        first = next(group)
        yield first.file, (entry for part in ((first,), group) for entry in part)


def summary(record: Record) -> str:
    """Return the moves, the result and the scores of a record."""
    names, outcome = record.names(), record.outcome
    scores = ", ".join(f"{name} {score}" for name, score in zip(names, outcome.scores, strict=True))
    return f"{quantity(len(record.actions), 'move')}, {_result(record)} ({scores})"


def _result(record: Record) -> str:
    """Return the result with the names of the winners."""
    outcome = record.outcome
    if not outcome.is_finished or outcome.result == "draw":
        return outcome.result
    shares = zip(record.names(), outcome.returns, strict=True)
    winners = [name for name, share in shares if share]
    return f"{all_of(winners)} {'wins' if len(winners) == 1 else 'share the win'}"


def verify(
    files: Sequence[str],
    commitment: str | None = None,
    *,
    number: int | None = None,
    history_hashes: Sequence[str] = (),
    key: str | None = None,
) -> int:
    """Print what is proven of every game, or of the one with a number; return the exit code.

    It is 0 if every game is proven, 1 if any is refuted or cannot be read, otherwise UNPROVEN.
    `commitment` and `history_hashes` are what the table showed before and during the game, `key`
    is the public key of the server.
    """
    games = _games_to_verify(files, number)
    if (commitment is not None or history_hashes) and len(games) > 1:
        what = "a commitment" if commitment is not None else "a history hash"
        raise SoukError(f"{what} belongs to one game: give one record with it")
    codes = {0}
    for label, record in games:
        try:
            if not isinstance(record, Record):
                raise record
            verdict = fairness.verify(record, commitment, history_hashes=history_hashes, key=key)
        except SoukError as error:
            codes.add(1)
            say(str(error) if error is record else f"{label}: {error}", sys.stderr)
            continue
        findings = verdict.findings
        if verdict.is_fair:
            codes.add(0 if verdict.is_proven else UNPROVEN)
            has_moves = any(one.subject == "moves" and one.status == "proven" for one in findings)
            unproven = _PARTLY if has_moves else _UNPROVEN
            say(f"{label}: {_PROVEN if verdict.is_proven else unproven}")
            for one in findings:
                say(
                    f"  {one.subject}: {'' if one.status == 'proven' else 'not proven: '}{one.text}"
                )
        else:
            codes.add(1)
            for problem in verdict.problems:
                say(f"{label}: refuted: {problem}", sys.stderr)
    return 1 if 1 in codes else max(codes)


def _games_to_verify(
    files: Sequence[str], number: int | None
) -> list[tuple[str, Record | SoukError]]:
    """Return the games with labels for messages, or the errors of those that cannot be read."""
    games: list[tuple[str, Record | SoukError]] = []
    for file, group in _by_file(files):
        entries = [*group]
        if number is not None and not 1 <= number <= len(entries):
            raise SoukError(f"{file} has games 1 to {len(entries)}, not {number}")
        for entry in entries:
            label = file if len(entries) == 1 else f"{file}, game {entry.number}"
            game = entry.record or entry.error
            if game is not None and number in (None, entry.number):
                games.append((label, game))
    return games
