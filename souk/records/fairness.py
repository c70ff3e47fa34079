"""Fair dice: chance outcomes that follow from a secret, which was promised before the game began.

Whoever runs a game publishes the hash of a secret first. Then players may add words of their own,
so that a secret chosen with care gains nothing. Everything that chance decides follows from secret,
game and words; the secret is revealed at the end, and anyone can work the game out again. The
method, what it proves and what it does not, is described in docs/fairness.md.
"""

import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from souk.engine.errors import SoukError, brief
from souk.engine.game import Game
from souk.engine.state import CHANCE, State
from souk.records.record import Record

_DIGITS = re.compile("[0-9a-f]{64}")


def new_secret() -> str:
    """A secret: 32 random bytes in hexadecimal."""
    return secrets.token_hex(32)


def commitment(secret: str) -> str:
    """What is published before the game: it gives nothing away and fits no other secret.

    >>> commitment("00" * 32)[:16]
    '5aee8ebddcb13c6e'
    """
    return hashlib.sha256(b"souk commitment\n" + bytes.fromhex(secret)).hexdigest()


class FairDice:
    """All luck of one game, from its secret, its name and the words of its players."""

    def __init__(self, secret: str, game: Game, words: Sequence[str]) -> None:
        said = f"souk key\n{game}\n{words_text(words)}"
        key = hmac.digest(bytes.fromhex(secret), said.encode(), "sha256")
        # HMAC with its two keyed halves kept: `hmac` itself would let other threads in between.
        self._inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key.ljust(64, b"\0")))
        self._outer = hashlib.sha256(bytes(byte ^ 0x5C for byte in key.ljust(64, b"\0")))

    def seed(self) -> int:
        """The seed that deals the setup."""
        return self._number("setup") >> 1

    def draw(self, state: State, step: int) -> int:
        """The outcome of the chance step that a state is at, after so many actions."""
        weights = state.chance_weights()
        drawn = self._below(sum([weight for _, weight in weights]), step)
        for action, weight in weights:
            drawn -= weight
            if drawn < 0:
                return action
        raise AssertionError("the weights of a chance step sum to their total")

    def _below(self, total: int, step: int) -> int:
        """A number below `total`, all equally likely: what would favour some is drawn again."""
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


def words_text(words: Sequence[str]) -> str:
    r"""The players' words by seat, as they go into the key and into a record.

    >>> print(words_text(["à la chance", ""]))
    ["\u00e0 la chance",""]
    """
    return json.dumps(list(words), separators=(",", ":"))


def headers(secret: str, words: Sequence[str], *, reveal: bool) -> dict[str, str]:
    """What a record says about its dice; the secret only when the game is over."""
    lines = {"commitment": commitment(secret), "words": words_text(words)}
    return {**lines, "secret": secret} if reveal else lines


@dataclass(frozen=True)
class Verdict:
    """What came of checking a record's dice."""

    draws: int  # chance steps that were worked out again
    problems: tuple[str, ...]  # whatever does not fit; nothing if the dice were fair

    @property
    def is_fair(self) -> bool:
        """Whether everything fits."""
        return not self.problems


def verify(record: Record, noted: str | None = None) -> Verdict:
    """Work out everything that chance decided in a game again, and compare.

    `noted` is the commitment that somebody saw before the game. A record that does not say how its
    dice were thrown raises a SoukError.
    """
    promised, secret, words = _said(record.extra, record.game.num_players())
    problems = []
    if noted is not None and _noted(noted) != promised:
        problems.append("the record's commitment is not the one that was noted before the game")
    if commitment(secret) != promised:
        problems.append("the secret is not the one that was promised: its hash is another")
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
                fell = state.action_to_string(action)
                true = state.action_to_string(expected)
                problems.append(f"move {step + 1}: chance gave {fell}, but the secret gives {true}")
        state.apply_action(action)
    return Verdict(draws, tuple(problems))


def _noted(text: str) -> str:
    """A commitment as somebody wrote it down."""
    digits = text.strip().lower()
    if not _DIGITS.fullmatch(digits):
        raise SoukError(f"a commitment is 64 hexadecimal digits, not {brief(text)}")
    return digits


def _said(extra: Mapping[str, str], players: int) -> tuple[str, str, list[str]]:
    """Commitment, secret and words of a record."""
    missing = [key for key in ("commitment", "secret", "words") if key not in extra]
    if missing:
        why = "; the secret is told when a game is over" if missing == ["secret"] else ""
        told = " and ".join(missing)
        raise SoukError(f"the record has no {told}, so its dice cannot be checked{why}")
    if not _DIGITS.fullmatch(extra["secret"]):
        raise SoukError("the secret is not 64 hexadecimal digits")
    try:
        words = json.loads(extra["words"])
    except (ValueError, RecursionError):
        words = None
    is_list = isinstance(words, list) and len(words) == players
    if not is_list or not all(isinstance(one, str) for one in words):
        raise SoukError(f"the words are not a JSON list of {players} texts, one for each seat")
    return extra["commitment"], extra["secret"], words
