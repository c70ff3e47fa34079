"""Games as PettingZoo environments, in which agents act one after the other (AEC)."""

from typing import TYPE_CHECKING, Any, ClassVar

from souk.engine.errors import SoukError, brief
from souk.engine.extras import needs_extra
from souk.engine.state import TERMINAL
from souk.envs.rows import RENDER_MODES, Rows, bounds, show
from souk.games import FIRST, load_game

with needs_extra("envs", "souk.envs.pettingzoo"):
    import numpy as np
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv

if TYPE_CHECKING:
    from souk.engine.game import Game


class GameEnv(AECEnv[str, dict[str, Any], int]):
    """A game whose seats are the agents `player_0`, `player_1` …

    After the last action of a game, the rewards of all agents are their shares of the win.
    An illegal action raises souk.IllegalAction and changes nothing.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self, game: "Game", render_mode: str | None = None, *, reduced_actions: bool = False
    ) -> None:
        super().__init__()
        if render_mode not in (None, *RENDER_MODES):
            raise SoukError(f"render_mode is human or ansi, not {brief(render_mode)}")
        self.game = game
        self.metadata = {**self.metadata, "name": f"{game.name}_v0"}  # type: ignore[misc]
        self.render_mode = render_mode
        self._rows = Rows(game, 1, reduced_actions=reduced_actions)
        self._reduced = bool(reduced_actions)
        self._generator: Any = None
        self.possible_agents = [f"player_{seat}" for seat in range(game.num_players())]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        low, high = bounds(game)
        actions = self._rows.num_actions
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(
                        low, high, tuple(game.observation_tensor_shape()), np.float32
                    ),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.reset()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game; a seed decides the setup and all chance of this game and the next ones."""
        if seed is not None or self._generator is None:
            self._generator, _ = seeding.np_random(seed)
            self._rows.restart(int(self._generator.integers(2**62)))
        else:
            self._rows.reset()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self._rows.current_player[0]]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent sees, and 1 for every action that is legal for it now."""
        rows = self._rows
        seen = rows.observe(0, self._seats[agent])
        is_to_act = rows.current_player[0] == self._seats[agent]
        mask = rows.mask(0) if is_to_act else rows.no_actions()
        return {"observation": seen, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Apply the action of the agent to act; None if the game is over."""
        if not self.agents:
            raise SoukError("the game is over: call reset")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        rows = self._rows
        number = rows.check(0, action)
        self._cumulative_rewards[agent] = 0.0
        rows.step_row(0, number, reduced=self._reduced)
        mover = rows.current_player[0]
        if mover == TERMINAL:
            self.rewards = dict(zip(self.agents, rows.rewards[0].tolist(), strict=True))
            self._accumulate_rewards()
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[mover]
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Return the position as a text, or print it."""
        return show(self._rows.state(0), self.render_mode)

    def close(self) -> None:
        """Do nothing: there is no window."""


def env(
    game: str = FIRST,
    render_mode: str | None = None,
    *,
    reduced_actions: bool = False,
    **knobs: Any,
) -> GameEnv:
    """Return the environment of a game, given as a game string or as its name and knobs.

    With `reduced_actions`, agents choose among fewer actions, for games that have them.

    >>> import souk.envs.pettingzoo
    >>> env = souk.envs.pettingzoo.env("marrakech(players=3)")
    >>> env.reset(seed=1)
    >>> observation, reward, termination, truncation, info = env.last()
    >>> env.agent_selection, observation["action_mask"].nonzero()[0].tolist()
    ('player_0', [0, 1, 2])
    """
    return GameEnv(load_game(game, **knobs), render_mode, reduced_actions=reduced_actions)
