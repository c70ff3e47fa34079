"""Players that search ahead in compiled code with an evaluation of their game.

The first round searches every action to the end of the turn. Every later round searches the best
actions a ply deeper, but follows only the most promising option of each position on the way, until
the nodes or the time are used up. If a round has reached nothing but finished games, a last one
follows all options, so its results are exact.
"""

import threading
import time
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from souk.engine.game import Game
from souk.engine.kernel import targets
from souk.engine.state import State
from souk.games import game_class
from souk.players.base import Analysis, Player, analyses
from souk.players.opponent_inference import OpponentInference
from souk.train.weights_file import file_state, read_weights_file

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

UNLIMITED = 2**62  # nodes
MOST_SEARCHED = 1000  # positions whose values are kept for an analysis
INFERENCE_TIME = 0.25  # part of the time that reading the opponents' moves may take
SEARCH_TIME = 0.95  # part of the time for the search: the rest is for waking up and answering
AMONG_SEARCHERS = 2  # options that rounds follow deeper where opponents search too
Shares = dict[int, tuple[float, ...]]  # each seat's expected share of the win, by action


class _Opponents(NamedTuple):
    """The assumptions of a search about the players."""

    weights: Any  # of the evaluation, with the opponent inputs where it has them
    beliefs: Any  # the search's buffer B
    width: int = 1  # options of a position that deeper rounds follow


