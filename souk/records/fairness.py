"""Verifiable games: dice from a secret that is committed to, and a hash chain over the moves.

The host publishes the hash of a secret. Then players may add words, so that the host gains nothing
by choosing the secret. All chance outcomes are derived from the secret, the game and the words. The
secret is revealed after the game, and anyone can verify the outcomes.

Once the secret is known, anyone can write another game with other words and moves whose dice follow
from it too. So the history hash binds commitment, game, words and moves, one after the other, and
the server signs records. docs/fairness.md describes the method and what it proves.
"""

import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from souk.engine.errors import SoukError, brief, one_of
from souk.engine.game import Game
from souk.engine.state import CHANCE, State
from souk.records import signatures
from souk.records.record import Record

STARTED_AS = "started as"  # the header with a game string that names other rules by now
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

    def __init__(self, secret: str, game: Game | str, words: Sequence[str]) -> None:
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
        return state.chance_outcome(self._below(state.chance_total(), step))

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


def first_history_hash(secret: str, game: Game | str, words: Sequence[str]) -> str:
    """Return the history hash before the first action. It binds the commitment and the words."""
    text = f"souk history\n{commitment(secret)}\n{game}\n{encode_words(words)}"
    return hashlib.sha256(text.encode()).hexdigest()


def next_history_hash(before: str, action: str) -> str:
    """Return the history hash after an action or chance outcome, given by its text.

    >>> next_history_hash("00" * 32, "left")[:16]
    '8d20682008ff6d72'
    """
    return hashlib.sha256(f"{before}\n{action}".encode()).hexdigest()


def headers(secret: str, words: Sequence[str], *, reveal: bool) -> dict[str, str]:
    """Return the header lines of a record; `reveal` adds the secret, when the game is over."""
    lines = {"commitment": commitment(secret), "words": encode_words(words)}
    return {**lines, "secret": secret} if reveal else lines


Subject = Literal["secret", "dice", "moves", "signature"]
Status = Literal["proven", "unproven", "refuted"]


@dataclass(frozen=True)
class Finding:
    """What is proven of one part of a record, or why nothing is."""

    subject: Subject
    status: Status
    text: str


@dataclass(frozen=True)
class Verdict:
    """The result of verifying a record."""

    draws: int  # chance outcomes that were derived again
    findings: tuple[Finding, ...]
    is_proven: bool  # whether this game was played, with these words and moves

    @property
    def problems(self) -> tuple[str, ...]:
        """What is wrong with the record; empty if it may be true."""
        return tuple(one.text for one in self.findings if one.status == "refuted")

    @property
    def is_fair(self) -> bool:
        """True if there are no problems."""
        return not self.problems


def verify(
    record: Record,
    noted: str | None = None,
    *,
    history_hashes: Sequence[str] = (),
    key: str | None = None,
) -> Verdict:
    """Derive all chance outcomes of a game again; find out what else is proven.

    `noted` is a commitment that was noted before the game, `history_hashes` were noted while it
    was played, and `key` is the public key of the server. Raise SoukError if the record does not
    have the headers of verifiable dice.
    """
    published, secret, words = _read_headers(record.extra, record.game.num_players())
    draws, dice = _verify_dice(record, secret, words)
    secret_finding = _verify_secret(published, secret, noted)
    signature = _verify_signature(record, key)
    is_signed = signature.status == "proven"
    proven_moves, moves = _verify_moves(record, secret, words, history_hashes, is_signed)
    findings = (secret_finding, *dice, *moves, signature)
    is_refuted = any(one.status == "refuted" for one in findings)
    is_known = is_signed or proven_moves == len(record.actions)
    return Verdict(draws, findings, is_known and not is_refuted)


def _verify_dice(record: Record, secret: str, words: Sequence[str]) -> tuple[int, list[Finding]]:
    """Derive the setup and all chance outcomes; return how many, and what was found."""
    dice = FairDice(secret, _first_game_string(record), words)
    problems = []
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
    if problems:
        return draws, [Finding("dice", "refuted", problem) for problem in problems]
    text = f"the setup and {draws} {'draw' if draws == 1 else 'draws'} follow from the secret"
    return draws, [Finding("dice", "proven", text)]


def _verify_secret(published: str, secret: str, noted: str | None) -> Finding:
    """Compare the secret with the commitment of the record and with the one that was noted."""
    if commitment(secret) != published:
        text = "the secret does not match the commitment: it has another hash"
        return Finding("secret", "refuted", text)
    if noted is None:
        text = "it may have been chosen later: no commitment was noted before the game"
        return Finding("secret", "unproven", text)
    if _parse_digest(noted, "a commitment") != published:
        text = "the record's commitment is not the one that was noted before the game"
        return Finding("secret", "refuted", text)
    text = "it was chosen before the game: its hash is the commitment that was noted"
    return Finding("secret", "proven", text)


def _verify_moves(
    record: Record, secret: str, words: Sequence[str], noted: Sequence[str], is_signed: bool
) -> tuple[int | None, list[Finding]]:
    """Compare words and moves with history hashes.

    Return how many moves are those that somebody noted, None if no hash was noted, and what was
    found.
    """
    last = first_history_hash(secret, _first_game_string(record), words)
    moves_at = {last: 0}
    for count, text in enumerate(record.texts(), 1):
        last = next_history_hash(last, text)
        moves_at[last] = count
    findings: list[Finding] = []
    if record.extra.get("history", last) != last:
        text = "the record's history hash belongs to other words or moves"
        findings.append(Finding("moves", "refuted", text))
    counts = [moves_at.get(_parse_digest(one, "a history hash")) for one in noted]
    if None in counts:
        text = "a history hash that was noted during the game belongs to other words or moves"
        findings.append(Finding("moves", "refuted", text))
    proven = max((count for count in counts if count is not None), default=None)
    if not findings:
        findings.append(_moves_finding(proven, len(record.actions), is_signed))
    return proven, findings


def _moves_finding(proven: int | None, total: int, is_signed: bool) -> Finding:
    if proven is None:
        doubt = "only the server says so" if is_signed else "others may have been played"
        text = f"{doubt}: no history hash was noted during the game"
        return Finding("moves", "unproven", text)
    which = f"all {total} moves" if proven == total else f"the first {proven} of {total} moves"
    text = f"the words and {which} are those of the history hash that was noted"
    return Finding("moves", "proven", text)


def _verify_signature(record: Record, key: str | None) -> Finding:
    """Verify the signature of a record, and compare its key with the server's."""
    expected = None if key is None else _parse_digest(key, "a key")
    signer = record.extra.get(signatures.KEY, "")
    if signatures.SIGNATURE not in record.extra:
        text = "there is none: anybody who knows the secret can write such a record"
        return Finding("signature", "unproven", text)
    if not signatures.is_valid(record):
        return Finding("signature", "refuted", "the record was changed after it was signed")
    if expected is None:
        text = f"anybody can sign; compare this key with the server's: {signer}"
        return Finding("signature", "unproven", text)
    if signer != expected:
        return Finding("signature", "refuted", f"the record is signed with another key: {signer}")
    return Finding("signature", "proven", "the server signed players, words, moves and result")


def _first_game_string(record: Record) -> str:
    """Return the string of the game when it was started; another may name the same game today."""
    return record.extra.get(STARTED_AS, str(record.game))


def _parse_digest(text: str, what: str) -> str:
    """Return the 64 digits that a person noted, in lower case."""
    digits = text.strip().lower()
    if not _HEX_DIGEST.fullmatch(digits):
        raise SoukError(f"{what} is 64 hexadecimal digits, not {brief(text)}")
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
