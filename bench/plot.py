"""Draw small line charts as SVG, one panel for each line, in the colours of the docs."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, log10

from souk.engine.drawing.pen import PALETTE, SANS

WIDE, HIGH, LEFT, TOP, GAP = 720, 170, 64, 62, 52


@dataclass(frozen=True)
class Line:
    """The values of one line; lines may differ in length."""

    name: str
    xs: Sequence[float]
    values: Sequence[float]


def chart(title: str, axis: str, lines: Sequence[Line]) -> str:
    """Return an SVG with a panel for each line, zero at the bottom of each, and one axis."""
    colour = {name: day for name, (day, _) in PALETTE.items()}
    high = TOP + len(lines) * (HIGH + GAP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {high}" role="img">',
        f'<g font-family="{escape(SANS)}" font-size="13" fill="{colour["ink"]}">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDE}" height="{high}" fill="{colour["paper"]}"/>',
        f'<text x="{LEFT}" y="28" font-size="16">{escape(title)}</text>',
    ]
    most_x = max(x for line in lines for x in line.xs)
    for number, line in enumerate(lines):
        top = TOP + number * (HIGH + GAP)
        most = _round_up(max(line.values))
        bottom = top + HIGH
        for tick in range(5):
            y = bottom - HIGH * tick / 4
            parts.append(
                f'<path d="M{LEFT} {y:g}H{WIDE - 20}" stroke="{colour["line"]}"/>'
                f'<text x="{LEFT - 8}" y="{y + 4:g}" text-anchor="end" '
                f'fill="{colour["soft"]}">{most * tick / 4:g}</text>'
            )
        points = " ".join(
            f"{LEFT + (WIDE - 20 - LEFT) * x / most_x:.1f},{bottom - HIGH * y / most:.1f}"
            for x, y in zip(line.xs, line.values, strict=True)
        )
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{colour["accent"]}" '
            f'stroke-width="2" stroke-linejoin="round"/>'
            f'<text x="{LEFT}" y="{top - 10}">{escape(line.name)}</text>'
        )
        for tick in range(5):
            x = LEFT + (WIDE - 20 - LEFT) * tick / 4
            parts.append(
                f'<text x="{x:g}" y="{bottom + 18}" text-anchor="middle" '
                f'fill="{colour["soft"]}">{most_x * tick / 4:.2g}</text>'
            )
    parts.append(f'<text x="{WIDE - 20}" y="{high - 4}" text-anchor="end">{escape(axis)}</text>')
    return "\n".join([*parts, "</g>", "</svg>", ""])


def _round_up(value: float) -> float:
    """Return the next round number: 1, 2, 4, 5 or 8 with zeros."""
    if value <= 0:
        return 1.0
    step = 10.0 ** ceil(log10(value) - 1)
    return next(size * step for size in (1, 2, 4, 5, 8, 10) if size * step >= value)