class Searcher(Player):
    """Chooses the action with the largest expected share of the win."""

    uses_simplest: ClassVar[bool] = False  # the simplest evaluation instead of the best
    most_plies: ClassVar[int] = 1  # including the rest of the current turn
    follows_all: ClassVar[bool] = False  # search all options deeper, not only the most promising
    candidates: ClassVar[tuple[int, ...]] = (12, 8, 4, 3)  # best own actions searched, by plies - 2
    default_nodes = 20_000
    target: ClassVar[str] = "numba"

    def __init__(
        self,
        game: Game,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        seed: int | None = None,
        weights: str | Path | None = None,
    ) -> None:
        super().__init__(game, seconds=seconds, nodes=nodes, seed=seed)
        self._learned = None if weights is None else load_weights(game, weights)
        # A file of weights is for the best evaluation, whatever the package has for these settings.
        names = (
            list(game.evaluations) if self._learned is not None else game.available_evaluations()
        )
        self.evaluation = names[0] if self.uses_simplest else names[-1]
        self._buffers = _Buffers(self.target)
        self._load_kernels()
        self._counters = self._new_counters()
        self._searched: dict[tuple[int, ...], tuple[float, ...]] = {}
        self._known: dict[tuple[str, ...], _Opponents] = {}  # by the names of the players
        k = self._kernel
        self._inference = OpponentInference(
            self._action_values,
            [*k.TEMPERATURES, k.SEARCHER_TEMPERATURE],
            [k.PRIORS[0] * (1 - k.SEARCHER_PRIOR), *k.PRIORS[1:], k.PRIORS[0] * k.SEARCHER_PRIOR],
        )

    def _load_kernels(self) -> None:
        game = self.game
        compiled = targets.numba_kernel if self.target == "numba" else targets.python_kernel
        self._kernel = compiled(game.kernel, game.constants(), game.search_modules(self.evaluation))
        self._plain = targets.python_kernel(game.kernel, game.constants(), game.pruning)

    def __getstate__(self) -> dict[str, Any]:
        """Leave the kernels out of copies, which load them again: modules cannot be copied."""
        return {name: one for name, one in vars(self).items() if name not in ("_kernel", "_plain")}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        vars(self).update(saved)
        self._load_kernels()

    @classmethod
    def plays(cls, game: str) -> bool:
        return bool(game_class(game).evaluations)

    def think(self, state: State, actions: list[int]) -> int:
        pruned = self._prune(state, actions)
        if len(pruned) == 1:
            return pruned[0]
        shares = self._search(state, pruned, is_to_choose=True)
        mover = state.current_player()
        least = max(one[mover] for one in shares.values()) - 2 * self._kernel.MARGIN
        return self.random.choice([a for a in pruned if shares[a][mover] >= least])

    def _analyse(self, state: State, actions: list[int]) -> list[Analysis]:
        """Return the actions, all searched equally deep, so that they can be compared."""
        shares = self.game.judge_options(state, self._shares_after)
        if shares is None:
            shares = self._search(state, actions)
        return analyses(state, {action: shares[action] for action in actions})

    def _shares_after(self, state: State, action: int) -> tuple[float, ...]:
        """Search an action; a game may ask for the same position again and again."""
        key = (*state.buffer, action)
        if key not in self._searched:
            if len(self._searched) >= MOST_SEARCHED:
                self._searched.clear()
            self._searched[key] = self._search(state, [action])[action]
        return self._searched[key]

    def _prune(self, state: State, actions: list[int]) -> list[int]:
        """Return the legal actions that are worth searching."""
        pruned = actions[:]
        count = self._plain.prune(state.buffer, pruned, len(pruned))
        return pruned[:count]

    def nodes_searched(self) -> int:
        """Return the number of nodes of its last search."""
        return int(self._counters[self._kernel.NODES])

    def stop(self) -> None:
        super().stop()
        self._counters[self._kernel.STOP] = 1

    # ---- rounds ---------------------------------------------------------------------------------

    def _search(self, state: State, actions: Sequence[int], is_to_choose: bool = False) -> Shares:
        """Return the shares after each action.

        A search that is to choose an action searches only the best ones deeper, and uses the
        opponent models. Otherwise everybody plays as the search does, and all actions are
        searched equally deep: an unfinished last round does not count.
        """
        k = self._kernel
        mover = state.current_player()
        counters = self._counters = self._new_counters()
        timer = self._start_timer(counters)
        opponents = self._opponents(state, is_to_choose)
        first = self._new_counters(UNLIMITED)  # the first round is always finished
        first[k.WHOLE_TURNS] = counters[k.WHOLE_TURNS] = int(not is_to_choose)
        shares = self._search_round(state, list(actions), 1, k.MOST_LEGAL, opponents, first)
        counters[k.NODES] = first[k.NODES]
        if counters[k.NODES] >= counters[k.MOST_NODES] or self.is_stopped:
            counters[k.STOP] = 1
        for plies, width in self._deeper_rounds(first, counters, opponents.width):
            order = sorted(actions, key=lambda action: -shares[action][mover])
            if is_to_choose and width < k.MOST_LEGAL:
                del order[self.candidates[min(plies - 1, len(self.candidates)) - 1] :]
            results = self._search_round(state, order, plies, width, opponents, counters)
            if len(order) < len(actions):
                counters[k.CUT] = 1
            if len(results) == len(order) or (is_to_choose and results):
                shares = update_shares(shares, results)
        if timer:
            timer.cancel()
        return shares

    def _deeper_rounds(self, first: Any, counters: Any, width: int) -> Iterator[tuple[int, int]]:
        """Yield plies and width of each round after the first."""
        k = self._kernel
        if not first[k.EVALUATED]:
            return
        most = k.MOST_ANALYSED_PLIES if counters[k.WHOLE_TURNS] else self.most_plies
        plies, width = 2, k.MOST_LEGAL if self.follows_all else width
        while plies <= min(most, self.most_plies):
            counters[k.EVALUATED] = counters[k.CUT] = 0
            yield plies, width
            if counters[k.STOP]:
                return
            if counters[k.EVALUATED]:
                plies += 1
            elif counters[k.CUT]:
                width = k.MOST_LEGAL  # what was followed reaches the end of the game: follow all
            else:
                return

    def _search_round(
        self,
        state: State,
        order: list[int],
        plies: int,
        width: int,
        opponents: _Opponents,
        counters: Any,
    ) -> Shares:
        """Return the shares of the actions that were finished in time."""
        results = self._look_ahead(state, order, plies, width, opponents, counters)
        end = 1 + self.game.num_players()
        rows = zip(order, results, strict=False)
        return {action: tuple(map(float, row[1:end])) for action, row in rows}

    def _look_ahead(
        self,
        state: State,
        actions: Sequence[int],
        plies: int,
        width: int,
        opponents: _Opponents,
        counters: Any,
    ) -> list[Any]:
        """Run the kernel; return the result of each action that was finished in time."""
        k, make = self._kernel, self._buffers
        size = k.RESULT_SLOTS
        results = make.floats([0.0] * (len(actions) * size))
        finished = k.look_ahead(
            make.ints(state.buffer),
            opponents.weights,
            opponents.beliefs,
            plies,
            width,
            make.ints(actions),
            len(actions),
            results,
            counters,
        )
        return [results[at : at + size] for at in range(0, finished * size, size)]

    def outcome_shares(
        self, state: State, players: tuple[str, ...], plies: int = 1
    ) -> "NDArray[np.float64]":
        """Return each seat's expected share of the win after every outcome of a chance step.

        `players` has the name of the player in each seat. Those that the game has an opponent
        model for are predicted by it, the others by all models. The result is an array of
        outcomes × seats, in the order of the legal actions.
        """
        import numpy as np

        k = self._kernel
        opponents = self._known_opponents(players)
        width = k.MOST_LEGAL if plies == 1 else 1
        counters = self._new_counters(UNLIMITED)
        rows = self._look_ahead(state, state.legal_actions(), plies, width, opponents, counters)
        by_model = np.array(rows, float).reshape(-1, k.MODELS, k.MODEL_SLOTS)[:, :, 1:]
        turn = k.MODELS * self.game.turn_of(state.buffer)
        shares: NDArray[np.float64] = np.tensordot(
            opponents.beliefs[turn : turn + k.MODELS], by_model, (0, 1)
        )
        return shares

    # ---- opponents ------------------------------------------------------------------------------

    def _opponents(self, state: State, is_to_choose: bool) -> _Opponents:
        """Return what to assume about the players.

        In an analysis everybody plays as the search does. A player that looks no further than its
        own turn does not infer models: its opponents are strangers.
        """
        if not is_to_choose or len(self._kernel.PRIORS) == 1:
            return self._equal_opponents
        seat = state.current_player()
        if self.most_plies == 1:
            return self._unknown_opponents[seat]
        began = time.perf_counter()
        patience = INFERENCE_TIME * self.seconds if self.seconds else inf

        def is_late() -> bool:
            return self.is_stopped or time.perf_counter() - began > patience

        kinds = self._inference.beliefs(state, is_late)
        models = [[one[0] + one[-1], *one[1:-1]] for one in kinds]
        is_game = bool(state.history())  # in a position without history nobody is taken to search
        searches = [is_game and one[-1] > one[0] for one in kinds]
        return self._inferred_opponents(seat, models, searches)

    @cached_property
    def _equal_opponents(self) -> _Opponents:
        """Everybody follows model 0 and never deviates."""
        seats = self.game.num_players()
        floats = self._buffers.floats
        weights = self.game.weights(self.evaluation, learned=self._learned)
        return _Opponents(floats(weights), floats([*self._only_model_0 * seats, *[0.0] * seats]))

    @cached_property
    def _unknown_opponents(self) -> list[_Opponents]:
        """For every seat, its assumptions if it knows nothing about the others."""
        return self._same_opponents(self._kernel.PRIORS)

    @cached_property
    def _able_opponents(self) -> list[_Opponents]:
        """For every seat, its assumptions if the others follow model 0, but may deviate."""
        return self._same_opponents(self._only_model_0)

    @property
    def _only_model_0(self) -> list[float]:
        return [float(model == 0) for model in range(self._kernel.MODELS)]

    def _same_opponents(self, beliefs: Sequence[float]) -> list[_Opponents]:
        """Return the assumptions of every seat with the same beliefs about all others."""
        seats = range(self.game.num_players())
        return [
            self._inferred_opponents(seat, [beliefs for _ in seats], [False for _ in seats])
            for seat in seats
        ]

    def _inferred_opponents(
        self, own: int, beliefs: Sequence[Sequence[float]], searches: Sequence[bool]
    ) -> _Opponents:
        """Return what a seat assumes with beliefs about the others; it follows model 0 itself."""
        k, seats = self._kernel, [*beliefs]
        deviates = [k.SEARCHES if one else 1.0 for one in searches]
        seats[own], deviates[own] = self._only_model_0, 0.0
        width = AMONG_SEARCHERS if k.SEARCHES in deviates else 1
        return self._assume(seats, deviates)._replace(width=width)

    def _assume(self, beliefs: Sequence[Sequence[float]], deviates: Sequence[float]) -> _Opponents:
        """Return beliefs about the seats, and how each may deviate from its models (see B)."""
        floats = self._buffers.floats
        weights = self.game.weights(self.evaluation, beliefs, self._learned)
        models = [one for seat in beliefs for one in seat]
        return _Opponents(floats(weights), floats([*models, *deviates]))

    def _known_opponents(self, players: tuple[str, ...]) -> _Opponents:
        """Return what to assume if the names of all players are known."""
        if self._kernel.MODELS == 1:
            return self._equal_opponents
        if players not in self._known:
            models = [self.game.level_models.get(player) for player in players]
            seats = [
                self._kernel.PRIORS
                if known is None
                else [float(model == known) for model in range(self._kernel.MODELS)]
                for known in models
            ]
            self._known[players] = self._assume(seats, [float(model != 0) for model in models])
        return self._known[players]

    def _action_values(self, state: State, actions: Sequence[int]) -> list[list[float]]:
        """Return the values of actions to the player to move, for every kind of player.

        The kinds are the opponent models, then a player who also searches the next turn.
        """
        k, mover = self._kernel, state.current_player()
        counters = self._new_counters(UNLIMITED)
        unknown = self._unknown_opponents[mover]
        all_models = self._buffers.floats([1.0] * len(unknown.beliefs))  # everybody may deviate
        every_model = unknown._replace(beliefs=all_models)
        rows = self._look_ahead(state, actions, 1, k.MOST_LEGAL, every_model, counters)
        slots = [1 + mover, *range(k.MODEL_SLOTS, k.RESULT_SLOTS, k.MODEL_SLOTS)]
        values = [[float(row[slot]) for row in rows] for slot in slots]
        able = self._able_opponents[mover]
        rows = self._look_ahead(state, actions, 2, AMONG_SEARCHERS, able, counters)
        return [*values, [float(row[1 + mover]) for row in rows]]

    # ---- limits ---------------------------------------------------------------------------------

    def _new_counters(self, nodes: int = 0) -> Any:
        counters = self._buffers.ints([0] * self._kernel.COUNTERS)
        default = UNLIMITED if self.seconds else self.default_nodes
        counters[self._kernel.MOST_NODES] = nodes or self.nodes or default
        return counters

    def _start_timer(self, counters: Any) -> threading.Timer | None:
        """Start a timer that stops this search; it has its counters, so it cannot stop another."""
        if self.seconds is None or self.most_plies == 1:
            return None
        timer = threading.Timer(SEARCH_TIME * self.seconds, _stop, (counters, self._kernel.STOP))
        timer.daemon = True
        timer.start()
        return timer


