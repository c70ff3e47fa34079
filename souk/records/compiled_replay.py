"""Replay many records in compiled code (see `souk.engine.kernel.replay_loop`)."""

from array import array
from collections.abc import Sequence
from functools import lru_cache
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from souk.engine.game import Game
from souk.engine.kernel import replay_loop, targets
from souk.engine.state import TERMINAL
from souk.records.record import UNFINISHED, Outcome, format_seats
from souk.records.replay import NOTES, Job, Replay, label_name

_Array = NDArray[np.int64]
_CODES_PER_ACTION = 6  # and per game: enough for any but artificial games
_CODES_PER_GAME = 1000


def replay_compiled(jobs: Sequence[Job], *, may_compile: bool) -> dict[int, Replay]:
    """Replay those of many records that are legal throughout; return them by their number.

    Left out are records with variations or an illegal action, games without a notes kernel and,
    unless `may_compile`, games whose kernel is not compiled yet.
    """
    by_game: dict[Game, list[int]] = {}
    for number, job in enumerate(jobs):
        if job.record.game.notes_kernel and not job.record.variations:
            by_game.setdefault(job.record.game, []).append(number)
    replays: dict[int, Replay] = {}
    for game, numbers in by_game.items():
        if not may_compile and not _is_prepared(game):
            continue
        games = _replay_game(game, [jobs[number] for number in numbers])
        replays |= {
            number: replay
            for number, replay in zip(numbers, games, strict=True)
            if replay.applied == len(jobs[number].record.actions)
        }
    return replays


@lru_cache(32)
def _is_prepared(game: Game) -> bool:
    return targets.is_prepared(game.kernel, game.constants(), game.replay_modules())


def _replay_game(game: Game, jobs: Sequence[Job]) -> list[Replay]:
    """Replay records of one game, each up to its first illegal action."""
    kernel, start = _kernel_and_start(game)
    players, width = game.num_players(), replay_loop.FIRST_SCORE + 2 * game.num_players()
    flat = array("q")
    breaks: list[int] = []
    ends: list[int] = []
    for job in jobs:
        first = len(flat)
        flat.extend(job.record.actions)
        ends.append(len(flat))
        if job.starts:
            breaks += [first + start for start in job.starts if first + start < len(flat)]
    actions = np.array(flat, np.int64)
    actions[breaks] = ~actions[breaks]
    results = np.zeros(len(jobs) * width, np.int64)
    codes = np.empty(len(flat) * _CODES_PER_ACTION + len(jobs) * _CODES_PER_GAME, np.int64)
    lines = np.empty(len(flat), np.int64)
    starts, seeds = _setups(start, jobs)
    kernel.replay_games(len(jobs), starts, seeds, np.array(ends), actions, results, codes, lines)

    rows = results.reshape(-1, width).tolist()
    code_list = codes[: rows[-1][replay_loop.CODES_END]].tolist()
    line_starts = lines[: rows[-1][replay_loop.LINES_END]].tolist()
    texts = _texts(game)
    for number, job in enumerate(jobs):
        at = replay_loop.NAME_AT + number * players
        for name in job.record.names():
            texts[at] = f"{label_name(name)}: "
            at += 1
    replays = []
    code_end = line_end = 0
    for applied, mover, turn, played, next_code_end, next_line_end, *shares in rows:
        text = "".join(map(texts.__getitem__, code_list[code_end:next_code_end]))
        outcome = _outcome(game, mover == TERMINAL, tuple(shares), played)
        starts_here = line_starts[line_end:next_line_end]
        replays.append(Replay(text[1:], starts_here, applied, outcome, turn))
        code_end, line_end = next_code_end, next_line_end
    return replays


@lru_cache(32)
def _kernel_and_start(game: Game) -> tuple[ModuleType, _Array]:
    """Return the compiled kernel of a game and the buffer that it usually starts from."""
    kernel = targets.numba_kernel(game.kernel, game.constants(), game.replay_modules())
    return kernel, np.array(game.initial_buffer(), np.int64)


def _setups(usual: _Array, jobs: Sequence[Job]) -> tuple[_Array, _Array]:
    """Return the buffers that games start from, and the seeds of setups that are to be dealt."""
    starts = np.tile(usual, len(jobs))
    seeds = np.full(len(jobs), -1, np.int64)
    for number, job in enumerate(jobs):
        if job.record.start is not None:
            at = number * len(usual)
            starts[at : at + len(usual)] = job.record.initial_state().buffer
        elif job.record.seed is not None:
            seeds[number] = job.record.seed
    return starts, seeds


class _Texts(dict[int, str]):
    """The texts of codes, each made when it is first needed."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def __missing__(self, code: int) -> str:
        if code < 0:
            note, is_first = divmod(-1 - code, 2)
            text = (NOTES if is_first else ", ") + self.game.note_text(note)
        elif code >= replay_loop.TURN_AT:
            turn = code - replay_loop.TURN_AT
            text = f"\n{turn}. " if turn else "\ndeal: "
        else:
            actions = self.game.action_texts
            text = actions[code] if code < len(actions) else f", {actions[code - len(actions)]}"
        self[code] = text
        return text


_texts = lru_cache(32)(_Texts)


@lru_cache(100_000)
def _outcome(game: Game, is_over: bool, shares: tuple[int, ...], turns: int) -> Outcome:
    """Return an outcome from the scores of all seats and their sixtieths of the win."""
    scores, sixtieths = shares[: len(shares) // 2], shares[len(shares) // 2 :]
    if not is_over:
        return Outcome(UNFINISHED, scores, tuple(0.0 for _ in scores), turns)
    best = [seat for seat, share in enumerate(sixtieths) if share]
    if len(best) > 1:
        result = "draw" if game.has_draws() else f"{format_seats(best)} share the win"
    else:
        result = f"{format_seats(best)} wins"
    return Outcome(result, scores, tuple(share / 60 for share in sixtieths), turns)
