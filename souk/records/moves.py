"""Parse the lines of a record below its header: moves, comments and variations.

Nothing is checked here but what the words mean: `reading` checks whether the moves are legal.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from souk.engine.errors import SoukError
from souk.engine.game import Game

MOST_NESTED = 50  # variations within variations
_LABEL = re.compile(r"([0-9]{1,9})\.[^:]*|deal")
_MOST_KNOWN = 10_000  # texts of lines that are remembered, for each of a few games
_LONG = 100  # characters


class Problem(NamedTuple):
    """Why parsing stopped."""

    line: int  # of the file
    move: int
    reason: str
    is_unclosed: bool = False  # whether the end of a variation is missing


@dataclass(slots=True)
class Branch:
    """The game itself, or a variation: the lines of its moves and what stands between them."""

    first: int  # the number of moves before it
    line: int  # where it begins in the file
    numbers: list[int] = field(default_factory=list)  # of the lines in the file
    lines: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)  # the number of its actions before each line
    actions: list[int] = field(default_factory=list)
    comment_lines: dict[int, list[str]] = field(default_factory=dict)  # by the moves before them
    variations: "list[Branch]" = field(default_factory=list)

    @property
    def end(self) -> int:
        """The number of moves before and in it."""
        return self.first + len(self.actions)

    @property
    def comments(self) -> dict[int, str]:
        """The comments by the number of moves before them."""
        return {at: "\n".join(lines) for at, lines in self.comment_lines.items()}


def comment_text(line: str) -> str:
    """Return the text of a line that begins with a semicolon."""
    return line[1:].removeprefix(" ")


def split_label(moves: str) -> tuple[int | None, str]:
    """Return the number of the turn in the label of a line, None without one, and the words.

    >>> split_label("12. Leila: left, 3"), split_label("left, 3"), split_label("deal: red, blue")
    ((12, ' left, 3'), (None, 'left, 3'), (0, ' red, blue'))
    """
    label, colon, words = moves.partition(":")
    turn = _label_turn(label) if colon else None
    return (None, moves) if turn is None else (turn, words)


@lru_cache(4096)
def _label_turn(label: str) -> int | None:
    match = _LABEL.fullmatch(label)
    return None if match is None else int(match[1] or 0)


def parse_plain_moves(text: str, game: Game) -> tuple[int, ...]:
    """Return the actions of lines that are as `write` writes them, without comments.

    Labels and notes are not looked at: whether `write` would write this text is to be checked.
    """
    known = _known_lines(game)
    parts = [known[line.partition(";")[0].partition(":")[2]] for line in text.split("\n")]
    return tuple(chain.from_iterable(parts))


def parse_moves(
    lines: Sequence[str], number: int, game: Game, max_actions: int | None
) -> tuple[Branch, Problem | None]:
    """Parse lines, the first of which has a number, up to the first problem."""
    branch = game_itself = Branch(0, number)
    enclosing: list[Branch] = []
    known = _known_lines(game)
    total = 0
    for number, line in enumerate(lines, number):  # noqa: B020
        line = line.strip()
        if not line:
            continue
        closed = 0
        if enclosing or line[0] in "();":
            while line.startswith("(") and len(enclosing) < MOST_NESTED:
                if not branch.lines or branch.starts[-1] == len(branch.actions):
                    reason = "a variation stands below the line that it replaces"
                    return game_itself, Problem(number, branch.end + 1, reason)
                variation = Branch(branch.first + branch.starts[-1], number)
                branch.variations.append(variation)
                enclosing.append(branch)
                branch = variation
                line = line[1:].lstrip()
            if line.startswith("("):
                reason = f"variations are nested at most {MOST_NESTED} deep"
                return game_itself, Problem(number, branch.end + 1, reason)
            if line.startswith(";"):
                branch.comment_lines.setdefault(branch.end, []).append(comment_text(line))
                continue
            moves, semicolon, notes = line.partition(";")
            while closed < len(enclosing) and moves.rstrip().endswith(")"):
                moves = moves.rstrip()[:-1]
                closed += 1
            line = f"{moves.rstrip()}  {semicolon}{notes}" if semicolon else moves.rstrip()
        words = split_label(line.partition(";")[0])[1]
        actions, problem = known.parse(words)
        if line:
            branch.numbers.append(number)
            branch.lines.append(line)
            branch.starts.append(len(branch.actions))
            branch.actions += actions
        total += len(actions)
        if max_actions is not None and total > max_actions:
            del branch.actions[len(branch.actions) - (total - max_actions) :]
            problem = f"a record has at most {max_actions} actions here"
        if problem:
            return game_itself, Problem(number, branch.end + 1, problem)
        for _ in range(closed):
            if not branch.actions:
                return game_itself, Problem(number, branch.end + 1, "a variation needs moves")
            branch = enclosing.pop()
    if enclosing:
        reason = "the variation that begins here is not closed: ')' is missing"
        return game_itself, Problem(branch.line, branch.first + 1, reason, is_unclosed=True)
    return game_itself, None


class _KnownLines(dict[str, tuple[int, ...]]):
    """The actions by the words of a line, for lines that were parsed before."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def parse(self, words: str) -> tuple[tuple[int, ...], str]:
        """Return the actions of a line up to the first that does not exist, and why it does not."""
        try:
            return self[words], ""
        except SoukError:
            return _parse_words(words, self.game)

    def __missing__(self, words: str) -> tuple[int, ...]:
        """Return the actions of a line; raise SoukError if it has none, or one does not exist."""
        actions, problem = _parse_words(words, self.game)
        if problem or not actions:
            raise SoukError(problem)
        if len(words) < _LONG:  # longer ones hardly ever occur again
            if len(self) >= _MOST_KNOWN:
                self.clear()
            self[words] = actions
        return actions


_known_lines = lru_cache(8)(_KnownLines)


def _parse_words(words: str, game: Game) -> tuple[tuple[int, ...], str]:
    """Return the actions of a line, up to the first that does not exist, and why it does not."""
    actions: list[int] = []
    for word in filter(None, map(str.strip, words.split(","))):
        try:
            actions.append(game.string_to_action(word))
        except SoukError as error:
            if word.endswith(")"):
                return tuple(actions), f"there is no '(' before the ')' in {word!r}"
            return tuple(actions), str(error)
    return tuple(actions), ""
