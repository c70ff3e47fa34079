"""The fountains of the MarraCash drawing and the groups on them."""

from collections.abc import Mapping

from souk.engine.drawing.ornaments import star
from souk.engine.drawing.panel_parts import text
from souk.engine.drawing.pen import Pen, Point, clean, num, shrink, text_width, xy
from souk.games.marracash.drawing.geometry import Plan
from souk.games.marracash.drawing.visitors import in_order, visitor

REACH = 30  # from the middle of a fountain to its rim
LEAST_NAME = 7  # size at which the longest name fits: names that were cut would look alike
CROWD = 9  # a group larger than this is shown as numbers
_MIDDLE = -5  # groups are a little higher, so that the name below them can be read


def definitions(pen: Pen) -> str:
    return _basin(pen) + "\n" + _dark_basin(pen)


def _basin(pen: Pen) -> str:
    """Define a round basin: a stone rim, a ring of tiles, water."""
    return (
        f'<g id="{pen.ident("basin")}"><circle cy="2.5" r="{REACH}" {pen.paint("shadow")} '
        f'fill-opacity=".3"/><circle r="{REACH}" {pen.paint("stone", "glaze")} '
        f'stroke-width="1.4"/><circle r="25" {pen.paint("water", "glaze")} stroke-width="5.5" '
        f'stroke-dasharray="6.3 1.554"/><circle r="17" {pen.paint("none", "ripple")} '
        f'stroke-width="1.6"/><circle r="9" {pen.paint("none", "ripple")} stroke-width="1.6"/>'
        f'<path d="{star(5)}" {pen.paint("ripple")}/></g>'
    )


def _dark_basin(pen: Pen) -> str:
    """Define the star-shaped basin of a dark fountain."""
    return (
        f'<g id="{pen.ident("dark")}"><path d="{star(37, 0, 2.5)}" {pen.paint("shadow")} '
        f'fill-opacity=".3"/><path d="{star(37)}" {pen.paint("stone", "tile")} '
        f'stroke-width="1.4"/><path d="{star(33)}" {pen.paint("tile", "inlay")} '
        f'stroke-width="1.6"/><circle r="23.5" {pen.paint("deep", "inlay")} stroke-width="2.6" '
        f'stroke-linecap="round" stroke-dasharray="0 6.15"/>'
        f'<path d="{star(7)}" {pen.paint("none", "inlay")} stroke-width="1.2"/></g>'
    )


def fountains(pen: Pen, plan: Plan, groups: Mapping[str, Mapping[str, int]]) -> str:
    drawn = (_fountain(pen, plan, name, dict(groups.get(name, {}))) for name in plan.fountains)
    return '<g data-part="fountains">' + "\n".join(drawn) + "</g>"


def _fountain(pen: Pen, plan: Plan, name: str, group: dict[str, int]) -> str:
    dark = name in plan.dark
    scale = f"scale({num(plan.unit)})" if plan.unit != 1 else ""
    return (
        f'<g data-fountain="{clean(name)}" '
        f'transform="translate({xy(plan.fountains[name])}){scale}">'
        f"<title>{clean(_title(name, dark, group))}</title>"
        + pen.use("dark" if dark else "basin")
        + standing(pen, group)
        + _name(pen, name, dark)
        + "</g>"
    )


def _title(name: str, dark: bool, group: dict[str, int]) -> str:
    visitors = ", ".join(f"{count} {colour}" for colour, count in in_order(group))
    return f"{name}{' (gate)' if dark else ''}: {visitors or 'nobody'}"


def _name(pen: Pen, name: str, dark: bool) -> str:
    """Draw a fountain's name on a plate at the rim, where no group hides it."""
    label, size = shrink(name, 15, LEAST_NAME, 62)
    wide = max(24.0, text_width(label, size) * 1.06 + 9)
    ground, ink = (("tile", "inlay"), "on_tile") if dark else (("card", "glaze"), "ink")
    return (
        f'<rect x="{num(-wide / 2)}" y="20" width="{num(wide)}" height="18" rx="9" '
        f'{pen.paint(*ground)} stroke-width="1.2"/>'
        + text(pen, 0, 34.3, label, size, bold=True, anchor="middle", colour=ink)
    )


def standing(pen: Pen, group: dict[str, int]) -> str:
    """Draw a group around the origin."""
    visitors = [colour for colour, count in in_order(group) for _ in range(count)]
    if len(visitors) > CROWD:
        return _crowd(pen, group)
    size, step, rows = _RANKS[len(visitors)]
    return "".join(
        visitor(pen, colour, x, y + _MIDDLE, size)
        for colour, (x, y) in zip(visitors, _places(step, rows), strict=True)
    )


# How many stand on a fountain -> how large they are, how far apart, and in which rows.
_RANKS: dict[int, tuple[float, float, tuple[int, ...]]] = {
    0: (1, 0, ()),
    1: (1.2, 0, (1,)),
    2: (1, 24, (2,)),
    3: (0.92, 22, (1, 2)),
    4: (0.88, 21, (2, 2)),
    5: (0.72, 17, (2, 1, 2)),
    6: (0.72, 17.5, (3, 3)),
    7: (0.66, 15.5, (2, 3, 2)),
    8: (0.64, 15, (3, 2, 3)),
    9: (0.62, 15, (3, 3, 3)),
}


def _places(step: float, rows: tuple[int, ...]) -> list[Point]:
    return [
        (step * (i - (count - 1) / 2), step * (row - (len(rows) - 1) / 2))
        for row, count in enumerate(rows)
        for i in range(count)
    ]


def _crowd(pen: Pen, group: dict[str, int]) -> str:
    """Draw a large group as one visitor of each colour with their number."""
    colours = in_order(group)
    rows = (len(colours) + 1) // 2
    wide, high = (74 if len(colours) > 1 else 40), 19 * rows + 4
    top = 19 - high
    box = f'x="{num(-wide / 2)}" y="{num(top)}" width="{num(wide)}" height="{num(high)}" rx="9"'
    parts = [f'<rect {box} {pen.paint("card", "glaze")} stroke-width="1.4"/>']
    for i, (colour, count) in enumerate(colours):
        last_alone = i == len(colours) - 1 and i % 2 == 0
        x = -17.5 if last_alone else -34.5 + 35 * (i % 2)
        y = top + 11.5 + 19 * (i // 2)
        parts.append(visitor(pen, colour, x + 9, y, 0.72))
        parts.append(text(pen, x + 18, y + 5.5, str(count), 15, bold=True))
    return "".join(parts)
