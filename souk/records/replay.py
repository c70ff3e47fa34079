"""Replay records: check every action, and describe the turns in lines as `write` writes them.

Many records are replayed in compiled code (see `compiled_replay`), if their game has the kernel for
it; others in plain Python. Both return the same.
"""

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from souk.engine.errors import IllegalAction
from souk.engine.state import State
from souk.records.record import Outcome, Record, outcome_of

NOTES = "  ; "  # stands between the moves of a line and the notes on what followed
_LONGEST = 100  # characters of a name in labels, which every turn repeats
_MANY = 200  # records for which loading Numba pays
_replayed = 0  # records in this process, so that many in a row are many, too


@dataclass(frozen=True, slots=True)
class Replay:
    """A record up to its first illegal action, or up to its end."""

    text: str  # the lines, with label, moves and notes
    starts: list[int]  # the number of actions before each line
    applied: int  # actions
    outcome: Outcome
    turn: int  # the number of the turn at the end
    problem: str = ""  # why the next action is not legal
    state: State | None = None  # at the end, unless compiled code replayed it

    @property
    def lines(self) -> list[str]:
        """The lines of the text."""
        return self.text.split("\n") if self.text else []

    def states(self) -> list[State]:
        """Return the state before every action, each without its history."""
        assert self.state is not None
        return [State(self.state.game, [*before]) for before, _, _ in self.state.steps()]


@dataclass(frozen=True, slots=True)
class Job:
    """A record to replay; `starts` are the numbers of actions before which a line must start."""

    record: Record
    starts: Sequence[int] = ()


def replay_all(jobs: Sequence[Job], *, more_follow: bool = False) -> list[Replay]:
    """Replay records, in compiled code if they are many. `more_follow` says that they are."""
    replays: dict[int, Replay] = {}
    if _are_many(len(jobs), more_follow):
        from souk.records.compiled_replay import replay_compiled

        replays = replay_compiled(jobs, may_compile=more_follow)
    return [replays[n] if n in replays else replay(job) for n, job in enumerate(jobs)]


def _are_many(count: int, more_follow: bool) -> bool:
    """Return whether records are worth loading Numba, if it is not loaded; count them."""
    global _replayed
    _replayed += count
    return more_follow or _replayed >= _MANY or "numba" in sys.modules


def replay(job: Job) -> Replay:
    """Replay a record in plain Python."""
    record = job.record
    return replay_line(record.initial_state(), record.actions, record.names(), job.starts)


def replay_line(
    state: State, actions: Sequence[int], names: Sequence[str], starts: Sequence[int]
) -> Replay:
    """Replay actions from a state, which moves along."""
    game, start = state.game, state.buffer[:]
    lines: list[str] = []
    line_starts: list[int] = []
    breaks = {*starts}
    turn, problem = -1, ""
    label = ""
    texts: list[str] = []
    notes: list[str] = []

    def end_line() -> None:
        if texts:
            lines.append(f"{label} {', '.join(texts)}{NOTES if notes else ''}{', '.join(notes)}")
            texts.clear()
            notes.clear()

    for number, action in enumerate(actions):
        now, seat = game.turn_number(state.buffer), game.turn_of(state.buffer)
        try:
            state.apply_action(action)
        except IllegalAction as error:
            problem = str(error)
            break
        if now != turn or number in breaks:
            end_line()
            turn = now
            label = f"{turn}. {label_name(names[seat])}:" if turn else "deal:"
            line_starts.append(number)
        texts.append(game.action_to_string(action))
        notes += filter(None, (event.note() for event in state.events()))
    end_line()
    applied = len(state.history())
    outcome = outcome_of(state, start)
    turn = game.turn_number(state.buffer)
    return Replay("\n".join(lines), line_starts, applied, outcome, turn, problem, state)


@lru_cache(4096)
def label_name(name: str) -> str:
    """Return the name of a player as the label of a turn has it."""
    return re.sub("[:;]", " ", one_line(name)[:_LONGEST])


def one_line(text: str) -> str:
    """Return a text without line breaks and other control characters."""
    if not text.isprintable():
        text = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(text.split()) or "?"
