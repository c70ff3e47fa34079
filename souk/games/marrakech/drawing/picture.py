"""The whole picture of a Marrakech scene, put together from court, pieces and panel."""

from dataclasses import replace
from hashlib import sha256

from souk.engine.errors import SoukError, one_of
from souk.games.marrakech.board import SQUARES
from souk.games.marrakech.drawing import court, ornaments, panel, pieces
from souk.games.marrakech.drawing.court import CELL, COURT_SIZE, PAD, corner, xy
from souk.games.marrakech.drawing.pen import SANS, THEMES, Pen, clean, fit, num
from souk.games.marrakech.drawing.scene import Rug, Scene, check, describe, visible

CAPTION_SIZE = 20


def draw(scene: Scene, *, theme: str = "light", size: int = 900) -> str:
    """The position as SVG text, ``size`` pixels wide (it scales to any other width).

    ``theme`` is "light", "dark", or "auto", which follows the reader's system.

    >>> scene = Scene("d4", "S", (Rug("red", ("c2", "c3")),), ())
    >>> draw(scene).startswith("<svg")
    True
    """
    if theme not in THEMES:
        raise SoukError(f"theme is {theme!r}; accepted: {one_of(THEMES)}")
    if size < 1:
        raise SoukError(f"size is {size}; accepted: a width of 1 pixel or more")
    check(scene)
    pen = Pen(_prefix(scene, theme), theme)
    width = 2 * PAD + COURT_SIZE + (PAD + panel.WIDTH if scene.seats else 0)
    room = width - 2 * PAD - 12
    caption = [fit(line, CAPTION_SIZE, room) for line in scene.caption]
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
            court.court(pen),
            court.arcs(pen),
            court.frame(pen),
            court.squares(pen),
            pieces.rugs(pen, scene),
            pieces.taxed(pen, scene.taxed),
            pieces.laid(pen, scene),
            pieces.walk(pen, scene.walk),
            court.gates(pen),
            pieces.glows(pen, scene.options),
            pieces.assam(pen, scene),
            pieces.badges(pen, scene),
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
            *pieces.cut_definitions(pen, scene),
            court.arc_definitions(pen),
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
    return f'<g transform="translate({x} {PAD})">{panel.panel(pen, scene, COURT_SIZE)}</g>'


def _caption(pen: Pen, lines: list[str]) -> str:
    """The last line is what matters now; those before it step back."""
    y = 2 * PAD + COURT_SIZE + 18
    return "".join(
        f'<text x="{PAD + 6}" y="{y + 28 * i}" font-size="{CAPTION_SIZE}" '
        f"{pen.paint('ink' if i == len(lines) - 1 else 'soft')}>{clean(line)}</text>"
        for i, line in enumerate(lines)
    )
