"""Read records. Every move is checked; an error holds what was read before it.

A text is first parsed to a `Draft`. Then its actions are replayed, many drafts together if there
are many. The lines of the replay are compared with those of the draft: what the text says beside
is a reader's own comment.
"""

import re
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from souk.engine.errors import SoukError
from souk.engine.game import Game
from souk.engine.state import State
from souk.games import load_game
from souk.records.errors import RecordError
from souk.records.file_paths import has_paths, resolve_paths
from souk.records.header import Header, split_line
from souk.records.moves import (
    Branch,
    Problem,
    comment_text,
    parse_moves,
    parse_plain_moves,
    split_label,
)
from souk.records.record import Record, Variation
from souk.records.replay import NOTES, Job, Replay, replay, replay_all, replay_line
from souk.records.splitting import split_content

_PART = re.compile("([^,;]+)[,;]?")  # of a comment


def read(
    text: str,
    folder: Path | None = None,
    *,
    load: Callable[[str], Game] = load_game,
    max_actions: int | None = None,
) -> Record:
    r"""Return the record in a text. Paths in it are relative to `folder`.

    For an untrusted record, pass a `load` that refuses to open files, and a number of actions
    after which reading stops with an error.

    >>> read("game: marrakech(players=3,edition=gigamic)\n\n1. Leila: left, 3").texts()
    ['left', '3']
    """
    first, *others = split_content(text.encode("utf-8", "surrogatepass"))
    if others:
        line = 1 + first.count(b"\n")
        raise RecordError(line, None, "another game begins here, but one is wanted", None)
    loader = game_loader(folder, load)
    if max_actions is None:
        plain = parse_plain(text, loader, folder, 1)
        record = plain.finish(replay_all([plain.job])[0]) if plain else None
        if record is not None:
            return record
    draft = parse(text, loader, folder, max_actions=max_actions)
    return draft.finish(replay(draft.job))


def game_loader(
    folder: Path | None, load: Callable[[str], Game] = load_game
) -> Callable[[str], Game]:
    """Return a function that makes a game from its string; paths are relative to a folder."""
    if load is not load_game:
        return lambda text: load(resolve_paths(text, folder))
    return lambda text: _game_without_files(text) or load_game(resolve_paths(text, folder))


@lru_cache(256)
def _game_without_files(text: str) -> Game | None:
    return None if has_paths(text) else load_game(text)


@dataclass(slots=True)
class PlainDraft:
    """A record that was parsed fast, as if `write` had written it without comments."""

    record: Record
    header: Header
    moves: str

    @property
    def job(self) -> Job:
        """What is to be replayed."""
        return Job(self.record)

    def finish(self, replayed: Replay) -> Record | None:
        """Return the record, if the replay shows that `write` would write these moves."""
        return self.header.check(self.record, replayed) if replayed.text == self.moves else None


def parse_plain(
    text: str, load: Callable[[str], Game], folder: Path | None, first_line: int
) -> PlainDraft | None:
    """Parse a text fast; None if it is not as `write` writes it without comments."""
    head, _, moves = text.partition("\n\n")
    moves = moves.rstrip("\n")
    header = Header()
    for number, line in enumerate(head.split("\n"), first_line):
        pair = split_line(line)
        if pair is None:
            return None
        header.add(number, *pair)
    fields = header.fields_of_record(first_line, folder, load)
    try:
        actions = parse_plain_moves(moves, fields["game"]) if moves else ()
    except SoukError:
        return None
    return PlainDraft(Record(actions=actions, **fields), header, moves)


