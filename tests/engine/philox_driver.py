"""A driver for tests, in the kernel subset: it draws the words of a random stream."""

from collections.abc import MutableSequence

from souk.engine.kernel.philox import STREAM_SIZE, next_word, start_stream
from souk.engine.kernel.primitives import ints

ENTRIES = ("draw",)


def draw(seed: int, game: int, words: MutableSequence[int]) -> None:
    """Fill a buffer with the first words of a game's stream."""
    stream = ints(STREAM_SIZE)
    start_stream(stream, seed, game)
    for number in range(len(words)):
        words[number] = next_word(stream)
