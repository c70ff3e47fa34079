"""Roll out many decisions side by side, for games that have `Game.batch_rollouts`.

After an action, all chance outcomes and the choices of `expert` lead to the possible ends of the
turn. These are rolled out; the value of the action is their mean, weighted by probability.
"""

import pkgutil
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from souk.analysis.rollouts import FIRST_ROUND, Rollout, Samples
from souk.engine.errors import SoukError
from souk.engine.game import Game
from souk.engine.kernel import targets
from souk.engine.seeds import derive_seed
from souk.engine.state import State
from souk.players import Player, player


class _End(NamedTuple):
    """A possible end of a turn."""

    probability: float
    state: State


class _Decision(NamedTuple):
    """A decision that is rolled out."""

    number: int
    samples: Samples
    ends: dict[int, list[_End]]  # by action

    def compared_ends(self) -> list[list[_End]]:
        """Return the ends of every action that is still compared."""
        return [self.ends[action] for action in self.samples.compared()]


class BatchRunner:
    """Rolls out the actions of many decisions of a game."""

    def __init__(self, game: Game, device: str, rows: int) -> None:
        if not game.batch_rollouts:
            raise SoukError(f"{game.name} has no rollouts of many positions side by side")
        self.rollouts: Any = pkgutil.resolve_name(game.batch_rollouts)(game, device, rows)
        modules = game.rollout_modules(game.available_evaluations()[-1])
        self._kernel = targets.python_kernel(game.kernel, game.constants(), modules)
        self._expert = player("expert", game)

    def roll_out(
        self, states: Sequence[State], *, games: int, error: float, seed: int, truncate: int = 0
    ) -> list[list[Rollout]]:
        """Return the results of all actions in every state, as `souk.rollout` does.

        The rollouts of a state end when one action is clearly best, when all losses have a standard
        error of at most `error`, or after `games` games of an action.
        """
        decisions = [
            _Decision(
                number,
                Samples(state, state.legal_actions()),
                {action: list(self._ends(state, action)) for action in state.legal_actions()},
            )
            for number, state in enumerate(states)
        ]
        compared = decisions
        done, more = 0, 2 * FIRST_ROUND
        while compared and done < games:
            more = min(more, games - done)
            for part in self._parts(compared, more):
                self._play(part, more, derive_seed(seed, more, part[0].number), truncate)
            done += more
            more = done
            compared = [
                one
                for one in compared
                if not one.samples.drop_worse() and one.samples.largest_error() > error
            ]
        return [one.samples.results() for one in decisions]

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

    def _parts(self, decisions: Sequence[_Decision], games: int) -> Iterator[list[_Decision]]:
        """Yield decisions whose games fit into the rows together."""
        most = self.rollouts.rows // games
        part: list[_Decision] = []
        count = 0  # positions of the part
        for one in decisions:
            own = sum(map(len, one.compared_ends()))
            if part and count + own > most:
                yield part
                part, count = [], 0
            part.append(one)
            count += own
        yield part

    def _play(self, decisions: Sequence[_Decision], games: int, seed: int, truncate: int) -> None:
        """Play further games of every action that is still compared."""
        import numpy as np

        open_ends = [
            (group, list(end.state.buffer))
            for group, one in enumerate(decisions)
            for ends in one.compared_ends()
            for end in ends
            if not end.state.is_terminal()
        ]
        played: Iterator[Any] = iter(())
        if open_ends:
            groups, positions = zip(*open_ends, strict=True)
            played = iter(
                self.rollouts.play(positions, groups, games, seed=seed, truncate=truncate)
            )
        for one in decisions:
            columns = []
            for ends in one.compared_ends():
                shares: Any = 0.0
                for end in ends:
                    is_over = end.state.is_terminal()
                    values = np.tile(end.state.returns(), (games, 1)) if is_over else next(played)
                    shares = shares + end.probability * values
                columns.append(shares)
            one.samples.add(np.stack(columns, axis=1))


def _best(expert: Player, state: State) -> int:
    return expert.analyse(state)[0].action
