"""How the nets of the package came about, as they tell it themselves: figures and a picture.

`python -m bench training` prints a line for every net; docs/pictures/training.svg is drawn from
the same reports.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bench.plot import Line, chart
from souk.games.marrakech.ai.weights import FOLDER

PICTURE = Path(__file__).parents[1] / "docs" / "pictures" / "training.svg"


@dataclass(frozen=True)
class Trained:
    """One net's way."""

    name: str
    about: dict[str, Any]
    is_kept = True  # it promises nothing: it tells what was

    @property
    def reports(self) -> list[dict[str, Any]]:
        """Its reports from the very beginning, counted through where it was trained on."""
        earlier: list[dict[str, Any]] = []
        if self.about.get("before"):
            earlier = Trained(self.name, self.about["before"]).reports
        end = earlier[-1] if earlier else {"games": 0, "seconds": 0.0}
        later = [
            {
                **one,
                "games": end["games"] + one["games"],
                "seconds": end["seconds"] + one["seconds"],
            }
            for one in self.about["reports"]
        ]
        return earlier + later

    def line(self) -> str:
        last = self.reports[-1]
        fair = 1 / int(self.name[0])
        return (
            f"{self.name:<20} {last['games'] / 1e6:4.1f} M games in {last['seconds']:4.0f} s; "
            f"{last['share']:.3f} ± {last['within']:.3f} of the win against the heuristic "
            f"(fair {fair:.3f}), both one turn deep"
        )


def figures() -> Iterator[Trained]:
    """All nets, and the picture anew."""
    nets = list(trained())
    PICTURE.write_text(picture(nets), "utf-8")
    yield from nets


def trained() -> Iterator[Trained]:
    """The nets of the package."""
    for path in sorted(FOLDER.glob("*.npz")):
        with np.load(path) as kept:
            yield Trained(path.stem, json.loads(str(kept["about"])))


def picture(nets: list[Trained]) -> str:
    """The share of the win over the games played."""
    lines = [
        Line(
            f"{net.name}: share of the win",
            [report["games"] / 1e6 for report in net.reports],
            [report["share"] for report in net.reports],
        )
        for net in nets
    ]
    title = "Training: share of the win against copies of the heuristic"
    return chart(title, "million games", lines)
