"""Draw the pictures that messengers show of links to tables: drawing/preview.png of each game.

    python -m tools.link_previews

Needs chromium. The pictures are stored, as they change only with the drawings.
"""

from __future__ import annotations

import sys
import tempfile
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import souk
from souk.games import game_class
from souk.server.http.link_preview import PICTURE
from tests.browser.visitor import chromium

WIDTH, HEIGHT = 1000, 525  # in the proportions that messengers want, and below 300 kB
FONTS = Path(__file__).parents[1] / "web" / "node_modules" / "@fontsource"
PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
ICON = Path(__file__).parents[1] / "web" / "public" / "icon.svg"
PAGE = """<!doctype html><style>
  @font-face {{ font-family: Marcellus; src: url("file://{font}"); }}
  body {{ margin: 0; width: {width}px; height: {height}px; overflow: hidden; background: #f4ebdd;
    color: #2b2420; font: 70px Marcellus, serif; display: flex; align-items: center; }}
  .text {{ flex: 1; text-align: center; }}
  .text svg {{ width: 125px; height: 125px; }}
  .board {{ width: {shown}px; height: {height}px; overflow: hidden; position: relative; }}
  .board svg {{ position: absolute; inset: 0 auto auto 0; height: {zoom}px; width: auto; }}
</style><div class="text">{icon}<div>{title}</div></div><div class="board">{board}</div>"""


def main() -> int:
    with chromium() as browser:
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        for name in souk.games():
            kind = game_class(name)
            drawing = f"{kind.__module__.rpartition('.')[0]}.drawing"
            if find_spec(drawing) is None:
                continue  # links to its tables show the icon
            # The height of the drawing, and how much of its width is shown: no players.
            zoom, shown = import_module(drawing).PREVIEW_SIZE
            html = PAGE.format(
                font=next(FONTS.rglob("marcellus-latin-400-normal.woff2"), ""),
                width=WIDTH,
                height=HEIGHT,
                zoom=zoom,
                shown=shown,
                icon=ICON.read_text("utf-8"),
                title=kind.title,
                board=(PICTURES / f"{name}-light.svg").read_text("utf-8"),
            )
            with tempfile.NamedTemporaryFile("w", suffix=".html", encoding="utf-8") as written:
                written.write(html)
                written.flush()
                page.goto(f"file://{written.name}")
                page.evaluate("() => document.fonts.ready.then(() => true)")
            file = kind.folder() / PICTURE
            page.screenshot(path=file)
            print(f"{file}: {file.stat().st_size // 1024} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
