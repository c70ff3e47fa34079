"""The side panel of the Marrakech drawing: a card per seat, and a key to the marks in use.

Nothing in it is told by colour alone: every swatch is the rug with its pattern and its name
stands beside it. May import the pen, the ornaments and the scene.
"""

from souk.games.marrakech.drawing.ornaments import lozenge, rug_name
from souk.games.marrakech.drawing.pen import SERIF, Pen, clean, num, shrink
from souk.games.marrakech.drawing.scene import Scene, Seat

WIDTH = 284
_PAD = 18
_TITLE_HEIGHT = 66
_GAP = 12
_KEY_ROW = 25


def panel(pen: Pen, scene: Scene, height: float) -> str:
    """The whole column, its top left corner at the origin."""
    parts = [_title(pen)]
    y = float(_TITLE_HEIGHT)
    for seat in scene.seats:
        parts.append(f'<g transform="translate(0 {num(y)})">{_card(pen, seat)}</g>')
        y += _card_height(seat) + _GAP
    parts.append(_key(pen, scene, height))
    return '<g data-part="seats">' + "\n".join(parts) + "</g>"


def _title(pen: Pen) -> str:
    beads = "".join(lozenge(3.5, 3.5, x, 51) for x in (WIDTH / 2 - 12, WIDTH / 2, WIDTH / 2 + 12))
    return (
        f'<text x="{WIDTH / 2}" y="34" font-family="{SERIF}" font-size="34" text-anchor="middle" '
        f'letter-spacing="1" {pen.paint("ink")}>Marrakech</text>'
        f'<path d="M0 51H{WIDTH / 2 - 24}M{WIDTH / 2 + 24} 51H{WIDTH}" '
        f'{pen.paint(stroke="line")} stroke-width="1.5"/><path d="{beads}" {pen.paint("accent")}/>'
    )


def _card_height(seat: Seat) -> float:
    return 98 + 30 * max(1, len(seat.colours))


def _card(pen: Pen, seat: Seat) -> str:
    height = _card_height(seat)
    edge = "accent" if seat.to_move else "line"
    shape = f'width="{WIDTH}" height="{num(height)}" rx="10"'
    rows = "".join(
        _rug_row(pen, seat, colour, 108 + 30 * i) for i, colour in enumerate(seat.colours)
    )
    return (
        f"<title>{clean(seat.name)}</title>"
        f'<rect {shape} {pen.paint("card", edge)} stroke-width="{2.6 if seat.to_move else 1.2}"/>'
        f"{_heading(pen, seat)}{_figures(pen, seat)}{rows}"
    )


def _heading(pen: Pen, seat: Seat) -> str:
    tag, tag_width = _tag(pen, seat)
    room = WIDTH - 2 * _PAD - tag_width
    name, size = shrink(seat.name, 19, 15, room / 1.08)  # bold is wider
    return _text(pen, _PAD, 31, name, size, bold=True, colour="soft" if seat.out else "ink") + tag


def _tag(pen: Pen, seat: Seat) -> tuple[str, float]:
    """The word at the top right that says whose turn it is or who is out, and its width."""
    if seat.out:
        return _text(pen, WIDTH - _PAD, 31, "out", 15, anchor="end", colour="soft"), 40
    if not seat.to_move:
        return "", 0
    pill = (
        f'<rect x="{WIDTH - 104}" y="11" width="92" height="26" rx="13" {pen.paint("accent")}/>'
        f'<path d="M{WIDTH - 93} 18l9 6-9 6z" {pen.paint("on_accent")}/>'
    )
    return pill + _text(pen, WIDTH - 78, 29, "to move", 14.5, colour="on_accent"), 100


