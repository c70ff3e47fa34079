"""Analyse finished games for luck and skill, in the background.

One game at a time, in a worker process of low priority, so that computer players to move do not
wait for it. Addresses share the worker fairly. Recent analyses are cached.
"""

import gzip
import logging
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from souk.analysis import AnalysedStep, GameAnalysis, analyse
from souk.records import Record
from souk.server.live.fair_queue import NOBODY, Payer, Urgency
from souk.server.live.fair_workers import FairWorkers, Order
from souk.server.tables.commands import Refusal

GAME_NODES = 100_000  # of a game: a long one gets fewer nodes for each position
MIN_NODES, MAX_NODES = 1_000, 2_000  # of a position
MAX_STEPS = 1000  # of a game that is analysed: others wait meanwhile; a long one has 650
MAX_ALTERNATIVES = 6  # sent for each decision, besides the chosen action
DIGITS = 4  # after the point of a share
MAX_WAITING = 100  # games; further requests are refused
MAX_WAITING_OF_ADDRESS = 5
MAX_CACHED = 200  # games, least recently used dropped first
SECONDS = 120.0  # before an analysis counts as hung
GZIP_LEVEL = 3  # nearly all of the gain for a third of the time

OnLuck = Callable[[list[float]], Coroutine[Any, Any, None]]

log = logging.getLogger("souk.server")


class AnalysisReply(Struct, frozen=True):
    """An analysis, or that it is not ready yet."""

    ready: bool  # if false, ask again in a second
    analysis: GameAnalysis | None


PENDING = gzip.compress(msgspec.json.encode(AnalysisReply(False, None)))


class Analyses:
    """The cached analyses and the queue of games to analyse."""

    def __init__(self, start_task: Callable[[Coroutine[Any, Any, None]], object]) -> None:
        self._start_task = start_task
        self._workers = FairWorkers(1, SECONDS)
        self._cache: OrderedDict[str, bytes] = OrderedDict()
        self._waiting: dict[str, str] = {}  # the address by game
        self._failed: set[str] = set()

    def get(self, key: str) -> bytes | None:
        """Return the compressed JSON of an analysis, or that it is pending; None if unknown."""
        if key in self._failed:
            self._failed.discard(key)  # the next request tries again
            raise Refusal("not-possible", "This game could not be analysed.")
        if key in self._cache:
            self._cache.move_to_end(key)
            return self._cache[key]
        return PENDING if key in self._waiting else None

    def start(
        self, key: str, record: Record, payer: Payer = NOBODY, on_luck: OnLuck | None = None
    ) -> bytes:
        """Queue a game to be analysed; return the compressed JSON of the reply.

        `on_luck` is called with the luck of each player when the analysis is ready.
        """
        if (reply := self.get(key)) is not None:  # another request was faster
            return reply
        if len(record.actions) > MAX_STEPS:
            raise Refusal(
                "bad-record", f"Only games of at most {MAX_STEPS} actions can be analysed."
            )
        of_address = sum(address == payer.address for address in self._waiting.values())
        if len(self._waiting) >= MAX_WAITING or of_address >= MAX_WAITING_OF_ADDRESS:
            raise Refusal("too-fast", "Too many games are waiting to be analysed: try again later.")
        self._waiting[key] = payer.address
        self._start_task(self._analyse(key, record, payer, on_luck))
        return PENDING

    async def _analyse(
        self, key: str, record: Record, payer: Payer, on_luck: OnLuck | None
    ) -> None:
        order = Order(payer, Urgency.REVIEW)
        try:
            reply, luck = await self._workers.run(order, _compressed_analysis, record)
            self._cache[key] = reply
            if len(self._cache) > MAX_CACHED:
                self._cache.popitem(last=False)
        except Exception as error:  # must not end anything else
            log.error("an analysis failed", extra={"error": repr(error)})
            self._failed.add(key)
            return
        finally:
            del self._waiting[key]
        if on_luck is not None:
            await on_luck(luck)

    def close(self) -> None:
        """Kill the worker."""
        self._workers.close()


def nodes_for(actions: int) -> int:
    """Return the number of nodes for each position of a game.

    >>> nodes_for(10), nodes_for(200), nodes_for(5000)
    (2000, 1000, 1000)
    """
    return max(MIN_NODES, min(MAX_NODES, GAME_NODES // max(1, actions)))


# ---- in a worker --------------------------------------------------------------------------------


def _compressed_analysis(record: Record) -> tuple[bytes, list[float]]:
    """Return the analysis of a game, as much as a page needs, and the luck of each seat."""
    analysis = analyse(record, nodes=nodes_for(len(record.actions)))
    reply = msgspec.json.encode(AnalysisReply(True, shorten(analysis)))
    return gzip.compress(reply, GZIP_LEVEL), [player.luck for player in analysis.players]


def shorten(analysis: GameAnalysis) -> GameAnalysis:
    """Return an analysis with fewer options and digits."""
    return msgspec.structs.replace(
        analysis,
        start=round_all(analysis.start),
        players=[
            msgspec.structs.replace(
                one,
                **{
                    name: round(getattr(one, name), DIGITS)
                    for name in ("start", "luck", "own", "others", "hindsight", "end", "error_rate")
                },
            )
            for one in analysis.players
        ],
        steps=[_shorten_step(step) for step in analysis.steps],
    )


def _shorten_step(step: AnalysedStep) -> AnalysedStep:
    alternatives = [
        msgspec.structs.replace(one, shares=round_all(one.shares))
        for rank, one in enumerate(step.alternatives)
        if step.seat is None or rank < MAX_ALTERNATIVES or one.action == step.action
    ]
    return msgspec.structs.replace(
        step,
        change=round_all(step.change),
        hindsight=round_all(step.hindsight),
        shares=round_all(step.shares),
        cost=round(step.cost, DIGITS),
        alternatives=alternatives,
    )


def round_all(numbers: Sequence[float]) -> list[float]:
    """Return shares with fewer digits."""
    return [round(number, DIGITS) for number in numbers]


def table_key(id: str) -> str:
    """Return the cache key of a table's game."""
    return f"table {id}"
