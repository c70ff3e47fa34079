"""The shops of the MarraCash drawing: awning, name, owner's sign and customers."""

from collections.abc import Iterable
from dataclasses import dataclass

from souk.engine.drawing.ornaments import IVORY
from souk.engine.drawing.pen import Pen, Point, clean, num, shrink, text_width
from souk.games.marracash.drawing.geometry import Box, Plan
from souk.games.marracash.drawing.scene import Scene, Seat, Shop
from souk.games.marracash.drawing.signs import flag
from souk.games.marracash.drawing.visitors import SHAPES, place, visitor

RANKS = 5  # the fifth customer and all later ones pay the same: more are shown as a number
AWNING = 18


@dataclass(frozen=True)
class _Front:
    """The layout of a shop's front, which depends on whether it is wide, high or neither."""

    name: Point
    name_room: float
    flag: tuple[float, float, float]  # x, y and size
    places: tuple[Point, ...]  # of the customers
    place_size: float
    number: Point  # of a crowd of customers: one of them, and beside it how many
    vacant: tuple[float, float, float]  # the shape that an unowned shop waits for


_WIDE = _Front(
    name=(9, 38),
    name_room=60,
    flag=(93, 22, 0.92),
    places=tuple((15 + 15 * i, 50) for i in range(RANKS)),
    place_size=0.62,
    number=(17, 49),
    vacant=(107, 41, 1.25),
)
_HIGH = _Front(
    name=(9, 39),
    name_room=46,
    flag=(14, 50, 1),
    places=tuple((15.5 + 15.5 * (i % 3), 103 + 17 * (i // 3)) for i in range(RANKS)),
    place_size=0.62,
    number=(17, 111),
    vacant=(31, 84, 1.5),
)
_SMALL = _Front(
    name=(6, 34.5),
    name_room=30,
    flag=(34, 20, 0.66),
    places=tuple((9.5 + 10.8 * i, 54) for i in range(RANKS)),
    place_size=0.42,
    number=(14, 52),
    vacant=(44, 43, 0.9),
)


_SMALL_WITH_LONG_NAME = _Front(
    name=(4, 30),
    name_room=54,
    flag=(38, 32, 0.42),
    places=_SMALL.places,
    place_size=0.42,
    number=(14, 50),
    vacant=(44, 45, 0.8),
)
LEAST_NAME = 6  # size at which the longest name fits: names that were cut would look alike


def _front(name: str, width: float, height: float) -> _Front:
    if width >= 1.6 * height:
        return _WIDE
    if height >= 1.6 * width:
        return _HIGH
    return _SMALL if text_width(name, 11) * 1.08 <= _SMALL.name_room else _SMALL_WITH_LONG_NAME


def _sizes(plan: Plan, box: Box) -> tuple[int, int]:
    """Return a shop's size before it is scaled to the town."""
    return round(box.width / plan.unit), round(box.height / plan.unit)


def definitions(pen: Pen, plan: Plan, stands: Iterable[Shop]) -> str:
    kinds = {(shop.colour, *_sizes(plan, plan.shops[shop.id])) for shop in stands}
    awnings = (_awning(pen, width) for width in sorted({width for _, width, _ in kinds}))
    return "\n".join((*awnings, *(_house(pen, *kind) for kind in sorted(kinds))))


def _awning(pen: Pen, width: int) -> str:
    """Draw striped cloth with scallops; every other stripe has the colour of the shop."""
    count = max(3, round(width / 15) | 1)
    step = width / count
    scallop = f"h{num(step)}v{AWNING - 5}a{num(step / 2)} 5 0 0 1 {num(-step)} 0Z"
    stripes = ["".join(f"M{num(step * i)} 0{scallop}" for i in range(k, count, 2)) for k in (0, 1)]
    return (
        f'<g id="{pen.ident(f"awning-{width}")}" stroke-width=".8"><path d="{stripes[0]}"/>'
        f'<path d="{stripes[1]}" fill="{IVORY}"/><path d="M-1 1H{width + 1}" stroke-width="3.4" '
        f'stroke-linecap="round"/></g>'
    )


def _house(pen: Pen, colour: str, width: int, height: int) -> str:
    """Define an empty shop: a shadow, a front and an awning."""
    cloth, _ = SHAPES[colour]
    box = f'width="{width}" height="{height}" rx="5"'
    return (
        f'<g id="{pen.ident(f"shop-{colour}-{width}-{height}")}">'
        f'<rect y="3" {box} {pen.paint("shadow")} fill-opacity=".28"/>'
        f'<rect {box} {pen.paint(f"shop_{colour}", f"edge_{colour}")} stroke-width="2"/>'
        f'<rect y="2" width="{width}" height="{AWNING + 1}" {pen.paint("shadow")} '
        f'fill-opacity=".16"/><g {pen.paint(cloth, f"edge_{colour}")}>'
        + pen.use(f"awning-{width}")
        + "</g></g>"
    )


def shops(pen: Pen, plan: Plan, scene: Scene) -> str:
    drawn = (_shop(pen, plan, shop, scene.seats) for shop in scene.all_shops().values())
    return f'<g data-part="shops" font-weight="700" {pen.paint("ink")}>' + "\n".join(drawn) + "</g>"


def _shop(pen: Pen, plan: Plan, shop: Shop, seats: tuple[Seat, ...]) -> str:
    box = plan.shops[shop.id]
    width, height = _sizes(plan, box)
    front = _front(shop.id, width, height)
    scale = f"scale({num(plan.unit)})" if plan.unit != 1 else ""
    label, size = shrink(shop.id, 17, LEAST_NAME, front.name_room / 1.08)
    at = f"translate({num(box.x)} {num(box.y)}){scale}"
    parts = [
        f'<g data-shop="{clean(shop.id)}" transform="{at}">',
        f"<title>{clean(_title(shop, seats))}</title>",
        pen.use(f"shop-{shop.colour}-{width}-{height}"),
        _words(front.name, label, size),
    ]
    if shop.owner is None:
        parts.append(place(pen, shop.colour, *front.vacant))
    else:
        parts.append(flag(pen, seats[shop.owner].colour, *front.flag))
    if shop.owner is not None or shop.customers:
        parts.append(_customers(pen, shop, front))
    return "".join((*parts, "</g>"))


def _customers(pen: Pen, shop: Shop, front: _Front) -> str:
    if shop.customers > RANKS:
        x, y = front.number
        return visitor(pen, shop.colour, x, y, 0.72) + _words(
            (x + 12, y + 6), f"×{shop.customers}", 17
        )
    return "".join(
        (visitor if i < shop.customers else place)(pen, shop.colour, *spot, front.place_size)
        for i, spot in enumerate(front.places)
    )


def _words(at: Point, words: str, size: float) -> str:
    x, y = map(num, at)
    return f'<text x="{x}" y="{y}" font-size="{num(size)}">{clean(words)}</text>'


def _title(shop: Shop, seats: tuple[Seat, ...]) -> str:
    owner = "nobody's" if shop.owner is None else f"{seats[shop.owner].name}'s"
    count = f"{shop.customers} customer{'' if shop.customers == 1 else 's'}"
    return f"{shop.id}: {shop.colour}, {owner}, {count}"
