"""Verifiable dice: chance outcomes derived from a secret that is committed to before the game.

The host publishes the hash of a secret. Then players may add words, so that the host gains nothing
by choosing the secret. All chance outcomes are derived from the secret, the game and the words. The
secret is revealed after the game, and anyone can verify the outcomes. docs/fairness.md describes
the method and what it proves.
"""

import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from souk.engine.errors import SoukError, brief, one_of
from souk.engine.game import Game
from souk.engine.state import CHANCE, State
from souk.records.record import Record

_HEX_DIGEST = re.compile("[0-9a-f]{64}")


def new_secret() -> str:
    """Return a new secret: 32 random bytes in hexadecimal."""
    return secrets.token_hex(32)


def commitment(secret: str) -> str:
    """Return the hash that is published before the game.

    >>> commitment("00" * 32)[:16]
    '5aee8ebddcb13c6e'
    """
    return hashlib.sha256(b"souk commitment\n" + bytes.fromhex(secret)).hexdigest()


class FairDice:
    """The chance outcomes of one game, derived from its secret, its string and the words."""

    def __init__(self, secret: str, game: Game, words: Sequence[str]) -> None:
        text = f"souk key\n{game}\n{encode_words(words)}"
        key = hmac.digest(bytes.fromhex(secret), text.encode(), "sha256")
        # The two keyed halves of HMAC: `hmac` itself would release the GIL for every number.
        self._inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key.ljust(64, b"\0")))
        self._outer = hashlib.sha256(bytes(byte ^ 0x5C for byte in key.ljust(64, b"\0")))

    def seed(self) -> int:
        """Return the seed of the setup."""
        return self._number("setup") >> 1

    def draw(self, state: State, step: int) -> int:
        """Return the outcome at a chance node; `step` is the number of actions before it."""
        weights = state.chance_weights()
        drawn = self._below(sum([weight for _, weight in weights]), step)
        for action, weight in weights:
            drawn -= weight
            if drawn < 0:
                return action
        raise AssertionError("the weights of a chance node sum to their total")

    def _below(self, total: int, step: int) -> int:
        """Return a number below `total`; numbers that would bias it are rejected."""
        accepted = 2**64 - 2**64 % total
        attempt = 0
        while (number := self._number(f"step {step} attempt {attempt}")) >= accepted:
            attempt += 1
        return number % total

    def _number(self, purpose: str) -> int:
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(purpose.encode())
        outer.update(inner.digest())
        return int.from_bytes(outer.digest()[:8], "big")


def encode_words(words: Sequence[str]) -> str:
    r"""Return the players' words by seat, as they are hashed and recorded.

    >>> print(encode_words(["à la chance", ""]))
    ["\u00e0 la chance",""]
    """
    return json.dumps(list(words), separators=(",", ":"))


def headers(secret: str, words: Sequence[str], *, reveal: bool) -> dict[str, str]:
    """Return the header lines of a record; `reveal` adds the secret, when the game is over."""
    lines = {"commitment": commitment(secret), "words": encode_words(words)}
    return {**lines, "secret": secret} if reveal else lines


@dataclass(frozen=True)
class Verdict:
    """The result of verifying a record's dice."""

    draws: int  # chance outcomes that were derived again
    problems: tuple[str, ...]  # empty if the dice were fair

    @property
    def is_fair(self) -> bool:
        """True if there are no problems."""
        return not self.problems


def verify(record: Record, noted: str | None = None) -> Verdict:
    """Derive all chance outcomes of a game again and compare them with the record.

    `noted` is a commitment that was noted before the game. Raise SoukError if the record does not
    have the headers of verifiable dice.
    """
    published, secret, words = _read_headers(record.extra, record.game.num_players())
    problems = []
    if noted is not None and _parse_commitment(noted) != published:
        problems.append("the record's commitment is not the one that was noted before the game")
    if commitment(secret) != published:
        problems.append("the secret does not match the commitment: it has another hash")
    dice = FairDice(secret, record.game, words)
    if record.start is not None:
        problems.append("the game began from a position that was given, not dealt")
    elif record.seed != dice.seed():
        problems.append(f"the setup was dealt from seed {record.seed}, not {dice.seed()}")
    state = record.initial_state()
    draws = 0
    for step, action in enumerate(record.actions):
        if state.current_player() == CHANCE:
            draws += 1
            expected = dice.draw(state, step)
            if action != expected:
                drawn = state.action_to_string(action)
                fair = state.action_to_string(expected)
                problems.append(
                    f"move {step + 1}: chance gave {drawn}, but the secret gives {fair}"
                )
        state.apply_action(action)
    return Verdict(draws, tuple(problems))


def _parse_commitment(text: str) -> str:
    """Return a commitment that a person noted, in lower case."""
    digits = text.strip().lower()
    if not _HEX_DIGEST.fullmatch(digits):
        raise SoukError(f"a commitment is 64 hexadecimal digits, not {brief(text)}")
    return digits


def _read_headers(extra: Mapping[str, str], players: int) -> tuple[str, str, list[str]]:
    """Return the commitment, the secret and the words of a record."""
    missing = [key for key in ("commitment", "secret", "words") if key not in extra]
    if missing:
        why = "; the secret is revealed when a game is over" if missing == ["secret"] else ""
        raise SoukError(f"the record has no {one_of(missing)}: its dice cannot be checked{why}")
    if not _HEX_DIGEST.fullmatch(extra["secret"]):
        raise SoukError("the secret is not 64 hexadecimal digits")
    try:
        words = json.loads(extra["words"])
    except (ValueError, RecursionError):
        words = None
    is_list = isinstance(words, list) and len(words) == players
    if not is_list or not all(isinstance(one, str) for one in words):
        raise SoukError(f"the words are not a JSON list of {players} texts, one for each seat")
    return extra["commitment"], extra["secret"], words
