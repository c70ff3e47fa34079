"""Ornaments: stars, tiles, coins, and the fabrics of the players."""

from math import cos, pi, sin

from souk.engine.drawing.pen import Pen, num

INK = "#2B2420"  # outlines of fabrics and figures, the same in both themes
IVORY = "#F8F1E3"

# A player's colour -> ground, pale yarn, dark yarn; the same in both themes. Colours also differ
# by their pattern: lozenges, stripes, a stepped zigzag, stars.
YARNS = {
    "red": ("#B5382F", "#F3D3BF", "#7A1F1A"),
    "yellow": ("#E2A92B", "#FFF1C4", "#7E520D"),
    "blue": ("#2B6C9E", "#D3E6F1", "#17415F"),
    "orange": ("#D9651B", "#FFE6C7", "#5E2408"),
}
# The colours of up to six players.
GROUNDS = {name: ground for name, (ground, _, _) in YARNS.items()}
GROUNDS |= {"green": "#4E8A4B", "purple": "#7A4B8C"}


def star(radius: float, cx: float = 0, cy: float = 0, points: int = 8) -> str:
    """Return path data of a khatam, the eight-pointed star of two crossed squares.

    >>> star(10, points=8).count("L")
    15
    """
    waist = radius * cos(2 * pi / points) / cos(pi / points)
    corners = []
    for i in range(2 * points):
        reach = radius if i % 2 == 0 else waist
        angle = pi * i / points - pi / 2
        corners.append(f"{num(cx + reach * cos(angle))} {num(cy + reach * sin(angle))}")
    return "M" + "L".join(corners) + "Z"


def spark(reach: float, cx: float = 0, cy: float = 0) -> str:
    """Return path data of a small star with four points."""
    far, near = num(reach * 0.7), num(reach * 0.3)
    return (
        f"M{num(cx)} {num(cy - reach)}l{near} {far} {far} {near}-{far} {near}-{near} {far}"
        f"-{near}-{far}-{far}-{near} {far}-{near}Z"
    )


def lozenge(half_width: float, half_height: float, cx: float = 0, cy: float = 0) -> str:
    """Return path data of a diamond."""
    w, h = num(half_width), num(half_height)
    return f"M{num(cx)} {num(cy - half_height)}l{w} {h}-{w} {h}-{w}-{h}Z"


def zellige(pen: Pen) -> str:
    """Return a pattern of pale tiles: stars tip to tip, with crosses between them."""
    return (
        f'<pattern id="{pen.ident("zellige")}" width="36" height="36" '
        f'patternUnits="userSpaceOnUse"><rect width="36" height="36" {pen.paint("court")}/>'
        f'<path d="{star(17.6, 18, 18)}" {pen.paint("court_star", "court_line")}/></pattern>'
    )


def coin(pen: Pen) -> str:
    """Return the definition of a coin."""
    return (
        f'<g id="{pen.ident("coin")}"><circle r="9" fill="#E0B15A" stroke="{INK}" '
        f'stroke-width="1.5"/><circle r="6.4" fill="none" stroke="#8A5A0E" stroke-width=".8"/>'
        f'<path d="{star(4.4)}" fill="#6B4508"/></g>'
    )
