"""The marks of the MarraCash drawing: what just happened and what may happen next."""

from dataclasses import dataclass
from itertools import pairwise, product
from math import atan2, degrees, dist

from souk.engine.drawing.panel_parts import text
from souk.engine.drawing.pen import Pen, Point, clean, num, shrink, text_width, xy
from souk.games.marracash.drawing.background import WALL, path
from souk.games.marracash.drawing.description import gains
from souk.games.marracash.drawing.fountains import REACH, standing
from souk.games.marracash.drawing.geometry import Box, Plan, along, length
from souk.games.marracash.drawing.scene import Route, Scene
from souk.games.marracash.drawing.signs import flag
from souk.games.marracash.drawing.visitors import visitor

FEW = 6  # routes that leave space for their labels

_LINE = 'stroke-linejoin="round" stroke-linecap="round"'


def definitions(pen: Pen, scene: Scene) -> str:
    """Define the hammer of an auction, the arrowheads and the plates of the gains."""
    plates = {(badge.width, badge.height) for badge in (_badge(scene, r) for r in scene.routes)}
    return "".join(_plate(pen, *size) for size in sorted(plates)) + (
        f'<g id="{pen.ident("hammer")}"><circle r="16" {pen.paint("accent", "paper")} '
        f'stroke-width="2.4"/><g transform="rotate(-38)" {pen.paint("on_accent")}>'
        f'<rect x="-2" y="-2" width="4" height="14" rx="1.6"/>'
        f'<rect x="-7" y="-9" width="14" height="8" rx="1.2"/>'
        f'<path d="M-9.5-10h2.6v10h-2.6zM6.9-10h2.6v10H6.9z"/></g></g>'
        f'<path id="{pen.ident("arrow")}" d="M3 0L-17-12.5L-12 0L-17 12.5Z" '
        f'{pen.paint("accent", "paper")} stroke-width="2"/>'
        f'<path id="{pen.ident("towards")}" d="M-6-5.5L6 0L-6 5.5Z" {pen.paint("accent")}/>'
    )


def walk(pen: Pen, plan: Plan, scene: Scene) -> str:
    """Draw a group's walk, from a ring where it started to an arrow where it stopped."""
    if scene.walk is None:
        return ""
    way = plan.way(scene.walk.start, scene.walk.end)
    reach = (REACH + 8) * plan.unit
    line = _cut(way, reach, reach + 8 * plan.unit)
    x, y = map(num, way[0])
    ring = num(reach - 3 * plan.unit)
    return (
        f'<g data-part="walk"><path d="{path(line)}" {pen.paint("none", "paper")} '
        f'stroke-width="11" {_LINE}/><path d="{path(line)}" {pen.paint("none", "accent")} '
        f'stroke-width="5" {_LINE}/>{_arrow(pen, way, reach, plan.unit)}'
        f'<circle cx="{x}" cy="{y}" r="{ring}" {pen.paint("none", "accent")} stroke-width="3.6" '
        f'stroke-dasharray="8 5.5"/></g>'
    )


def _cut(way: tuple[Point, ...], start: float, end: float) -> list[Point]:
    """Return a way without its ends, which the fountains would hide."""
    whole = length(way)
    if start + end >= whole:
        return [way[0], way[-1]]
    inner, gone = [], 0.0
    for a, b in pairwise(way):
        gone += length((a, b))
        if start < gone < whole - end:
            inner.append(b)
    return [along(way, start), *inner, along(way, whole - end)]


def _arrow(pen: Pen, way: tuple[Point, ...], reach: float, size: float) -> str:
    """Draw an arrowhead that points at a way's end from a distance."""
    tip, tail = along(way, length(way) - reach), along(way, length(way) - reach - 2)
    turn = degrees(atan2(tip[1] - tail[1], tip[0] - tail[0]))
    return pen.use("arrow", f"translate({xy(tip)})rotate({num(turn)})scale({num(size)})")


def entered_shops(pen: Pen, plan: Plan, scene: Scene) -> str:
    """Draw a frame round each shop that was entered, and its new customers."""
    entered_shops = scene.entered()
    if not entered_shops:
        return ""
    parts = []
    for shop, colours in entered_shops.items():
        box = plan.shops[shop]
        parts.append(_frame(pen, box, 2.6))
        for i, (colour, count) in enumerate(colours.items()):
            at = (box.x + box.width - 16, box.y + 3 + 26 * i)
            parts.append(_new_customers(pen, shop, colour, count, at, plan.unit))
    return f'<g data-part="entered">{"".join(parts)}</g>'