@dataclass(slots=True)
class Draft:
    """A record that was parsed and not yet checked."""

    record: Record
    header: Header
    moves: Branch
    problem: Problem | None  # why parsing stopped

    @property
    def job(self) -> Job:
        """What is to be replayed."""
        return Job(self.record, self.moves.starts)

    def finish(self, replayed: Replay) -> Record:
        """Return the record, if the replay of its actions shows that it is right."""
        record, moves = self.record, self.moves
        if replayed.lines != moves.lines or moves.variations or self.problem:
            record = self._compare(replayed)
        return self.header.check(record, replayed)

    def _compare(self, replayed: Replay) -> Record:
        """Return the record with comments and variations, if labels and moves are right."""
        record, moves = self.record, self.moves
        if moves.variations and replayed.state is None:
            replayed = replay(self.job)
        try:
            comments = _check_lines(moves, replayed, is_old=self.is_old)
        except RecordError as error:
            actions = record.actions[: (error.move or 1) - 1]
            before = {at: text for at, text in record.comments.items() if at <= len(actions)}
            raise error.with_record(replace(record, actions=actions, comments=before)) from None
        record = replace(record, comments=comments)
        if self.problem and self.problem.is_unclosed:  # which makes other moves look wrong
            raise RecordError(*self.problem[:3], record)
        if moves.variations:
            states = replayed.states()
            variations: list[Variation] = []
            for branch in moves.variations:
                try:
                    variations.append(self._variation(branch, states[branch.first].clone()))
                except RecordError as error:
                    record = replace(record, variations=tuple(variations))
                    raise error.with_record(record) from None
            record = replace(record, variations=tuple(variations))
        if self.problem:
            raise RecordError(*self.problem[:3], record)
        return record

    def _variation(self, branch: Branch, state: State) -> Variation:
        """Return a variation, if its moves are right. It starts from a state."""
        replayed = replay_line(state, branch.actions, self.record.names(), branch.starts)
        comments = _check_lines(branch, replayed, is_old=self.is_old)
        states = replayed.states() if branch.variations else []
        inner = [
            self._variation(one, states[one.first - branch.first].clone())
            for one in branch.variations
        ]
        return Variation(branch.first, tuple(branch.actions), comments, tuple(inner))

    @property
    def is_old(self) -> bool:
        """True if seats are counted from 0, as old records do in notes too."""
        return self.header.first_seats == [0]


def parse(
    text: str,
    load: Callable[[str], Game],
    folder: Path | None = None,
    *,
    first_line: int = 1,
    max_actions: int | None = None,
) -> Draft:
    """Parse the text of one record; `load` makes its game from the game string."""
    if "\ufeff" in text:  # byte order marks, which files keep when they are joined
        text = re.sub("^\ufeff+", "", text, flags=re.MULTILINE)
    lines = text.split("\n")
    header, end = Header(), len(lines)
    above: list[str] = []  # comments above a line of the header
    below: list[str] = []
    for number, line in enumerate(lines):
        line = line.strip()
        if line.startswith(";"):
            below.append(comment_text(line))
        elif pair := split_line(line):
            header.add(first_line + number, *pair)
            above += below
            below.clear()
        elif line:
            end = number
            break
    fields = header.fields_of_record(first_line, folder, load)
    moves, problem = parse_moves(lines[end:], first_line + end, fields["game"], max_actions)
    if below:
        moves.comment_lines[0] = below + moves.comment_lines.get(0, [])
    fields |= {"comment": "\n".join(above), "comments": moves.comments}
    return Draft(Record(actions=tuple(moves.actions), **fields), header, moves, problem)


def _check_lines(branch: Branch, replayed: Replay, *, is_old: bool) -> dict[int, str]:
    """Return the comments of a branch, if its labels and moves are right.

    Notes on what followed from the moves are written anew; anything else at the end of a line is a
    comment of the reader's.
    """
    comments, replayed_lines = branch.comments, replayed.lines
    own_lines: dict[int, list[str]] = {}  # at the ends of lines, by the number of moves before them
    ends = [*branch.starts, len(branch.actions)][1:]
    for number, line, start, end in zip(
        branch.numbers, branch.lines, branch.starts, ends, strict=True
    ):
        at, until = (bisect_left(replayed.starts, one) for one in (start, end))
        written = [one.partition(NOTES) for one in replayed_lines[at:until]]
        moves, _, comment = line.partition(";")
        label = split_label(moves)[0]
        turn = split_label(written[0][0])[0] if written else replayed.turn
        if label and label != turn:
            reason = f"this line says turn {label}, but turn {turn} comes next"
            raise RecordError(number, branch.first + start + 1, reason, None)
        if replayed.applied < end:
            raise RecordError(number, branch.first + replayed.applied + 1, replayed.problem, None)
        own = _own_comment(comment.strip(" ,;"), ", ".join(one[2] for one in written))
        if own and not is_old:
            own_lines.setdefault(branch.first + end, []).append(own)
    for at, lines in own_lines.items():
        comments[at] = "\n".join([*lines, comments[at]] if at in comments else lines)
    return dict(sorted(comments.items()))


def _own_comment(comment: str, notes: str) -> str:
    """Return what a comment at the end of a line says after the notes, or some of them.

    >>> _own_comment("Assam d4 d3; a pity, really", "Assam d4 d3, covers red on d3")
    'a pity, really'
    """
    known = {*notes.split(", ")}
    end = 0
    while (part := _PART.match(comment, end)) and part[1].strip() in known:
        end = part.end()
    return comment[end:].lstrip()
