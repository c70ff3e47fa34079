"""Roll out many decisions side by side.

Any game can do that, on all cores or with a game in every thread of a GPU. Games that have
`Game.batch_rollouts` do it with a net that evaluates many positions in one product of matrices.
After an action, all chance outcomes and the choices of `expert` then lead to the possible ends of
the turn. These are rolled out; the value of the action is their mean, weighted by probability.
"""

import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from souk.analysis.rollouts import FIRST_ROUND, Job, Rollout, RolloutRunner, Samples
from souk.engine.game import Game
from souk.engine.kernel import targets
from souk.engine.playouts import cores
from souk.engine.seeds import derive_seed
from souk.engine.state import State
from souk.players import Player, player

DEVICES = {"cpu": "cpu", "gpu": "cuda"}  # of rollouts, by the name of a machine


class _End(NamedTuple):
    """A possible end of a turn."""

    probability: float
    state: State


@dataclass
class _Decision:
    """A decision that is rolled out."""

    number: int
    state: State
    samples: Samples
    ends: dict[int, list[_End]] = field(default_factory=dict)  # of the turn, by action


def batch_runner(game: Game, device: str, rows: int, truncate: int = 0) -> "BatchRunner":
    """Return what rolls out the decisions of a game; `device` is cpu or gpu."""
    kind = NetRunner if game.batch_rollouts else GameRunner
    return kind(game, device, rows, truncate)


class BatchRunner(ABC):
    """Rolls out the actions of many decisions of a game, at most `rows` games together."""

    def __init__(self, game: Game, device: str, rows: int, truncate: int = 0) -> None:
        self.game, self.device, self.rows, self.truncate = game, device, rows, truncate

    def roll_out(
        self, states: Sequence[State], *, games: int, error: float, seed: int
    ) -> list[list[Rollout]]:
        """Return the results of all actions in every state, as `souk.rollout` does.

        The rollouts of a state end when one action is clearly best, when all losses have a standard
        error of at most `error`, or after `games` games of an action.
        """
        decisions = [
            _Decision(number, state, Samples(state, state.legal_actions()))
            for number, state in enumerate(states)
        ]
        compared = decisions
        done, more = 0, 2 * FIRST_ROUND
        while compared and done < games:
            more = min(more, games - done)
            for part in self._parts(compared, more):
                self._play(part, more, seed)
            done += more
            more = done
            compared = [
                one
                for one in compared
                if not one.samples.drop_worse() and one.samples.largest_error() > error
            ]
        return [one.samples.results() for one in decisions]

    @abstractmethod
    def _positions(self, decision: _Decision) -> int:
        """Return the number of positions that are played on."""

    @abstractmethod
    def _play(self, decisions: Sequence[_Decision], games: int, seed: int) -> None:
        """Play further games of every action that is still compared."""

    def _parts(self, decisions: Sequence[_Decision], games: int) -> Iterator[list[_Decision]]:
        """Yield decisions whose games fit into the rows together."""
        most = self.rows // games
        part: list[_Decision] = []
        count = 0  # positions of the part
        for one in decisions:
            own = self._positions(one)
            if part and count + own > most:
                yield part
                part, count = [], 0
            part.append(one)
            count += own
        yield part


class GameRunner(BatchRunner):
    """Plays the rollouts as `souk.rollout` does, those of many decisions together."""

    def __init__(self, game: Game, device: str, rows: int, truncate: int = 0) -> None:
        super().__init__(game, device, rows, truncate)
        start = game.new_initial_state(1)
        self._runner = RolloutRunner(
            start, truncate=truncate, threads=cores(), device=DEVICES[device]
        )

    def _positions(self, decision: _Decision) -> int:
        return len(decision.samples.left)

    def _play(self, decisions: Sequence[_Decision], games: int, seed: int) -> None:
        jobs = [
            Job(
                one.state.buffer,
                derive_seed(seed, one.number),
                one.samples.compared(),
                one.samples.games,
                games,
            )
            for one in decisions
        ]
        for one, (shares, luck) in zip(decisions, self._runner.play_many(jobs), strict=True):
            one.samples.add(shares - luck)


class NetRunner(BatchRunner):
    """Plays the rollouts with `Game.batch_rollouts`."""

    def __init__(self, game: Game, device: str, rows: int, truncate: int = 0) -> None:
        super().__init__(game, device, rows, truncate)
        self._rollouts: Any = pkgutil.resolve_name(game.batch_rollouts)(game, device, rows)
        modules = game.rollout_modules(game.available_evaluations()[-1])
        self._kernel = targets.python_kernel(game.kernel, game.constants(), modules)
        self._expert = player("expert", game)

    def _positions(self, decision: _Decision) -> int:
        return sum(map(len, self._compared_ends(decision)))

    def _compared_ends(self, decision: _Decision) -> list[list[_End]]:
        """Return the ends of every action that is still compared."""
        compared = decision.samples.compared()
        for action in compared:
            if action not in decision.ends:
                decision.ends[action] = list(self._ends(decision.state, action))
        return [decision.ends[action] for action in compared]

    def _ends(self, state: State, action: int, probability: float = 1.0) -> Iterator[_End]:
        """Yield the possible ends of the turn after an action."""
        after = state.clone()
        after.apply_action(action)
        if after.is_terminal() or self._kernel.can_evaluate(list(after.buffer)):
            yield _End(probability, after)
        elif after.is_chance_node():
            for outcome, chance in after.chance_outcomes():
                yield from self._ends(after, outcome, probability * chance)
        else:
            yield from self._ends(after, _best(self._expert, after), probability)

    def _play(self, decisions: Sequence[_Decision], games: int, seed: int) -> None:
        import numpy as np

        open_ends = [
            (group, list(end.state.buffer))
            for group, one in enumerate(decisions)
            for ends in self._compared_ends(one)
            for end in ends
            if not end.state.is_terminal()
        ]
        played: Iterator[Any] = iter(())
        if open_ends:
            groups, positions = zip(*open_ends, strict=True)
            played = iter(
                self._rollouts.play(
                    positions,
                    groups,
                    games,
                    seed=derive_seed(seed, games, decisions[0].number),
                    truncate=self.truncate,
                )
            )
        for one in decisions:
            columns = []
            for ends in self._compared_ends(one):
                shares: Any = 0.0
                for end in ends:
                    is_over = end.state.is_terminal()
                    values = np.tile(end.state.returns(), (games, 1)) if is_over else next(played)
                    shares = shares + end.probability * values
                columns.append(shares)
            one.samples.add(np.stack(columns, axis=1))


def _best(expert: Player, state: State) -> int:
    return expert.analyse(state)[0].action
