"""Records signed with a server's key (Ed25519).

Signed is the header, without the lines that follow from the rest of the record. Its history hash
binds the moves. docs/fairness.md describes the signed text.
"""

import secrets
from dataclasses import replace

from souk.engine.extras import needs_extra
from souk.records.record import Record
from souk.records.writing import fixed_lines

KEY = "server key"  # the header lines
SIGNATURE = "signature"


def new_key() -> str:
    """Return a new private key: 32 random bytes in hexadecimal."""
    return secrets.token_hex(32)


class Signer:
    """Signs records with a server's key: the newest of those given, with spaces in between."""

    def __init__(self, private_keys: str, server: str = "") -> None:
        with needs_extra("server", "signing records"):
            from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        keys = [
            Ed25519PrivateKey.from_private_bytes(bytes.fromhex(key)) for key in private_keys.split()
        ]
        self._private_keys = private_keys
        self._key = keys[0]
        self.key, *self.previous_keys = (key.public_key().public_bytes_raw().hex() for key in keys)
        self.server = server  # its public address, if it is known

    def __reduce__(self) -> tuple[type["Signer"], tuple[str, str]]:
        """Return how to make a copy in a worker process."""
        return Signer, (self._private_keys, self.server)

    def sign(self, record: Record) -> Record:
        """Return a record with the server's address, its public key and a signature."""
        server = {"server": self.server} if self.server else {}
        signed = replace(record, extra={**record.extra, **server, KEY: self.key})
        signature = self._key.sign(_signed_text(signed)).hex()
        return replace(signed, extra={**signed.extra, SIGNATURE: signature})


def is_valid(record: Record) -> bool:
    """Return whether the key in a record has signed it."""
    with needs_extra("server", "checking a signature"):
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(record.extra.get(KEY, "")))
        key.verify(bytes.fromhex(record.extra.get(SIGNATURE, "")), _signed_text(record))
    except (ValueError, InvalidSignature):
        return False
    return True


def _signed_text(record: Record) -> bytes:
    """Return the text that is signed; the order of the lines in a record does not matter."""
    lines = [line for line in fixed_lines(record) if not line.startswith(f"{SIGNATURE}:")]
    return "\n".join(["souk record 1", *sorted(lines)]).encode()
