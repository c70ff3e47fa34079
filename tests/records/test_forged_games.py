"""A game that was never played is not proven, though its dice follow from the committed secret."""

import dataclasses
import hashlib
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

import souk
from souk import records
from souk.engine.errors import SoukError
from souk.engine.state import CHANCE
from souk.records import Record, Seat, fairness, signatures
from souk.records.fairness import FairDice, commitment, encode_words, verify
from souk.records.signatures import Signer
from souk.terminal import check

SECRET = "0123456789abcdef" * 4
GAME = "marrakech(players=2,rugs=3)"
SERVER = Signer("11" * 32, "https://play.example")
OTHER = Signer("22" * 32)


def played_game(words=("the camel knows", ""), seed=1, secret=SECRET):
    """A game with dice of the secret and moves at random, as the server records it."""
    game = souk.load_game(GAME)
    dice = FairDice(secret, game, words)
    pick = random.Random(seed)
    state = game.new_initial_state(dice.seed())
    history = fairness.first_history_hash(secret, game, words)
    seen = [history]
    while not state.is_terminal():
        if state.current_player() == CHANCE:
            action = dice.draw(state, len(state.history()))
        else:
            action = pick.choice(state.legal_actions())
        state.apply_action(action)
        seen.append(fairness.next_history_hash(seen[-1], game.action_to_string(action)))
    extra = {**fairness.headers(secret, words, reveal=True), "history": seen[-1]}
    seats = [Seat("Ada"), Seat("Ben")]
    record = Record.from_state(state, seed=dice.seed(), seats=seats)
    return dataclasses.replace(record, extra=extra), seen


REAL, SEEN = played_game()
SIGNED = SERVER.sign(REAL)


def forged_game(wins=1):
    """Another game of the same commitment, ground until a seat wins it: the secret is public."""
    for seed in range(2, 1000):
        record, _ = played_game((f"luck {seed}", ""), seed)
        if record.replay().returns()[wins] == 1:
            return record
    raise AssertionError


def statuses(verdict):
    return {one.subject: one.status for one in verdict.findings}


def read_back(record):
    return records.read(records.write(record))


# ---- the forger of the review -------------------------------------------------------------------


def test_a_game_that_was_ground_from_the_secret_is_not_proven():
    """The fault F9: the commitment was all that a verification asked for."""
    forged = read_back(forged_game())
    verdict = verify(forged, commitment(SECRET))
    assert statuses(verdict) == {
        "secret": "proven",
        "dice": "proven",
        "moves": "unproven",
        "signature": "unproven",
    }
    assert not verdict.is_proven


@pytest.mark.parametrize("seen", [0, 5, -1], ids=["start", "middle", "end"])
def test_a_forged_game_is_refuted_by_any_history_hash_that_a_player_noted(seen):
    verdict = verify(forged_game(), history_hashes=[SEEN[seen]])
    assert not verdict.is_proven
    assert "noted during the game belongs to other words or moves" in verdict.problems[0]


def test_a_forger_cannot_use_the_signature_of_the_real_game():
    forged = forged_game()
    lines = {key: SIGNED.extra[key] for key in ("server", "server key", "signature")}
    with_lines = dataclasses.replace(forged, extra={**forged.extra, **lines})
    assert verify(read_back(with_lines)).problems == ("the record was changed after it was signed",)
    history = dataclasses.replace(forged, extra={**forged.extra, "history": REAL.extra["history"]})
    problems = verify(read_back(history)).problems
    assert problems == ("the record's history hash belongs to other words or moves",)


def test_a_forger_can_sign_only_with_another_key():
    signed = read_back(OTHER.sign(forged_game()))
    assert statuses(verify(signed))["signature"] == "unproven", "nobody knows whose key it is"
    assert not verify(signed).is_proven
    (problem,) = verify(signed, key=SERVER.key).problems
    assert problem == f"the record is signed with another key: {OTHER.key}"
    claimed = dataclasses.replace(signed, extra={**signed.extra, "server key": SERVER.key})
    assert not verify(claimed, key=SERVER.key).is_fair


# ---- real games ---------------------------------------------------------------------------------


def test_a_signed_game_is_proven_by_the_key_of_the_server():
    verdict = verify(read_back(SIGNED), key=f" {SERVER.key.upper()} ")
    assert verdict.is_proven and statuses(verdict)["signature"] == "proven"
    assert not verify(read_back(SIGNED)).is_proven, "the key in a record may be anybody's"


def test_a_game_is_proven_by_its_last_history_hash_and_not_by_an_earlier_one():
    assert verify(read_back(REAL), history_hashes=[SEEN[-1]]).is_proven
    early = verify(read_back(REAL), history_hashes=[SEEN[0], SEEN[4]])
    assert statuses(early)["moves"] == "proven" and not early.is_proven
    assert f"the words and the first 4 of {len(SEEN) - 1} moves" in str(early.findings)
    mixed = verify(REAL, history_hashes=[SEEN[-1], "0" * 64])
    assert not mixed.is_fair and not mixed.is_proven


def test_the_history_hash_follows_the_description():
    """docs/fairness.md, in a few lines of another program."""
    words = '["the camel knows",""]'
    start = f"souk history\n{commitment(SECRET)}\nmarrakech(players=2,edition=gigamic,rugs=3)\n"
    digest = hashlib.sha256((start + words).encode()).hexdigest()
    expected = [digest]
    for text in REAL.texts():
        digest = hashlib.sha256(f"{digest}\n{text}".encode()).hexdigest()
        expected.append(digest)
    assert expected == SEEN


