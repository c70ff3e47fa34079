"""Draw the winning chances over time, with the costliest decisions marked.

Each line has its own colour, dash pattern and marker, so that lines differ without colours too.
"""

from collections.abc import Iterator

from souk.analysis.game_analysis import GameAnalysis, PlayerSummary
from souk.engine.drawing import panel_parts, svg_document
from souk.engine.drawing.ornaments import GROUNDS, INK
from souk.engine.drawing.pen import SERIF, Pen, clean, fit, num

WIDTH, HEIGHT = 900, 470
LEFT, RIGHT, TOP, BOTTOM = 66, 176, 96, 74  # margins of the plot
TICKS = (0, 25, 50, 75, 100)  # percent
MAX_TURN_LABELS = 12
NAME_SPACING = 19
TITLE = "Winning chances"
DASHES = ("", "11 5", "3 5", "14 5 3 5")
MARKERS = (
    "M0-6a6 6 0 1 0 .01 0z",
    "M-5.4-5.4h10.8v10.8h-10.8z",
    "M0-6.8L6.6 5.2h-13.2z",
    "M0-7L7 0L0 7L-7 0z",
)


def draw(analysis: GameAnalysis, *, theme: str = "light", size: int = 900) -> str:
    """Return the chart as SVG, `size` pixels wide; `theme` is light, dark or auto."""
    svg_document.check(theme, size)
    pen = Pen(svg_document.prefix(f"{svg_document.canonical(analysis.to_dict())}{theme}"), theme)
    return "\n".join(
        (
            svg_document.opening(pen, WIDTH, HEIGHT, size, TITLE, _description(analysis)),
            pen.stylesheet(),
            svg_document.paper(pen, WIDTH, HEIGHT),
            _title(pen),
            panel_parts.text(pen, LEFT - 40, 74, _subtitle(analysis), 15, colour="soft"),
            *_axes(pen, analysis),
            *_lines(pen, analysis),
            *_names(pen, analysis),
            *_costliest(pen, analysis),
            "</svg>\n",
        )
    )


def _title(pen: Pen) -> str:
    return (
        f'<text x="{LEFT - 40}" y="50" font-family="{SERIF}" font-size="30" {pen.paint("ink")}>'
        f"{TITLE}</text>"
    )


def _description(analysis: GameAnalysis) -> str:
    """Return the text alternative of the drawing."""
    players = [
        f"{one.name} from {one.start:.0%} to {one.end:.0%}, luck {one.luck * 100:+.0f}, "
        f"own decisions {one.own * 100:+.0f}"
        for one in analysis.players
    ]
    return f"{analysis.game}, {len(analysis.steps)} moves. {'; '.join(players)}."


def _subtitle(analysis: GameAnalysis) -> str:
    nodes = f", {analysis.nodes:,} nodes per position" if analysis.nodes else ""
    return fit(f"{analysis.game}, evaluated by {analysis.level}{nodes}", 15, WIDTH - 2 * LEFT + 80)


def _x(analysis: GameAnalysis, step: int) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * step / max(1, len(analysis.steps))


def _y(share: float) -> float:
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - share)


