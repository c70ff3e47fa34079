"""The parts of a side panel: its title, the cards of seats, and texts.

No information in a panel is conveyed by colour alone.
"""

from souk.engine.drawing.ornaments import lozenge
from souk.engine.drawing.pen import SERIF, Pen, clean, num

PAD = 18  # from a card's edge to its text
TITLE_HEIGHT = 66
KEY_ROW = 25


def text(
    pen: Pen,
    x: float,
    y: float,
    words: str,
    size: float,
    *,
    bold: bool = False,
    anchor: str = "",
    colour: str = "ink",
) -> str:
    """Return a text element."""
    weight = ' font-weight="700"' if bold else ""
    where = f' text-anchor="{anchor}"' if anchor else ""
    return (
        f'<text x="{num(x)}" y="{num(y)}" font-size="{num(size)}"{weight}{where} '
        f"{pen.paint(colour)}>{clean(words)}</text>"
    )


def title(pen: Pen, words: str, width: float) -> str:
    """Return the game's name over a line with three beads, `TITLE_HEIGHT` high."""
    middle = width / 2
    beads = "".join(lozenge(3.5, 3.5, x, 51) for x in (middle - 12, middle, middle + 12))
    return (
        f'<text x="{middle}" y="34" font-family="{SERIF}" font-size="34" text-anchor="middle" '
        f'letter-spacing="1" {pen.paint("ink")}>{clean(words)}</text>'
        f'<path d="M0 51H{middle - 24}M{middle + 24} 51H{width}" '
        f'{pen.paint(stroke="line")} stroke-width="1.5"/><path d="{beads}" {pen.paint("accent")}/>'
    )


def card(pen: Pen, name: str, width: float, height: float, to_move: bool) -> str:
    """Return the frame of a seat's card, heavier if it is to move, with the name as tooltip."""
    edge = "accent" if to_move else "line"
    return (
        f"<title>{clean(name)}</title>"
        f'<rect width="{num(width)}" height="{num(height)}" rx="10" {pen.paint("card", edge)} '
        f'stroke-width="{2.6 if to_move else 1.2}"/>'
    )


def to_move(pen: Pen, width: float) -> tuple[str, float]:
    """Return the label at a card's top right that says "to move", and its width."""
    pill = (
        f'<rect x="{num(width - 104)}" y="11" width="92" height="26" rx="13" '
        f"{pen.paint('accent')}/>"
        f'<path d="M{num(width - 93)} 18l9 6-9 6z" {pen.paint("on_accent")}/>'
    )
    return pill + text(pen, width - 78, 29, "to move", 14.5, colour="on_accent"), 100


def key(pen: Pen, rows: list[tuple[str, str]], bottom: float) -> str:
    """Return a legend of the marks in a drawing: a sign and its meaning in each row."""
    y = bottom - KEY_ROW * (len(rows) - 0.5)
    parts = [
        f'<g transform="translate(0 {num(y + i * KEY_ROW)})">{sign}'
        f"{text(pen, PAD + 34, 5, words, 14, colour='soft')}</g>"
        for i, (sign, words) in enumerate(rows)
    ]
    return f'<g data-part="key">{"".join(parts)}</g>' if parts else ""
