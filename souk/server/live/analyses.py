"""What was luck and what was skill in a finished game, worked out in the background.

One game at a time, in a process of its own that is nice to everything else: computer players who
are to move do not wait for it. What was worked out is kept for a while, so asking again is cheap.
"""

import logging
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec
from msgspec import Struct

from souk.analysis import AnalysedStep, GameAnalysis, analyse
from souk.records import Record
from souk.server.live.player_workers import PlayerWorkers
from souk.server.tables.commands import Refusal

GAME_NODES = 100_000  # of a game: a long one is looked at less closely, not longer
MIN_NODES, MAX_NODES = 50, 2_000  # of a position
MAX_STEPS = 1500  # of a game that is analysed
MAX_ALTERNATIVES = 6  # told of each decision, besides what was chosen
DIGITS = 4  # after the point of a share
MAX_WAITING = 20  # games; whoever comes then has to ask again
MAX_CACHED = 200  # games; what was not asked for longest goes first
SECONDS = 60.0  # that a game may take

log = logging.getLogger("souk.server")


class AnalysisReply(Struct, frozen=True):
    """An analysis, or that it takes a moment longer."""

    ready: bool  # whether it is there; if not, ask again in a second
    analysis: GameAnalysis | None


NOT_YET = msgspec.json.encode(AnalysisReply(False, None))


class Analyses:
    """The analyses that are there, and those that are being made."""

    def __init__(self, start_task: Callable[[Coroutine[Any, Any, None]], object]) -> None:
        self._start_task = start_task  # does something on the side
        self._thinkers = PlayerWorkers(1, SECONDS)
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._waiting: set[str] = set()
        self._failed: set[str] = set()

    def look(self, key: str) -> bytes | None:
        """What there is of a game's analysis as JSON; None if nobody has asked for it."""
        if key in self._failed:
            self._failed.discard(key)  # whoever asks once more may be luckier
            raise Refusal("not-possible", "This game could not be analysed.")
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        return NOT_YET if key in self._waiting else None

    def begin(self, key: str, record: Record) -> bytes:
        """Have a game analysed; what there is of it by now."""
        if (told := self.look(key)) is not None:  # somebody was quicker
            return told
        if len(record.actions) > MAX_STEPS:
            raise Refusal("bad-record", f"A game that is analysed has at most {MAX_STEPS} actions.")
        if len(self._waiting) >= MAX_WAITING:
            raise Refusal("too-fast", "Many games are waiting to be analysed: try again later.")
        self._waiting.add(key)
        self._start_task(self._work(key, record))
        return NOT_YET

    async def _work(self, key: str, record: Record) -> None:
        try:
            told = await self._thinkers.tell(_told, record)
            self._kept[key] = told
            if len(self._kept) > MAX_CACHED:
                self._kept.popitem(last=False)
        except Exception as error:  # a game that cannot be analysed must not end anything else
            log.error("an analysis failed", extra={"error": repr(error)})
            self._failed.add(key)
        finally:
            self._waiting.discard(key)

    def close(self) -> None:
        """End the worker."""
        self._thinkers.close()


def nodes_for(actions: int) -> int:
    """How closely to look at each position of a game.

    >>> nodes_for(10), nodes_for(200), nodes_for(5000)
    (2000, 500, 50)
    """
    return max(MIN_NODES, min(MAX_NODES, GAME_NODES // max(1, actions)))


# ---- in a worker --------------------------------------------------------------------------------


def _told(record: Record) -> bytes:
    """The analysis of a game as JSON, as much of it as a page needs."""
    found = analyse(record, nodes=nodes_for(len(record.actions)))
    return msgspec.json.encode(AnalysisReply(True, shortened(found)))


def shortened(found: GameAnalysis) -> GameAnalysis:
    """An analysis with fewer options and digits."""
    return msgspec.structs.replace(
        found,
        start=_rounded(found.start),
        players=[
            msgspec.structs.replace(
                one,
                **{
                    name: round(getattr(one, name), DIGITS)
                    for name in ("start", "luck", "own", "others", "hindsight", "end")
                },
            )
            for one in found.players
        ],
        steps=[_shortened(step) for step in found.steps],
    )


def _shortened(step: AnalysedStep) -> AnalysedStep:
    told = [
        msgspec.structs.replace(one, shares=_rounded(one.shares))
        for rank, one in enumerate(step.alternatives)
        if step.seat is None or rank < MAX_ALTERNATIVES or one.action == step.action
    ]
    return msgspec.structs.replace(
        step,
        change=_rounded(step.change),
        hindsight=_rounded(step.hindsight),
        shares=_rounded(step.shares),
        cost=round(step.cost, DIGITS),
        alternatives=told,
    )


def _rounded(numbers: list[float]) -> list[float]:
    return [round(number, DIGITS) for number in numbers]


def table_key(id: str) -> str:
    """Under what the analysis of a table's game is kept."""
    return f"table {id}"
