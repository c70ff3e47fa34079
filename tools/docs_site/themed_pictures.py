"""Show pictures in the reader's theme: `name-light.png` has a sibling `name-dark.png`."""

from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

LIGHT, DARK = "-light.", "-dark."


class ThemedPictures(SphinxTransform):
    """Put the dark version of a picture beside its light one, and show one of them."""

    default_priority = 200  # before pictures are collected

    def apply(self, **_: Any) -> None:
        for light in list(self.document.findall(nodes.image)):
            uri = light["uri"].replace(LIGHT, DARK)
            if uri != light["uri"] and Path(self.env.relfn2path(uri)[1]).exists():
                dark = light.copy()
                dark["uri"] = uri
                light["classes"].append("only-light")
                dark["classes"].append("only-dark")
                light.parent.insert(light.parent.index(light) + 1, dark)


def setup(app: Sphinx) -> None:
    """Apply it to every page."""
    app.add_transform(ThemedPictures)
