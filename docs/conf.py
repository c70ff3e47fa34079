"""Configure Sphinx, which builds the documentation site: `make docs`."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # for tools

import souk  # noqa: E402

project = "Souk"
author = "The Souk authors"
release = souk.__version__
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "tools.docs_site",
]

# Markdown. Anchors of headings are the same as on code-hosting sites.
myst_heading_anchors = 4
myst_fence_as_directive = ["mermaid"]

# Python. A name in backticks of a docstring is a link if it is the name of something documented.
default_role = "py:obj"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 100
nitpicky = True
nitpick_ignore_regex = [(r"py:.*", r"(?!souk\.).*"), ("py:obj", ".*")]  # only our own names

# HTML. Fonts and scripts are files of the site, so that reading it needs no network.
NODE_PACKAGES = ROOT / "web" / "node_modules"
if not NODE_PACKAGES.is_dir():
    sys.exit("The fonts and the script for diagrams are missing: run `make node-packages`.")
html_theme = "furo"
html_title = "Souk"
html_favicon = "../web/public/icon.svg"
html_logo = "../web/public/icon.svg"
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
html_static_path = [
    "_static",
    str(NODE_PACKAGES / "@mermaid-js/tiny/dist/mermaid.tiny.js"),
    str(NODE_PACKAGES / "@fontsource/marcellus/files/marcellus-latin-400-normal.woff2"),
    str(
        NODE_PACKAGES
        / "@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2"
    ),
]
html_css_files = ["site.css"]
FONTS = {
    "font-stack": '"Source Sans 3 Variable", system-ui, sans-serif',
    "font-stack--headings": '"Marcellus", Georgia, serif',
}
LIGHT = {  # as in web/src/app.css
    "color-brand-primary": "#2f3e75",
    "color-brand-content": "#2f3e75",
    "color-brand-visited": "#7a4b8c",
    "color-background-primary": "#fffdf8",
    "color-background-secondary": "#fbf6ec",
    "color-background-hover": "#f4ebdd",
    "color-background-border": "#d9c7a9",
    "color-foreground-primary": "#2b2420",
    "color-foreground-secondary": "#6b5a49",
    "color-foreground-muted": "#6b5a49",
    "color-foreground-border": "#b9ab95",
    "color-highlight-on-target": "#f6e7c4",
    "color-inline-code-background": "#f4ebdd",
    "color-code-background": "#fbf6ec",
    "color-api-name": "#2f3e75",
    "color-api-pre-name": "#2f3e75",
}
DARK = {
    "color-brand-primary": "#e0b15a",
    "color-brand-content": "#e0b15a",
    "color-brand-visited": "#c9a0dc",
    "color-background-primary": "#161a2b",
    "color-background-secondary": "#20263b",
    "color-background-hover": "#2a3150",
    "color-background-border": "#3a4263",
    "color-foreground-primary": "#efe3cc",
    "color-foreground-secondary": "#b9ad97",
    "color-foreground-muted": "#b9ad97",
    "color-foreground-border": "#6f6a66",
    "color-highlight-on-target": "#3b3a2f",
    "color-inline-code-background": "#2a3150",
    "color-code-background": "#20263b",
    "color-api-name": "#e0b15a",
    "color-api-pre-name": "#e0b15a",
}
html_theme_options = {
    "light_css_variables": {**FONTS, **LIGHT},
    "dark_css_variables": DARK,
}
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
