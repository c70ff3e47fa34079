"""The Marrakech drawing: a position as one SVG for README, notebook, docs and the terminal's
better days.

``draw`` is a pure function of plain data: this room knows no rules and no state. It may import
its own helpers (scene, pen, ornaments, panel) and the standard library, nothing else of souk.

>>> scene = Scene("d4", "S", (Rug("red", ("c2", "c3")),), ())
>>> draw(scene).startswith("<svg")
True
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

from souk.games.marrakech import drawing_board, drawing_panel, drawing_pieces, ornaments
from souk.games.marrakech.drawing_board import CELL, COURT_SIZE, PAD, corner, xy
from souk.games.marrakech.drawing_pen import SANS, THEMES, Pen, clean, num, wrap
from souk.games.marrakech.drawing_scene import (
    SQUARES,
    Option,
    Rug,
    Scene,
    Seat,
    check,
    describe,
    visible,
)

__all__ = ["Option", "Rug", "Scene", "Seat", "draw"]

CAPTION_SIZE = 20


def draw(scene: Scene, *, theme: str = "light", size: int = 900) -> str:
    """The position as SVG text, ``size`` pixels wide (it scales to any other width).

    ``theme`` is "light", "dark", or "auto", which follows the reader's system.
    """
    if theme not in THEMES:
        raise ValueError(f"theme is {theme!r}; accepted: {', '.join(THEMES)}")
    if size < 1:
        raise ValueError(f"size is {size}; accepted: a width of 1 pixel or more")
    check(scene)
    pen = Pen(_prefix(scene, theme), theme)
    width = 2 * PAD + COURT_SIZE + (PAD + drawing_panel.WIDTH if scene.seats else 0)
    caption = wrap(scene.caption, CAPTION_SIZE, width - 2 * PAD - 12, lines=2)
    height = 2 * PAD + COURT_SIZE + (8 + 28 * len(caption) if caption else 0)
    return "\n".join(
        part
        for part in (
            _opening(pen, width, height, size),
            f'<title id="{pen.ident("title")}">Marrakech: Assam on {scene.assam}</title>',
            f'<desc id="{pen.ident("desc")}">{clean(describe(scene))}</desc>',
            pen.stylesheet(),
            _definitions(pen, scene),
            f'<rect width="{width}" height="{height}" rx="22" {pen.paint("paper")}/>',
            drawing_board.court(pen),
            drawing_board.arcs(pen),
            drawing_board.frame(pen),
            drawing_board.squares(pen),
            drawing_pieces.rugs(pen, scene),
            drawing_pieces.taxed(pen, scene.taxed),
            drawing_pieces.laid(pen, scene),
            drawing_pieces.walk(pen, scene),
            drawing_board.gates(pen),
            drawing_pieces.glows(pen, scene.options),
            drawing_pieces.assam(pen, scene),
            drawing_pieces.badges(pen, scene),
            _hover_names(scene),
            _panel(pen, scene),
            _caption(pen, caption),
            "</svg>\n",
        )
        if part
    )


def _prefix(scene: Scene, theme: str) -> str:
    """Starts every id and class: the same for the same drawing, different for any other."""
    seats = tuple(
        replace(seat, rugs=dict(sorted(seat.rugs.items())))  # whatever kind of mapping it was
        for seat in scene.seats
    )
    content = repr((replace(scene, seats=seats), theme))
    return "s" + sha256(content.encode("utf-8", "replace")).hexdigest()[:8]


def _opening(pen: Pen, width: float, height: float, size: int) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{pen.prefix}" '
        f'viewBox="0 0 {num(width)} {num(height)}" width="{size}" '
        f'height="{round(size * height / width)}" role="img" '
        f'aria-labelledby="{pen.ident("title")} {pen.ident("desc")}" '
        f'font-family="{SANS}" style="font-variant-numeric:tabular-nums">'
    )


def _definitions(pen: Pen, scene: Scene) -> str:
    """What is drawn once and copied: only the cloth that this position needs."""
    cloths = {(rug.colour, rug.neutral) for rug in scene.rugs}
    cloths |= {(colour, seat.out) for seat in scene.seats for colour in seat.colours}
    half = ornaments.RUG_LENGTH / 2
    return "\n".join(
        (
            "<defs>",
            ornaments.zellige(pen),
            ornaments.gate_tile(pen),
            ornaments.rosette(pen),
            ornaments.coin(pen),
            ornaments.rug_shadow(pen, "shade", -half, half),
            *(ornaments.rug_cloth(pen, *cloth) for cloth in sorted(cloths)),
            *drawing_pieces.cut_definitions(pen, scene),
            drawing_board.arc_definitions(pen),
            "</defs>",
        )
    )


def _hover_names(scene: Scene) -> str:
    """Clear panes that name a square under the pointer, also where a rug hides its name."""
    top = visible(scene.rugs)
    panes = "".join(
        f'<path d="M{xy(corner(square))}h{CELL}v{CELL}h-{CELL}z">'
        f"<title>{square}{_cover(top.get(square))}</title></path>"
        for square in SQUARES
    )
    return f'<g data-part="panes" fill="none" pointer-events="all">{panes}</g>'


def _cover(rug: Rug | None) -> str:
    if rug is None:
        return ""
    return f": {rug.colour}{', neutral' if rug.neutral else ''}"


def _panel(pen: Pen, scene: Scene) -> str:
    if not scene.seats:
        return ""
    x = 2 * PAD + COURT_SIZE
    return f'<g transform="translate({x} {PAD})">{drawing_panel.panel(pen, scene, COURT_SIZE)}</g>'


def _caption(pen: Pen, lines: list[str]) -> str:
    y = 2 * PAD + COURT_SIZE + 18
    told = "".join(
        f'<text x="{PAD + 6}" y="{y + 28 * i}">{clean(line)}</text>' for i, line in enumerate(lines)
    )
    return f'<g font-size="{CAPTION_SIZE}" {pen.paint("ink")}>{told}</g>' if lines else ""
