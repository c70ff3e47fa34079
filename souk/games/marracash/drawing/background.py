"""The ground of the MarraCash drawing: court, wall, gates, blocks, gardens and streets."""

from collections.abc import Sequence

from souk.engine.drawing.ornaments import star
from souk.engine.drawing.pen import Pen, Point, clean, num, xy
from souk.games.marracash.drawing.geometry import SIDES, Gate, Plan

WALL = 18
STREET = 46
TOWER = 17  # half a corner tower


def path(way: Sequence[Point]) -> str:
    """Return path data through points."""
    return "M" + "L".join(map(xy, way))


def definitions(pen: Pen, plan: Plan) -> str:
    ways = "".join(map(path, plan.streets.values()))
    return "\n".join((f'<path id="{pen.ident("ways")}" d="{ways}"/>', _gatehouse(pen), _palm(pen)))


def wall(pen: Pen, plan: Plan) -> str:
    """Draw the wall with its battlements and a tower at each corner."""
    w, h = plan.width, plan.height
    outer = (
        f'x="{-WALL}" y="{-WALL}" width="{num(w + 2 * WALL)}" height="{num(h + 2 * WALL)}" rx="6"'
    )
    towers = "".join(
        f"M{num(x - TOWER)} {num(y - TOWER)}h{2 * TOWER}v{2 * TOWER}h{-2 * TOWER}Z"
        for x, y in _corners(plan)
    )
    stars = "".join(star(9, x, y) for x, y in _corners(plan))
    return (
        f'<g data-part="wall"><rect {outer} {pen.paint("none", "wall_edge")} stroke-width="8" '
        f'stroke-dasharray="9 7"/><rect {outer} {pen.paint("wall", "wall_edge")} '
        f'stroke-width="1.5"/><rect width="{num(w)}" height="{num(h)}" '
        f'{pen.paint("block", "wall_edge")} stroke-width="1.5"/><path d="{towers}" '
        f'{pen.paint("wall", "wall_edge")} stroke-width="1.8"/><path d="{stars}" '
        f"{pen.paint('tile', 'inlay')}/></g>"
    )


def _corners(plan: Plan) -> list[Point]:
    near, w, h = -WALL / 2, plan.width + WALL / 2, plan.height + WALL / 2
    return [(near, near), (w, near), (near, h), (w, h)]


def streets(pen: Pen, plan: Plan) -> str:
    """Draw the streets: pale, with a kerb and a dotted line from fountain to fountain."""
    ways, line = pen.use("ways"), 'stroke-linejoin="round" stroke-linecap="round"'
    passages = "".join(path((plan.fountains[gate.fountain], gate.at)) for gate in plan.gates)
    wide = STREET * plan.unit
    return (
        f'<g data-part="streets" fill="none" {line}>'
        f'<g {pen.paint("none", "block_line")} stroke-width="{num(wide + 4)}">{ways}'
        f'<path d="{passages}" stroke-width="38"/></g>'
        f'<g {pen.paint("none", "street")} stroke-width="{num(wide)}">{ways}'
        f'<path d="{passages}" stroke-width="34"/></g>'
        f'<g {pen.paint("none", "street_dot")} stroke-width="3" stroke-dasharray="0 11">{ways}'
        f"</g></g>"
    )


def gardens(pen: Pen, plan: Plan) -> str:
    """Draw a palm on every empty cell."""
    return "".join(
        pen.use("palm", f"translate({xy(spot)})scale({num(plan.unit)})") for spot in plan.gardens
    )


def _palm(pen: Pen) -> str:
    """Define a palm seen from above, on a round bed."""
    leaves = "".join(
        f'<path d="M0 0Q9-9 0-24Q-9-9 0 0Z" transform="rotate({45 * i + 10})"/>' for i in range(8)
    )
    return (
        f'<g id="{pen.ident("palm")}"><circle r="27" {pen.paint("block", "block_line")} '
        f'stroke-width="2"/><g {pen.paint("leaf", "block")} stroke-width="1.2">{leaves}</g>'
        f'<circle r="4" {pen.paint("wall", "wall_edge")}/></g>'
    )


def gates(pen: Pen, plan: Plan) -> str:
    return '<g data-part="gates">' + "".join(_gate(pen, gate) for gate in plan.gates) + "</g>"


def _gate(pen: Pen, gate: Gate) -> str:
    (x, y), (dx, dy) = gate.at, SIDES[gate.side]
    name = clean(gate.fountain)
    return (
        f'<g data-gate="{name} {gate.side}"><title>Gate of {name}</title>'
        + pen.use("gate", f"translate({num(x + 13 * dx)} {num(y + 13 * dy)})")
        + "</g>"
    )


def _gatehouse(pen: Pen) -> str:
    """Define a gatehouse with a horseshoe arch, upright on every wall."""
    teeth = "v5h6v-5h6" * 3
    return (
        f'<g id="{pen.ident("gate")}"><path d="M-21 21V-21h6{teeth}V21Z" '
        f'{pen.paint("wall", "wall_edge")} stroke-width="1.6"/>'
        f'<path d="M-16 21V-1A16 13 0 0 1 16-1V21Z" {pen.paint("tile", "inlay")} '
        f'stroke-width="1.6"/><path d="M-8 21V8L-10.5 4A10.5 10.5 0 1 1 10.5 4L8 8V21Z" '
        f'{pen.paint("street", "inlay")} stroke-width="1.6"/></g>'
    )
