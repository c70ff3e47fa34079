"""The drawing of a Marrakech scene as a whole."""

from collections.abc import Iterator

from souk.engine.drawing import ornaments as shared
from souk.engine.drawing import svg_document
from souk.engine.drawing.pen import WITHIN, Pen, fit, xy
from souk.games.marrakech.board import SQUARES
from souk.games.marrakech.drawing import background, marks, panel, pieces, symbols
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
    svg_document.check(theme, size)
    check(scene)
    pen = Pen(svg_document.prefix(svg_document.canonical((scene, theme))), theme, PALETTE)
    width = 2 * PAD + COURT_SIZE + (PAD + panel.WIDTH if scene.seats else 0)
    space = width - 2 * PAD - 12
    caption = [fit(line, CAPTION_SIZE, space) for line in scene.caption]
    height = 2 * PAD + COURT_SIZE + (8 + 28 * len(caption) if caption else 0)
    return "\n".join(
        part
        for part in (
            svg_document.opening(pen, width, height, size, title(scene), describe(scene)),
            pen.stylesheet(),
            _definitions(pen, scene),
            svg_document.paper(pen, width, height),
            *_board(pen, scene),
            _hover_names(scene),
            _panel(pen, scene),
            svg_document.caption(pen, caption, PAD + 6, 2 * PAD + COURT_SIZE + 18, CAPTION_SIZE),
            "</svg>\n",
        )
        if part
    )


def draw_part(scene: Scene, lowest: str, highest: str) -> str:
    """Return the squares from one corner to another, with the court where they are at the edge.

    For a page whose text describes it; the colours are those of the page, light or dark.
    """
    check(scene)
    pen = Pen(svg_document.prefix(svg_document.canonical((scene, WITHIN))), WITHIN, PALETTE)
    left, top, right, bottom = bounds(lowest, highest)
    drawn = "\n".join((_definitions(pen, scene), *_board(pen, scene)))
    return svg_document.part(left, top, right - left, bottom - top, drawn)


def _board(pen: Pen, scene: Scene) -> Iterator[str]:
    yield background.court(pen)
    yield background.arcs(pen)
    yield background.frame(pen)
    yield background.squares(pen)
    yield pieces.rugs(pen, scene)
    yield marks.taxed_squares(pen, scene.taxed)
    yield marks.laid_rug(pen, scene)
    yield marks.walk(pen, scene.walk)
    yield background.gates(pen)
    yield marks.option_frames(pen, scene.options)
    yield pieces.assam(pen, scene)
    yield marks.badges(pen, scene)


def _definitions(pen: Pen, scene: Scene) -> str:
    """Return the definitions: what is drawn once and copied, for the rugs of this scene."""
    cloths = {(rug.colour, rug.neutral) for rug in scene.rugs}
    cloths |= {(colour, seat.out) for seat in scene.seats for colour in seat.colours}
    half = symbols.RUG_LENGTH / 2
    return "\n".join(
        (
            "<defs>",
            shared.zellige(pen),
            symbols.gate_tile(pen),
            symbols.rosette(pen),
            shared.coin(pen),
            symbols.rug_shadow(pen, "shade", -half, half),
            *(symbols.rug_cloth(pen, *cloth) for cloth in sorted(cloths)),
            *pieces.cut_definitions(pen, scene),
            background.arc_definitions(pen),
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