def _new_customers(pen: Pen, shop: str, colour: str, count: int, at: Point, unit: float) -> str:
    label = f"+{count}"
    wide = text_width(label, 16) * 1.1 + 30
    scale = f"scale({num(unit)})" if unit != 1 else ""
    return (
        f'<g data-entered="{clean(shop)} {colour}" transform="translate({xy(at)}){scale}">'
        f'<rect x="{num(-wide / 2)}" y="-13" width="{num(wide)}" height="26" rx="13" '
        f'{pen.paint("card", "accent")} stroke-width="2.2"/>'
        + visitor(pen, colour, 14 - wide / 2, 0, 0.76)
        + text(pen, 25 - wide / 2, 5.7, label, 16, bold=True)
        + "</g>"
    )


def _frame(pen: Pen, box: Box, width: float) -> str:
    shape = (
        f'x="{num(box.x - 3)}" y="{num(box.y - 3)}" width="{num(box.width + 6)}" '
        f'height="{num(box.height + 6)}" rx="8"'
    )
    return (
        f'<rect {shape} {pen.paint("none", "paper")} stroke-width="{num(width + 3.4)}"/>'
        f'<rect {shape} {pen.paint("none", "accent")} stroke-width="{num(width)}"/>'
    )


def auction(pen: Pen, plan: Plan, shop: str | None) -> str:
    if shop is None:
        return ""
    box = plan.shops[shop]
    hammer = pen.use("hammer", f"translate({num(box.x + box.width - 8)} {num(box.y + 6)})")
    return f'<g data-part="auction">{_frame(pen, box, 4)}{hammer}</g>'


def route_lines(pen: Pen, plan: Plan, routes: tuple[Route, ...]) -> str:
    """Draw a dotted line along each street that may be taken; the badges lie over the fountains."""
    if not routes:
        return ""
    reach = (REACH + 3) * plan.unit
    ways = [plan.way(route.start, route.end) for route in routes]
    streets = {frozenset(way): way for way in ways}.values()  # one line for both directions
    lines = "".join(
        path(_cut(way, reach + 8 * plan.unit, reach + 8 * plan.unit)) for way in streets
    )
    arrows = "".join(_arrow(pen, way, reach, 0.8 * plan.unit) for way in ways)
    return (
        f'<g data-part="ghosts"><path d="{lines}" {pen.paint("none", "accent")} '
        f'stroke-width="3.4" stroke-dasharray="1 9" {_LINE}/>{arrows}</g>'
    )


@dataclass(frozen=True)
class _Badge:
    """The gains of a walk: a line for each seat that gains or loses, after its flag."""

    route: Route
    label: tuple[str, float] | None  # and its size, where there is space for labels
    lines: tuple[tuple[str | None, str, float], ...]  # flag's colour, amount and its size
    width: int

    @property
    def height(self) -> int:
        return _LINE_HEIGHT * (len(self.lines) + bool(self.label)) + 6


_LINE_HEIGHT = 19


def _badge(scene: Scene, route: Route) -> _Badge:
    gains_of: list[tuple[str | None, str]] = [
        (scene.seats[seat].colour, gain) for seat, gain in route.gains
    ]
    lines = tuple((colour, *shrink(gain, 16, 12, 64)) for colour, gain in gains_of or [(None, "0")])
    label = shrink(route.label, 14, 8, 72) if len(scene.routes) <= FEW else None
    widths = [text_width(gain, size) * 1.08 + (21 if colour else 0) for colour, gain, size in lines]
    if label:
        widths.append(text_width(*label))
    return _Badge(route, label, lines, round(max(widths)) + 34)


def _plate(pen: Pen, wide: int, high: int) -> str:
    return (
        f'<rect id="{pen.ident(f"plate-{wide}-{high}")}" x="{num(-wide / 2)}" y="{num(-high / 2)}" '
        f'width="{wide}" height="{high}" rx="{num(min(high / 2, 11))}" '
        f'{pen.paint("card", "accent")} stroke-width="1.6"/>'
    )


