"""The driver that steps a batch of games, in the kernel subset.

The functions with `_row` in their names handle one row, a game (see `source`); a GPU has those in
PER_ITEM. A row of `buffers` is the buffer of a game and then its random stream. `settings` is a
buffer, too, laid out below. `souk.engine.batch` calls these functions, `souk.envs.rows` also
`play_random_row`.
"""

from collections.abc import MutableSequence
from typing import TYPE_CHECKING

from souk.engine.kernel.philox import STREAM_GAME, STREAM_SIZE, random_below, start_stream
from souk.engine.kernel.primitives import Int32s, ints, row_of

PER_ITEM = ("start_row", "check_row", "step_row", "describe_row", "sample_row")
ENTRIES = (
    "start_row_all",
    "check_row_all",
    "step_row_all",
    "describe_row_all",
    "sample_row_all",
    "play_random_row_all",
    "observe_buffer",
)
INLINE_ALL = True

if TYPE_CHECKING or "SIZE" not in globals():  # imported as a module, not joined with a kernel
    CHANCE = TERMINAL = MOST_LEGAL = PLAYERS = PLAYER_ACTIONS = REDUCED_ACTIONS = SIZE = 0

    def apply(S: MutableSequence[int], action: int) -> None: ...
    def deal(S: MutableSequence[int], R: MutableSequence[int]) -> None: ...
    def full_action(S: MutableSequence[int], reduced: int) -> int: ...
    def is_legal(S: MutableSequence[int], action: int) -> bool: ...
    def legal_actions(S: MutableSequence[int], out: MutableSequence[int]) -> int: ...
    def mover(S: MutableSequence[int]) -> int: ...
    def observe(
        S: MutableSequence[int], seat: int, out: MutableSequence[float], at: int
    ) -> None: ...
    def random_outcome(S: MutableSequence[int], R: MutableSequence[int]) -> int: ...
    def turn_of(S: MutableSequence[int]) -> int: ...
    def win_in_sixtieths(S: MutableSequence[int], seat: int) -> int: ...


# The settings of a batch.
BATCH_SEED = 0
BATCH_ROWS = 1  # how many there are
BATCH_AUTORESET = 2  # whether a step starts the next game where one is over
BATCH_REDUCED = 3  # whether actions are reduced ones
BATCH_WIDTH = 4  # numbers in an observation, or 0 to write none

ROW_SIZE = SIZE + STREAM_SIZE


def load(row: MutableSequence[int], S: MutableSequence[int]) -> None:
    """Read the buffer of a row."""
    for slot in range(SIZE):
        S[slot] = row[slot]


def load_stream(row: MutableSequence[int], R: MutableSequence[int]) -> None:
    """Read the random stream of a row."""
    for slot in range(STREAM_SIZE):
        R[slot] = row[SIZE + slot]


def store(row: MutableSequence[int], S: MutableSequence[int], R: MutableSequence[int]) -> None:
    """Write the buffer and the random stream of a row."""
    for slot in range(SIZE):
        row[slot] = S[slot]
    for slot in range(STREAM_SIZE):
        row[SIZE + slot] = R[slot]


def draw_chance(S: MutableSequence[int], R: MutableSequence[int]) -> None:
    """Draw chance outcomes until a player acts or the game is over."""
    while mover(S) == CHANCE:
        apply(S, random_outcome(S, R))


def start_game(
    settings: MutableSequence[int],
    start: MutableSequence[int],
    game: int,
    S: MutableSequence[int],
    R: MutableSequence[int],
) -> None:
    """Start a game of the batch's seed from the buffer `start`, with a setup of its own."""
    start_stream(R, settings[BATCH_SEED], game)
    for slot in range(SIZE):
        S[slot] = start[slot]
    deal(S, R)
    draw_chance(S, R)


def start_row(
    settings: MutableSequence[int],
    start: MutableSequence[int],
    buffers: MutableSequence[int],
    is_first: int,
    chosen: MutableSequence[bool],
    number: int,
) -> None:
    """Start the first or the next game of a row that is chosen."""
    if chosen[number]:
        S = ints(SIZE)
        R = ints(STREAM_SIZE)
        row = row_of(buffers, number, ROW_SIZE, settings[BATCH_ROWS])
        load_stream(row, R)
        start_game(settings, start, number if is_first else next_game(settings, R), S, R)
        store(row, S, R)


def next_game(settings: MutableSequence[int], R: MutableSequence[int]) -> int:
    """Return the number of the game that a row plays next: they advance by the number of rows."""
    return (R[STREAM_GAME] | R[STREAM_GAME + 1] << 32) + settings[BATCH_ROWS]


def check_row(
    settings: MutableSequence[int],
    buffers: MutableSequence[int],
    actions: MutableSequence[int],
    illegal: MutableSequence[bool],
    number: int,
) -> None:
    """Write whether the action of a row is illegal. In a game that is over, any is accepted."""
    S = ints(SIZE)
    load(row_of(buffers, number, ROW_SIZE, settings[BATCH_ROWS]), S)
    reduced = settings[BATCH_REDUCED]
    action = actions[number]
    if mover(S) == TERMINAL:
        illegal[number] = False
    elif action < 0 or action >= (REDUCED_ACTIONS if reduced else PLAYER_ACTIONS):
        illegal[number] = True
    elif reduced:
        illegal[number] = full_action(S, action) < 0
    else:
        illegal[number] = not is_legal(S, action)


