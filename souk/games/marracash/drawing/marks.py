"""The marks of the MarraCash drawing: what just happened, what is going on, what may happen.

May import what drawings share, the plan, the visitors, the town and the scene.
"""

import itertools
from math import atan2, degrees

from souk.engine.drawing.card import text
from souk.engine.drawing.pen import Pen, clean, num, shrink, text_width
from souk.games.marracash.drawing.fountains import REACH
from souk.games.marracash.drawing.plan import Box, Plan, Point, along, length
from souk.games.marracash.drawing.scene import Route, Scene
from souk.games.marracash.drawing.town import path, xy
from souk.games.marracash.drawing.visitors import visitor

FEW = 6  # routes that leave room for their labels

_LINE = 'stroke-linejoin="round" stroke-linecap="round"'


def definitions(pen: Pen, routes: tuple[Route, ...]) -> str:
    """The auctioneer's hammer on a round badge, arrowheads, and what the routes' notes lie on."""
    plates = {_width(route, _labelled(routes)) for route in routes}
    high = 40 if _labelled(routes) else 26
    return "".join(
        f'<rect id="{pen.ident(f"plate-{wide}")}" x="{num(-wide / 2)}" y="{-high // 2}" '
        f'width="{wide}" height="{high}" rx="{9 if _labelled(routes) else 13}" '
        f'{pen.paint("card", "accent")} stroke-width="1.6"/>'
        for wide in sorted(plates)
    ) + (
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
    """The way a group came, from a ring where it set out to an arrow where it stopped."""
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
    """A way without its ends, which the fountains would hide."""
    whole = length(way)
    if start + end >= whole:
        return [way[0], way[-1]]
    inner, gone = [], 0.0
    for a, b in itertools.pairwise(way):
        gone += length((a, b))
        if start < gone < whole - end:
            inner.append(b)
    return [along(way, start), *inner, along(way, whole - end)]


def _arrow(pen: Pen, way: tuple[Point, ...], reach: float, size: float) -> str:
    """An arrowhead that points at a way's end from that far off."""
    tip, tail = along(way, length(way) - reach), along(way, length(way) - reach - 2)
    turn = degrees(atan2(tip[1] - tail[1], tip[0] - tail[0]))
    return pen.use("arrow", f"translate({xy(tip)})rotate({num(turn)})scale({num(size)})")


def entered(pen: Pen, plan: Plan, scene: Scene) -> str:
    """A frame round each shop that was entered, and who came in."""
    found = scene.entered()
    if not found:
        return ""
    parts = []
    for shop, colours in found.items():
        box = plan.shops[shop]
        parts.append(_frame(pen, box, 2.6))
        for i, (colour, count) in enumerate(colours.items()):
            at = (box.x + box.width - 16, box.y + 3 + 26 * i)
            parts.append(_came(pen, shop, colour, count, at, plan.unit))
    return f'<g data-part="entered">{"".join(parts)}</g>'


def _came(pen: Pen, shop: str, colour: str, count: int, at: Point, unit: float) -> str:
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


def ghosts(pen: Pen, plan: Plan, routes: tuple[Route, ...]) -> str:
    """A broken line along each street that may be taken; the badges lie over the fountains."""
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


def badges(pen: Pen, plan: Plan, routes: tuple[Route, ...]) -> str:
    """What each walk would bring; the two of one street stand in a column.

    Where many walks are possible only the notes are shown, or they would hide the town.
    """
    if not routes:
        return ""
    columns: dict[frozenset[str], list[Route]] = {}
    for route in routes:
        columns.setdefault(frozenset((route.start, route.end)), []).append(route)
    step = 42 if _labelled(routes) else 28
    told = "".join(
        _badge(pen, plan, route, step * (i - (len(column) - 1) / 2), _labelled(routes))
        for column in columns.values()
        for i, route in enumerate(column)
    )
    bold = 'text-anchor="middle" font-weight="700"'
    return f'<g data-part="routes" {bold} {pen.paint("ink")}>{told}</g>'


def _labelled(routes: tuple[Route, ...]) -> bool:
    return len(routes) <= FEW


def _texts(route: Route, labelled: bool) -> tuple[tuple[str, float], tuple[str, float]]:
    """Label and note, each with its size."""
    return shrink(route.label if labelled else "", 15, 12, 64), shrink(route.note, 17, 13, 64)


def _width(route: Route, labelled: bool) -> int:
    label, note = _texts(route, labelled)
    return round(max(text_width(*label), text_width(*note) * 1.08, 16)) + 31


def _badge(pen: Pen, plan: Plan, route: Route, down: float, labelled: bool) -> str:
    way = plan.way(route.start, route.end)
    half = length(way) / 2
    x, y = along(way, half)
    before, after = along(way, half - 3), along(way, half + 3)
    turn = degrees(atan2(after[1] - before[1], after[0] - before[0]))
    (label, small), (note, large) = _texts(route, labelled)
    wide = _width(route, labelled)
    return (
        f'<g data-route="{clean(route.start)} {clean(route.end)}" '
        f'transform="translate({num(x)} {num(y + down)})">'
        f"<title>{clean(f'{route.label}: {route.note}')}</title>"
        + pen.use(f"plate-{wide}")
        + pen.use("towards", f"translate({num(13 - wide / 2)} 0)rotate({num(turn)})")
        + (_label(pen, label, small) if label else "")
        + f'<text x="9" y="{14 if labelled else 6}" font-size="{num(large)}">{clean(note)}</text>'
        + "</g>"
    )


def _label(pen: Pen, label: str, size: float) -> str:
    return (
        f'<text x="9" y="-4" font-size="{num(size)}" font-weight="400" {pen.paint("soft")}>'
        f"{clean(label)}</text>"
    )
