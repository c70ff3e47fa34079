"""Remove the links from source code back to the reference.

The extension viewcode gets them wrong where a module has names that are documented in two packages,
such as `souk.player` and `souk.players.strongest`.
"""

import re
from typing import Any

from sphinx.application import Sphinx

BACK = re.compile(r'<a class="viewcode-back".*?</a>')


def _remove_links(
    _app: Sphinx, name: str, _template: str, context: dict[str, Any], _doctree: object
) -> None:
    if name.startswith("_modules/"):
        context["body"] = BACK.sub("", context["body"])


def setup(app: Sphinx) -> None:
    """Change the pages of source code before they are written."""
    app.connect("html-page-context", _remove_links)