def step_row(
    settings: MutableSequence[int],
    start: MutableSequence[int],
    buffers: MutableSequence[int],
    actions: MutableSequence[int],
    rewards: MutableSequence[float],
    players: Int32s,
    terminated: MutableSequence[bool],
    mask: MutableSequence[bool],
    observations: MutableSequence[float],
    number: int,
) -> None:
    """Apply the legal action of a row, draw chance and describe what follows.

    If the game was over, start the next one instead.
    """
    S = ints(SIZE)
    R = ints(STREAM_SIZE)
    row = row_of(buffers, number, ROW_SIZE, settings[BATCH_ROWS])
    reward = row_of(rewards, number, PLAYERS, settings[BATCH_ROWS])
    load(row, S)
    load_stream(row, R)
    for seat in range(PLAYERS):
        reward[seat] = 0.0
    if mover(S) == TERMINAL:
        if settings[BATCH_AUTORESET]:
            start_game(settings, start, next_game(settings, R), S, R)
            store(row, S, R)
    else:
        action = actions[number]
        if settings[BATCH_REDUCED]:
            action = full_action(S, action)
        apply(S, action)
        draw_chance(S, R)
        if mover(S) == TERMINAL:
            for seat in range(PLAYERS):
                reward[seat] = win_in_sixtieths(S, seat) / 60
        store(row, S, R)
    describe(settings, S, players, terminated, mask, observations, number)


def describe_row(
    settings: MutableSequence[int],
    buffers: MutableSequence[int],
    players: Int32s,
    terminated: MutableSequence[bool],
    mask: MutableSequence[bool],
    observations: MutableSequence[float],
    number: int,
) -> None:
    """Write who acts in a row, the legal actions and what they see."""
    S = ints(SIZE)
    load(row_of(buffers, number, ROW_SIZE, settings[BATCH_ROWS]), S)
    describe(settings, S, players, terminated, mask, observations, number)


def describe(
    settings: MutableSequence[int],
    S: MutableSequence[int],
    players: Int32s,
    terminated: MutableSequence[bool],
    mask: MutableSequence[bool],
    observations: MutableSequence[float],
    number: int,
) -> None:
    """Write who acts, the legal actions and, if the batch has observations, what they see.

    A game that is over is seen by the seat that had the last turn.
    """
    seat = mover(S)
    players[number] = seat
    terminated[number] = seat == TERMINAL
    if settings[BATCH_REDUCED]:
        few = row_of(mask, number, REDUCED_ACTIONS, settings[BATCH_ROWS])
        for action in range(REDUCED_ACTIONS):
            few[action] = seat != TERMINAL and full_action(S, action) >= 0
    else:
        is_allowed = row_of(mask, number, PLAYER_ACTIONS, settings[BATCH_ROWS])
        for action in range(PLAYER_ACTIONS):
            is_allowed[action] = False
        if seat != TERMINAL:
            legal = ints(MOST_LEGAL)
            for place in range(legal_actions(S, legal)):
                is_allowed[legal[place]] = True
    width = settings[BATCH_WIDTH]
    if width > 0:
        observer = turn_of(S) if seat == TERMINAL else seat
        observe(S, observer, row_of(observations, number, width, settings[BATCH_ROWS]), 0)


def sample_row(
    settings: MutableSequence[int],
    buffers: MutableSequence[int],
    first_stream: int,
    actions: MutableSequence[int],
    number: int,
) -> None:
    """Choose one of the legal actions of a row at random; 0 if its game is over."""
    S = ints(SIZE)
    R = ints(STREAM_SIZE)
    legal = ints(MOST_LEGAL)
    load(row_of(buffers, number, ROW_SIZE, settings[BATCH_ROWS]), S)
    count = 0
    if mover(S) == TERMINAL:
        legal[0] = 0
    elif settings[BATCH_REDUCED]:
        for action in range(REDUCED_ACTIONS):
            if full_action(S, action) >= 0:
                legal[count] = action
                count += 1
    else:
        count = legal_actions(S, legal)
    start_stream(R, settings[BATCH_SEED], first_stream + number)
    actions[number] = legal[random_below(R, count)]


def play_random_row(
    settings: MutableSequence[int],
    buffers: MutableSequence[int],
    seats: int,
    rewards: MutableSequence[float],
    players: Int32s,
    terminated: MutableSequence[bool],
    mask: MutableSequence[bool],
    observations: MutableSequence[float],
    number: int,
) -> None:
    """Let the seats of a bit mask act at random until another one acts or the game is over."""
    S = ints(SIZE)
    R = ints(STREAM_SIZE)
    legal = ints(MOST_LEGAL)
    row = row_of(buffers, number, ROW_SIZE, settings[BATCH_ROWS])
    reward = row_of(rewards, number, PLAYERS, settings[BATCH_ROWS])
    load(row, S)
    if mover(S) != TERMINAL and seats >> mover(S) & 1:
        load_stream(row, R)
        while mover(S) != TERMINAL and seats >> mover(S) & 1:
            count = legal_actions(S, legal)
            apply(S, legal[random_below(R, count)])
            draw_chance(S, R)
        if mover(S) == TERMINAL:
            for seat in range(PLAYERS):
                reward[seat] = win_in_sixtieths(S, seat) / 60
        store(row, S, R)
        describe(settings, S, players, terminated, mask, observations, number)


def observe_buffer(S: MutableSequence[int], seat: int, out: MutableSequence[float]) -> None:
    """Write what a seat sees in a single position."""
    observe(S, seat, out, 0)
