"""The side panel of the Marrakech drawing: a card per seat, and a key to the marks in use.

Nothing depends on colour alone: every swatch is a rug with its pattern, beside its name.
"""

from souk.engine.drawing import panel_parts
from souk.engine.drawing.panel_parts import KEY_ROW, PAD, TITLE_HEIGHT, text
from souk.engine.drawing.pen import Pen, num, shrink
from souk.games.marrakech.drawing.scene import Scene, Seat
from souk.games.marrakech.drawing.symbols import rug_name

WIDTH = 284
_GAP = 12


def panel(pen: Pen, scene: Scene, height: float) -> str:
    """Draw the panel, its top left corner at the origin."""
    parts = [panel_parts.title(pen, "Marrakech", WIDTH)]
    y = float(TITLE_HEIGHT)
    for seat in scene.seats:
        parts.append(f'<g transform="translate(0 {num(y)})">{_card(pen, seat)}</g>')
        y += _card_height(seat) + _GAP
    parts.append(_key(pen, scene, height))
    return '<g data-part="seats">' + "\n".join(parts) + "</g>"


def _card_height(seat: Seat) -> float:
    return 98 + 30 * max(1, len(seat.colours))


def _card(pen: Pen, seat: Seat) -> str:
    height = _card_height(seat)
    rows = "".join(
        _rug_row(pen, seat, colour, 108 + 30 * i) for i, colour in enumerate(seat.colours)
    )
    return (
        panel_parts.card(pen, seat.name, WIDTH, height, seat.to_move)
        + _heading(pen, seat)
        + _figures(pen, seat)
        + rows
    )


def _heading(pen: Pen, seat: Seat) -> str:
    tag, tag_width = _tag(pen, seat)
    space = WIDTH - 2 * PAD - tag_width
    name, size = shrink(seat.name, 19, 15, space / 1.08)  # bold is wider
    return text(pen, PAD, 31, name, size, bold=True, colour="soft" if seat.out else "ink") + tag


def _tag(pen: Pen, seat: Seat) -> tuple[str, float]:
    """Return the tag of the player to move, or of a player who is out, and its width."""
    if seat.out:
        return text(pen, WIDTH - PAD, 31, "out", 15, anchor="end", colour="soft"), 40
    if not seat.to_move:
        return "", 0
    return panel_parts.to_move(pen, WIDTH)


def _figures(pen: Pen, seat: Seat) -> str:
    """Draw dirhams, squares and the score they add up to."""
    columns = (
        (PAD, seat.dirhams, "dirhams"),
        (112, seat.squares, "squares"),
        (206, seat.score, "score"),
    )
    parts = []
    for x, value, label in columns:
        figure = str(value).replace("-", "\N{MINUS SIGN}")
        size = 25 if len(figure) <= 4 else 100 / len(figure)
        parts.append(text(pen, x, 66, figure, size, bold=label == "score"))
        parts.append(text(pen, x, 84, label, 14, colour="soft"))
    if seat.dirhams + seat.squares == seat.score and not seat.out:
        parts.append(text(pen, 90, 65, "+", 19, colour="soft"))
        parts.append(text(pen, 183, 65, "=", 19, colour="soft"))
    return "".join(parts)


def _rug_row(pen: Pen, seat: Seat, colour: str, y: float) -> str:
    """Draw a small rug, its colour in words, how many are left and whether it is next."""
    swatch = pen.use(
        rug_name(colour, seat.out), f"translate({PAD + 25} {num(y)})rotate(90)scale(.33)"
    )
    words = text(pen, PAD + 57, y + 5, f"{colour}: {_left(seat, colour)}", 15)
    if seat.next != colour or len(seat.colours) < 2 or seat.out:
        return swatch + words
    pill = (
        f'<rect x="{WIDTH - 58}" y="{num(y - 11.5)}" width="46" height="23" rx="11.5" '
        f'{pen.paint("none", "accent")} stroke-width="1.6"/>'
    )
    return swatch + words + pill + text(pen, WIDTH - 35, y + 5, "next", 14, anchor="middle")


def _left(seat: Seat, colour: str) -> str:
    if seat.out:
        return "neutral now"
    count = seat.rugs.get(colour, 0)
    if len(seat.colours) > 1:  # space for the label that says which is next
        return f"{count or 'none'} left"
    return "1 rug left" if count == 1 else f"{count or 'no'} rugs left"


def _key(pen: Pen, scene: Scene, height: float) -> str:
    """Draw the key to the marks of this drawing, as far as there is space."""
    rows = _key_rows(pen, scene)
    cards = sum(_card_height(seat) + _GAP for seat in scene.seats)
    space = int((height - TITLE_HEIGHT - cards) // KEY_ROW)
    return panel_parts.key(pen, rows[: max(0, space)], height)


def _key_rows(pen: Pen, scene: Scene) -> list[tuple[str, str]]:
    rows = []
    middle = PAD + 12
    if scene.walk:
        line = f'<path d="M{PAD - 2} 0h28" {pen.paint(stroke="accent")} stroke-width="2.6"/>'
        dot = f'<circle cx="{middle}" r="4.4" {pen.paint("accent")}/>'
        rows.append((line + dot, "Assam's last walk"))
    if scene.laid is not None:
        box = f'x="{PAD}" y="-7" width="24" height="14" rx="2"'
        rows.append(
            (f'<rect {box} {pen.paint("none", "accent")} stroke-width="2.6"/>', "rug laid last")
        )
    if scene.taxed:
        count = len(scene.taxed)
        words = f"counted for the tax: {count} square{'s' if count > 1 else ''}"
        rows.append((pen.use("coin", f"translate({middle} 0)"), words))
    if scene.options:
        box = f'x="{PAD}" y="-9" width="25" height="18" rx="5"'
        sign = f'<rect {box} {pen.paint("card", "accent")} stroke-width="1.6"/>'
        sign += text(pen, middle + 0.5, 4.5, "½", 12, anchor="middle")
        rows.append((sign, "may stop here: chance, cost"))
    return rows
