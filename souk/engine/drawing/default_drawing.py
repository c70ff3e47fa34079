"""Draw a position from its text board, for games that have no drawing of their own."""

from collections.abc import Sequence

from souk.engine.drawing import panel_parts, svg_document
from souk.engine.drawing.ornaments import GROUNDS, INK, IVORY
from souk.engine.drawing.panel_parts import PAD, TITLE_HEIGHT
from souk.engine.drawing.pen import Pen, clean, num, shrink, wrap
from souk.engine.state import State
from souk.engine.styled_text import Styled, block_width, cell_width, plain_text

MONO = "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace"
MARGIN = 20
FONT = 22  # of the board
COLUMN, ROW = 0.6 * FONT, 1.4 * FONT  # of a character
LINE, GAP = 26, 12  # of cards
LEAST_WIDTH = 520  # narrow, so that letters are large enough on a phone
CAPTION = 20
PALE = ("yellow", "orange")  # under dark letters


def draw_state(state: State, theme: str, names: Sequence[str]) -> str:
    """Return a state as SVG: the text board, a card for each player, and what is to be done."""
    svg_document.check(theme, 1)
    game = state.game
    board, players = game.board_lines(state), game.player_lines(state, names)
    pen = Pen(svg_document.prefix(svg_document.canonical((board, players, theme))), theme)
    inner = max(LEAST_WIDTH - 2 * MARGIN, block_width(board) * COLUMN + 2 * MARGIN)
    width = inner + 2 * MARGIN
    board_height = len(board) * ROW + 2 * MARGIN
    cards_top = TITLE_HEIGHT + board_height + GAP
    cards, cards_height = _cards(pen, state, names, [lines[1:] for lines in players], inner)
    sentences = [event.sentence(names) for event in state.events()]
    last = wrap(" ".join(sentences), CAPTION, inner, 2)
    task = wrap(game.prompt(state, names), CAPTION, inner, 3)
    bottom = MARGIN + cards_top + cards_height + MARGIN
    height = bottom + 1.4 * CAPTION * len([*last, *task]) + 8
    description = " ".join(plain_text(state.game.board_text(state, names)).split())
    return "\n".join(
        (
            svg_document.opening(pen, width, height, round(width), game.title, description),
            pen.stylesheet(),
            svg_document.paper(pen, width, height),
            _moved(MARGIN, MARGIN, panel_parts.title(pen, game.title, inner)),
            _moved(MARGIN, MARGIN + TITLE_HEIGHT, _board(pen, board, inner, board_height)),
            _moved(MARGIN, MARGIN + cards_top, cards),
            svg_document.caption(
                pen, [*last, *task], MARGIN, bottom + 18, CAPTION, matter=len(task)
            ),
            "</svg>\n",
        )
    )


def _cards(
    pen: Pen, state: State, names: Sequence[str], lines: Sequence[Sequence[Styled]], width: float
) -> tuple[str, float]:
    """Draw the cards of the players in two columns; return them and their height."""
    game = state.game
    in_turn = None if state.is_terminal() else game.turn_of(state.buffer)
    card_width, height = (width - GAP) / 2, 46 + LINE * max(map(len, lines))
    cards = []
    for seat, own in enumerate(lines):
        shape = (card_width, height)
        card = _card(pen, names[seat], game.seat_colour(seat), own, shape, seat == in_turn)
        row, column = divmod(seat, 2)
        cards.append(_moved(column * (card_width + GAP), row * (height + GAP), card))
    return "".join(cards), (len(lines) + 1) // 2 * (height + GAP) - GAP


def _card(
    pen: Pen,
    name: str,
    colour: str,
    lines: Sequence[Styled],
    shape: tuple[float, float],
    to_move: bool,
) -> str:
    """Draw the name of a seat beside its colour, and its lines."""
    width, height = shape
    label, label_width = panel_parts.to_move(pen, width) if to_move else ("", 0)
    shown, size = shrink(name, 19, 15, (width - 2 * PAD - 26 - label_width) / 1.08)
    swatch = f'x="{PAD}" y="17" width="16" height="16" rx="4"'
    parts = [
        panel_parts.card(pen, name, width, height, to_move),
        f'<rect {swatch} fill="{GROUNDS[colour]}" stroke="{INK}"/>',
        panel_parts.text(pen, PAD + 26, 31, shown, size, bold=True),
        label,
    ]
    for number, line in enumerate(lines):
        words = wrap(plain_text(line), 16, width - 2 * PAD, 1)
        parts.append(panel_parts.text(pen, PAD, 56 + LINE * number, " ".join(words), 16))
    return "".join(parts)


def _board(pen: Pen, lines: Sequence[Styled], width: float, height: float) -> str:
    """Draw lines of styled text in the middle of a frame; a colour is their ground."""
    left, top = (width - block_width(lines) * COLUMN) / 2, (height - len(lines) * ROW) / 2
    frame = f'width="{num(width)}" height="{num(height)}" rx="10"'
    parts = [f'<rect {frame} {pen.paint("card", "line")} stroke-width="1.2"/>']
    for number, line in enumerate(lines):
        x, y = left, top + number * ROW
        for text, style in line:
            columns = cell_width(text)
            paint = pen.paint({"dim": "soft", "mark": "accent"}.get(style, "ink"))
            if style in GROUNDS:
                parts.append(
                    f'<rect x="{num(x)}" y="{num(y)}" width="{num(columns * COLUMN)}" '
                    f'height="{num(ROW)}" fill="{GROUNDS[style]}"/>'
                )
                paint = pen.paint(INK if style in PALE else IVORY)
            if text.strip():
                weight = ' font-weight="700"' if style in ("strong", "mark") else ""
                parts.append(
                    f'<text x="{num(x)}" y="{num(y + 0.72 * ROW)}" xml:space="preserve" '
                    f'textLength="{num(columns * COLUMN)}"{weight} {paint}>{clean(text)}</text>'
                )
            x += columns * COLUMN
    return f'<g font-family="{MONO}" font-size="{FONT}">{"".join(parts)}</g>'


def _moved(x: float, y: float, drawn: str) -> str:
    return f'<g transform="translate({num(x)} {num(y)})">{drawn}</g>'
