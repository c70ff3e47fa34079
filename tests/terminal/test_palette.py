"""Colours are added where a terminal has them, and only there."""

import io

import pytest

from souk.terminal.lines import cells, crop, width, wrap
from souk.terminal.palette import CLOTH, INKS, Depth, contrast, depth_of, paint


class Tty(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environ", "depth"),
    [
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, Depth.TRUE),
        ({"TERM": "xterm-256color"}, Depth.PALETTE),
        ({"TERM": "linux"}, Depth.SIXTEEN),
        ({"TERM": "dumb"}, Depth.NONE),
        ({}, Depth.NONE),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"}, Depth.NONE),
    ],
)
def test_the_terminal_says_what_it_can(environ: dict[str, str], depth: Depth) -> None:
    assert depth_of(Tty(), environ) is depth
    assert depth_of(io.StringIO(), environ) is Depth.NONE


@pytest.mark.parametrize("cloth", CLOTH)
def test_the_letters_on_a_cloth_can_be_read(cloth: str) -> None:
    assert max(contrast(ink, CLOTH[cloth]) for ink in INKS) >= 3.5


@pytest.mark.parametrize("depth", list(Depth))
@pytest.mark.parametrize("style", [*CLOTH, "strong", "dim", "mark", "", "unheard-of"])
def test_every_style_is_painted_and_ends(style: str, depth: Depth) -> None:
    painted = paint([("text", style)], depth)
    assert "text" in painted
    assert ("\x1b" in painted) == painted.endswith("\x1b[0m")


def test_a_name_cannot_steer_the_terminal() -> None:
    for depth in Depth:
        assert "\x1b[2J" not in paint([("Eve\x1b[2J\a", "")], depth)


def test_lines_fit() -> None:
    assert cells("é市") == 3
    assert width([crop([("abc", "red"), ("défg", "")], 5)]) == 5
    assert crop([("abc", "")], 3) == [("abc", "")]
    assert width([crop([("市場市場", "")], 4)]) <= 4
    assert width(wrap("a long sentence that goes on " * 4, 20, label="left", hang=6)) <= 20
