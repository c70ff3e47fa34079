"""Render the rulebook of a game, with its knobs, as HTML.

Every text is escaped before markup is added, so only the elements listed here can appear.
"""

import re
from collections.abc import Callable, Iterator
from html import escape
from itertools import groupby

from msgspec import Struct

from souk.engine.errors import SoukError
from souk.engine.rulebook import DRAWING, MARK
from souk.games import game_class
from souk.server.tables.commands import Refusal
from souk.server.tables.hosted_games import hosted_game

DEFAULT = "en"
_ITEM = {"ul": re.compile("- "), "ol": re.compile(r"\d+\. ")}
_MARKED = (
    (re.compile(r"\*\*(.+?)\*\*"), r"<strong>\1</strong>"),
    (re.compile(r"\*(.+?)\*"), r"<em>\1</em>"),
)


class RulesSection(Struct, frozen=True):
    """A section of the rules."""

    id: str  # the same in all languages
    title: str
    html: str  # safe: text elements, tables, and figures with a drawing of our own


class RulesView(Struct, frozen=True):
    """The rules of one game, in one language."""

    language: str
    title: str
    sections: list[RulesSection]


def rules(name: str, text: str | None, language: str) -> RulesView:
    """Return the rules of a game with default knobs, or with those of a game string.

    This takes a while: callers run it in a worker process.
    """
    try:
        game = hosted_game(str(game_class(name)()) if text is None else text)
    except SoukError as error:
        raise Refusal("bad-game", f"{error}.") from None
    if game.name != name:
        raise Refusal("bad-game", f"{game} is not a game of {name}.")
    book = game.rulebook(language if language in game.languages() else DEFAULT)
    sections = [
        RulesSection(one.id, one.title, html(one.body, game.draw_example, book.mark))
        for one in book.sections
    ]
    return RulesView(book.language, book.title, sections)


def html(markdown: str, draw: Callable[[str], str], mark: str = "") -> str:
    r"""Return a rulebook's Markdown as HTML.

    `draw` returns the drawing of a name; `mark` says what a † stands for.

    >>> html("Roll *once* & walk:\n1. `left`\n2. <b>**right**</b>", str)
    '<p>Roll <em>once</em> &amp; walk:</p><ol><li><code>left</code></li><li>&lt;b&gt;<strong>right</strong>&lt;/b&gt;</li></ol>'
    >>> html("|a|b|\n|---|---|\n|1|2|", str)
    '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>'
    >>> html("![A rug & a half](rug)", lambda name: f"<svg>{name}</svg>")
    '<figure role="img" aria-label="A rug &amp; a half"><svg>rug</svg></figure>'
    >>> html("He faces south.†", str, "not on the sheet")
    '<p>He faces south.<sup role="img" aria-label="not on the sheet" title="not on the sheet">†</sup></p>'
    """  # noqa: E501
    written = "".join(
        piece
        for block in markdown.split("\n\n")
        for kind, lines in groupby(filter(None, block.split("\n")), _kind)
        for piece in _block_html(kind, list(lines), draw)
    )
    words = escape(mark)
    return MARK.sub(
        lambda _: f'<sup role="img" aria-label="{words}" title="{words}">†</sup>', written
    )


def _kind(line: str) -> str:
    for kind, item in _ITEM.items():
        if item.match(line):
            return kind
    if DRAWING.fullmatch(line):
        return "figure"
    return "table" if line.startswith("|") else "p"


def _block_html(kind: str, lines: list[str], draw: Callable[[str], str]) -> Iterator[str]:
    if kind == "p":
        yield f"<p>{_inline(' '.join(lines))}</p>"
    elif kind == "table":
        yield _table(lines)
    elif kind == "figure":
        yield from (_figure(match, draw) for match in map(DRAWING.fullmatch, lines) if match)
    else:
        items = "".join(f"<li>{_inline(_ITEM[kind].sub('', line, count=1))}</li>" for line in lines)
        yield f"<{kind}>{items}</{kind}>"


def _figure(drawing: re.Match[str], draw: Callable[[str], str]) -> str:
    words = escape(drawing[1])
    return f'<figure role="img" aria-label="{words}">{draw(drawing[2])}</figure>'


def _table(lines: list[str]) -> str:
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines]
    head, *body = [row for row in rows if not all(re.fullmatch(":?-+:?", cell) for cell in row)]
    return (
        f"<table><thead>{_row(head, 'th')}</thead>"
        f"<tbody>{''.join(_row(row, 'td') for row in body)}</tbody></table>"
    )


def _row(cells: list[str], tag: str) -> str:
    return f"<tr>{''.join(f'<{tag}>{_inline(cell)}</{tag}>' for cell in cells)}</tr>"


def _inline(text: str) -> str:
    """Render code, bold and emphasis; code has no other markup."""
    pieces = escape(text, quote=False).split("`")
    if len(pieces) % 2 == 0:  # an unmatched backquote is a plain character
        pieces[-2:] = ["`".join(pieces[-2:])]
    html_text = ""
    for number, piece in enumerate(pieces):
        if number % 2:
            html_text += f"<code>{piece}</code>"
            continue
        for pattern, marked in _MARKED:
            piece = pattern.sub(marked, piece)
        html_text += piece
    return html_text
