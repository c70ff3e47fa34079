"""The settings of a server: from the command line, else the environment (SOUK_…), else defaults."""

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from souk.engine.errors import SoukError, brief
from souk.engine.paths import data_folder
from souk.engine.playouts import cores
from souk.server.retention import Retention

_ORIGIN = re.compile(r"(https?://)([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?/?")
MAX_LINE = 300  # characters of terms and contact
_DEFAULT_PORTS = {"http://": "80", "https://": "443"}  # browsers leave them out


@dataclass(frozen=True)
class Settings:
    """The settings of a server."""

    host: str = "127.0.0.1"  # the address to listen on
    port: int = 8080  # the port; 0 takes a free one
    lan: bool = False  # whether the local network reaches a server of this computer from the start
    database: str = ""  # a file or postgresql://…; by default a file in the user's data folder
    origin: str = ""  # the public address behind a proxy: https://play.example
    proxies: str = "127.0.0.1"  # trusted for X-Forwarded-… headers: addresses, or *
    workers: int = 0  # processes for computer players; by default one per core
    seconds: float = 1.0  # time limit of a computer player for a move
    limits: bool = True  # whether rate limits are on
    connections: int = 400  # open connections of one address
    metrics: str = "127.0.0.1,::1"  # addresses that may read /metrics, or *
    session_days: int = 90  # a device that is not used for longer is logged out
    keep_table_days: int = 30  # tables without moves; 0 keeps them for good
    keep_person_days: int = 90  # people without tables; 0 keeps them for good
    terms: str = ""  # terms of use: an address of a page, or a sentence
    contact: str = ""  # how to reach the operator: an address of a page or of mail, or a sentence
    log_level: str = "info"

    @classmethod
    def from_sources(cls, given: Mapping[str, Any], environment: Mapping[str, str]) -> "Settings":
        """Return the settings given, else those of the environment, else the defaults.

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
        if not 1 <= settings.connections <= 1_000_000:
            raise SoukError(
                f"connections is a number from 1 to 1000000, not {settings.connections}"
            )
        for name, least in (("session_days", 1), ("keep_table_days", 0), ("keep_person_days", 0)):
            if not least <= (days := getattr(settings, name)) <= 36_500:
                option = name.replace("_", "-")
                raise SoukError(f"{option} is a number of days from {least} to 36500, not {days}")
        for name in ("terms", "contact"):
            if (
                len(getattr(settings, name)) > MAX_LINE
                or not getattr(settings, name, "").isprintable()
            ):
                raise SoukError(f"{name} is one line of at most {MAX_LINE} characters")
        if settings.log_level not in ("debug", "info", "warning", "error"):
            raise SoukError("log level accepts debug, info, warning or error")
        return replace(
            settings,
            origin=_origin(settings.origin),
            proxies=_addresses("proxies", settings.proxies),
            metrics=_addresses("metrics", settings.metrics),
        )

    def may_read_metrics(self, address: str) -> bool:
        """Return whether an address may read /metrics.

        >>> Settings().may_read_metrics("127.0.0.1"), Settings().may_read_metrics("203.0.113.7")
        (True, False)
        """
        return contains(self.metrics, address)

    @property
    def is_secure(self) -> bool:
        """Return whether people reach the server by HTTPS only."""
        return self.origin.startswith("https:")

    def retention(self) -> Retention:
        """Return how long unused tables and people stay."""
        return Retention(self.keep_table_days, self.keep_person_days)

    def database_url(self) -> str:
        """Return the address of the database."""
        return self.database or str(data_folder() / "souk.db")

    def worker_count(self) -> int:
        """Return the number of worker processes for computer players."""
        return self.workers or cores()


def _origin(text: str) -> str:
    """Return an origin as browsers send it.

    >>> _origin("HTTPS://Play.example:443/")
    'https://play.example'
    """
    match = _ORIGIN.fullmatch(text.strip().lower())
    if not text.strip():
        return ""
    if match is None or int(match[3] or 0) > 65535:
        raise SoukError(
            "origin accepts http:// or https:// with a host and no path,"
            f" like https://play.example, not {brief(text)}"
        )
    scheme, host, port = match.groups()
    return f"{scheme}{host}" + (f":{port}" if port and port != _DEFAULT_PORTS[scheme] else "")


def _addresses(name: str, text: str) -> str:
    """Return a list of addresses and networks, or raise an error if it has anything else.

    >>> _addresses("proxies", "127.0.0.1, 10.0.0.0/8")
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
            f"{name} accepts * or IP addresses and networks with commas in between,"
            f" like 127.0.0.1,10.0.0.0/8, not {brief(text)}"
        ) from None
    return ",".join(parts)


def contains(networks: str, address: str) -> bool:
    """Return whether an address is among addresses and networks with commas in between, or *.

    >>> contains("127.0.0.1,10.0.0.0/8", "10.1.2.3"), contains("*", "::1"), contains("", "::1")
    (True, True, False)
    """
    if networks == "*":
        return True
    try:
        parsed = ipaddress.ip_address(address.removeprefix("::ffff:"))
    except ValueError:
        return False
    return any(parsed in ipaddress.ip_network(one) for one in networks.split(",") if one)


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
