"""Describe a table to whoever shows its link: messengers read the page's head, but run no script.

The text says who invites to which game, to anybody who has the link. It says nothing that changes
from move to move, as messengers cache it.
"""

import re
from html import escape

import msgspec
from msgspec import Struct
from starlette.requests import Request

from souk.games import game_class, names
from souk.server.http.static_page import TYPES, File
from souk.server.store import PersistError, Store
from souk.server.tables.entries import TABLE_ID

PICTURE = "drawing/preview.png"  # in the folder of a game
PICTURE_CACHE = "public, max-age=86400"
ICON = "/icon-512.png"  # for games without a picture
TABLE_PATH = re.compile(rf"/t/({TABLE_ID.strip('^$')})/?")
HEAD = re.compile(r'<title>.*?</title>|\s*<meta name="description"[^>]*>', re.DOTALL)
# By language: who invites to a game, a game without a host, and what the link is for.
TEXTS = {
    "en": (
        "{host} invites you to {game}",
        "A game of {game}",
        "Take a seat or watch: no account needed.",
    ),
    "de": (
        "{host} lädt dich zu {game} ein",
        "Eine Partie {game}",
        "Spiel mit oder schau zu, ganz ohne Konto.",
    ),
    "fr": (
        "{host} vous invite à jouer à {game}",
        "Une partie de {game}",
        "Prenez place ou regardez, sans compte.",
    ),
    "es": (
        "{host} te invita a jugar a {game}",
        "Una partida de {game}",
        "Siéntate a la mesa o mira, sin cuenta.",
    ),
    "it": (
        "{host} ti invita a giocare a {game}",
        "Una partita a {game}",
        "Siediti al tavolo o guarda, senza account.",
    ),
    "nl": (
        "{host} nodigt je uit voor {game}",
        "Een partij {game}",
        "Speel mee of kijk toe, zonder account.",
    ),
    "pt": (
        "{host} convida-te para jogar {game}",
        "Uma partida de {game}",
        "Senta-te à mesa ou assiste, sem conta.",
    ),
}


class _Seat(Struct):
    name: str
    person: str | None


class _Table(Struct):
    """The part of a stored view that a preview needs."""

    name: str
    host: str
    seats: list[_Seat]


class LinkPreviews:
    """Write previews into the page, for links to tables."""

    def __init__(self, store: Store, origin: str) -> None:
        self.store = store
        self.origin = origin  # the public address, if there is one
        # By path. `python -m tools.link_previews` makes them; a game need not have one.
        self.pictures = {
            _picture_path(name): File(picture.read_bytes(), TYPES[".png"], PICTURE_CACHE, {})
            for name in names()
            if (picture := game_class(name).folder() / PICTURE).is_file()
        }

    async def describe(self, page: File, request: Request) -> File:
        """Return the page with the preview of the table at its address, if there is one."""
        match = TABLE_PATH.fullmatch(request.url.path)
        table = None if match is None else await self._table(match[1])
        if table is None or table.name not in names():
            return page
        origin = self.origin or f"{request.url.scheme}://{request.headers.get('host', '')}"
        language = _language(request.headers.get("accept-language", ""))
        picture = _picture_path(table.name)
        lines = _lines(
            table,
            TEXTS[language],
            url=f"{origin}{request.url.path}",
            picture=f"{origin}{picture if picture in self.pictures else ICON}",
        )
        head = "".join(f"    {line}\n" for line in lines)
        html = HEAD.sub("", page.body.decode()).replace("</head>", f"{head}</head>", 1)
        return File(html.encode(), page.type, page.cache_control, {}, vary="Accept-Language")

    async def _table(self, id: str) -> _Table | None:
        try:
            rows = await self.store.query("SELECT view FROM tables WHERE id = ?", id)
            return msgspec.json.decode(rows[0][0], type=_Table) if rows else None
        except (PersistError, msgspec.DecodeError, UnicodeDecodeError):
            return None  # the page says what is wrong


def _picture_path(game: str) -> str:
    return f"/previews/{game}.png"


def _lines(table: _Table, texts: tuple[str, str, str], *, url: str, picture: str) -> list[str]:
    """Return the tags of a preview, a line each."""
    host = next((seat.name for seat in table.seats if seat.person == table.host), "")
    invitation, game, about = texts
    title = (invitation if host else game).format(host=host, game=game_class(table.name).title)
    tags = {
        "og:type": "website",
        "og:site_name": "Souk",
        "og:title": title,
        "og:description": about,
        "og:url": url,
        "og:image": picture,
    }
    return [
        f"<title>{escape(title)}</title>",
        _meta("name", "description", about),
        *(_meta("property", name, text) for name, text in tags.items()),
    ]


def _meta(kind: str, name: str, text: str) -> str:
    return f'<meta {kind}="{name}" content="{escape(text)}" />'


def _language(accepted: str) -> str:
    """Return the first language of an Accept-Language header that there are texts in.

    >>> _language("de-AT,de;q=0.9,en;q=0.8"), _language("ja"), _language("")
    ('de', 'en', 'en')
    """
    codes = (one.strip()[:2].lower() for one in accepted.split(","))
    return next((code for code in codes if code in TEXTS), "en")
