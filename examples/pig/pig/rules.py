"""The rules of Pig, in the kernel subset (see `souk.engine.kernel.subset`)."""

from collections.abc import MutableSequence

from souk.engine.kernel.default_rules import CHANCE, TERMINAL

PLAYERS = 2  # set to the number of players

# The slots of the buffer S.
TARGET = 0  # the knob: points to reach
PHASE = 1
TO_MOVE = 2  # the seat whose turn it is
TURNS = 3  # turns ended so far
TURN_TOTAL = 4  # points rolled in this turn
SCORE = 5  # per seat
SIZE = SCORE + PLAYERS

CHOOSE, ROLLING, OVER = range(3)  # PHASE

ROLL, HOLD = range(2)  # actions
PLAYER_ACTIONS = 2  # chance outcomes follow
DIE = PLAYER_ACTIONS  # + pips - 1
ACTIONS = DIE + 6
MOST_LEGAL = 6  # at any step


def mover(S: MutableSequence[int]) -> int:
    """Return who acts: a seat, CHANCE or TERMINAL."""
    if S[PHASE] == OVER:
        return TERMINAL
    return CHANCE if S[PHASE] == ROLLING else S[TO_MOVE]


def is_legal(S: MutableSequence[int], action: int) -> bool:
    """Return whether an action from 0 to ACTIONS - 1 is legal."""
    if S[PHASE] == CHOOSE:
        return action == ROLL or (action == HOLD and S[TURN_TOTAL] > 0)
    return S[PHASE] == ROLLING and action >= DIE


def apply(S: MutableSequence[int], action: int) -> None:
    """Apply a legal action."""
    if action == ROLL:
        S[PHASE] = ROLLING
    elif action == HOLD:
        S[SCORE + S[TO_MOVE]] += S[TURN_TOTAL]
        end_turn(S)
    elif action == DIE:  # a 1
        end_turn(S)
    else:
        S[TURN_TOTAL] += action - DIE + 1
        S[PHASE] = CHOOSE


def end_turn(S: MutableSequence[int]) -> None:
    """Give the turn to the next player, or end the game."""
    S[TURNS] += 1
    S[TURN_TOTAL] = 0
    if S[SCORE + S[TO_MOVE]] >= S[TARGET]:
        S[PHASE] = OVER
    else:
        S[PHASE] = CHOOSE
        S[TO_MOVE] = (S[TO_MOVE] + 1) % PLAYERS


def score(S: MutableSequence[int], seat: int) -> int:
    """Return the points of a seat."""
    return S[SCORE + seat]


def quick_value(S: MutableSequence[int], seat: int) -> int:
    """Return the points of a seat with those of this turn, for the level `greedy`."""
    return S[SCORE + seat] + (S[TURN_TOTAL] if seat == S[TO_MOVE] else 0)