def update_shares(shares: Shares, results: Shares) -> Shares:
    """Return the shares after each action, given new results of some.

    The others change as much as those did on average: results of a deeper search are often all
    higher, or all lower, so they cannot be compared with those of the search before.
    """
    changes = [
        [new - old for new, old in zip(results[action], shares[action], strict=True)]
        for action in results
    ]
    shift = [sum(change) / len(changes) for change in zip(*changes, strict=True)]
    shifted = {
        action: tuple(old + more for old, more in zip(before, shift, strict=True))
        for action, before in shares.items()
    }
    return shifted | results


def load_weights(game: Game, name: str | Path) -> Any:
    """Return the weights of a file, for the best evaluation of a game."""
    return _load_weights(game, name, file_state(name))


@lru_cache(maxsize=16)  # every game of a tournament has new players
def _load_weights(game: Game, name: str | Path, _state: tuple[int, int]) -> Any:
    return game.read_weights(read_weights_file(name), str(name))


def _stop(counters: Any, slot: int) -> None:
    counters[slot] = 1


class _Buffers:
    """Makes the buffers of a target: arrays for compiled code, lists for plain Python."""

    def __init__(self, target: str) -> None:
        self.is_compiled = target == "numba"

    def ints(self, values: Sequence[int]) -> Any:
        if not self.is_compiled:
            return list(values)
        import numpy as np

        return np.array(values, np.int64)

    def floats(self, values: Any) -> Any:
        if not self.is_compiled:
            return [float(value) for value in values]
        import numpy as np

        return np.ascontiguousarray(values, np.float32)
