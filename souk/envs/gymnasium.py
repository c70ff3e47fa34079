"""Games as Gymnasium environments: one seat learns, computer players play the others."""

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from souk.engine.errors import IllegalAction, SoukError, as_int, brief
from souk.engine.extras import needs_extra
from souk.engine.game import Game
from souk.engine.state import TERMINAL, rebuild
from souk.envs.rows import RENDER_MODES, Rows, bounds, show
from souk.games import FIRST, load_game
from souk.players import Player, player
from souk.players.greedy import Greedy
from souk.players.random_player import Uniform

with needs_extra("envs", "souk.envs.gymnasium"):
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

if TYPE_CHECKING:
    from numpy.typing import NDArray

Opponents = str | Player | Sequence[str | Player]


class SeatRows:
    """Games in rows, in which opponents play all seats but one.

    Opponents that choose evenly among legal actions do so in compiled code. The others are asked
    row by row, and are given the actions of the game so far.
    """

    def __init__(
        self, game: Game, rows: int, seat: int, opponents: Opponents, reduced_actions: bool
    ) -> None:
        seats = game.num_players()
        number = as_int(seat)
        if number is None or not 0 <= number < seats:
            raise SoukError(f"seat is a number from 0 to {seats - 1}, not {brief(seat)}")
        if isinstance(opponents, str | Player):
            opponents = [opponents] * (seats - 1)
        if not isinstance(opponents, Sequence) or len(opponents) != seats - 1:
            raise SoukError(
                f"opponents is a computer player or a list of {seats - 1}, in the order of their"
                f" seats, not {brief(opponents)}"
            )
        self.game = game
        self.seat = number
        self.rows = Rows(game, rows, reduced_actions=reduced_actions)
        others = [one for one in range(seats) if one != number]
        is_even = type(game).random_action is Game.random_action
        self._opponents = dict(zip(others, opponents, strict=True))
        self._random_seats = 0  # a bit mask
        for other, one in self._opponents.items():
            if isinstance(one, Player) and one.game != game:
                raise SoukError(f"an opponent was made for {one.game}, not for {game}")
            if is_even and one == Uniform.name:
                self._random_seats |= 1 << other
        self._players: dict[int, Player] = {}
        # Per row: the actions of all players, and the positions before them, for the opponents.
        self._history: list[list[int]] = [[] for _ in range(rows)]
        self._past: list[list[list[int]]] = [[] for _ in range(rows)]
        self._seed_opponents(0)
        if any(isinstance(one, Greedy) for one in self._players.values()):
            Greedy.prepare(game)  # else it decides in plain Python, many times as slowly

    def restart(self, seed: int) -> None:
        """Start new games; the seed decides chance and the choices of opponents given by name."""
        self._seed_opponents(seed)
        self.rows.restart(seed)
        self._forget(range(self.rows.rows))
        self._let_opponents_act()

    def start_next(self) -> None:
        """Start the next game in all rows."""
        self.rows.reset()
        self._forget(range(self.rows.rows))
        self._let_opponents_act()

    def step(self, actions: Any, is_cut: "NDArray[np.bool_]") -> None:
        """Apply the seat's actions, or start the next game where one was over or is cut."""
        rows = self.rows
        before = rows.buffers() if self._players else []
        was_over = rows.terminated | is_cut
        rows.step_or_restart(actions, is_cut)
        if self._players:
            self._forget(np.flatnonzero(was_over).tolist())
            for row in np.flatnonzero(~was_over).tolist():
                self._record(row, before[row], int(actions[row]))
        self._let_opponents_act()
        rows.observe_ends(self.seat)

    def step_only_row(self, action: int) -> None:
        """Apply the seat's legal action in a batch of one row, without its observation."""
        rows = self.rows
        if self._players:
            self._record(0, rows.buffer(0), action)
        rows.step_row(0, action, reduced=rows.reduced_actions)
        self._finish_row(0)

    def _record(self, row: int, buffer: list[int], action: int) -> None:
        if self.rows.reduced_actions:
            action = self.game.observing_rules.full_action(buffer, action)
        self._past[row].append(buffer)
        self._history[row].append(action)

    def _forget(self, rows: Iterable[int]) -> None:
        for row in rows:
            self._history[row].clear()
            self._past[row].clear()

    def _let_opponents_act(self) -> None:
        """Let opponents act in all rows until it is the seat's turn or the game is over."""
        rows = self.rows
        if self._random_seats and not self._players:
            rows.play_random(self._random_seats)
            return
        waiting = ~np.isin(rows.current_player, (self.seat, TERMINAL))
        for row in np.flatnonzero(waiting).tolist():
            self._finish_row(row)
        rows.describe()

    def _finish_row(self, row: int) -> None:
        """Let opponents act in a row until it is the seat's turn or the game is over."""
        rows, past, history = self.rows, self._past[row], self._history[row]
        is_stale = False  # the mask
        while (mover := int(rows.current_player[row])) not in (self.seat, TERMINAL):
            one = self._players.get(mover)
            if one is None:
                rows.play_random(self._random_seats, row)
                is_stale = False
                continue
            buffer = rows.buffer(row)
            action = one.choose(rebuild(self.game, buffer, history, past))
            past.append(buffer)
            history.append(action)
            rows.step_row(row, action, reduced=False)
            is_stale = rows.reduced_actions
        if is_stale:
            rows.describe(row)

    def _seed_opponents(self, seed: int) -> None:
        for other, one in self._opponents.items():
            if isinstance(one, Player):
                self._players[other] = one
            elif not self._random_seats >> other & 1:
                self._players[other] = player(one, self.game, seed=seed + other)


