"""Draw standings as SVG, or as PNG through resvg."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import floor
from typing import Any

from souk.arena.report import quantity
from souk.arena.standings import Standings
from souk.engine.drawing.pen import SANS, SERIF, Pen, clean, fit, num
from souk.engine.errors import SoukError
from souk.engine.extras import needs_extra

ToX = Callable[[float], float]  # the x coordinate of a value

WIDTH, LEFT, RIGHT = 760, 250, 104
ROW, HEADING, GAP, TOP, BOTTOM = 26, 40, 34, 64, 20
TICKS = 4
PNG_ZOOM = 2  # for screens with a high pixel density


@dataclass(frozen=True)
class Mark:
    """A value with its interval."""

    name: str
    value: float
    low: float
    high: float
    label: str


@dataclass(frozen=True)
class Panel:
    """Marks on a common axis, and the reference line they are compared with."""

    title: str
    marks: Sequence[Mark]
    low: float
    high: float
    reference: float
    is_percent: bool


def svg(standings: Standings, theme: str = "light") -> str:
    """Draw the shares, ratings and seats, each with its 95% interval."""
    pen = Pen("arena", theme)
    panels = [panel for panel in _panels(standings) if panel.marks]
    height = TOP + sum(HEADING + ROW * len(panel.marks) + GAP for panel in panels) + BOTTOM
    title = f"{standings.tournament.game}: {quantity(standings.games, 'game')}"
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
            f'width="{WIDTH}" height="{height}" role="img" class="{pen.prefix}">'
        ),
        pen.stylesheet(),
        f"<title>{clean(title)}</title>",
        f'<rect width="{WIDTH}" height="{height}" {pen.paint("paper")}/>',
        (
            f'<text x="28" y="40" font-family="{clean(SERIF)}" font-size="22" {pen.paint("ink")}>'
            f"{clean(fit(title, 22, WIDTH - 56))}</text>"
        ),
        f'<g font-family="{clean(SANS)}" font-size="13">',
    ]
    top = TOP
    for panel in panels:
        parts += _draw_panel(pen, panel, top)
        top += HEADING + ROW * len(panel.marks) + GAP
    return "\n".join([*parts, "</g>", "</svg>", ""])


def png(drawing: str) -> bytes:
    """Convert SVG to PNG with the library resvg_py (extra `arena`) and a font of this machine."""
    with needs_extra("arena", "PNG instead of SVG"):
        import resvg_py
    letter = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">{}</svg>'
    word = f'<text y="9" font-family="{SANS}">M</text>'
    if _render(resvg_py, letter.format(word)) == _render(resvg_py, letter.format("")):
        raise SoukError("PNG needs a font, and this machine has none; SVG works without one")
    return _render(resvg_py, drawing, zoom=PNG_ZOOM)


def _render(library: Any, drawing: str, zoom: int = 1) -> bytes:
    return bytes(library.svg_to_bytes(svg_string=drawing, zoom=zoom))


def _panels(standings: Standings) -> list[Panel]:
    fair = standings.tournament.fair_share
    shares = [
        Mark(f"{share.player} v {share.against}", one.share, one.low, one.high, f"{one.share:.1%}")
        for share in standings.shares
        for one in [share.best]
    ]
    ratings = [
        Mark(one.player, one.rating, one.low, one.high, f"{one.rating:+.0f}" if one.rating else "0")
        for one in sorted(standings.ratings, key=lambda one: -one.rating)
    ]
    seats = [
        Mark(f"seat {one.seat + 1}", one.share, one.low, one.high, f"{one.share:.1%}")
        for one in standings.seats
    ]
    low, high = _round_ends([end for one in ratings for end in (one.low, one.high)] or [0.0])
    first = standings.ratings[0].player if standings.ratings else ""
    return [
        Panel("Wins by player; the line is the fair share", shares, 0, 1, fair, True),
        Panel(f"Rating relative to {first}", ratings, low, high, 0, False),
        Panel("Wins by seat; the line is the fair share", seats, 0, 1, fair, True),
    ]


def _round_ends(values: Sequence[float]) -> tuple[float, float]:
    """Return the ends of an axis with round numbers at its ticks.

    >>> _round_ends([-1251, 0])
    (-1500, 500)
    """
    for step in (size * ten for ten in (10, 100, 1000, 10_000) for size in (1, 2, 5)):
        low = floor(min(values) / step) * step
        if low + TICKS * step >= max(values):
            break
    return low, low + TICKS * step


def _draw_panel(pen: Pen, panel: Panel, top: float) -> list[str]:
    def to_x(value: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (value - panel.low) / (panel.high - panel.low)

    bottom = top + HEADING + ROW * len(panel.marks)
    parts = [
        (
            f'<text x="28" y="{num(top + 16)}" font-size="15" {pen.paint("ink")}>'
            f"{clean(panel.title)}</text>"
        )
    ]
    for tick in range(TICKS + 1):
        value = panel.low + (panel.high - panel.low) * tick / TICKS
        x = num(to_x(value))
        label = f"{value:.0%}" if panel.is_percent else f"{value:.0f}"
        parts.append(
            f'<path d="M{x} {num(top + HEADING - 8)}V{num(bottom)}" {pen.paint(stroke="line")}/>'
            f'<text x="{x}" y="{num(bottom + 16)}" text-anchor="middle" font-size="12" '
            f"{pen.paint('soft')}>{label}</text>"
        )
    x = num(to_x(panel.reference))
    parts.append(
        f'<path d="M{x} {num(top + HEADING - 8)}V{num(bottom)}" stroke-width="1.5" '
        f'stroke-dasharray="4 3" {pen.paint(stroke="cedar_edge")}/>'
    )
    for row, mark in enumerate(panel.marks):
        parts += _draw_mark(pen, mark, to_x, top + HEADING + ROW * (row + 0.5))
    return parts


def _draw_mark(pen: Pen, mark: Mark, to_x: ToX, y: float) -> list[str]:
    low, high, at = (num(to_x(value)) for value in (mark.low, mark.high, mark.value))
    return [
        (
            f'<text x="{LEFT - 16}" y="{num(y + 4)}" text-anchor="end" {pen.paint("ink")}>'
            f"{clean(fit(mark.name, 13, LEFT - 44))}</text>"
        ),
        (
            f'<path d="M{low} {num(y)}H{high}M{low} {num(y - 5)}v10M{high} {num(y - 5)}v10" '
            f'stroke-width="2" {pen.paint(stroke="accent")}/>'
        ),
        f'<circle cx="{at}" cy="{num(y)}" r="5" {pen.paint("accent", "paper")}/>',
        (
            f'<text x="{WIDTH - 28}" y="{num(y + 4)}" text-anchor="end" {pen.paint("ink")} '
            f'style="font-variant-numeric:tabular-nums">{clean(mark.label)}</text>'
        ),
    ]
