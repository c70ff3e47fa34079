"""The drawing of a Marrakech scene as a whole."""

from collections.abc import Iterator

from souk.engine.drawing import ornaments as shared
from souk.engine.drawing import page
from souk.engine.drawing.pen import WITHIN, Pen, fit, xy
from souk.games.marrakech.board import SQUARES
from souk.games.marrakech.drawing import board, marks, ornaments, panel, pieces
from souk.games.marrakech.drawing.description import describe, title
from souk.games.marrakech.drawing.geometry import CELL, COURT_SIZE, PAD, bounds, corner
from souk.games.marrakech.drawing.palette import PALETTE
from souk.games.marrakech.drawing.scene import Rug, Scene, check, visible

CAPTION_SIZE = 20


def draw(scene: Scene, *, theme: str = "light", size: int = 900) -> str:
    """Return a scene as SVG, ``size`` pixels wide (it scales to any other width).

    ``theme`` is "light", "dark", or "auto", which follows the reader's system.

    >>> scene = Scene("d4", "S", (Rug("red", ("c2", "c3")),), ())
    >>> draw(scene).startswith("<svg")
    True
    """
    page.check(theme, size)
    check(scene)
    pen = Pen(page.prefix(page.canonical((scene, theme))), theme, PALETTE)
    width = 2 * PAD + COURT_SIZE + (PAD + panel.WIDTH if scene.seats else 0)
    space = width - 2 * PAD - 12
    caption = [fit(line, CAPTION_SIZE, space) for line in scene.caption]
    height = 2 * PAD + COURT_SIZE + (8 + 28 * len(caption) if caption else 0)
    return "\n".join(
        part
        for part in (
            page.opening(pen, width, height, size, title(scene), describe(scene)),
            pen.stylesheet(),
            _definitions(pen, scene),
            page.paper(pen, width, height),
            *_board(pen, scene),
            _hover_names(scene),
            _panel(pen, scene),
            page.caption(pen, caption, PAD + 6, 2 * PAD + COURT_SIZE + 18, CAPTION_SIZE),
            "</svg>\n",
        )
        if part
    )


def draw_part(scene: Scene, lowest: str, highest: str) -> str:
    """Return the squares from one corner to another, with the court where they are at the edge.

    For a page that says beside it what it shows; the colours are that page's, by day or by night.
    """
    check(scene)
    pen = Pen(page.prefix(page.canonical((scene, WITHIN))), WITHIN, PALETTE)
    left, top, right, bottom = bounds(lowest, highest)
    drawn = "\n".join((_definitions(pen, scene), *_board(pen, scene)))
    return page.part(left, top, right - left, bottom - top, drawn)


def _board(pen: Pen, scene: Scene) -> Iterator[str]:
    yield board.court(pen)
    yield board.arcs(pen)
    yield board.frame(pen)
    yield board.squares(pen)
    yield pieces.rugs(pen, scene)
    yield marks.taxed(pen, scene.taxed)
    yield marks.laid(pen, scene)
    yield marks.walk(pen, scene.walk)
    yield board.gates(pen)
    yield marks.option_frames(pen, scene.options)
    yield pieces.assam(pen, scene)
    yield marks.badges(pen, scene)


def _definitions(pen: Pen, scene: Scene) -> str:
    """Return the definitions: what is drawn once and copied, for the rugs of this scene."""
    cloths = {(rug.colour, rug.neutral) for rug in scene.rugs}
    cloths |= {(colour, seat.out) for seat in scene.seats for colour in seat.colours}
    half = ornaments.RUG_LENGTH / 2
    return "\n".join(
        (
            "<defs>",
            shared.zellige(pen),
            ornaments.gate_tile(pen),
            ornaments.rosette(pen),
            shared.coin(pen),
            ornaments.rug_shadow(pen, "shade", -half, half),
            *(ornaments.rug_cloth(pen, *cloth) for cloth in sorted(cloths)),
            *pieces.cut_definitions(pen, scene),
            board.arc_definitions(pen),
            "</defs>",
        )
    )


def _hover_names(scene: Scene) -> str:
    """Draw invisible panes that name the square under the pointer."""
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
