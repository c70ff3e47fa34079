"""Serve the page: the files built from `web/`, held in memory.

Every address of the page (`/`, `/t/ID`, `/replay`) gives index.html, which routes by itself. Names
of files under /assets/ change with their content, so browsers cache them for ever and revalidate
all others.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send

if TYPE_CHECKING:
    from souk.server.http.link_preview import LinkPreviews

FOLDER = Path(__file__).parents[2] / "page"
NOT_PAGE = ("/api", "/healthz", "/readyz", "/metrics")
FOREVER = "public, max-age=31536000, immutable"
ENCODINGS = {"br": ".br", "gzip": ".gz"}  # suffix by name, smallest first
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
<h1>The server is running, but its page has not been built.</h1>
<p>Run <code>make page</code> in the source folder, and restart the server. This needs only Python;
node is installed if you have none.</p>
<p>Tables work without the page: programs use <code>/api</code>, and <code>souk play</code> plays in
the terminal.</p>
"""


@dataclass(frozen=True)
class File:
    """A file of the page, with its compressed forms."""

    body: bytes
    type: str
    cache_control: str
    compressed: Mapping[str, bytes]  # by encoding
    vary: str = "Accept-Encoding"  # the header of a request that the body depends on

    @property
    def tag(self) -> str:
        """Return the ETag."""
        return f'W/"{hashlib.sha256(self.body).hexdigest()[:16]}"'

    def response(self, headers: Mapping[str, str]) -> Response:
        """Return the response to a request with these headers."""
        caching = {"Cache-Control": self.cache_control, "ETag": self.tag}
        if self.compressed or self.vary != File.vary:
            caching["Vary"] = self.vary
        if self.tag in headers.get("if-none-match", ""):
            return Response(status_code=304, headers=caching)
        given = headers.get("accept-encoding", "").split(",")
        accepted = [one.partition(";")[0].strip() for one in given]
        for encoding, body in self.compressed.items():
            if encoding in accepted:
                compressed = {**caching, "Content-Encoding": encoding}
                return Response(body, headers=compressed, media_type=self.type)
        return Response(self.body, headers=caching, media_type=self.type)


class Page(BaseRoute):
    """A route for all files of the page; the last of an application."""

    def __init__(self, folder: Path | None = None, previews: "LinkPreviews | None" = None) -> None:
        self.files = {f"/{name}": file for name, file in _read(folder or FOLDER)}
        self.previews = previews
        if previews is not None:
            self.files |= previews.pictures
        not_built = File(NOT_BUILT, TYPES[".html"], "no-cache", {})
        self.index = self.files.get("/index.html", not_built)

    def find(self, path: str) -> File | None:
        """Return the file at an address, if there is one."""
        if any(path == prefix or path.startswith(f"{prefix}/") for prefix in NOT_PAGE):
            return None
        if "." in path.rpartition("/")[2]:
            return self.files.get(path)
        return self.index

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Match requests for files of the page."""
        is_read = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        file = self.find(scope["path"]) if is_read else None
        return (Match.NONE, {}) if file is None else (Match.FULL, {"file": file})

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the file."""
        file: File = scope["file"]
        if file is self.index and self.previews is not None:
            file = await self.previews.describe(file, Request(scope))
        await file.response(Headers(scope=scope))(scope, receive, send)


def _read(folder: Path) -> list[tuple[str, File]]:
    """Return the files of a folder by name, without hidden and compressed ones."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    files = []
    for path in paths:
        name = path.relative_to(folder).as_posix()
        if path.suffix in ENCODINGS.values() or any(
            part.startswith(".") for part in Path(name).parts
        ):
            continue
        compressed = {
            encoding: beside.read_bytes()
            for encoding, suffix in ENCODINGS.items()
            if (beside := path.with_name(path.name + suffix)).is_file()
        }
        kind = TYPES.get(path.suffix, "application/octet-stream")
        cache_control = FOREVER if name.startswith("assets/") else "no-cache"
        files.append((name, File(path.read_bytes(), kind, cache_control, compressed)))
    return files
