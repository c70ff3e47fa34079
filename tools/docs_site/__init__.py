"""The Sphinx extension of the documentation site, which `make docs` builds from docs/.

Before Sphinx reads docs/, the pages that come from code are written to docs/generated: pages for
each game and its environments, the messages and requests of the protocol, and the Markdown files of
the root folder.
"""

from pathlib import Path

from sphinx.application import Sphinx

from tools.docs_site import (
    autodoc_fields,
    diagrams,
    environment_pages,
    exchange_lexer,
    game_pages,
    licenses,
    protocol_pages,
    root_pages,
    source_pages,
    themed_pictures,
)

ROOT = Path(__file__).parents[2]


def pages() -> dict[str, str]:
    """Return the generated files by their path below docs/generated."""
    games = {**game_pages.files(), **environment_pages.files()}
    return {**games, **protocol_pages.files(), **root_pages.files(ROOT)}


def write_pages(folder: Path) -> None:
    """Write the generated files to a folder, and delete what no longer belongs there."""
    written = {folder / path: text for path, text in pages().items()}
    for path, text in written.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text("utf-8") != text:  # Sphinx reads what is newer
            path.write_text(text, encoding="utf-8", newline="\n")
    for path in folder.rglob("*"):
        if path.is_file() and path not in written:
            path.unlink()


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the parts of the extension to Sphinx."""
    app.connect("builder-inited", lambda app: write_pages(Path(app.srcdir) / "generated"))
    parts = (
        autodoc_fields,
        diagrams,
        exchange_lexer,
        licenses,
        root_pages,
        source_pages,
        themed_pictures,
    )
    for part in parts:
        part.setup(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
