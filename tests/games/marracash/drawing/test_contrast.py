"""Whatever is written or outlined can be read, by day and by night."""

import pytest

from souk.games.marracash.drawing.palette import PALETTE
from tests.games.marracash.drawing.scenes import COLOURS

_GROUNDS = (
    [("ink", f"shop_{colour}") for colour in COLOURS]
    + [(ink, ground) for ink in ("ink", "soft") for ground in ("paper", "card")]
    + [("on_accent", "accent"), ("on_tile", "tile")]
)
# What is not text but must be seen: half the contrast is enough.
_OUTLINES = [(f"edge_{colour}", f"shop_{colour}") for colour in COLOURS]
_OUTLINES += [("accent", ground) for ground in ("street", "block", "paper", "card")]


@pytest.mark.parametrize("night", [0, 1])
@pytest.mark.parametrize(
    ("ink", "ground", "least"),
    [(*pair, 4.5) for pair in _GROUNDS] + [(*pair, 3) for pair in _OUTLINES],
)
def test_everything_has_contrast_enough(ink: str, ground: str, least: float, night: int) -> None:
    light, dark = sorted((luminance(PALETTE[n][night]) for n in (ink, ground)), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= least


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
