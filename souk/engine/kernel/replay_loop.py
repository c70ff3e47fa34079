"""The driver that replays many recorded games: it checks them, and describes them line by line.

`targets` joins this module to a game's kernel and to its `notes_kernel`, and uses their names. It
is written in the kernel subset. `souk.records.compiled_replay` calls it and turns codes into text.
"""

from collections.abc import MutableSequence
from typing import TYPE_CHECKING

from souk.engine.kernel.philox import STREAM_SIZE, start_stream
from souk.engine.kernel.primitives import ints

ENTRIES = ("replay_games",)

# Codes: an action at the start of a line is its number, any other action its number + ACTIONS.
TURN_AT = 1 << 32  # + the number of the turn that a line belongs to; 0 for a deal
NAME_AT = 1 << 48  # + seat, + PLAYERS for every game before: whose turn it is
# A note of the kernel is -1 - 2 * note, and one less if it is the first of its line.

APPLIED, NEXT_MOVER, LAST_TURN, TURNS_PLAYED, CODES_END, LINES_END, FIRST_SCORE = range(
    7
)  # the results of a game
LINE_NOTES = 4096  # notes of a line at most

if TYPE_CHECKING:  # defined by the kernel
    ACTIONS = BUFFER_SIZE = MOST_NOTES = PLAYERS = SIZE = TURNS = 0

    def apply(S: MutableSequence[int], action: int) -> None: ...
    def deal(S: MutableSequence[int], R: MutableSequence[int]) -> None: ...
    def is_legal(S: MutableSequence[int], action: int) -> bool: ...
    def mover(S: MutableSequence[int]) -> int: ...
    def score(S: MutableSequence[int], seat: int) -> int: ...
    def turn_number(S: MutableSequence[int]) -> int: ...
    def turn_of(S: MutableSequence[int]) -> int: ...
    def win_in_sixtieths(S: MutableSequence[int], seat: int) -> int: ...
    def write_notes(
        before: MutableSequence[int],
        action: int,
        S: MutableSequence[int],
        notes: MutableSequence[int],
        count: int,
    ) -> int: ...


def replay_games(
    games: int,
    starts: MutableSequence[int],
    seeds: MutableSequence[int],
    ends: MutableSequence[int],
    actions: MutableSequence[int],
    results: MutableSequence[int],
    codes: MutableSequence[int],
    lines: MutableSequence[int],
) -> None:
    """Replay games, each until an action is not legal.

    A game starts from its buffer in `starts`, and from the setup of its seed unless that is
    negative. Its actions end before `ends`; a negative number is ~action and starts a line, as a
    new turn does. `codes` describes all lines, and `lines` has the number of actions before each.
    The results of each game are: actions applied, who moves next, the turn's number, turns
    played, where its codes and its lines end, a score per seat, and sixtieths of the win per seat.
    """
    S = ints(BUFFER_SIZE)
    before = ints(SIZE)
    R = ints(STREAM_SIZE)
    notes = ints(LINE_NOTES)
    first = 0
    written = 0
    line = 0
    for game in range(games):
        for slot in range(SIZE):
            S[slot] = starts[game * SIZE + slot]
        if seeds[game] >= 0:
            start_stream(R, seeds[game], 0)
            deal(S, R)
        turn = -1
        noted = 0
        at = first
        while at < ends[game]:
            breaks = actions[at] < 0
            action = ~actions[at] if breaks else actions[at]
            if action >= ACTIONS or not is_legal(S, action):
                break
            noted_most = noted + MOST_NOTES
            if noted_most > LINE_NOTES or written + noted_most + 4 > len(codes):
                break  # it may be legal, but is too long for this driver
            now = turn_number(S)
            if breaks or now != turn:
                written = put_notes(notes, noted, codes, written)
                noted = 0
                turn = now
                lines[line] = at - first
                line += 1
                codes[written] = TURN_AT + turn
                codes[written + 1] = NAME_AT + game * PLAYERS + turn_of(S)
                written += 2 if turn > 0 else 1
                codes[written] = action
            else:
                codes[written] = ACTIONS + action
            written += 1
            for slot in range(SIZE):
                before[slot] = S[slot]
            if BUFFER_SIZE > SIZE:
                S[SIZE] = 0
            apply(S, action)
            noted = write_notes(before, action, S, notes, noted)
            at += 1
        written = put_notes(notes, noted, codes, written)
        row = game * (FIRST_SCORE + 2 * PLAYERS)
        results[row + APPLIED] = at - first
        results[row + NEXT_MOVER] = mover(S)
        results[row + LAST_TURN] = turn_number(S)
        results[row + TURNS_PLAYED] = S[TURNS] - starts[game * SIZE + TURNS]
        results[row + CODES_END] = written
        results[row + LINES_END] = line
        for seat in range(PLAYERS):
            results[row + FIRST_SCORE + seat] = score(S, seat)
            results[row + FIRST_SCORE + PLAYERS + seat] = win_in_sixtieths(S, seat)
        first = ends[game]


def put_notes(
    notes: MutableSequence[int], count: int, codes: MutableSequence[int], written: int
) -> int:
    """Write the notes of a line; return where its codes end."""
    for note in range(count):
        codes[written + note] = -1 - 2 * notes[note] - (1 if note == 0 else 0)
    return written + count
