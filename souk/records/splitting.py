"""Split the content of a file into its games.

After moves, a game begins with a header line below an empty line, or with a line `game` anywhere;
after a header, with a line `game` below an empty line. Comments directly above belong to it.
A byte order mark begins a file, so a game too. What is no text is kept from the game above it.
"""

import codecs
import re
from collections.abc import Iterable, Iterator

from souk.records.errors import FileError

MOST_BYTES = 1 << 24  # of one game
_GAP = re.compile(rb"\n(?:[ \t\r]*\n)+")  # empty lines
_BOM = b"\xef\xbb\xbf"
_COMMENTS = rb"(?:[ \t]*;[^\n]*(?:\n|$))*"
_HEADER = re.compile(_COMMENTS + rb"[ \t]*(?!deal:)[A-Za-z][\w -]*:")
_ONLY_COMMENTS = re.compile(_COMMENTS + rb"\s*$")
_NEXT_GAME = re.compile(rb"\ngame[ \t]*:")
_GAME_LINE = re.compile(rb"^[ \t]*game[ \t]*:", re.MULTILINE)
# A byte order mark of UTF-8 or UTF-16, or a game below one in UTF-16.
_FILE = re.compile(
    rb"^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)|(?:(?<!\xbf)\xef\xbb\xbf|(?<=\n\0))(?=game[ \t]*:)",
    re.MULTILINE,
)
_TURN_LINE = re.compile(rb"^[ \t]*(?:[0-9]{1,9}\.|deal:)", re.MULTILINE)


def split_games(pieces: Iterable[bytes], name: str = "the input") -> Iterator[tuple[int, bytes]]:
    r"""Yield the number of the first line and the content of every game.

    >>> list(split_games([b"game: a\n\n1. A: left\n\nga", b"me: b\n"]))
    [(1, b'game: a\n\n1. A: left\n\n'), (5, b'game: b\n')]
    """
    line = 1
    rest = b""
    for piece in pieces:
        *games, rest = split_content(rest + piece)
        for game in games:
            yield line, game
            line += game.count(b"\n")
        if len(rest) > MOST_BYTES:
            size = f"{MOST_BYTES >> 20} MB"
            raise FileError(f"{name}: the game in line {line} is longer than {size}")
    if rest.strip(b"\xef\xbb\xbf \t\r\n"):
        yield line, rest


def split_content(content: bytes) -> list[bytes]:
    """Return the games of a content; together they are the content."""
    starts = {gap.end(): True for gap in _GAP.finditer(content)}  # whether it is below a gap
    is_text, has_marks = _is_text(content), not content.isascii() and _BOM in content
    if has_marks or not is_text:
        starts |= {mark.start(): True for mark in _FILE.finditer(content) if mark.start()}
    for line in _NEXT_GAME.finditer(content):
        starts.setdefault(_above_comments(content, line.start() + 1), False)
    games = []
    first = at = 0
    has_game = has_moves = is_below_gap = is_damaged = False
    for end, next_is_below_gap in [*sorted(starts.items()), (len(content), True)]:
        part = content[at:end].replace(_BOM, b"") if has_marks else content[at:end]
        is_header = _HEADER.match(part) is not None
        names_game = is_header and _GAME_LINE.search(part) is not None
        no_text = not (is_text or is_header) and _begins_without_text(part)
        begins = is_header or (no_text and not is_damaged)
        if begins and (has_moves or (has_game and names_game and is_below_gap)):
            games.append(content[first:at])
            first = at
            has_game = has_moves = False
        if at == first:
            is_damaged = no_text
        has_game |= names_game
        if not has_moves:
            below = _TURN_LINE.search(part) if is_header else not _ONLY_COMMENTS.match(part)
            has_moves = bool(below)
        at, is_below_gap = end, next_is_below_gap
    return [*games, content[first:]]


def _is_text(content: bytes) -> bool:
    """Return whether bytes are text in UTF-8; the last character may be cut off."""
    if not content.isascii():
        try:
            codecs.utf_8_decode(content)
        except UnicodeDecodeError:
            return False
    return b"\0" not in content


def _begins_without_text(part: bytes) -> bool:
    """Return whether the first line of a part is neither text nor a turn."""
    line = part.partition(b"\n")[0]
    return not _is_text(line) and not _TURN_LINE.match(line) and line.lstrip()[:1] not in b";("


def _above_comments(content: bytes, at: int) -> int:
    """Return where the comments directly above a line begin; where the line does, without any."""
    while at > 0:
        above = content.rfind(b"\n", 0, at - 1) + 1
        line = content[above:at]
        if not line.removeprefix(_BOM).lstrip(b" \t").startswith(b";"):
            break
        at = above
        if line.startswith(_BOM):
            break
    return at
