"""The drawing of a MarraCash scene as a whole."""

from collections.abc import Iterable, Iterator

from souk.engine.drawing import ornaments, svg_document
from souk.engine.drawing.pen import WITHIN, Pen, num, wrap
from souk.games.marracash.drawing import (
    background,
    fountains,
    marks,
    panel,
    queue,
    shops,
    signs,
    visitors,
)
from souk.games.marracash.drawing.description import describe, title
from souk.games.marracash.drawing.geometry import Box, Plan, plan
from souk.games.marracash.drawing.palette import PALETTE
from souk.games.marracash.drawing.scene import Scene, check

PAD = 16
CAPTION_SIZE = 23
LINES = 4  # that each part of the caption may take


def draw(scene: Scene, *, theme: str = "light", size: int = 1000) -> str:
    """Return a scene as SVG, ``size`` pixels wide (it scales to any other width).

    ``theme`` is "light", "dark", or "auto", which follows the reader's system.

    >>> fountain = {"id": "F1", "x": 0.5, "y": 0.1, "dark": True}
    >>> board = {"fountains": [fountain], "gates": ["F1"], "shops": [], "streets": []}
    >>> draw(Scene(board, {"F1": {"red": 2}}, ("blue",), (), ())).startswith("<svg")
    True
    """
    svg_document.check(theme, size)
    check(scene)
    pen = Pen(svg_document.prefix(svg_document.canonical((scene, theme))), theme, PALETTE)
    ground = plan(scene.board)
    around = queue.margins(ground.open_side)
    court_width = around["left"] + ground.width + around["right"]
    court_height = around["top"] + ground.height + around["bottom"]
    beside = bool(scene.seats or scene.cards)
    tall = max(court_height, panel.height(scene) if beside else 0)
    width = 2 * PAD + court_width + (PAD + panel.WIDTH if beside else 0)
    paragraphs = [wrap(line, CAPTION_SIZE, width - 2 * PAD - 12, LINES) for line in scene.caption]
    caption = [line for lines in paragraphs for line in lines]
    height = 2 * PAD + tall + (10 + 1.4 * CAPTION_SIZE * len(caption) if caption else 0)
    town_at = f"translate({num(PAD + around['left'])} {num(PAD + around['top'])})"
    return "\n".join(
        part
        for part in (
            svg_document.opening(pen, width, height, size, title(scene), describe(scene)),
            pen.stylesheet(),
            _definitions(pen, scene, ground),
            svg_document.paper(pen, width, height),
            _court(pen, court_width, court_height),
            f'<g transform="{town_at}">',
            queue.queue(pen, ground, scene.queue),
            *_town(pen, ground, scene),
            "</g>",
            _panel(pen, scene, 2 * PAD + court_width, tall) if beside else "",
            svg_document.caption(
                pen,
                caption,
                PAD + 6,
                2 * PAD + tall + 20,
                CAPTION_SIZE,
                matter=len(paragraphs[-1]) if paragraphs else 0,
            ),
            "</svg>\n",
        )
        if part
    )


def draw_part(scene: Scene, box: Box, ringed: Iterable[int] = ()) -> str:
    """Return what lies in a box, from the town's inner corner, with rings round some visitors.

    For a page whose text describes it; the colours are those of the page, light or dark.
    """
    check(scene)
    pen = Pen(svg_document.prefix(svg_document.canonical((scene, box, WITHIN))), WITHIN, PALETTE)
    ground = plan(scene.board)
    shape = f'x="{num(box.x)}" y="{num(box.y)}" width="{num(box.width)}" height="{num(box.height)}"'
    drawn = (
        _definitions(pen, scene, ground),
        f'<rect {shape} fill="url(#{pen.ident("zellige")})"/>',
        queue.queue(pen, ground, scene.queue, named=False),
        *_town(pen, ground, scene),
        queue.rings(pen, ground, len(scene.queue), ringed),
    )
    return svg_document.part(box.x, box.y, box.width, box.height, "\n".join(drawn))


def _town(pen: Pen, ground: Plan, scene: Scene) -> Iterator[str]:
    yield background.wall(pen, ground)
    yield background.gardens(pen, ground)
    yield background.streets(pen, ground)
    yield background.gates(pen, ground)
    yield shops.shops(pen, ground, scene)
    yield marks.route_lines(pen, ground, scene.routes)
    yield marks.walk(pen, ground, scene)
    yield fountains.fountains(pen, ground, scene.groups)
    yield marks.walkers(pen, ground, scene)
    yield marks.entered_shops(pen, ground, scene)
    yield marks.auction(pen, ground, scene.auction)
    yield marks.badges(pen, ground, scene)


def _definitions(pen: Pen, scene: Scene, ground: Plan) -> str:
    """Return the definitions: what is drawn once and copied."""
    return "\n".join(
        (
            "<defs>",
            ornaments.zellige(pen),
            visitors.definitions(pen),
            signs.definitions(pen) if scene.seats else "",
            background.definitions(pen, ground),
            fountains.definitions(pen),
            shops.definitions(pen, ground, scene.all_shops().values()),
            marks.definitions(pen, scene),
            "</defs>",
        )
    )


def _court(pen: Pen, width: float, height: float) -> str:
    """Draw the tiled ground outside the walls, the same as in every drawing."""
    box = f'x="{PAD}" y="{PAD}" width="{num(width)}" height="{num(height)}" rx="14"'
    return (
        f'<rect {box} fill="url(#{pen.ident("zellige")})"/>'
        f'<rect {box} {pen.paint("none", "line")} stroke-width="2"/>'
    )


def _panel(pen: Pen, scene: Scene, x: float, tall: float) -> str:
    return f'<g transform="translate({num(x)} {PAD})">{panel.panel(pen, scene, tall)}</g>'
