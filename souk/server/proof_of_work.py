"""A small proof of work, which new identities need under load.

A challenge is signed and bound to an address, so nothing is stored until it is solved, and any
process of a database accepts it, once. A solution is a text with which the hash of the challenge
begins with a number of zero bits.
"""

import hashlib
import secrets
from collections.abc import Callable

from souk.server.rate_limits import USED_PROOFS, RateLimits

BITS = 16  # about 65,000 hashes: a blink for a person, much for somebody who wants thousands
LIFETIME_MS = 120_000
MAX_CHALLENGE = 200  # characters
MAX_SOLUTION = 40


class Challenges:
    """Creates challenges and checks solutions; `sign` returns what only the server can derive."""

    def __init__(self, sign: Callable[[str], str], limits: RateLimits) -> None:
        self._sign = sign
        self._limits = limits

    def new(self, address: str, now: int) -> str:
        """Return a new challenge for an address."""
        text = f"{now + LIFETIME_MS}-{secrets.token_urlsafe(9)}"
        return f"{text}.{self._signature(text, address)}"

    def is_solved(self, challenge: str, solution: str, address: str, now: int) -> bool:
        """Return whether a challenge of ours is solved, in time and for the first time."""
        text, _, signature = challenge.rpartition(".")
        expected = self._signature(text, address)
        if not secrets.compare_digest(signature.encode(), expected.encode()):
            return False
        if int(text.partition("-")[0]) < now or zero_bits(challenge, solution) < BITS:
            return False
        return self._limits.allow(USED_PROOFS, text)

    def _signature(self, text: str, address: str) -> str:
        return self._sign(f"challenge {text} {address}")


def zero_bits(challenge: str, solution: str) -> int:
    """Return with how many zero bits the hash of a challenge and a solution begins."""
    digest = hashlib.sha256(f"{challenge}:{solution}".encode()).digest()
    return 256 - int.from_bytes(digest, "big").bit_length()
