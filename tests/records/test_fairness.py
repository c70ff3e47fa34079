"""Fair dice: known answers, no favourites, and what `verify` proves and refutes."""

import dataclasses
import hashlib
import hmac
import json
import random
import subprocess
import sys
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import souk
from souk import records
from souk.engine.errors import SoukError
from souk.engine.state import CHANCE
from souk.records import Record, fairness
from souk.records.fairness import FairDice, commitment, encode_words, verify

SECRET = "0123456789abcdef" * 4
GAMES = ("marrakech(players=2,rugs=4)", "marrakech(players=3,rugs=3)", "marracash(players=3)")


# ---- a second implementation, from the description alone ----------------------------------------


class OtherDice:
    """Written without looking at the first one."""

    def __init__(self, secret, game, words):
        escaped = ",".join(json.dumps(word, ensure_ascii=True) for word in words)
        text = "souk key\n" + game + "\n[" + escaped + "]"
        mac = hmac.new(bytes.fromhex(secret), digestmod=hashlib.sha256)
        mac.update(text.encode("ascii"))
        self.key = mac.digest()

    def number(self, purpose):
        mac = hmac.new(self.key, purpose.encode("ascii"), hashlib.sha256)
        return int(mac.hexdigest()[:16], 16)

    def seed(self):
        return self.number("setup") // 2

    def draw(self, weights, step):
        total = sum(weight for _, weight in weights)
        usable = (2**64 // total) * total
        numbers = (self.number(f"step {step} attempt {attempt}") for attempt in range(10**6))
        left = next(number for number in numbers if number < usable) % total
        for action, weight in weights:
            if left < weight:
                return action
            left -= weight
        raise AssertionError


def play_fair_game(secret=SECRET, game=GAMES[0], words=None, seed=1, dice=None):
    """A whole game with fair dice, moves at random, as a record."""
    loaded = souk.load_game(game)
    words = words or [f"luck {seat}" for seat in range(loaded.num_players())]
    dice = dice or FairDice(secret, loaded, words)
    pick = random.Random(seed)
    state = loaded.new_initial_state(dice.seed())
    while not state.is_terminal():
        if state.current_player() == CHANCE:
            state.apply_action(dice.draw(state, len(state.history())))
        else:
            state.apply_action(pick.choice(state.legal_actions()))
    extra = fairness.headers(secret, words, reveal=True)
    return dataclasses.replace(Record.from_state(state, seed=dice.seed()), extra=extra)


# Worked out with hashlib and hmac alone, before this file imported anything of ours.
KNOWN = {
    "commitment": "995b282841b967f7b14e7297a1353603e2e0cccc037424d356aa8bb20613baea",
    "seed": 8481914247740522671,
    "numbers": [15146357760486417396, 9762714407903508812],
    "below six": [0, 2, 5, 2, 2, 0, 0, 0, 5, 4],
}


def test_known_answers():
    dice = FairDice(SECRET, souk.load_game("marrakech(players=2)"), ["à la chance", ""])
    assert str(souk.load_game("marrakech(players=2)")) == "marrakech(players=2,edition=gigamic)"
    assert commitment(SECRET) == KNOWN["commitment"]
    assert dice.seed() == KNOWN["seed"]
    assert [dice._number(f"step {n} attempt 0") for n in range(2)] == KNOWN["numbers"]
    assert [dice._below(6, step) for step in range(10)] == KNOWN["below six"]
    plain = hashlib.sha256(b"souk commitment\n" + bytes(range(32))).hexdigest()
    assert commitment(bytes(range(32)).hex()) == plain


@settings(max_examples=10)
@given(st.binary(min_size=32, max_size=32), st.sampled_from(GAMES), st.data())
def test_another_program_works_out_the_same_game(secret, game, data):
    loaded = souk.load_game(game)
    letters = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
    words = [data.draw(letters) for _ in range(loaded.num_players())]
    record = play_fair_game(secret.hex(), game, words)
    other = OtherDice(secret.hex(), str(loaded), words)
    assert record.seed == other.seed()
    state = record.initial_state()
    for step, action in enumerate(record.actions):
        if state.current_player() == CHANCE:
            assert action == other.draw(state.chance_weights(), step)
        state.apply_action(action)


def test_every_part_of_the_key_counts():
    game = souk.load_game("marrakech(players=2)")
    keys = {
        FairDice(SECRET, game, ["a", "b"]).seed(),
        FairDice(SECRET[::-1], game, ["a", "b"]).seed(),
        FairDice(SECRET, souk.load_game("marrakech(players=2,rugs=3)"), ["a", "b"]).seed(),
        FairDice(SECRET, game, ["b", "a"]).seed(),
        FairDice(SECRET, game, ["ab", ""]).seed(),
        FairDice(SECRET, game, ['a","b', ""]).seed(),
        FairDice(SECRET, game, ["a\nb", ""]).seed(),
        FairDice(SECRET, game, ["", ""]).seed(),
    }
    assert len(keys) == 8
    assert encode_words(['a","b', ""]) != encode_words(["a", "b", ""])


# ---- no favourites ------------------------------------------------------------------------------


@pytest.mark.parametrize("total", [2, 3, 6, 7, 20, 36, 100])
def test_every_number_is_drawn_equally_often(total):
    dice = FairDice(SECRET, souk.load_game("marrakech"), ["", "", ""])
    draws = 600 * total if total < 20 else 200 * total
    counts = Counter(dice._below(total, step) for step in range(draws))
    assert set(counts) == set(range(total))
    expected = draws / total
    chi = sum((count - expected) ** 2 / expected for count in counts.values())
    freedom = total - 1
    assert abs(chi - freedom) < 5 * (2 * freedom) ** 0.5, "five standard deviations"


@pytest.mark.parametrize("total", [3, 6, 7, 2**63 + 1])
def test_a_number_that_would_favour_some_is_drawn_again(monkeypatch, total):
    last_good = 2**64 - 2**64 % total - 1
    request = []
    numbers = iter([2**64 - 1, last_good + 1, last_good])

    def number(_, purpose):
        request.append(purpose)
        return next(numbers)

    monkeypatch.setattr(FairDice, "_number", number)
    dice = FairDice(SECRET, souk.load_game("marrakech"), ["", "", ""])
    assert dice._below(total, 5) == last_good % total == total - 1
    assert request == [f"step 5 attempt {n}" for n in range(3)]


def test_a_power_of_two_needs_no_second_draw(monkeypatch):
    monkeypatch.setattr(FairDice, "_number", lambda *_: 2**64 - 1)
    dice = FairDice(SECRET, souk.load_game("marrakech"), ["", "", ""])
    assert dice._below(64, 0) == 63


def test_outcomes_come_as_often_as_their_weights_say():
    game = souk.load_game("marrakech(players=2)")
    dice = FairDice(SECRET, game, ["", ""])
    state = game.new_initial_state(1)
    while state.current_player() != CHANCE:
        state.apply_action(state.legal_actions()[0])
    weights = dict(state.chance_weights())
    total = sum(weights.values())
    counts = Counter(dice.draw(state, step) for step in range(6000))
    for action, weight in weights.items():
        share = weight / total
        spread = (6000 * share * (1 - share)) ** 0.5
        assert abs(counts[action] - 6000 * share) < 5 * spread


# ---- proving and refuting -----------------------------------------------------------------------


def read_back(record):
    return records.read(records.write(record))


@pytest.mark.parametrize("game", GAMES)
def test_a_real_game_is_proven(game):
    verdict = verify(read_back(play_fair_game(game=game)))
    assert verdict.is_fair
    assert verdict.draws > 5 or game.startswith("marracash"), "there chance deals, and that is all"


def edited_dice(record):
    """The record with one roll changed to something else that was possible there."""
    state = record.initial_state()
    for step, action in enumerate(record.actions):
        if state.current_player() == CHANCE and step > 0:
            for other, _ in state.chance_weights():
                if other != action:
                    changed = (*record.actions[:step], other)
                    return dataclasses.replace(record, actions=changed), step
        state.apply_action(action)
    raise AssertionError


@pytest.mark.parametrize("game", GAMES[:2])
def test_one_roll_that_was_changed_is_named(game):
    record, step = edited_dice(play_fair_game(game=game))
    verdict = verify(read_back(record))
    assert len(verdict.problems) == 1
    assert verdict.problems[0].startswith(f"move {step + 1}: chance gave ")


def test_another_setup_secret_words_or_game_is_refuted():
    record = play_fair_game()

    def with_headers(**extra):
        return dataclasses.replace(record, extra={**record.extra, **extra})

    problems = verify(dataclasses.replace(record, seed=record.seed + 1)).problems
    assert problems[0].startswith(f"the setup was dealt from seed {record.seed + 1}")
    assert not verify(dataclasses.replace(record, seed=None)).is_fair
    dealt = play_fair_game(game=GAMES[2])
    assert not verify(dataclasses.replace(dealt, actions=(), seed=dealt.seed ^ 1)).is_fair
    other = "f" * 64
    assert verify(with_headers(secret=other)).problems[0].startswith("the secret does not match")
    both = verify(with_headers(secret=other, commitment=commitment(other)))
    assert not both.is_fair and len(both.problems) > 3, "then the dice are wrong"
    assert not verify(with_headers(words=encode_words(["luck 1", "luck 0"]))).is_fair
    assert not verify(with_headers(commitment=record.extra["commitment"].upper())).is_fair
    swapped = dataclasses.replace(record, game=souk.load_game(f"{GAMES[0][:-1]},full_tie=draw)"))
    assert len(verify(swapped).problems) > 3, "the same moves, but another game's dice"
    start = record.initial_state().to_dict()
    assert "given, not dealt" in verify(dataclasses.replace(record, start=start)).problems[0]


def test_dice_that_somebody_chose_are_refuted():
    class Lucky(FairDice):
        def draw(self, state, _):
            return max(state.chance_weights())[0]

    dice = Lucky(SECRET, souk.load_game(GAMES[0]), ["luck 0", "luck 1"])
    assert not verify(play_fair_game(dice=dice)).is_fair


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"commitment": None}, "no commitment"),
        ({"secret": None}, "revealed when a game is over"),
        ({"words": None}, "no words"),
        ({"commitment": None, "secret": None, "words": None}, "no commitment, secret or words"),
        ({"secret": "00"}, "64 hexadecimal digits"),
        ({"secret": SECRET.upper()}, "64 hexadecimal digits"),
        ({"secret": "z" * 64}, "64 hexadecimal digits"),
        ({"secret": SECRET + "\n"}, "64 hexadecimal digits"),
        ({"words": "luck"}, "JSON list of 2 texts"),
        ({"words": '["a"]'}, "JSON list of 2 texts"),
        ({"words": '["a",1]'}, "JSON list of 2 texts"),
        ({"words": '{"a":1}'}, "JSON list of 2 texts"),
        ({"words": "[" * 100_000}, "JSON list of 2 texts"),
        ({"words": "9" * 5000}, "JSON list of 2 texts"),
    ],
)
def test_a_record_without_commitment_secret_or_words_cannot_be_verified(change, message):
    record = play_fair_game()
    extra = {**record.extra, **change}
    extra = {key: value for key, value in extra.items() if value is not None}
    with pytest.raises(SoukError, match=message):
        verify(dataclasses.replace(record, extra=extra))


def test_the_command_line_says_proven_refuted_or_why_not(tmp_path):
    record = play_fair_game()
    hidden = fairness.headers(SECRET, ["luck 0", "luck 1"], reveal=False)
    files = {
        "good": records.write(record),
        "bad": records.write(edited_dice(record)[0]),
        "early": records.write(dataclasses.replace(record, extra=hidden)),
        "broken": "this is no record",
    }
    for name, text in files.items():
        (tmp_path / f"{name}.souk").write_text(text, encoding="utf-8")

    def run(*names):
        command = [sys.executable, "-m", "souk", "verify", *(f"{name}.souk" for name in names)]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)

    good = run("good")
    assert (good.returncode, good.stderr) == (3, "") and "good.souk: not proven" in good.stdout
    assert "  dice: the setup and" in good.stdout, "that much is proven"
    rest = run("good", "bad", "early", "broken", "missing")
    assert rest.returncode == 1 and "proven" in rest.stdout
    lines = rest.stderr.splitlines()
    assert [line.partition(".souk")[0] for line in lines][:2] == ["bad", "early"]
    assert "refuted: move" in lines[0] and "revealed when a game is over" in lines[1]
    assert len(lines) >= 4 and "Traceback" not in rest.stderr