def test_the_signature_follows_the_description():
    header, _, _ = records.write(SIGNED).partition("\n\n")
    derived = ("result: ", "scores: ", "signature: ")
    lines = sorted(line for line in header.split("\n") if not line.startswith(derived))
    text = "\n".join(["souk record 1", *lines]).encode()
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(SERVER.key))
    key.verify(bytes.fromhex(SIGNED.extra["signature"]), text)


def test_comments_spaces_and_the_order_of_lines_may_change():
    header, _, moves = records.write(SIGNED).partition("\n\n")
    lines = [f"  {line}  " for line in reversed(header.split("\n"))]
    edited = "; Ada's best game\r\n" + "\r\n".join([*lines, "", "; the start", moves])
    assert verify(records.read(edited.replace("\r\n", "\n")), key=SERVER.key).is_proven


@pytest.mark.parametrize(
    ("line", "other"),
    [
        (r"^seat 1: Ada", "seat 1: Eve"),
        (r"^seat 2: Ben, person", "seat 2: Ben, master"),
        (r"^server: .*", "server: https://evil.example"),
        (r"^signature: (.)", lambda found: f"signature: {int(found[1], 16) ^ 1:x}"),
        (r"^signature: .*", "signature: 00"),
        (r"^signature: .*", "signature: none"),
        (r"^server key: .*", "server key: 1234"),
        (r"^history: .*\n", ""),
        (r"^(history: .*)", r"\1\nended: seat 1 resigned"),
    ],
)
def test_every_signed_line_counts(line, other):
    text, count = re.subn(line, other, records.write(SIGNED), flags=re.MULTILINE)
    assert count == 1
    assert "the record was changed after it was signed" in verify(records.read(text)).problems


def test_a_signed_game_without_its_last_moves_is_refuted():
    state = SIGNED.replay()
    assert state.is_terminal()
    shorter = dataclasses.replace(SIGNED, actions=SIGNED.actions[:-2])
    problems = verify(read_back(shorter), key=SERVER.key).problems
    assert problems == ("the record's history hash belongs to other words or moves",)


def test_other_words_are_refuted_even_where_the_dice_stay_the_same():
    changed = dataclasses.replace(SIGNED, extra={**SIGNED.extra, "words": encode_words(["x", ""])})
    assert "the record's history hash belongs to other words or moves" in verify(changed).problems


# ---- the command --------------------------------------------------------------------------------


def test_the_command_says_what_is_proven_and_what_is_not(tmp_path, capsys):
    signed, forged = tmp_path / "signed.souk", tmp_path / "forged.souk"
    signed.write_text(records.write(SIGNED), "utf-8")
    forged.write_text(records.write(forged_game()), "utf-8")
    noted = {"history_hashes": [SEEN[-1]], "key": SERVER.key}

    assert check.verify([str(signed)], commitment(SECRET), **noted) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith(
        "signed.souk: proven: this game was played, and its dice follow from the secret"
    )
    assert [line.split(":")[0].strip() for line in lines[1:]] == list(statuses(verify(REAL)))
    assert not any("not proven" in line for line in lines)

    assert check.verify([str(forged)], commitment(SECRET)) == check.UNPROVEN == 3
    lines = capsys.readouterr().out.splitlines()
    assert "not proven: the dice follow from the secret, but nothing shows that this" in lines[0]
    assert "signature: not proven: there is none: anybody who knows the secret" in lines[-1]

    assert check.verify([str(signed), str(forged)], key=SERVER.key) == 3, "not all are proven"
    lines = capsys.readouterr().out.splitlines()
    assert "  moves: not proven: only the server says so: no history hash was noted" in lines[3]
    assert "  moves: not proven: others may have been played: no history hash was noted" in lines[8]
    unsigned = tmp_path / "unsigned.souk"
    unsigned.write_text(records.write(REAL), "utf-8")
    assert check.verify([str(unsigned)], history_hashes=[SEEN[4]]) == 3
    assert "but only the first moves were noted" in capsys.readouterr().out
    assert check.verify([str(forged)], **noted) == 1
    assert "refuted: a history hash" in capsys.readouterr().err
    with pytest.raises(SoukError, match="a history hash belongs to one game"):
        check.verify([str(signed), str(forged)], **noted)


@pytest.mark.parametrize("option", ["--key", "--history-hash", "--commitment"])
def test_a_malformed_number_is_an_error_that_names_it(tmp_path, option):
    file = tmp_path / "game.souk"
    file.write_text(records.write(SIGNED), "utf-8")
    command = [sys.executable, "-m", "souk", "verify", str(file), option, "12"]
    done = subprocess.run(command, capture_output=True, text=True)
    what = option[2:].replace("-", " ")
    assert done.returncode == 1 and f"a {what} is 64 hexadecimal digits, not" in done.stderr


def test_an_unsigned_record_of_an_earlier_version_is_what_it_was():
    """Its dice follow from its secret; nothing shows that the game was played."""
    file = Path(__file__).with_name("fair.souk")
    assert check.verify([str(file)]) == 3
    verdict = verify(records.read(file.read_text("utf-8")))
    assert verdict.is_fair and not verdict.is_proven
    assert signatures.SIGNATURE not in records.read(file.read_text("utf-8")).extra
