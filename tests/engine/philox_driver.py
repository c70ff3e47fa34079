"""A driver for tests, in the kernel subset: it draws the words of a random stream."""

from collections.abc import MutableSequence

from souk.engine.kernel.philox import STREAM_SIZE, next_word, random_below, start_stream
from souk.engine.kernel.primitives import ints

ENTRIES = ("draw", "toss")
INLINE_ALL = True  # as in playouts


def draw(seed: int, game: int, words: MutableSequence[int]) -> None:
    """Fill a buffer with the first words of a game's stream."""
    stream = ints(STREAM_SIZE)
    start_stream(stream, seed, game)
    for number in range(len(words)):
        words[number] = next_word(stream)


def toss(seed: int, first: int, results: MutableSequence[int]) -> None:
    """Fill a buffer with the first draw of each of many games, between two outcomes."""
    stream = ints(STREAM_SIZE)
    for number in range(len(results)):
        start_stream(stream, seed, first + number)
        results[number] = random_below(stream, 2)
