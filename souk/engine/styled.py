"""Text in pieces with a style each, so that one drawing serves plain and coloured terminals."""

# A piece's style: "", "strong", "dim", "mark" (what just happened) or the name of a colour.
Styled = list[tuple[str, str]]


def plain(pieces: Styled) -> str:
    """The text alone.

    >>> plain([("Assam", "strong"), (" walks", "")])
    'Assam walks'
    """
    return "".join(text for text, _ in pieces)
