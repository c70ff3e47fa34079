"""Rollouts of many positions side by side, on a GPU or on all cores.

The net evaluates all possible ends of a turn together, in one product of matrices. That is what
makes them much faster than `souk.engine.kernel.rollout_loop`, which plays one game after another.
"""

from typing import Any

from souk.engine.errors import SoukError
from souk.games.marrakech.ai import weights
from souk.games.marrakech.ai.self_play import OVER_END
from souk.games.marrakech.ai.training_games import SelfPlay
from souk.games.marrakech.game import Marrakech
from souk.train.devices import machine
from souk.train.net import Net

TIE_NOISE = 1e-5  # added to shares: a player who cannot win must not always decide who does


class BatchRollouts:
    """Plays games of the net from positions where a turn begins."""

    def __init__(self, game: Marrakech, device: str = "cpu", rows: int = 32_768) -> None:
        self.rows = rows
        self._games = SelfPlay(machine(device), rows, game, TIE_NOISE)
        xp, names = self._games.xp, self._games.net_names
        layers = (names.INPUTS, names.HIDDEN_1, names.HIDDEN_2)
        self._net = Net(xp, layers, game.num_players(), seed=0)
        self._net.begin_with(weights.load(game.num_players(), game.colours_each))

    def play(self, positions: Any, groups: Any, games: int, *, seed: int, truncate: int = 0) -> Any:
        """Return the shares in `games` games of every position, less luck: an array by seat.

        Game g of all positions of a group has the same dice. With `truncate`, the expectation
        after so many turns counts instead of the result.
        """
        own, xp = self._games, self._games.xp
        count = len(positions) * games
        if count > self.rows:
            raise SoukError(f"{count:,} games do not fit into {self.rows:,} rows: give more")
        dice = xp.asarray(groups)[:, None] * games + xp.arange(games)
        own.dice_rows = xp.zeros(self.rows, "i8")
        own.dice_rows[:count] = dice.reshape(-1)
        starts = xp.repeat(xp.asarray(positions, "i8"), games, axis=0)
        rng = xp.random.default_rng(seed)
        own.start(xp.concatenate([starts, xp.repeat(starts[:1], self.rows - count, axis=0)]), rng)
        own.G[count:, own.k.PHASE] = own.k.OVER
        shares = xp.zeros((self.rows, own.seats), "f4")
        luck = xp.zeros_like(shares)
        turns = 0
        while bool((own.G[:, own.k.PHASE] != own.k.OVER).any()):
            turn = own.turn(self._net, rng, 0.0)
            is_played = turn.is_played[:, None]
            if truncate and turns == truncate:
                shares = xp.where(is_played, turn.value, shares)
                break
            is_over = is_played & (turn.status[:, :1] == OVER_END)
            shares = xp.where(is_over, turn.result, shares)
            luck += xp.where(is_played, turn.luck, 0)
            turns += 1
        values = (shares - luck)[:count].reshape(len(positions), games, own.seats)
        return values.get() if hasattr(values, "get") else values
