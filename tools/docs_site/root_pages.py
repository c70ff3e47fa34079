"""Add the Markdown files of the root folder, such as CONTRIBUTING.md, to the site.

Their links, and the links to them, are changed to the places that the files have in the site.
"""

import re
from pathlib import Path

from sphinx.application import Sphinx

LINK = re.compile(r"\]\((?!\w+:|#)([^)\s]+)\)")
LINK_TO_ROOT = re.compile(r"\]\((?:\.\./)+([A-Z_]+)\.md\b")
OMITTED = {"README.md"}  # the site has a start page of its own


def files(root: Path) -> dict[str, str]:
    """Return the pages by their path below docs/generated."""
    return {
        f"project/{path.stem.lower()}.md": _moved(path.read_text("utf-8"))
        for path in root.glob("*.md")
        if path.name not in OMITTED
    }


def _moved(text: str) -> str:
    """Return a page of the root folder as it is in docs/generated/project.

    >>> _moved("[a](docs/arena.md#ratings), [b](CHANGELOG.md), [c](souk/bot.py), [d](#here)")
    '[a](../../arena.md#ratings), [b](changelog.md), [c](../../../souk/bot.py), [d](#here)'
    """

    def link(match: re.Match[str]) -> str:
        path, mark, anchor = match[1].partition("#")
        if path.startswith("docs/"):
            path = "../../" + path.removeprefix("docs/")
        elif re.fullmatch(r"[A-Z_]+\.md", path) and path not in OMITTED:
            path = path.lower()
        else:
            path = f"../../../{path}"
        return f"]({path}{mark}{anchor})"

    return LINK.sub(link, text)


def _with_links_to_root(_app: Sphinx, name: str, source: list[str]) -> None:
    """Let the links of a guide to files of the root folder lead to their pages."""
    if not name.startswith("generated/"):
        source[0] = LINK_TO_ROOT.sub(
            lambda match: f"](/generated/project/{match[1].lower()}.md", source[0]
        )


def setup(app: Sphinx) -> None:
    """Change the links of every page that Sphinx reads."""
    app.connect("source-read", _with_links_to_root)
