"""Random numbers for playouts: Philox4x32-10, written in the kernel subset.

The generator is counter-based (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy
as 1, 2, 3", 2011): block n of game g under seed s is a pure function of (s, g, n). So every game
has its own stream, streams never overlap, and results do not depend on how games are distributed
over threads, processes or targets. Philox passes the known test batteries, its published known
answers are in the tests, and it needs only 32-bit multiplications, which every target has. A block
costs about as much as four draws of a small sequential generator and yields four words;
`make bench` prints what that costs in a game.

A stream is a buffer of STREAM_SIZE slots. Words are non-negative integers below 2**32, so that
Python's integers and 64-bit machine words give the same results.
"""

from collections.abc import MutableSequence

from souk.engine.kernel.primitives import wrapping_product

STREAM_KEY, STREAM_GAME, STREAM_BLOCK, WORDS_LEFT, FIRST_PAIR, SECOND_PAIR = 0, 2, 4, 5, 6, 7
STREAM_SIZE = 8
WORD_MASK = 0xFFFFFFFF
STREAM_RANGES = {  # the slots' lowest and highest values: see `value_ranges`
    "STREAM_KEY": (0, WORD_MASK),
    "STREAM_GAME": (0, WORD_MASK),
    "STREAM_BLOCK": (0, WORD_MASK),
    "WORDS_LEFT": (0, 4),
    "FIRST_PAIR": (-(2**63), 2**63 - 1),
    "SECOND_PAIR": (-(2**63), 2**63 - 1),
}


def start_stream(stream: MutableSequence[int], seed: int, game: int) -> None:
    """Set a stream to the start of a game's random numbers. Seed and game: 0 to 2**63 - 1."""
    stream[STREAM_KEY] = seed & WORD_MASK
    stream[STREAM_KEY + 1] = seed >> 32
    stream[STREAM_GAME] = game & WORD_MASK
    stream[STREAM_GAME + 1] = game >> 32
    stream[STREAM_BLOCK] = 0
    stream[WORDS_LEFT] = 0


def next_block(stream: MutableSequence[int]) -> None:
    """Compute the next four words: ten rounds of Philox on the counter (block, 0, game)."""
    key0, key1 = stream[STREAM_KEY], stream[STREAM_KEY + 1]
    x0, x1, x2, x3 = stream[STREAM_BLOCK], 0, stream[STREAM_GAME], stream[STREAM_GAME + 1]
    for _ in range(10):
        product0 = wrapping_product(0xD2511F53, x0)
        product1 = wrapping_product(0xCD9E8D57, x2)
        x0 = ((product1 >> 32) & WORD_MASK) ^ x1 ^ key0
        x2 = ((product0 >> 32) & WORD_MASK) ^ x3 ^ key1
        x1 = product1 & WORD_MASK
        x3 = product0 & WORD_MASK
        key0 = (key0 + 0x9E3779B9) & WORD_MASK
        key1 = (key1 + 0xBB67AE85) & WORD_MASK
    stream[STREAM_BLOCK] += 1
    stream[WORDS_LEFT] = 4
    # Two words to a slot: shifting is cheaper than addressing four slots by number. The upper word
    # may set the sign bit of a machine word, so readers mask after shifting.
    stream[FIRST_PAIR] = x0 | x1 << 32
    stream[SECOND_PAIR] = x2 | x3 << 32


def next_word(stream: MutableSequence[int]) -> int:
    """Return the next 32 random bits."""
    if stream[WORDS_LEFT] == 0:
        next_block(stream)
    left = stream[WORDS_LEFT] - 1
    stream[WORDS_LEFT] = left
    drawn = stream[FIRST_PAIR] & WORD_MASK
    stream[FIRST_PAIR] = (
        stream[SECOND_PAIR] if left == 2 else (stream[FIRST_PAIR] >> 32) & WORD_MASK
    )
    return drawn


def random_below(stream: MutableSequence[int], limit: int) -> int:
    """Return a number from 0 to limit - 1; probabilities are equal to within 2**-32."""
    return (next_word(stream) * limit) >> 32
