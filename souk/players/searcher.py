"""Players that look ahead in compiled code, with a judgement of their game.

The first look goes to the end of the turn for every action. Then come rounds that look deeper and
wider, best actions first, until the nodes or the time are used up, or everything is known for
certain. What the last round has found so far counts.
"""

import threading
import time
from collections.abc import Iterator, Sequence
from functools import cached_property
from math import inf, log2
from typing import Any, ClassVar, NamedTuple

from souk.engine.game import Game
from souk.engine.kernel import targets
from souk.engine.state import State
from souk.games import game_class
from souk.players.opponent_inference import Reader
from souk.players.player import Analysis, Player

NEVER = 2**62  # a number of nodes that no search reaches
A_PLY = 5.0  # what a ply costs besides the width, in doublings: turnings, dice, rugs that are drawn
READING = 0.25  # of the time at most, for what the others' moves say about them
PART = 0.95  # of the time for the search: the rest is for waking up and answering
Shares = dict[int, tuple[float, ...]]  # expected share of the win for each seat, by action


class _Table(NamedTuple):
    """Who sits at a table, as far as one knows."""

    weights: Any  # of the judgement, that has heard of it
    minds: Any  # as the search wants it: how likely every seat has each mind, who is a stranger


class Searcher(Player):
    """Chooses what brings it the largest share of the win, as far as it can see."""

    judges_by_hand: ClassVar[bool] = False  # the simplest judgement, else the best there is
    most_plies: ClassVar[int] = 1  # turns that it looks ahead, its own included
    widths: ClassVar[tuple[int, ...]] = (1, 4)  # options looked at deeper, before all are
    at_first: ClassVar[tuple[int, ...]] = (8, 4)  # of its own, so many: two plies deep, deeper
    usual_nodes: ClassVar[int] = 20_000  # if neither nodes nor seconds are given
    target: ClassVar[str] = "numba"

    def __init__(
        self,
        game: Game,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        seed: int | None = None,
    ) -> None:
        super().__init__(game, seconds=seconds, nodes=nodes, seed=seed)
        names = game.judges()
        self.judgement = names[0] if self.judges_by_hand else names[-1]
        self._buffers = _Buffers(self.target)
        compiled = targets.numba_kernel if self.target == "numba" else targets.python_kernel
        self._kernel = compiled(game.kernel, game.constants(), game.searching(self.judgement))
        self._plain = targets.python_kernel(game.kernel, game.constants(), game.thinning)
        self._counters = self._fresh_counters()
        self._reader = Reader(self._worths, self._kernel.SLACK, self._kernel.BELIEFS)

    @classmethod
    def plays(cls, game: str) -> bool:
        return bool(game_class(game).judgements)

    def think(self, state: State, actions: list[int]) -> int:
        tried = self._worth_trying(state, actions)
        if len(tried) == 1:
            return tried[0]
        _, best = self._search(state, tried, is_to_choose=True)
        mover = state.current_player()
        most = max(shares[mover] for shares in best.values())
        slack = 2 * self._kernel.CLEARLY
        return self.random.choice(
            [a for a in actions if a in best and best[a][mover] >= most - slack]
        )

    def analyse(self, state: State) -> list[Analysis]:
        """Every legal action with its expected share of the win for each seat, best first.

        All of them are looked at equally deep, so that they can be compared.
        """
        actions = self._actions(state)
        mover = state.current_player()
        self.is_stopped = False
        shares, _ = self._search(state, actions)
        return [
            Analysis(action, state.action_to_string(action), shares[action])
            for action in sorted(actions, key=lambda action: -shares[action][mover])
        ]

    def _worth_trying(self, state: State, actions: list[int]) -> list[int]:
        """The legal actions that are worth trying; a player may choose any, and rarely would."""
        tried = actions[:]
        count = self._plain.worth_trying(state.buffer, tried, len(tried))
        return tried[:count]

    def looked_at(self) -> int:
        """How many positions it has looked at for its last answer."""
        return int(self._counters[self._kernel.NODES])

    def stop(self) -> None:
        super().stop()
        self._counters[self._kernel.STOP] = 1

    # ---- rounds ---------------------------------------------------------------------------------

    def _search(
        self, state: State, actions: Sequence[int], is_to_choose: bool = False
    ) -> tuple[Shares, Shares]:
        """What all actions bring by the last round that was finished, and the best of them.

        The best are those that the last round has looked at, be it finished or not. It begins with
        what looked best before, so the others are hardly among the best. If it is to choose, it
        follows a few actions only in rounds that are narrow themselves, and reckons with what
        others may have in mind; else everybody is taken to play as well as he can.
        """
        k = self._kernel
        mover = state.current_player()
        counters = self._counters = self._fresh_counters()
        timer = self._timer(counters)
        table = self._taken_for(state, is_to_choose)
        first = self._fresh_counters(NEVER)  # the first round is finished whatever happens
        shares = best = self._round(state, list(actions), 1, k.MOST_LEGAL, table, first)
        counters[k.NODES] = first[k.NODES]
        if counters[k.NODES] >= counters[k.MOST_NODES] or self.is_stopped:
            counters[k.STOP] = 1
        for plies, width in self._deeper(first, counters):
            order = sorted(actions, key=lambda action: -shares[action][mover])
            if is_to_choose and width < k.MOST_LEGAL:
                del order[self.at_first[min(plies, len(self.at_first) + 1) - 2] :]
            found = self._round(state, order, plies, width, table, counters)
            if len(order) < len(actions):
                counters[k.CUT] = 1
            if len(found) == len(order):
                shares, best = shares | found, found
            elif found:
                best = found
        if timer:
            timer.cancel()
        return shares, best

    def _deeper(self, first: Any, counters: Any) -> Iterator[tuple[int, int]]:
        """How deep and how wide to look in each round after the first: cheap ones first."""
        k = self._kernel
        if not first[k.JUDGED]:
            return
        uncut = 1  # so many plies have been looked at in full
        for plies, width in self._rounds_by_cost():
            if counters[k.STOP]:
                return
            if plies > uncut:
                counters[k.JUDGED] = counters[k.CUT] = 0
                yield plies, width
                if not counters[k.CUT]:
                    if not counters[k.JUDGED]:
                        return  # every line has been followed to the end of the game
                    uncut = plies  # looking wider would show the same

    def _rounds_by_cost(self) -> list[tuple[int, int]]:
        """All rounds: a ply costs as much as `A_PLY` doublings of the width."""
        widths = (*self.widths, self._kernel.MOST_LEGAL)
        rounds = [(plies, width) for plies in range(2, self.most_plies + 1) for width in widths]
        return sorted(rounds, key=lambda one: (one[0] - 1) * (A_PLY + log2(one[1])))

    def _round(
        self, state: State, order: list[int], plies: int, width: int, table: _Table, counters: Any
    ) -> Shares:
        """What the actions bring that were finished in time."""
        found = self._look_ahead(state, order, plies, width, table, counters)
        end = 1 + self.game.num_players()
        rows = zip(order, found, strict=False)
        return {action: tuple(map(float, row[1:end])) for action, row in rows}

    def _look_ahead(
        self,
        state: State,
        actions: Sequence[int],
        plies: int,
        width: int,
        table: _Table,
        counters: Any,
    ) -> list[Any]:
        """Ask the kernel: a row for each action that was finished in time."""
        k, make = self._kernel, self._buffers
        wide = k.WIDE
        found = make.reals([0.0] * (len(actions) * wide))
        finished = k.look_ahead(
            make.wholes(state.buffer),
            table.weights,
            table.minds,
            plies,
            width,
            make.wholes(actions),
            len(actions),
            found,
            counters,
        )
        return [found[at : at + wide] for at in range(0, finished * wide, wide)]

    # ---- others ---------------------------------------------------------------------------------

    def _taken_for(self, state: State, is_to_choose: bool) -> _Table:
        """Who sits at the table, as far as the moves that were made say it.

        An analysis takes everybody to play as well as he can. Whoever looks no farther than his own
        turn does not read the others: they are strangers to him.
        """
        stranger = self._kernel.BELIEFS
        if not is_to_choose or len(stranger) == 1:
            return self._as_good
        seat = state.current_player()
        if self.most_plies == 1:
            return self._strangers[seat]
        began = time.perf_counter()
        patience = READING * self.seconds if self.seconds else inf

        def is_late() -> bool:
            return self.is_stopped or time.perf_counter() - began > patience

        return self._table(seat, self._reader.beliefs(state, is_late))

    @cached_property
    def _as_good(self) -> _Table:
        """A table where everybody plays as well as he can."""
        seats = self.game.num_players()
        reals = self._buffers.reals
        minds = [float(mind == 0) for _ in range(seats) for mind in range(self._kernel.MINDS)]
        return _Table(reals(self.game.weights(self.judgement)), reals([*minds, *[0.0] * seats]))

    @cached_property
    def _strangers(self) -> list[_Table]:
        """For every seat, a table where it knows nobody else."""
        seats = range(self.game.num_players())
        return [self._table(seat, [self._kernel.BELIEFS for _ in seats]) for seat in seats]

    def _table(self, own: int, beliefs: Sequence[Sequence[float]]) -> _Table:
        """A table where something is believed of the others; one's own mind is the first."""
        reals = self._buffers.reals
        seats = [*beliefs]
        seats[own] = [float(mind == 0) for mind in range(self._kernel.MINDS)]
        weights = self.game.weights(self.judgement, seats)
        minds = [one for seat in seats for one in seat]
        is_strange = [float(seat != own) for seat in range(len(seats))]
        return _Table(reals(weights), reals([*minds, *is_strange]))

    def _worths(self, state: State, actions: Sequence[int]) -> list[list[float]]:
        """What the actions are worth to whoever is to choose, for every kind he may be of."""
        k, chooser = self._kernel, state.current_player()
        players = self.game.num_players()
        all_minds = self._buffers.reals([1.0] * ((k.MINDS + 1) * players))  # all strangers
        table = _Table(self._strangers[chooser].weights, all_minds)
        counters = self._fresh_counters(NEVER)
        rows = self._look_ahead(state, actions, 1, k.MOST_LEGAL, table, counters)
        slots = [1 + chooser, *range(k.A_MIND, k.WIDE, k.A_MIND)]
        return [[float(row[slot]) for row in rows] for slot in slots]

    # ---- limits ---------------------------------------------------------------------------------

    def _fresh_counters(self, nodes: int = 0) -> Any:
        counters = self._buffers.wholes([0] * self._kernel.COUNTERS)
        usual = NEVER if self.seconds else self.usual_nodes
        counters[self._kernel.MOST_NODES] = nodes or self.nodes or usual
        return counters

    def _timer(self, counters: Any) -> threading.Timer | None:
        """Stops the search in time; it has the counters of this search, so it can hit no other."""
        if self.seconds is None or self.most_plies == 1:
            return None
        timer = threading.Timer(PART * self.seconds, _stop, (counters, self._kernel.STOP))
        timer.daemon = True
        timer.start()
        return timer


def _stop(counters: Any, slot: int) -> None:
    counters[slot] = 1


class _Buffers:
    """Makes the buffers of a target: arrays for compiled code, lists for plain Python."""

    def __init__(self, target: str) -> None:
        self.is_compiled = target == "numba"

    def wholes(self, values: Sequence[int]) -> Any:
        if not self.is_compiled:
            return list(values)
        import numpy as np

        return np.array(values, np.int64)

    def reals(self, values: Any) -> Any:
        if not self.is_compiled:
            return [float(value) for value in values]
        import numpy as np

        return np.ascontiguousarray(values, np.float32)