def badges(pen: Pen, plan: Plan, scene: Scene) -> str:
    """Draw what each move would bring to whom; the two of one street share a column.

    Where many walks are possible they have no labels, or they would hide the town.
    """
    if not scene.routes:
        return ""
    columns: dict[frozenset[str], list[_Badge]] = {}
    for route in scene.routes:
        columns.setdefault(frozenset((route.start, route.end)), []).append(_badge(scene, route))
    reach = REACH * plan.unit
    hidden = [*plan.shops.values()]
    hidden += [Box(x - reach, y - reach, 2 * reach, 2 * reach) for x, y in plan.fountains.values()]
    drawn = []
    for column in columns.values():
        box = _place(plan, column, hidden)
        hidden.append(box)
        y = box.y
        for badge in column:
            middle = (box.x + box.width / 2, y + badge.height / 2)
            drawn.append(_draw_badge(pen, plan, scene, badge, middle))
            y += badge.height + 2
    bold = 'text-anchor="middle" font-weight="700"'
    return f'<g data-part="routes" {bold} {pen.paint("ink")}>{"".join(drawn)}</g>'


def _place(plan: Plan, column: list[_Badge], hidden: list[Box]) -> Box:
    """Return where a column hides the least, on its street or beside it; preferably its middle."""
    wide = max(badge.width for badge in column)
    high = sum(badge.height + 2 for badge in column) - 2
    way = plan.way(column[0].route.start, column[0].route.end)
    boxes = []
    for part, aside in product((0.5, 0.44, 0.56, 0.38, 0.62, 0.32, 0.68), (0, -18, 18)):
        x, y = along(way, length(way) * part)
        left = min(max(x + aside - wide / 2, -WALL), plan.width + WALL - wide)
        top = min(max(y - high / 2, -WALL), plan.height + WALL - high)
        boxes.append(Box(left, top, wide, high))
    return min(boxes, key=lambda box: sum(_overlap(box, other) for other in hidden))


def _overlap(one: Box, other: Box) -> float:
    wide = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    high = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return max(0.0, wide) * max(0.0, high)


def _draw_badge(pen: Pen, plan: Plan, scene: Scene, badge: _Badge, at: Point) -> str:
    way = plan.way(badge.route.start, badge.route.end)
    half = length(way) / 2
    before, after = along(way, half - 3), along(way, half + 3)
    turn = degrees(atan2(after[1] - before[1], after[0] - before[0]))
    wide, high = badge.width, badge.height
    ends = f"{badge.route.start} {badge.route.end}"
    parts = [
        f'<g data-route="{clean(ends)}" transform="translate({xy(at)})">',
        f"<title>{clean(f'{badge.route.label}: {gains(scene, badge.route)}')}</title>",
        pen.use(f"plate-{wide}-{high}"),
        pen.use("towards", f"translate({num(13 - wide / 2)} 0)rotate({num(turn)})"),
    ]
    y = -high / 2 + 17
    if badge.label:
        parts.append(_label(pen, *badge.label, y - 1))
        y += _LINE_HEIGHT
    for colour, gain, size in badge.lines:
        if colour:
            parts.append(flag(pen, colour, 25 - wide / 2, y - 13, 0.44))
        x = 10 + (9 if colour else 0)
        parts.append(f'<text x="{x}" y="{num(y)}" font-size="{num(size)}">{clean(gain)}</text>')
        y += _LINE_HEIGHT
    return "".join((*parts, "</g>"))


def _label(pen: Pen, label: str, size: float, y: float) -> str:
    return (
        f'<text x="9" y="{num(y)}" font-size="{num(size)}" font-weight="400" {pen.paint("soft")}>'
        f"{clean(label)}</text>"
    )


def walkers(pen: Pen, plan: Plan, scene: Scene) -> str:
    """Draw the visitors still walking, on their street at the current shop."""
    if scene.at is None or not any(scene.walkers.values()):
        return ""
    box = plan.shops[scene.at]
    door = (box.x + box.width / 2, box.y + box.height / 2)
    if scene.walk:
        way = plan.way(scene.walk.start, scene.walk.end)
        apart = min(2.2 * REACH * plan.unit, length(way) / 2)
        steps = [apart + (length(way) - 2 * apart) * part / 20 for part in range(21)]
        door = min((along(way, step) for step in steps), key=lambda point: dist(point, door))
    scale = f"scale({num(plan.unit)})" if plan.unit != 1 else ""
    return (
        f'<g data-part="walkers" transform="translate({xy(door)}){scale}">'
        f"<title>Still on the way</title>"
        f'<circle cy="-5" r="{REACH}" {pen.paint("card", "accent")} stroke-width="2.6" '
        f'stroke-dasharray="7 4"/>' + standing(pen, dict(scene.walkers)) + "</g>"
    )
