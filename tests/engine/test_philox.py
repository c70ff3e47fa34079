"""The random numbers: Philox4x32-10 as published, a stream of its own for every game."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from souk.engine.kernel import philox, targets
from tests.engine import philox_driver

words = st.integers(0, 2**32 - 1)
seeds = st.integers(0, 2**63 - 1)

# Random123's known answers for philox4x32 with ten rounds: counter, key, result.
KNOWN_ANSWERS = [
    (
        (0, 0, 0, 0),
        (0, 0),
        (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8),
    ),
    (
        (0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF),
        (0xFFFFFFFF, 0xFFFFFFFF),
        (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD),
    ),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]


def reference_philox(counter, key):
    """Philox4x32-10, word for word from the paper (section 3.3)."""
    left1, right1, left0, right0 = counter[1], counter[0], counter[3], counter[2]
    for rounds in range(10):
        k0 = (key[0] + rounds * 0x9E3779B9) % 2**32
        k1 = (key[1] + rounds * 0xBB67AE85) % 2**32
        high0, low0 = divmod(right1 * 0xD2511F53, 2**32)
        high1, low1 = divmod(right0 * 0xCD9E8D57, 2**32)
        right1, left1, right0, left0 = high1 ^ left1 ^ k0, low1, high0 ^ left0 ^ k1, low0
    return right1, left1, right0, left0


def draw_words(seed, game, count, buffer=None):
    stream = [0] * philox.STREAM_SIZE if buffer is None else buffer
    philox.start_stream(stream, seed, game)
    return [philox.next_word(stream) for _ in range(count)]


@pytest.mark.parametrize(("counter", "key", "result"), KNOWN_ANSWERS)
def test_the_published_function_gives_the_published_answers(counter, key, result):
    """What our stream is compared with is the right thing."""
    assert reference_philox(counter, key) == result


def test_the_first_words_of_game_0_under_seed_0_are_the_published_answer():
    assert tuple(draw_words(0, 0, 4)) == KNOWN_ANSWERS[0][2]


@given(seeds, seeds, st.integers(0, 2**32 - 2))
def test_a_block_is_the_published_function_of_seed_game_and_block(seed, game, block):
    stream = [0] * philox.STREAM_SIZE
    philox.start_stream(stream, seed, game)
    stream[philox.STREAM_BLOCK] = block
    for number in (block, block + 1):
        counter = (number % 2**32, 0, game % 2**32, game >> 32)
        expected = reference_philox(counter, (seed % 2**32, seed >> 32))
        assert tuple(philox.next_word(stream) for _ in range(4)) == expected


@given(seeds, seeds)
def test_start_stream_resets_any_buffer(seed, game):
    used = [123456789] * philox.STREAM_SIZE
    assert draw_words(seed, game, 9, buffer=used) == draw_words(seed, game, 9)


def test_games_and_seeds_have_streams_of_their_own():
    many = [(seed, game) for seed in (0, 1, 2**32, 2**63 - 1) for game in range(200)]
    assert len({tuple(draw_words(seed, game, 8)) for seed, game in many}) == len(many)


@given(seeds, words.map(lambda limit: limit or 1))
def test_below_stays_below(seed, limit):
    stream = [0] * philox.STREAM_SIZE
    philox.start_stream(stream, seed, 0)
    assert all(0 <= philox.random_below(stream, limit) < limit for _ in range(20))


def test_below_is_even_over_small_limits():
    """60 000 draws of a die: each face within five standard errors of a sixth."""
    stream = [0] * philox.STREAM_SIZE
    philox.start_stream(stream, 5, 0)
    counts = [0] * 6
    for _ in range(60_000):
        counts[philox.random_below(stream, 6)] += 1
    assert all(abs(count - 10_000) < 5 * (60_000 * 5 / 36) ** 0.5 for count in counts)


@pytest.mark.parametrize("seed", [0, 1, 7, 2**32 - 1, 2**32, 2**63 - 1])
def test_both_targets_draw_the_same_words(seed):
    compiled = targets.numba_kernel(
        ("souk.engine.kernel.philox",), {}, ("tests.engine.philox_driver",)
    )
    for number in (0, 1, 2**31, 2**32 + 5, 2**40):
        words = np.zeros(11, np.int64)
        compiled.draw(seed, number, words)
        assert words.tolist() == draw_words(seed, number, 11)


def test_both_targets_toss_the_same_coins():
    """With a constant limit, compilers compute only the bits that it needs."""
    driver = ("tests.engine.philox_driver",)
    compiled = targets.numba_kernel(("souk.engine.kernel.philox",), {}, driver)
    plain, tossed = [0] * 100, np.zeros(100, np.int64)
    philox_driver.toss(7, 0, plain)
    compiled.toss(7, 0, tossed)
    assert tossed.tolist() == plain and 0 < sum(plain) < 100
