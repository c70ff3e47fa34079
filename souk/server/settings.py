"""How a server is set up: from the command line, else from the environment (SOUK_…), else usual."""

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from souk.engine.errors import SoukError, brief
from souk.engine.paths import data_folder
from souk.engine.playouts import cores

_ORIGIN = re.compile(r"(https?://)([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?/?")
_USUAL_PORTS = {"http://": "80", "https://": "443"}  # browsers leave them out


@dataclass(frozen=True)
class Settings:
    """Everything an operator can set."""

    host: str = "127.0.0.1"  # the address to listen on
    port: int = 8080  # the port; 0 takes a free one
    database: str = ""  # a file or postgresql://…; by default a file in the user's data folder
    origin: str = ""  # the page's own address if a proxy hides it: https://play.example
    proxies: str = "127.0.0.1"  # whose X-Forwarded-… headers to believe: addresses, or *
    workers: int = 0  # processes in which computer players think; by default one for each core
    seconds: float = 1.0  # a computer player may think about a move
    limits: bool = True  # how much one person or one address may ask for
    log_level: str = "info"

    @classmethod
    def from_sources(cls, given: Mapping[str, Any], environment: Mapping[str, str]) -> "Settings":
        """What was given, then what the environment says, then what is usual.

        >>> Settings.from_sources({"port": None}, {"SOUK_PORT": "9000"}).port
        9000
        """
        values: dict[str, Any] = {}
        for field in fields(cls):
            name = f"SOUK_{field.name.upper()}"
            if given.get(field.name) is not None:
                values[field.name] = given[field.name]
            elif environment.get(name):
                values[field.name] = _read(name, environment[name], type(field.default))
        settings = cls(**values)
        if not 0 <= settings.port <= 65535:
            raise SoukError(f"a port is a number from 0 to 65535, not {settings.port}")
        if not 0 <= settings.workers <= 256:
            raise SoukError(f"workers is a number from 0 to 256, not {settings.workers}")
        if not 0.01 <= settings.seconds <= 60:
            raise SoukError(f"seconds is a number from 0.01 to 60, not {settings.seconds}")
        if settings.log_level not in ("debug", "info", "warning", "error"):
            raise SoukError("log level accepts debug, info, warning or error")
        return replace(
            settings, origin=_origin(settings.origin), proxies=_proxies(settings.proxies)
        )

    def database_url(self) -> str:
        """Where everything is kept."""
        return self.database or str(data_folder() / "souk.db")

    def worker_count(self) -> int:
        """How many computer players think at a time."""
        return self.workers or cores()


def _origin(text: str) -> str:
    """An address of a page as browsers write it.

    >>> _origin("HTTPS://Play.example:443/")
    'https://play.example'
    """
    found = _ORIGIN.fullmatch(text.strip().lower())
    if not text.strip():
        return ""
    if found is None or int(found[3] or 0) > 65535:
        raise SoukError(
            "origin accepts http:// or https:// with a host and no path,"
            f" like https://play.example, not {brief(text)}"
        )
    scheme, host, port = found.groups()
    return f"{scheme}{host}" + (f":{port}" if port and port != _USUAL_PORTS[scheme] else "")


def _proxies(text: str) -> str:
    """Addresses and networks with commas; what is none of these would be believed of nobody.

    >>> _proxies("127.0.0.1, 10.0.0.0/8")
    '127.0.0.1,10.0.0.0/8'
    """
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if parts == ["*"]:
        return "*"
    try:
        for part in parts:
            ipaddress.ip_network(part)
    except ValueError:
        raise SoukError(
            "proxies accepts * or IP addresses and networks with commas in between,"
            f" like 127.0.0.1,10.0.0.0/8, not {brief(text)}"
        ) from None
    return ",".join(parts)


def _read(name: str, text: str, kind: type) -> Any:
    if kind is bool:
        if text.lower() in ("1", "true", "yes", "on", "0", "false", "no", "off"):
            return text.lower() in ("1", "true", "yes", "on")
        raise SoukError(f"{name} accepts on or off, not {brief(text)}")
    try:
        return kind(text)
    except ValueError:
        what = "a whole number" if kind is int else "a number"
        raise SoukError(f"{name} accepts {what}, not {brief(text)}") from None