def _axes(pen: Pen, analysis: GameAnalysis) -> Iterator[str]:
    """Draw the grid lines with percentages, and the numbers of turns."""
    for tick in TICKS:
        y = num(_y(tick / 100))
        line = f'<path d="M{LEFT} {y}H{WIDTH - RIGHT}" {pen.paint(stroke="line")}/>'
        label = panel_parts.text(
            pen, LEFT - 10, _y(tick / 100) + 5, f"{tick}%", 14, anchor="end", colour="soft"
        )
        yield line + label
    below = HEIGHT - BOTTOM + 22
    firsts = _first_steps(analysis)
    every = max(1, -(-len(firsts) // MAX_TURN_LABELS))
    for number, (turn, step) in enumerate(firsts):
        if number % every == 0:
            x = _x(analysis, step - 1)
            yield panel_parts.text(pen, x, below, str(turn), 14, anchor="middle", colour="soft")
    middle = (LEFT + WIDTH - RIGHT) / 2
    yield panel_parts.text(pen, middle, below + 24, "turn", 14, anchor="middle", colour="soft")


def _first_steps(analysis: GameAnalysis) -> list[tuple[int, int]]:
    """Return every turn with its first step; the deal is not a turn."""
    firsts: dict[int, int] = {}
    for step in analysis.steps:
        if step.turn:
            firsts.setdefault(step.turn, step.step)
    return list(firsts.items())


def _shares(analysis: GameAnalysis, seat: int) -> list[float]:
    return [analysis.start[seat], *(step.shares[seat] for step in analysis.steps)]


def _lines(pen: Pen, analysis: GameAnalysis) -> Iterator[str]:
    for one in analysis.players:
        shares = _shares(analysis, one.seat)
        points = (f"{num(_x(analysis, at))} {num(_y(share))}" for at, share in enumerate(shares))
        path = "M" + "L".join(points)
        dash = DASHES[one.seat % len(DASHES)]
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        by = max(1, len(shares) // 6)
        first = by * (2 * one.seat + 1) // (2 * len(analysis.players))  # no two in one column
        marks = "".join(
            f'<g transform="translate({num(_x(analysis, at))} {num(_y(shares[at]))})">'
            f"{_marker(one)}</g>"
            for at in range(first, len(shares), by)
        )
        yield (
            f'<g data-seat="{one.seat}" stroke-linejoin="round">'
            f'<path d="{path}" {pen.paint(stroke="ink")} stroke-width="4.2" opacity=".4"/>'
            f'<path d="{path}" fill="none" stroke="{_hue(one)}" stroke-width="2.8"{dashed}/>'
            f"{marks}</g>"
        )


def _hue(one: PlayerSummary) -> str:
    return GROUNDS[one.colour]


def _marker(one: PlayerSummary) -> str:
    shape = MARKERS[one.seat % len(MARKERS)]
    return f'<path d="{shape}" fill="{_hue(one)}" stroke="{INK}" stroke-width="1.2"/>'


def _names(pen: Pen, analysis: GameAnalysis) -> Iterator[str]:
    """Draw every name at the end of its line, moved where two would overlap."""
    y = float(TOP - NAME_SPACING)
    low = HEIGHT - BOTTOM - NAME_SPACING * (len(analysis.players) - 1)
    for one in sorted(analysis.players, key=lambda one: -one.end):
        y = max(y + NAME_SPACING, min(_y(one.end), low))
        low += NAME_SPACING
        x = WIDTH - RIGHT + 18
        name, end = fit(one.name, 16, RIGHT - 86), f"{one.end:.0%}"
        yield (
            f'<g transform="translate({num(x)} {num(y)})">{_marker(one)}'
            f"{panel_parts.text(pen, 14, 5, name, 16)}"
            f"{panel_parts.text(pen, RIGHT - 30, 5, end, 16, bold=True, anchor='end')}</g>"
        )


def _costliest(pen: Pen, analysis: GameAnalysis) -> Iterator[str]:
    """Draw a number at each of the costliest decisions, and a legend."""
    for rank, number in enumerate(analysis.costliest, start=1):
        step = analysis.step(number)
        assert step.seat is not None
        y = _y(step.shares[step.seat])
        text = f"{step.action} cost {step.cost * 100:.1f}; better: {step.best}"
        yield _numbered_circle(
            pen, _x(analysis, number), y - 24 if y > TOP + 40 else y + 24, rank, text
        )
    if analysis.costliest:
        y = HEIGHT - BOTTOM + 41
        yield _numbered_circle(pen, LEFT - 30, y, 1, "")
        yield panel_parts.text(pen, LEFT - 12, y + 5, "the costliest decisions", 14, colour="soft")


def _numbered_circle(pen: Pen, x: float, y: float, number: int, text: str) -> str:
    title = f"<title>{clean(text)}</title>" if text else ""
    label = panel_parts.text(pen, 0, 5, str(number), 14, bold=True, anchor="middle", colour="cost")
    return (
        f'<g transform="translate({num(x)} {num(y)})">{title}'
        f'<circle r="10" {pen.paint("card", "cost")} stroke-width="2"/>'
        f"{label}</g>"
    )
