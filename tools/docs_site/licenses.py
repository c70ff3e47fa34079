"""Copy the licences of the fonts and scripts that the site contains."""

from pathlib import Path

from sphinx.application import Sphinx

NODE_PACKAGES = Path(__file__).parents[2] / "web" / "node_modules"
PACKAGES = ("@fontsource/marcellus", "@fontsource-variable/source-sans-3", "@mermaid-js/tiny")


def _write_licences(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        texts = [f"{name}\n\n{(NODE_PACKAGES / name / 'LICENSE').read_text()}" for name in PACKAGES]
        (Path(app.outdir) / "_static" / "licenses.txt").write_text("\n\n".join(texts), "utf-8")


def setup(app: Sphinx) -> None:
    """Write them once the site is built."""
    app.connect("build-finished", _write_licences)
