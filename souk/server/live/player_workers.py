"""Let computer players think in worker processes.

So the event loop is never blocked: not by a player in plain Python, not by the first compilation of
a kernel, not by a third-party player that hangs or crashes.
"""

import logging
import random
from collections.abc import Callable, Sequence
from typing import Any

from souk.engine.errors import SoukError
from souk.engine.events import Preview
from souk.engine.state import CHANCE, State
from souk.games import FIRST, game_class, load_game, names
from souk.players import player, strongest
from souk.players.greedy import Greedy
from souk.server.live.fair_queue import NOBODY, Payer, Urgency
from souk.server.live.fair_workers import UNATTENDED, FairWorkers, NotWanted, Order
from souk.server.tables.commands import Refusal

TIMEOUT = 300.0  # seconds beyond its limit, for a first compilation, before a player counts as hung

log = logging.getLogger("souk.server")


class PlayerWorkers(FairWorkers):
    """Worker processes that choose moves."""

    def __init__(self, workers: int, seconds: float) -> None:
        super().__init__(workers, seconds + TIMEOUT, quick=True)
        self.seconds = seconds  # the time limit of a move
        self._failures = 0  # moves since one succeeded

    async def choose(
        self,
        state: State,
        level: str,
        start: Sequence[int],
        actions: Sequence[int],
        order: Order = UNATTENDED,
    ) -> str | None:
        """Return the move of a computer player, or a random one if it fails.

        The player gets the start of the game and all actions, to infer how others play. The move is
        None if nobody waits for it any more.
        """
        job = (str(state.game), list(start), list(actions), level, self.seconds)
        try:
            move = await self.run(order._replace(what=_what(state, level)), _choose, *job)
            self._failures = 0
            return move
        except NotWanted:
            return None
        except Exception as error:  # a player can fail in any way, and the game must go on
            self._failures += 1
            log.error("a computer player failed", extra={"level": level, "error": repr(error)})
        return state.action_to_string(state.game.random_action(state, random.Random()))

    def problem(self) -> str | None:
        """Return a sentence if computer players fail, so that random moves replace theirs."""
        failures = self._failures
        return f"the last {failures} moves of computer players failed" if failures > 2 else None

    async def analyse(
        self,
        state: State,
        level: str,
        payer: Payer = NOBODY,
        is_wanted: Callable[[], bool] = lambda: True,
    ) -> list[tuple[str, float]] | None:
        """Return each action with its expected share of the win, best first; None on failure."""
        job = (str(state.game), list(state.buffer), level, self.seconds)
        order = Order(payer, Urgency.HINT, f"hint {_what(state, level)}", is_wanted)
        try:
            return await self.run(order, _analyse, *job)
        except NotWanted:
            return None
        except Exception as error:
            log.error("a computer player failed", extra={"level": level, "error": repr(error)})
        return None

    async def preview(self, state: State, action: str, payer: Payer = NOBODY) -> dict[str, Any]:
        """Return what an action would cause, as JSON has it; a walk may take a while."""
        order = Order(payer, Urgency.HINT, f"preview {state.game.name}")
        return await self.run(order, _preview, str(state.game), list(state.buffer), action)

    async def warm_up(self) -> None:
        """Start all workers, and load the players, so that no first move takes seconds.

        One worker after the other, so that the first of them is soon ready, and one kernel after
        the other, so that a move need not wait for all of them.
        """
        first = self.queue.workers - 1  # as the queue takes them, the quick one second
        for worker in (first, *range(first + 1, len(self._pools)), *range(first - 1, -1, -1)):
            try:
                for name in sorted(names(), key=lambda name: name != FIRST):
                    for game in game_class(name).common_games():
                        await self._run(worker, _load_player, str(game))
            except Exception as error:
                log.error("a worker did not start", extra={"error": repr(error)})


def _what(state: State, level: str) -> str:
    """Return the kind of work: players take about the same time for all knobs of a game."""
    return f"{state.game.name} {state.game.num_players()} {level}"


# ---- in a worker --------------------------------------------------------------------------------


def _load_player(text: str) -> None:
    """Let the strongest player of a game choose once, and load `greedy`."""
    game = load_game(text)
    state = game.new_initial_state(0)
    while state.current_player() == CHANCE:
        state.apply_action(state.chance_weights()[0][0])
    player(strongest(game.name), game, nodes=1).choose(state)
    Greedy.prepare(game)


def _choose(game: str, start: list[int], actions: list[int], level: str, seconds: float) -> str:
    state = State(load_game(game), start)
    for action in actions:
        state.apply_action(action)
    return state.action_to_string(player(level, state.game, seconds=seconds).choose(state))


def _analyse(game: str, buffer: list[int], level: str, seconds: float) -> list[tuple[str, float]]:
    state = State(load_game(game), buffer)
    mover = state.current_player()
    options = player(level, state.game, seconds=seconds).analyse(state)
    return [(option.text, option.shares[mover]) for option in options]


def _preview(game: str, buffer: list[int], action: str) -> dict[str, Any]:
    return preview_of(State(load_game(game), buffer), action).to_dict()


def preview_of(state: State, action: str) -> Preview:
    """Return what an action would cause; refuse one that is not legal."""
    try:
        return state.preview(state.string_to_action(action))
    except SoukError as error:
        raise Refusal("illegal", f"{error}.") from None