class SeatEnv(gymnasium.Env["NDArray[np.float32]", np.int64]):
    """A game that is played from one seat against computer players.

    `opponents` is a computer player or a list of them, by name or as souk.player returns them.
    The reward is 0 until the end of the game, and then the seat's share of the win. Legal actions
    are 1 in `info["action_mask"]`. An illegal action ends the game with `illegal_reward` as the
    reward and a sentence in `info["illegal_action"]`; if `illegal_reward` is None, it raises
    souk.IllegalAction.

    >>> import gymnasium, souk.envs
    >>> env = gymnasium.make("souk/Marrakech-v0", players=3, opponents="greedy")
    >>> observation, info = env.reset(seed=1)
    >>> observation.shape, info["action_mask"].nonzero()[0].tolist()
    ((322,), [0, 1, 2])
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": list(RENDER_MODES),
        "render_fps": 1,
    }

    def __init__(
        self,
        game: str = FIRST,
        seat: int = 0,
        opponents: Opponents = "greedy",
        *,
        reduced_actions: bool = False,
        illegal_reward: float | None = -1.0,
        render_mode: str | None = None,
        **knobs: Any,
    ) -> None:
        self.game = load_game(game, **knobs)
        self.render_mode = render_mode  # not checked: stable-baselines3 asks for rgb_array
        self.illegal_reward = illegal_reward
        self._games = SeatRows(self.game, 1, seat, opponents, reduced_actions)
        self._rows = self._games.rows
        self._seat, self._is_over, self._is_started = self._games.seat, True, False
        self.observation_space, self.action_space = _spaces(self._rows)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple["NDArray[np.float32]", dict[str, Any]]:
        """Start a game; a seed decides all chance of this game and the next ones."""
        super().reset(seed=seed)
        if seed is not None or not self._is_started:
            self._games.restart(int(self.np_random.integers(2**62)))
            self._is_started = True
        else:
            self._games.start_next()
        while self._rows.terminated[0]:  # the opponents have ended it before the seat's turn
            self._games.start_next()
        self._is_over = False
        if self.render_mode == "human":
            self.render()
        return self._rows.observe(0, self._seat), {"action_mask": self._rows.mask(0)}

    def step(
        self, action: np.int64
    ) -> tuple["NDArray[np.float32]", float, bool, bool, dict[str, Any]]:
        """Apply an action of the seat, and let the others act until its next turn or the end."""
        rows = self._rows
        if self._is_over:
            raise SoukError("the game is over, or has not begun: call reset")
        try:
            number = rows.check(0, action)
        except IllegalAction as error:
            # What is no number at all is a fault of the program, not an action to learn from.
            if self.illegal_reward is None or as_int(action) is None:
                raise
            self._is_over = True
            info = {"action_mask": rows.no_actions(), "illegal_action": str(error)}
            return rows.observe(0, self._seat), self.illegal_reward, True, False, info
        self._games.step_only_row(number)
        is_over = self._is_over = bool(rows.terminated[0])
        if self.render_mode == "human":
            self.render()
        reward = float(rows.rewards[0, self._seat]) if is_over else 0.0
        info = {"action_mask": rows.mask(0)}
        return rows.observe(0, self._seat), reward, is_over, False, info

    def action_masks(self) -> "NDArray[np.bool_]":
        """Return whether each action is legal now; the MaskablePPO of sb3-contrib calls this."""
        return self._rows.mask(0).astype(np.bool_)

    def render(self) -> str | None:
        """Return the position as a text, or print it."""
        return show(self._rows.state(0), self.render_mode)


class SeatVectorEnv(VectorEnv["NDArray[np.float32]", "NDArray[np.int64]", "NDArray[Any]"]):
    """Many games on a batch, each played from one seat against computer players.

    The step after the end of a game starts the next one. A game that the seat has not finished in
    `max_episode_steps` is truncated. An illegal action raises souk.IllegalAction, and no game
    changes.

    >>> import gymnasium, souk.envs
    >>> envs = gymnasium.make_vec("souk/Marrakech-v0", num_envs=8, players=2, opponents="random")
    >>> observations, info = envs.reset(seed=1)
    >>> observations.shape, info["action_mask"].shape
    ((8, 373), (8, 87))
    """

    metadata: ClassVar[dict[str, Any]] = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # type: ignore[misc]

    def __init__(
        self,
        num_envs: int = 1,
        game: str = FIRST,
        seat: int = 0,
        opponents: Opponents = "greedy",
        *,
        reduced_actions: bool = False,
        max_episode_steps: int | None = None,
        **knobs: Any,
    ) -> None:
        self.game = load_game(game, **knobs)
        self.num_envs, self._is_started = num_envs, False
        if max_episode_steps is not None and (as_int(max_episode_steps) or 0) < 1:
            raise SoukError(
                f"max_episode_steps is a whole number from 1, not {brief(max_episode_steps)}"
            )
        self._most_steps = math.inf if max_episode_steps is None else max_episode_steps
        self._games = SeatRows(self.game, num_envs, seat, opponents, reduced_actions)
        self._rows = self._games.rows
        self.single_observation_space, self.single_action_space = _spaces(self._rows)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple["NDArray[np.float32]", dict[str, Any]]:
        """Start a game in every row; a seed decides all chance of these games and the next ones."""
        number = as_int(seed)
        if seed is not None and (number is None or number < 0):
            raise SoukError(
                "seed is one whole number from 0, from which the games of all rows follow, or None,"
                f" not {brief(seed)}"
            )
        super().reset(seed=number)
        self._games.restart(int(self.np_random.integers(2**62)))
        self._is_started = True
        self._steps = np.zeros(self.num_envs, np.int64)  # in the game of each row
        self._is_cut = np.zeros(self.num_envs, np.bool_)
        return self._seen()

    def step(
        self, actions: "NDArray[np.int64]"
    ) -> tuple[
        "NDArray[np.float32]", "NDArray[Any]", "NDArray[Any]", "NDArray[Any]", dict[str, Any]
    ]:
        """Apply the seat's action in every row, and let the others act."""
        if not self._is_started:  # it may be another seat's turn
            raise SoukError("the games have not begun: call reset")
        rows = self._rows
        was_over = rows.terminated | self._is_cut
        self._games.step(np.asarray(actions), self._is_cut)
        self._steps = np.where(was_over, 0, self._steps + 1)
        self._is_cut = ~rows.terminated & (self._steps >= self._most_steps)
        observations, info = self._seen()
        rewards = rows.rewards[:, self._games.seat].astype(np.float64)
        return observations, rewards, rows.terminated.copy(), self._is_cut.copy(), info

    def _seen(self) -> tuple["NDArray[np.float32]", dict[str, Any]]:
        info = {"action_mask": self._rows.legal_actions_mask.astype(np.int8)}
        return self._rows.observation.copy(), info


def _spaces(rows: Rows) -> tuple[Any, Any]:
    low, high = bounds(rows.game)
    shape = tuple(rows.game.observation_tensor_shape())
    return spaces.Box(low, high, shape, np.float32), spaces.Discrete(rows.num_actions)
