"""Show Mermaid blocks as diagrams, with a script that is part of the site.

Scripts from elsewhere would need a network, and modules are not loaded from files: this one works
for a reader who opens the site from a folder.
"""

from html import escape
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

SCRIPTS = ("mermaid.tiny.js", "diagrams.js")


class Diagram(SphinxDirective):
    """A block of Mermaid; without scripts its text is shown."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        text = escape("\n".join(self.content))
        return [nodes.raw("", f'<pre class="mermaid" tabindex="0">{text}</pre>', format="html")]


def _add_scripts(
    app: Sphinx, _name: str, _template: str, context: dict[str, Any], _doctree: object
) -> None:
    if 'class="mermaid"' in context.get("body", ""):
        for script in SCRIPTS:
            app.add_js_file(script)


def setup(app: Sphinx) -> None:
    """Add the directive, and the scripts to the pages that need them."""
    app.add_directive("mermaid", Diagram)
    app.connect("html-page-context", _add_scripts)
