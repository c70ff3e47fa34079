"""The queue of the MarraCash drawing: a road round three sides of the town.

The head always stands at the same end: when visitors are brought from there, the others step
forward, and when they are brought from the tail, the road behind it empties.
"""

from collections.abc import Iterable

from souk.engine.drawing.panel_parts import text
from souk.engine.drawing.pen import Pen, Point, num, text_width, xy
from souk.games.marracash.drawing.background import WALL, path
from souk.games.marracash.drawing.geometry import Plan, along, length
from souk.games.marracash.drawing.visitors import visitor

LANE = 66  # from the wall to the edge of the court where the queue is
OPEN = 16  # and where it is not
FULL = 45  # visitors at the start of a game

_ROAD = 34  # from the wall to the middle of the road

# Open side -> the corners of the road from the head on, as the sides they lie on.
_CORNERS = {
    "right": ("top right", "top left", "bottom left", "bottom right"),
    "top": ("top left", "bottom left", "bottom right", "top right"),
    "left": ("top left", "top right", "bottom right", "bottom left"),
    "bottom": ("bottom left", "top left", "top right", "bottom right"),
}


def margins(open_side: str) -> dict[str, float]:
    """Return how far the court reaches beyond the town on each side, the wall included."""
    return {
        side: WALL + (OPEN if side == open_side else LANE)
        for side in ("top", "right", "bottom", "left")
    }


def road(plan: Plan) -> list[Point]:
    """Return the points of the queue's road, head first."""
    out, end = WALL + _ROAD, -26  # clear of the corner towers
    reach = dict.fromkeys(("top", "right", "bottom", "left"), out) | {plan.open_side: end}
    at = {
        "left": -reach["left"],
        "right": plan.width + reach["right"],
        "top": -reach["top"],
        "bottom": plan.height + reach["bottom"],
    }
    corners = [corner.split() for corner in _CORNERS[plan.open_side]]
    return [(at[side], at[level]) for level, side in corners]


def places(plan: Plan, count: int) -> list[Point]:
    """Return the places of the queue, with one more at each end for its name."""
    way = road(plan)
    slots = max(FULL, count) + 1
    return [along(way, length(way) / slots * i) for i in range(slots + 1)]


def queue(pen: Pen, plan: Plan, queue: tuple[str, ...], *, named: bool = True) -> str:
    """Draw the road with the waiting visitors; `named` labels its ends."""
    way, spots = road(plan), places(plan, len(queue))
    size = min(1.12, length(way) / (len(spots) - 1) / 25)
    standing = "".join(
        f'<g data-place="{i}">{visitor(pen, colour, *spots[i], size)}</g>'
        for i, colour in enumerate(queue, 1)
    )
    empty = "".join(f"M{xy(spot)}h0" for spot in spots[len(queue) + (2 if queue else 1) :])
    if not named:
        ends = ""
    elif queue:
        ends = _end(pen, "head", spots[0]) + _end(pen, "tail", spots[len(queue) + 1])
    else:
        ends = _end(pen, "empty", spots[0])
    line = 'stroke-linejoin="round" stroke-linecap="round"'
    title = f"Queue: {len(queue)} visitor{'' if len(queue) == 1 else 's'}"
    return (
        f'<g data-part="queue"><title>{title}</title>'
        f'<path d="{path(way)}" {pen.paint("none", "court_line")} stroke-width="11" {line}/>'
        f'<path d="{path(way)}" {pen.paint("none", "street")} stroke-width="8" {line}/>'
        f'<path d="{empty}" {pen.paint("none", "street_dot")} stroke-width="6" {line}/>'
        f"{standing}{ends}</g>"
    )


def rings(pen: Pen, plan: Plan, count: int, ringed: Iterable[int]) -> str:
    """Draw a ring round some of the waiting visitors, counted from 1 at the head."""
    spots = places(plan, count)
    drawn = "".join(
        f'<circle cx="{num(x)}" cy="{num(y)}" r="16"/>' for x, y in map(spots.__getitem__, ringed)
    )
    return (
        f'<g {pen.paint("none", "paper")} stroke-width="6">{drawn}</g>'
        f'<g {pen.paint("none", "accent")} stroke-width="3">{drawn}</g>'
    )


def _end(pen: Pen, word: str, at: Point) -> str:
    wide = text_width(word, 15) * 1.1 + 13
    return (
        f'<g data-end="{word}" transform="translate({xy(at)})">'
        f'<rect x="{num(-wide / 2)}" y="-12" width="{num(wide)}" height="24" rx="12" '
        f'{pen.paint("accent", "paper")} stroke-width="2"/>'
        + text(pen, 0, 5.2, word, 15, bold=True, anchor="middle", colour="on_accent")
        + "</g>"
    )
