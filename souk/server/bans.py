"""Bans of people and addresses by the operator, in memory."""

import ipaddress

from souk.engine.errors import SoukError, brief
from souk.server import rate_limits
from souk.server.store.people import BanKind, BanRow, People
from souk.server.tables.commands import Refusal

_Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class Bans:
    """The bans in force, to look up at every request."""

    def __init__(self, people: People, contact: str = "") -> None:
        self._people = people
        self._contact = contact  # for people who were banned
        self._persons: dict[str, BanRow] = {}
        self._networks: list[tuple[_Network, BanRow]] = []

    async def load(self, now: int) -> None:
        """Read the bans from the store."""
        rows = await self._people.bans(now)
        self._persons = {row.target: row for row in rows if row.kind == "person"}
        self._networks = [
            (ipaddress.ip_network(row.target), row) for row in rows if row.kind == "address"
        ]

    def of_person(self, person: str, now: int) -> BanRow | None:
        """Return the ban of a person."""
        return _in_force(self._persons.get(person), now)

    def of_address(self, address: str, now: int) -> BanRow | None:
        """Return the ban of an address, as rate limits name it: IPv6 by its /64 network."""
        if not self._networks:
            return None
        try:
            given = ipaddress.ip_network(address)
        except ValueError:
            return None
        for network, ban in self._networks:
            is_in = network.version == given.version and network.supernet_of(given)  # type: ignore[arg-type]
            if is_in and _in_force(ban, now) is not None:
                return ban
        return None

    def refusal(self, ban: BanRow) -> Refusal:
        """Return the refusal of somebody who is banned."""
        why = f": {ban.reason}" if ban.reason else ""
        contact = f" Contact: {self._contact}" if self._contact else ""
        return Refusal("banned", f"The operator of this server has banned you{why}.{contact}")


def _in_force(ban: BanRow | None, now: int) -> BanRow | None:
    return ban if ban is not None and (ban.expires is None or ban.expires > now) else None


def ban_target(text: str) -> tuple[BanKind, str]:
    """Return whether a text is an address or network, or else the id of a person.

    An IPv6 address stands for its /64 network, which one customer has as a whole.

    >>> ban_target("203.0.113.7"), ban_target("2001:db8::7"), ban_target("::ffff:203.0.113.7")
    (('address', '203.0.113.7/32'), ('address', '2001:db8::/64'), ('address', '203.0.113.7/32'))
    >>> ban_target("Yx3J0A3nq5hK2-_b")
    ('person', 'Yx3J0A3nq5hK2-_b')
    """
    if "." not in text and ":" not in text and "/" not in text:
        return "person", text
    try:
        network = ipaddress.ip_network(rate_limits.network(text), strict=False)
        if network.version == 6 and network.prefixlen > 64:
            network = network.supernet(new_prefix=64)
    except ValueError:
        raise SoukError(
            f"a ban accepts the id of a person, an address or a network like 203.0.113.0/24,"
            f" not {brief(text)}"
        ) from None
    return "address", str(network)
