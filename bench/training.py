"""Report the training of the package's nets from the reports stored in their files.

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
from souk.train.trainer import Share

PICTURE = Path(__file__).parents[1] / "docs" / "pictures" / "training.svg"


@dataclass(frozen=True)
class Trained:
    """The training of one net."""

    name: str
    about: dict[str, Any]
    passes = True  # it promises nothing

    @property
    def reports(self) -> list[dict[str, Any]]:
        """Return its reports, numbered on from those of the net that it started with."""
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
            f"{_share_text(last)} of the win against the heuristic "
            f"(fair {fair:.3f}), both one turn deep"
        )


def _share(report: dict[str, Any]) -> float:
    share = report["share"]  # a number in the files of earlier versions
    return float(share["share"] if isinstance(share, dict) else share)


def _share_text(report: dict[str, Any]) -> str:
    if isinstance(report["share"], dict):
        return str(Share(**report["share"]))
    return f"{report['share']:.3f} ± {report['within']:.3f}"


def figures() -> Iterator[Trained]:
    """Yield all nets and draw the picture again."""
    nets = list(trained())
    PICTURE.write_text(picture(nets), "utf-8")
    yield from nets


def trained() -> Iterator[Trained]:
    """Yield the nets of the package."""
    for path in sorted(FOLDER.glob("*.npz")):
        with np.load(path) as file:
            yield Trained(path.stem, json.loads(str(file["about"])))


def picture(nets: list[Trained]) -> str:
    """Return a chart of the share of the win over the games played."""
    lines = [
        Line(
            f"{net.name}: share of the win",
            [report["games"] / 1e6 for report in net.reports],
            [_share(report) for report in net.reports],
        )
        for net in nets
    ]
    title = "Training: share of the win against copies of the heuristic"
    return chart(title, "million games", lines)
