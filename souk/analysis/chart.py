"""The expected shares over time as a drawing: a line for each seat, and what cost most.

Each line has a colour, a dash and a marker of its own, so that it can be told from the others
without colours.
"""

from collections.abc import Iterator

from souk.analysis.report import Account, GameAnalysis
from souk.engine.drawing import card, page
from souk.engine.drawing.ornaments import INK, YARNS
from souk.engine.drawing.pen import SERIF, Pen, clean, fit, num

WIDE, HIGH = 900, 470
LEFT, RIGHT, TOP, BOTTOM = 66, 176, 96, 74  # of the lines' own field
TICKS = (0, 25, 50, 75, 100)  # per cent
MOST_NUMBERS = 12  # under the axis
APART = 19  # between two names at the right
DASHES = ("", "11 5", "3 5", "14 5 3 5")
MARKERS = (
    "M0-6a6 6 0 1 0 .01 0z",
    "M-5.4-5.4h10.8v10.8h-10.8z",
    "M0-6.8L6.6 5.2h-13.2z",
    "M0-7L7 0L0 7L-7 0z",
)


def draw(analysis: GameAnalysis, *, theme: str = "light", size: int = 900) -> str:
    """The chart as SVG text, `size` pixels wide; `theme` is light, dark or auto."""
    page.check(theme, size)
    pen = Pen(page.prefix(f"{page.canonical(analysis.to_dict())}{theme}"), theme)
    return "\n".join(
        (
            page.opening(pen, WIDE, HIGH, size, "Expected share of the win", _told(analysis)),
            pen.stylesheet(),
            page.paper(pen, WIDE, HIGH),
            _title(pen),
            card.text(pen, LEFT - 40, 74, _subtitle(analysis), 15, colour="soft"),
            *_axes(pen, analysis),
            *_lines(pen, analysis),
            *_names(pen, analysis),
            *_costly(pen, analysis),
            "</svg>\n",
        )
    )


def _title(pen: Pen) -> str:
    return (
        f'<text x="{LEFT - 40}" y="50" font-family="{SERIF}" font-size="30" {pen.paint("ink")}>'
        "Expected share of the win</text>"
    )


def _told(analysis: GameAnalysis) -> str:
    """What is read out instead of the picture."""
    told = [
        f"{one.name} from {one.start:.0%} to {one.end:.0%}, luck {one.luck * 100:+.0f}, "
        f"own choices {one.own * 100:+.0f}"
        for one in analysis.accounts
    ]
    return f"{analysis.game}, {len(analysis.steps)} moves. {'; '.join(told)}."


def _subtitle(analysis: GameAnalysis) -> str:
    nodes = f", {analysis.nodes:,} nodes a position" if analysis.nodes else ""
    return fit(f"{analysis.game}, judged by {analysis.level}{nodes}", 15, WIDE - 2 * LEFT + 80)


def _x(analysis: GameAnalysis, step: int) -> float:
    return LEFT + (WIDE - LEFT - RIGHT) * step / max(1, len(analysis.steps))


def _y(share: float) -> float:
    return TOP + (HIGH - TOP - BOTTOM) * (1 - share)


def _axes(pen: Pen, analysis: GameAnalysis) -> Iterator[str]:
    """Lines at round shares, and the numbers of turns under them."""
    for tick in TICKS:
        y = num(_y(tick / 100))
        line = f'<path d="M{LEFT} {y}H{WIDE - RIGHT}" {pen.paint(stroke="line")}/>'
        label = card.text(
            pen, LEFT - 10, _y(tick / 100) + 5, f"{tick} %", 14, anchor="end", colour="soft"
        )
        yield line + label
    below = HIGH - BOTTOM + 22
    firsts = _first_steps(analysis)
    every = max(1, -(-len(firsts) // MOST_NUMBERS))
    for number, (turn, step) in enumerate(firsts):
        if number % every == 0:
            x = _x(analysis, step - 1)
            yield card.text(pen, x, below, str(turn), 14, anchor="middle", colour="soft")
    middle = (LEFT + WIDE - RIGHT) / 2
    yield card.text(pen, middle, below + 24, "turn", 14, anchor="middle", colour="soft")


def _first_steps(analysis: GameAnalysis) -> list[tuple[int, int]]:
    """Every turn with its first step; the deal is no turn."""
    firsts: dict[int, int] = {}
    for step in analysis.steps:
        if step.turn:
            firsts.setdefault(step.turn, step.step)
    return list(firsts.items())


def _shares(analysis: GameAnalysis, seat: int) -> list[float]:
    return [analysis.start[seat], *(step.shares[seat] for step in analysis.steps)]


def _lines(pen: Pen, analysis: GameAnalysis) -> Iterator[str]:
    for one in analysis.accounts:
        shares = _shares(analysis, one.seat)
        points = (f"{num(_x(analysis, at))} {num(_y(share))}" for at, share in enumerate(shares))
        path = "M" + "L".join(points)
        dash = DASHES[one.seat % len(DASHES)]
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        by = max(1, len(shares) // 6)
        first = by * (2 * one.seat + 1) // (2 * len(analysis.accounts))  # no two in one column
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


def _hue(one: Account) -> str:
    return YARNS[one.colour][0] if one.colour in YARNS else YARNS["red"][0]


def _marker(one: Account) -> str:
    shape = MARKERS[one.seat % len(MARKERS)]
    return f'<path d="{shape}" fill="{_hue(one)}" stroke="{INK}" stroke-width="1.2"/>'


def _names(pen: Pen, analysis: GameAnalysis) -> Iterator[str]:
    """Every name at the end of its line, moved where two would meet."""
    y = float(TOP - APART)
    low = HIGH - BOTTOM - APART * (len(analysis.accounts) - 1)
    for one in sorted(analysis.accounts, key=lambda one: -one.end):
        y = max(y + APART, min(_y(one.end), low))
        low += APART
        x = WIDE - RIGHT + 18
        words = fit(one.name, 16, RIGHT - 86)
        yield (
            f'<g transform="translate({num(x)} {num(y)})">{_marker(one)}'
            f"{card.text(pen, 14, 5, words, 16)}"
            f"{card.text(pen, RIGHT - 30, 5, f'{one.end:.0%}', 16, bold=True, anchor='end')}</g>"
        )


def _costly(pen: Pen, analysis: GameAnalysis) -> Iterator[str]:
    """A number at each of the decisions that cost most, and what the numbers mean."""
    for rank, number in enumerate(analysis.costly, start=1):
        step = analysis.step(number)
        assert step.seat is not None
        y = _y(step.shares[step.seat])
        what = f"{step.action} cost {step.cost * 100:.1f}; better: {step.best}"
        yield _numbered(pen, _x(analysis, number), y - 24 if y > TOP + 40 else y + 24, rank, what)
    if analysis.costly:
        y = HIGH - BOTTOM + 41
        yield _numbered(pen, LEFT - 30, y, 1, "")
        yield card.text(pen, LEFT - 12, y + 5, "the decisions that cost most", 14, colour="soft")


def _numbered(pen: Pen, x: float, y: float, number: int, what: str) -> str:
    title = f"<title>{clean(what)}</title>" if what else ""
    return (
        f'<g transform="translate({num(x)} {num(y)})">{title}'
        f'<circle r="10" {pen.paint("card", "cost")} stroke-width="2"/>'
        f"{card.text(pen, 0, 5, str(number), 14, bold=True, anchor='middle', colour='cost')}</g>"
    )
