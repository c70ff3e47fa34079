"""The side panel of the MarraCash drawing: players, open souvenirs, queue and key."""

from math import ceil

from souk.engine.drawing import panel_parts
from souk.engine.drawing.panel_parts import KEY_ROW, PAD, TITLE_HEIGHT, text
from souk.engine.drawing.pen import Pen, clean, num, shrink, text_width
from souk.games.marracash.drawing.scene import Scene, Seat, Shop
from souk.games.marracash.drawing.signs import flag
from souk.games.marracash.drawing.visitors import SHAPES, visitor

WIDTH = 292
_GAP = 11
_LEGEND = 78
_CARD_ROW = 44
_SHOP_ROW = 27


def height(scene: Scene) -> float:
    """Return the height of the panel."""
    seats = sum(_card_height(_owned(scene, i)) + _GAP for i in range(len(scene.seats)))
    cards = 30 + _CARD_ROW * ((len(scene.cards) + 1) // 2) if scene.cards else 0
    return TITLE_HEIGHT + seats + cards + _LEGEND + KEY_ROW * len(_key_rows(scene))


def panel(pen: Pen, scene: Scene, tall: float) -> str:
    """Draw the panel, its top left corner at the origin."""
    parts = [panel_parts.title(pen, "MarraCash", WIDTH)]
    y = float(TITLE_HEIGHT)
    for number, seat in enumerate(scene.seats):
        owned = _owned(scene, number)
        parts.append(f'<g transform="translate(0 {num(y)})">{_card(pen, seat, owned)}</g>')
        y += _card_height(owned) + _GAP
    parts.append(_souvenirs(pen, scene.cards, y))
    rows = [(_SIGNS[words](pen), words) for words in _key_rows(scene)]
    parts.append(_waiting(pen, scene.queue, tall - KEY_ROW * len(rows) - _LEGEND))
    parts.append(panel_parts.key(pen, rows, tall))
    return '<g data-part="seats">' + "\n".join(filter(None, parts)) + "</g>"


def _owned(scene: Scene, seat: int) -> list[Shop]:
    return [shop for shop in scene.all_shops().values() if shop.owner == seat]


# --- a seat ---------------------------------------------------------------------------------


def _card_height(owned: list[Shop]) -> float:
    return 96 + _SHOP_ROW * ceil(len(owned) / _across(owned))


def _card(pen: Pen, seat: Seat, owned: list[Shop]) -> str:
    return (
        panel_parts.card(pen, seat.name, WIDTH, _card_height(owned), seat.to_move)
        + flag(pen, seat.colour, PAD + 2, 12, 0.82)
        + _heading(pen, seat)
        + _money(pen, seat)
        + _shops(pen, owned)
    )


def _heading(pen: Pen, seat: Seat) -> str:
    tag, tag_width = _tag(pen, seat)
    space = WIDTH - 2 * PAD - 42 - tag_width
    name, size = shrink(seat.name, 19, 15, space / 1.08)  # bold is wider
    return text(pen, PAD + 42, 31, name, size, bold=True) + tag


def _tag(pen: Pen, seat: Seat) -> tuple[str, float]:
    """Draw the tag of the player to move, or of the player in turn if that is another."""
    if seat.to_move:
        return panel_parts.to_move(pen, WIDTH)
    if not seat.turn_of:
        return "", 0
    pill = (
        f'<rect x="{WIDTH - 86}" y="11" width="74" height="26" rx="13" '
        f'{pen.paint("none", "accent")} stroke-width="1.6"/>'
    )
    return pill + text(pen, WIDTH - 49, 29, "in turn", 14.5, anchor="middle"), 82


def _money(pen: Pen, seat: Seat) -> str:
    figure = str(seat.dirhams).replace("-", "\N{MINUS SIGN}")
    after = PAD + text_width(figure, 25) * 1.08 + 8
    signs = f"{seat.signs or 'no'} sign{'' if seat.signs == 1 else 's'} left"
    note, size = shrink(seat.note, 17, 13, (WIDTH - after - 78 - PAD) / 1.08)
    return (
        text(pen, PAD, 68, figure, 25, bold=True)
        + text(pen, after, 68, "dirhams", 15, colour="soft")
        + (text(pen, WIDTH - PAD, 68, note, size, bold=True, anchor="end") if note else "")
        + text(pen, PAD, 87, signs, 15, colour="soft")
    )


def _shops(pen: Pen, owned: list[Shop]) -> str:
    """Draw the shops of a player, each with the shape of its colour."""
    if not owned:
        return text(pen, WIDTH - PAD, 87, "no shop yet", 15, anchor="end", colour="soft")
    across = _across(owned)
    step = (WIDTH - 2 * PAD) / across
    parts = []
    for i, shop in enumerate(owned):
        x, y = PAD + 8 + step * (i % across), 107 + _SHOP_ROW * (i // across)
        label, size = shrink(shop.id, 15, 8, step - 17)
        parts.append(visitor(pen, shop.colour, x, y, 0.74))
        parts.append(text(pen, x + 11, y + 5.5, label, size))
    return "".join(parts)


def _across(owned: list[Shop]) -> int:
    """Return how many shops fit in a row: fewer if their names are long."""
    space = (WIDTH - 2 * PAD) / 6 - 17
    return 6 if all(text_width(shop.id, 15) <= space for shop in owned) else 3


# --- what all share -------------------------------------------------------------------------


def _souvenirs(pen: Pen, cards: tuple[tuple[str, int], ...], y: float) -> str:
    if not cards:
        return ""
    wide = (WIDTH - _GAP) / 2
    parts = [text(pen, 2, y + 16, "Open souvenir cards", 15, colour="soft")]
    for i, (colour, value) in enumerate(cards):
        left, top = (i % 2) * (wide + _GAP), y + 24 + _CARD_ROW * (i // 2)
        parts.append(
            f'<g data-card="{clean(f"{colour} {value}")}" '
            f'transform="translate({num(left)} {num(top)})"><rect width="{num(wide)}" height="36" '
            f'rx="7" {pen.paint(f"shop_{colour}", f"edge_{colour}")} stroke-width="1.8"/>'
            + visitor(pen, colour, 18, 18, 0.9)
            + text(pen, 34, 23.5, colour, 15)
            + text(pen, wide - 10, 24.5, str(value), 18, bold=True, anchor="end")
            + "</g>"
        )
    return "".join(parts)


def _waiting(pen: Pen, queue: tuple[str, ...], y: float) -> str:
    """Draw how many of each colour wait, which also explains the shapes."""
    step = WIDTH / len(SHAPES)
    parts = [text(pen, 2, y + 17, f"Waiting in the queue: {len(queue)}", 15, colour="soft")]
    for i, colour in enumerate(SHAPES):
        x = step * (i + 0.5)
        parts.append(visitor(pen, colour, x - 12, y + 38, 0.85))
        parts.append(text(pen, x + 2, y + 44, str(queue.count(colour)), 17, bold=True))
        parts.append(text(pen, x, y + 64, colour, 14, anchor="middle", colour="soft"))
    return f'<g data-part="waiting">{"".join(parts)}</g>'


_MIDDLE = PAD + 12


def _walk_sign(pen: Pen) -> str:
    return (
        f'<path d="M{PAD - 3} 0h22" {pen.paint("none", "accent")} stroke-width="4"/>'
        f'<path d="M{PAD + 15}-7l13 7-13 7z" {pen.paint("accent")}/>'
    )


def _entered_sign(pen: Pen) -> str:
    return (
        f'<rect x="{PAD - 3}" y="-9" width="31" height="18" rx="9" {pen.paint("card", "accent")} '
        f'stroke-width="1.8"/>' + text(pen, _MIDDLE, 4.6, "+1", 13, bold=True, anchor="middle")
    )


def _auction_sign(pen: Pen) -> str:
    return pen.use("hammer", f"translate({_MIDDLE} 0)scale(.68)")


def _route_sign(pen: Pen) -> str:
    return (
        f'<path d="M{PAD - 3} 0h20" {pen.paint("none", "accent")} stroke-width="3.2" '
        f'stroke-linecap="round" stroke-dasharray="0 7"/>'
        f'<path d="M{PAD + 17}-6l11 6-11 6z" {pen.paint("accent")}/>'
    )


_SIGNS = {
    "the last move": _walk_sign,
    "customers it brought": _entered_sign,
    "up for auction": _auction_sign,
    "what a move brings, to whom": _route_sign,
}


def _key_rows(scene: Scene) -> list[str]:
    """Return the texts of the marks that this drawing has."""
    used = (scene.walk, scene.entered(), scene.auction, scene.routes)
    return [words for words, mark in zip(_SIGNS, used, strict=True) if mark]
