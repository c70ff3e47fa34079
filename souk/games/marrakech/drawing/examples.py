"""The small drawings of the rulebook: the examples of its texts."""

from souk.engine.errors import SoukError, one_of
from souk.games.marrakech.drawing.picture import draw_part
from souk.games.marrakech.drawing.scene import Option, Rug, Scene, Walk

_YELLOW = (Rug("yellow", ("b2", "b3")), Rug("yellow", ("c3", "d3")), Rug("yellow", ("d4", "e4")))
_OVER_THEM = (Rug("red", ("d3", "e3")), Rug("red", ("e4", "e5")))
_HALF_COVERED = (Rug("yellow", ("c2", "d2")), Rug("yellow", ("f3", "f4")))

# By the name that rulebooks use: the scene, and the squares from corner to corner.
EXAMPLES = {
    "loop": (Scene("g6", "S", (), (), walk=Walk("f7", "E", 3)), "e5", "g7"),
    "arc": (Scene("e3", "N", (), (), walk=Walk("d2", "S", 4)), "c1", "f3"),
    "die": (
        Scene(
            "d4",
            "N",
            (),
            (),
            options=(
                Option("d5", "1/6", "1", cost=False),
                Option("d6", "1/3", "2", cost=False),
                Option("d7", "1/3", "3", cost=False),
                Option("c7", "1/6", "4", cost=False),
            ),
        ),
        "b4",
        "e7",
    ),
    "tax": (Scene("c3", "E", (*_YELLOW, *_OVER_THEM), (), taxed=("b2", "b3", "c3")), "b2", "e5"),
    "lay": (
        Scene("d3", "W", (*_HALF_COVERED, Rug("red", ("c2", "c3"))), (), laid=2),
        "b2",
        "f4",
    ),
}


def draw_example(name: str) -> str:
    """Return the example with a name, as SVG for part of a page."""
    if name not in EXAMPLES:
        raise SoukError(f"there is no drawing {name!r}; choose {one_of(EXAMPLES)}")
    return draw_part(*EXAMPLES[name])
