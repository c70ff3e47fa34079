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
        samples = [Samples(state, state.legal_actions()) for state in states]
        ends = [
            {action: list(self._ends(state, action)) for action in state.legal_actions()}
            for state in states
        ]
        open_ones = list(range(len(states)))
        done, more = 0, 2 * FIRST_ROUND
        while open_ones and done < games:
            more = min(more, games - done)
            for number, values in self._play(open_ones, samples, ends, more, seed, truncate):
                samples[number].add(values)
            done += more
            more = done
            open_ones = [
                number
                for number in open_ones
                if not samples[number].drop_worse() and samples[number].largest_error() > error
            ]
        return [one.results() for one in samples]

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

    def _play(
        self,
        numbers: Sequence[int],
        samples: Sequence[Samples],
        ends: Sequence[dict[int, list[_End]]],
        games: int,
        seed: int,
        truncate: int,
    ) -> Iterator[tuple[int, Any]]:
        """Yield decisions with the shares in further games: games × actions × seats."""
        most = self.rollouts.rows // games
        part: list[int] = []
        count = 0  # positions of the part
        for number in [*numbers, -1]:
            own = 0
            if number >= 0:
                own = sum(len(ends[number][action]) for action in samples[number].compared())
            if part and (number < 0 or count + own > most):
                yield from self._play_part(part, samples, ends, games, seed, truncate)
                part, count = [], 0
            part.append(number)
            count += own

    def _play_part(
        self,
        numbers: Sequence[int],
        samples: Sequence[Samples],
        ends: Sequence[dict[int, list[_End]]],
        games: int,
        seed: int,
        truncate: int,
    ) -> Iterator[tuple[int, Any]]:
        """Yield the same for decisions whose games fit into the rows together."""
        import numpy as np

        open_ends = [
            (group, end.state.buffer)
            for group, number in enumerate(numbers)
            for action in samples[number].compared()
            for end in ends[number][action]
            if not end.state.is_terminal()
        ]
        groups, positions = zip(*open_ends, strict=True) if open_ends else ((), ())
        played = iter(
            self.rollouts.play(
                [list(one) for one in positions],
                groups,
                games,
                seed=derive_seed(seed, games, numbers[0]),
                truncate=truncate,
            )
            if open_ends
            else ()
        )
        for number in numbers:
            columns = []
            for action in samples[number].compared():
                shares: Any = 0.0
                for end in ends[number][action]:
                    is_over = end.state.is_terminal()
                    values = np.tile(end.state.returns(), (games, 1)) if is_over else next(played)
                    shares = shares + end.probability * values
                columns.append(shares)
            yield number, np.stack(columns, axis=1)


def _best(expert: Player, state: State) -> int:
    return expert.analyse(state)[0].action
