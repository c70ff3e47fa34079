"""A standing as a picture, in the colours of the house: SVG by our own pen, PNG through resvg."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import floor
from typing import Any

from souk.arena.report import counted
from souk.arena.standings import Standing
from souk.engine.drawing.pen import SANS, SERIF, Pen, clean, fit, num
from souk.engine.errors import SoukError

Across = Callable[[float], float]  # where a value is on the axis

WIDE, LEFT, RIGHT = 760, 250, 104
ROW, HEAD, GAP, TOP, FOOT = 26, 40, 34, 64, 20
TICKS = 4
ZOOM = 2  # of a PNG: sharp on fine screens


@dataclass(frozen=True)
class Mark:
    """A value with its interval."""

    name: str
    value: float
    low: float
    high: float
    told: str


@dataclass(frozen=True)
class Panel:
    """Some marks on a common axis, and the line that they are compared with."""

    title: str
    marks: Sequence[Mark]
    low: float
    high: float
    line: float
    unit: str  # of the axis: % or nothing


def svg(standing: Standing, theme: str = "light") -> str:
    """The standing: shares, ratings and seats, each with its 95 % interval."""
    pen = Pen("arena", theme)
    panels = [panel for panel in _panels(standing) if panel.marks]
    high = TOP + sum(HEAD + ROW * len(panel.marks) + GAP for panel in panels) + FOOT
    cup = standing.tournament
    title = f"{cup.game}: {counted(standing.games, 'game')}"
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {high}" '
            f'width="{WIDE}" height="{high}" role="img" class="{pen.prefix}">'
        ),
        pen.stylesheet(),
        f"<title>{clean(title)}</title>",
        f'<rect width="{WIDE}" height="{high}" {pen.paint("paper")}/>',
        (
            f'<text x="28" y="40" font-family="{clean(SERIF)}" font-size="22" {pen.paint("ink")}>'
            f"{clean(fit(title, 22, WIDE - 56))}</text>"
        ),
        f'<g font-family="{clean(SANS)}" font-size="13">',
    ]
    top = TOP
    for panel in panels:
        parts += _drawn(pen, panel, top)
        top += HEAD + ROW * len(panel.marks) + GAP
    return "\n".join([*parts, "</g>", "</svg>", ""])


def png(drawing: str) -> bytes:
    """An SVG as PNG, by the library resvg_py (extra `arena`) and a font of this machine."""
    try:
        import resvg_py
    except ImportError:
        raise SoukError(
            "PNG needs the extra arena: pip install 'souk[arena]'; SVG does not"
        ) from None
    letter = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">{}</svg>'
    word = f'<text y="9" font-family="{SANS}">M</text>'
    if _rendered(resvg_py, letter.format(word)) == _rendered(resvg_py, letter.format("")):
        raise SoukError("PNG needs a font, and this machine has none; SVG does not")
    return _rendered(resvg_py, drawing, zoom=ZOOM)


def _rendered(library: Any, drawing: str, zoom: int = 1) -> bytes:
    return bytes(library.svg_to_bytes(svg_string=drawing, zoom=zoom))


def _panels(standing: Standing) -> list[Panel]:
    cup = standing.tournament
    shares = [
        Mark(f"{one.player} v {one.against}", one.share, one.low, one.high, f"{one.share:.1%}")
        for one in standing.shares
    ]
    strengths = [
        Mark(one.player, one.rating, one.low, one.high, f"{one.rating:+.0f}" if one.rating else "0")
        for one in sorted(standing.ratings, key=lambda one: -one.rating)
    ]
    seats = [
        Mark(f"seat {one.seat}", one.share, one.low, one.high, f"{one.share:.1%}")
        for one in standing.seats
    ]
    low, high = _round_ends([end for one in strengths for end in (one.low, one.high)] or [0.0])
    return [
        Panel("Share of the win; the line is the fair share", shares, 0, 1, cup.fair, "%"),
        Panel(
            f"Rating, against {standing.ratings[0].player}" if standing.ratings else "",
            strengths,
            low,
            high,
            0,
            "",
        ),
        Panel("What a seat is worth", seats, 0, 1, cup.fair, "%"),
    ]


def _round_ends(values: Sequence[float]) -> tuple[float, float]:
    """The ends of an axis with round numbers at its four steps.

    >>> _round_ends([-1251, 0])
    (-1500, 500)
    """
    for step in (size * ten for ten in (10, 100, 1000, 10_000) for size in (1, 2, 5)):
        low = floor(min(values) / step) * step
        if low + TICKS * step >= max(values):
            break
    return low, low + TICKS * step


def _drawn(pen: Pen, panel: Panel, top: float) -> list[str]:
    def across(value: float) -> float:
        return LEFT + (WIDE - LEFT - RIGHT) * (value - panel.low) / (panel.high - panel.low)

    bottom = top + HEAD + ROW * len(panel.marks)
    parts = [
        (
            f'<text x="28" y="{num(top + 16)}" font-size="15" {pen.paint("ink")}>'
            f"{clean(panel.title)}</text>"
        )
    ]
    for tick in range(TICKS + 1):
        value = panel.low + (panel.high - panel.low) * tick / TICKS
        x = num(across(value))
        told = f"{value:.0%}" if panel.unit else f"{value:.0f}"
        parts.append(
            f'<path d="M{x} {num(top + HEAD - 8)}V{num(bottom)}" {pen.paint(stroke="line")}/>'
            f'<text x="{x}" y="{num(bottom + 16)}" text-anchor="middle" font-size="12" '
            f"{pen.paint('soft')}>{told}</text>"
        )
    x = num(across(panel.line))
    parts.append(
        f'<path d="M{x} {num(top + HEAD - 8)}V{num(bottom)}" stroke-width="1.5" '
        f'stroke-dasharray="4 3" {pen.paint(stroke="cedar_edge")}/>'
    )
    for row, mark in enumerate(panel.marks):
        parts += _mark(pen, mark, across, top + HEAD + ROW * (row + 0.5))
    return parts


def _mark(pen: Pen, mark: Mark, across: Across, y: float) -> list[str]:
    low, high, at = (num(across(value)) for value in (mark.low, mark.high, mark.value))
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
            f'<text x="{WIDE - 28}" y="{num(y + 4)}" text-anchor="end" {pen.paint("ink")} '
            f'style="font-variant-numeric:tabular-nums">{clean(mark.told)}</text>'
        ),
    ]
