"""Text in pieces with a style each, so that one drawing serves plain and coloured terminals."""

from itertools import zip_longest

# A piece's style: "", "strong", "dim", "mark" (look here) or the name of a colour.
Styled = list[tuple[str, str]]


def plain(pieces: Styled) -> str:
    """The text alone.

    >>> plain([("Assam", "strong"), (" walks", "")])
    'Assam walks'
    """
    return "".join(text for text, _ in pieces)


def stacked(blocks: list[list[Styled]], height: int) -> list[Styled]:
    """Blocks of lines one below the other, with an empty line between them if there is room."""
    is_roomy = sum(len(block) + 1 for block in blocks) - 1 <= height
    lines: list[Styled] = []
    for block in blocks:
        lines += [[], *block] if is_roomy and lines else block
    return lines


def beside(left: list[Styled], right: list[Styled], gap: int = 3) -> list[Styled]:
    """Two blocks of lines next to each other.

    >>> [plain(line) for line in beside([[("board", "")], []], [[("Leila", "")], [("Karim", "")]])]
    ['board   Leila', '        Karim']
    """
    width = max(len(plain(line)) for line in left)
    lines = []
    nothing: Styled = []
    for one, other in zip_longest(left, right, fillvalue=nothing):
        padding = " " * (width - len(plain(one)) + gap)
        lines.append([*one, (padding, ""), *other] if other else [*one])
    return lines
