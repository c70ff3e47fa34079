"""The page itself: the files that the build made of `web/`, kept in memory, given by exact name.

Whatever looks like an address of the page (`/`, `/t/ID`, `/replay`) gives index.html, which finds
out by itself what to show. Names of files under /assets/ change with what is in them, so browsers
keep those for good and ask about all others every time.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send

FOLDER = Path(__file__).parents[2] / "page"
OURS = ("/api", "/healthz", "/metrics")  # no addresses of the page
FOR_GOOD = "public, max-age=31536000, immutable"
PACKED = {"br": ".br", "gzip": ".gz"}  # by how they are called in a header, the smallest first
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wav": "audio/wav",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
NOT_BUILT = b"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Souk</title>
<h1>The market is open, but its page has not been built.</h1>
<p>In the folder of the source, run <code>make page</code>, and start the server again.
It needs nothing but Python: node comes with it if you have none.</p>
<p>Tables work without the page: programs find them under <code>/api</code>, and
<code>souk play</code> plays in the terminal.</p>
"""


@dataclass(frozen=True)
class File:
    """A file of the page, with its smaller forms."""

    body: bytes
    type: str
    caching: str
    packed: Mapping[str, bytes]  # by what a browser must accept for it

    @property
    def tag(self) -> str:
        """What changes when the file does."""
        return f'W/"{hashlib.sha256(self.body).hexdigest()[:16]}"'

    def response(self, headers: Mapping[str, str]) -> Response:
        """What a browser gets that sends these headers."""
        told = {"Cache-Control": self.caching, "ETag": self.tag}
        if self.packed:
            told["Vary"] = "Accept-Encoding"
        if self.tag in headers.get("if-none-match", ""):
            return Response(status_code=304, headers=told)
        wanted = headers.get("accept-encoding", "").split(",")
        accepted = [one.partition(";")[0].strip() for one in wanted]
        for encoding, body in self.packed.items():
            if encoding in accepted:
                packed = {**told, "Content-Encoding": encoding}
                return Response(body, headers=packed, media_type=self.type)
        return Response(self.body, headers=told, media_type=self.type)


class Page(BaseRoute):
    """All files of the page, as the last of an application's routes."""

    def __init__(self, folder: Path | None = None) -> None:
        self.files = {f"/{name}": file for name, file in _read(folder or FOLDER)}
        usual = File(NOT_BUILT, TYPES[".html"], "no-cache", {})
        self.index = self.files.get("/index.html", usual)

    def find(self, path: str) -> File | None:
        """The file at an address, if it is one of the page's."""
        if any(path == ours or path.startswith(f"{ours}/") for ours in OURS):
            return None
        if "." in path.rpartition("/")[2]:
            return self.files.get(path)
        return self.index

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Whether a request asks for a file of the page."""
        is_asked = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        file = self.find(scope["path"]) if is_asked else None
        return (Match.NONE, {}) if file is None else (Match.FULL, {"file": file})

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Give the file."""
        file: File = scope["file"]
        await file.response(Headers(scope=scope))(scope, receive, send)


def _read(folder: Path) -> list[tuple[str, File]]:
    """The files of a folder by their names, without hidden ones and smaller forms."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    found = []
    for path in paths:
        name = path.relative_to(folder).as_posix()
        if path.suffix in PACKED.values() or any(part.startswith(".") for part in Path(name).parts):
            continue
        smaller = {
            encoding: beside.read_bytes()
            for encoding, suffix in PACKED.items()
            if (beside := path.with_name(path.name + suffix)).is_file()
        }
        kind = TYPES.get(path.suffix, "application/octet-stream")
        caching = FOR_GOOD if name.startswith("assets/") else "no-cache"
        found.append((name, File(path.read_bytes(), kind, caching, smaller)))
    return found
