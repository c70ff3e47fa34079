"""Colours are used where a terminal has them."""

import io
import re

import pytest

from souk.engine.styled_text import block_width, cell_width, crop, place_beside, plain_text, wrap
from souk.terminal.palette import COLOURS, INKS_OF_256, ColourDepth, colour_depth, paint, rgb

LEVELS = (0, 95, 135, 175, 215, 255)


class Tty(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environ", "depth"),
    [
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, ColourDepth.TRUE),
        ({"TERM": "xterm-256color"}, ColourDepth.PALETTE),
        ({"TERM": "linux"}, ColourDepth.SIXTEEN),
        ({"TERM": "dumb"}, ColourDepth.NONE),
        ({}, ColourDepth.NONE),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"}, ColourDepth.NONE),
    ],
)
def test_the_environment_determines_the_colour_depth(
    environ: dict[str, str], depth: ColourDepth
) -> None:
    assert colour_depth(Tty(), environ) is depth
    assert colour_depth(io.StringIO(), environ) is ColourDepth.NONE


def of_256(number: int) -> tuple[int, ...]:
    if number >= 232:
        return (8 + 10 * (number - 232),) * 3
    cube = number - 16
    return LEVELS[cube // 36], LEVELS[cube // 6 % 6], LEVELS[cube % 6]


def contrast(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    """How well two colours stand apart, as WCAG counts it: from 1 to 21."""

    def luminance(colour: tuple[int, ...]) -> float:
        parts = (channel / 255 for channel in colour)
        r, g, b = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("name", COLOURS)
def test_letters_have_enough_contrast(name: str) -> None:
    colour = COLOURS[name]
    assert contrast(rgb(colour.ink), rgb(colour.true)) >= 3.5
    assert contrast(of_256(INKS_OF_256[colour.ink]), of_256(colour.of_256)) >= 3.5


def test_red_stays_red_with_256_colours() -> None:
    red, green, blue = of_256(COLOURS["red"].of_256)
    assert red > 150 and green == blue == 0
    assert len({colour.of_256 for colour in COLOURS.values()}) == len(COLOURS)
    assert ";48;5;124m" in paint([("RR", "red")], ColourDepth.PALETTE)


@pytest.mark.parametrize("depth", list(ColourDepth))
@pytest.mark.parametrize("style", [*COLOURS, "strong", "dim", "mark", "", "unheard-of"])
def test_every_style_is_painted_and_ends(style: str, depth: ColourDepth) -> None:
    painted = paint([("text", style)], depth)
    assert "text" in painted
    assert ("\x1b" in painted) == painted.endswith("\x1b[0m")


def test_control_characters_are_not_printed() -> None:
    for depth in ColourDepth:
        assert "\x1b[2J" not in paint([("Eve\x1b[2J\a", "")], depth)


def test_cropped_and_wrapped_lines_fit() -> None:
    assert cell_width("é市") == 3
    assert block_width([crop([("abc", "red"), ("défg", "")], 5)]) == 5
    assert crop([("abc", "")], 3) == [("abc", "")]
    assert block_width([crop([("市場市場", "")], 4)]) <= 4
    assert block_width(wrap("a long sentence that goes on " * 4, 20, label="left", hang=6)) <= 20
    assert block_width(wrap("市場" * 30 + " and " + "市場" * 30, 20)) <= 20
    assert "".join(map(plain_text, wrap("市場" * 30, 20))) == "市場" * 30


def test_a_number_is_cropped_whole_or_not_at_all() -> None:
    line = [("Leila ", "strong"), ("+200, Omar −1350, of 1,275 or 12.5", "")]
    numbers = {"+200", "−1350", "1,275", "12.5"}
    for columns in range(1, 60):
        cropped = plain_text(crop(line, columns))
        assert cell_width(cropped) <= columns
        assert set(re.findall(r"[+−]?\d(?:[\d.,]*\d)?", cropped)) <= numbers


def test_wide_characters_take_two_columns_beside_each_other() -> None:
    lines = place_beside([[("市場", "")], [("Leila", "")]], [[("|", "")], [("|", "")]])
    assert [cell_width(plain_text(line)) for line in lines] == [9, 9]