def _figures(pen: Pen, seat: Seat) -> str:
    """Dirhams and squares, and the score they add up to."""
    columns = (
        (_PAD, seat.dirhams, "dirhams"),
        (112, seat.squares, "squares"),
        (206, seat.score, "score"),
    )
    parts = []
    for x, value, label in columns:
        figure = str(value).replace("-", "\N{MINUS SIGN}")
        parts.append(_text(pen, x, 66, figure, 25, bold=label == "score"))
        parts.append(_text(pen, x, 84, label, 14, colour="soft"))
    if seat.dirhams + seat.squares == seat.score and not seat.out:
        parts.append(_text(pen, 90, 65, "+", 19, colour="soft"))
        parts.append(_text(pen, 183, 65, "=", 19, colour="soft"))
    return "".join(parts)


def _rug_row(pen: Pen, seat: Seat, colour: str, y: float) -> str:
    """The rug itself in small, its colour in words, how many are left, and whether it is next."""
    swatch = pen.use(
        rug_name(colour, seat.out), f"translate({_PAD + 25} {num(y)})rotate(90)scale(.33)"
    )
    told = _text(pen, _PAD + 57, y + 5, f"{colour}: {_left(seat, colour)}", 15)
    if seat.next != colour or len(seat.colours) < 2 or seat.out:
        return swatch + told
    pill = (
        f'<rect x="{WIDTH - 58}" y="{num(y - 11.5)}" width="46" height="23" rx="11.5" '
        f'{pen.paint("none", "accent")} stroke-width="1.6"/>'
    )
    return swatch + told + pill + _text(pen, WIDTH - 35, y + 5, "next", 14, anchor="middle")


def _left(seat: Seat, colour: str) -> str:
    if seat.out:
        return "neutral now"
    count = seat.rugs.get(colour, 0)
    return "1 rug left" if count == 1 else f"{count or 'no'} rugs left"


def _key(pen: Pen, scene: Scene, height: float) -> str:
    """Explains the marks that are in the drawing, and no others."""
    rows = _key_rows(pen, scene)
    cards = sum(_card_height(seat) + _GAP for seat in scene.seats)
    room = int((height - _TITLE_HEIGHT - cards) // _KEY_ROW)
    rows = rows[: max(0, room)]
    y = height - _KEY_ROW * (len(rows) - 0.5)
    parts = []
    for i, (sign, words) in enumerate(rows):
        at = num(y + i * _KEY_ROW)
        parts.append(
            f'<g transform="translate(0 {at})">{sign}'
            f"{_text(pen, _PAD + 34, 5, words, 14, colour='soft')}</g>"
        )
    return f'<g data-part="key">{"".join(parts)}</g>' if parts else ""


def _key_rows(pen: Pen, scene: Scene) -> list[tuple[str, str]]:
    rows = []
    middle = _PAD + 12
    if scene.walk:
        line = f'<path d="M{_PAD - 2} 0h28" {pen.paint(stroke="accent")} stroke-width="2.6"/>'
        dot = f'<circle cx="{middle}" r="4.4" {pen.paint("accent")}/>'
        rows.append((line + dot, "Assam's last walk"))
    if scene.laid is not None:
        box = f'x="{_PAD}" y="-7" width="24" height="14" rx="2"'
        rows.append(
            (f'<rect {box} {pen.paint("none", "accent")} stroke-width="2.6"/>', "rug laid last")
        )
    if scene.taxed:
        count = len(scene.taxed)
        words = f"counted for the tax: {count} square{'s' if count > 1 else ''}"
        rows.append((pen.use("coin", f"translate({middle} 0)"), words))
    if scene.options:
        box = f'x="{_PAD}" y="-9" width="25" height="18" rx="5"'
        sign = f'<rect {box} {pen.paint("card", "accent")} stroke-width="1.6"/>'
        sign += _text(pen, middle + 0.5, 4.5, "½", 12, anchor="middle")
        rows.append((sign, "may stop here: chance, cost"))
    return rows


def _text(
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
    weight = ' font-weight="700"' if bold else ""
    where = f' text-anchor="{anchor}"' if anchor else ""
    return (
        f'<text x="{num(x)}" y="{num(y)}" font-size="{num(size)}"{weight}{where} '
        f"{pen.paint(colour)}>{clean(words)}</text>"
    )
