"""Games as OpenSpiel games: importing this module registers `python_<name>` for every game.

The parameters are the knobs. A game whose setup is dealt at random begins with a chance node: its
outcomes are `setups` equally likely setups, those of the seeds 0, 1 …
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from souk.engine.errors import SoukError
from souk.engine.extras import needs_extra
from souk.engine.game import Game
from souk.engine.knobs import Flag, Integer, Knob
from souk.engine.state import State
from souk.games import game_class, load_game, names

with needs_extra("open_spiel", "souk.envs.open_spiel"):
    import numpy as np
    import pyspiel

if TYPE_CHECKING:
    from numpy.typing import NDArray

SETUPS = 1000
MOST_SETUPS = 1_000_000  # OpenSpiel makes a list of them
UNSET = (-1, "default")  # see `_unset`; OpenSpiel gives a parameter one type and one default


class SpielGame(pyspiel.Game):
    """A game for OpenSpiel's algorithms; `game` is the souk.Game."""

    name: ClassVar[str]

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {one: value for one, value in (params or {}).items() if value not in UNSET}
        setups = given.get("setups", SETUPS)
        if not 1 <= setups <= MOST_SETUPS:
            raise SoukError(f"setups is a whole number from 1 to {MOST_SETUPS}, not {setups}")
        chosen = ",".join(f"{knob}={value}" for knob, value in given.items() if knob != "setups")
        game = self.game = load_game(f"{self.name}({chosen})")
        self.setups = setups if game.has_random_setup else 0
        self.first_outcome = game.num_distinct_actions()  # OpenSpiel counts outcomes from 0
        outcomes = len(game.action_texts) - self.first_outcome
        info = pyspiel.GameInfo(
            num_distinct_actions=game.num_distinct_actions(),
            max_chance_outcomes=max(self.setups, outcomes),
            num_players=game.num_players(),
            min_utility=game.min_utility(),
            max_utility=game.max_utility(),
            utility_sum=game.utility_sum(),
            max_game_length=game.max_game_length(),
        )
        super().__init__(_game_type(type(game)), info, given)

    def new_initial_state(self) -> "SpielState":
        """Return the state at the start of a game."""
        return SpielState(self)

    def __reduce__(self) -> Any:
        return _load, (str(self),)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> "Observer":
        """Return an observer, which writes observations into its arrays."""
        if params:
            raise ValueError(f"observers have no parameters, but there are {params}")
        return Observer(
            self.game, has_perfect_recall=bool(iig_obs_type and iig_obs_type.perfect_recall)
        )


class SpielState(pyspiel.State):
    """A state for OpenSpiel; `state` is the souk.State, None until the setup is dealt."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.state: State | None = None if game.setups else game.game.new_initial_state(0)

    def current_player(self) -> int:
        return pyspiel.PlayerId.CHANCE if self.state is None else self.state.current_player()

    def _legal_actions(self, player: int) -> list[int]:
        return self._dealt.legal_actions(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        game = self.get_game()
        if self.state is None:
            return [(seed, 1 / game.setups) for seed in range(game.setups)]
        return [(one - game.first_outcome, chance) for one, chance in self.state.chance_outcomes()]

    def _apply_action(self, action: int) -> None:
        game = self.get_game()
        if self.state is None:
            self.state = game.game.new_initial_state(action)
        else:
            first = game.first_outcome if self.state.is_chance_node() else 0
            self.state.apply_action(action + first)

    def _action_to_string(self, player: int, action: int) -> str:
        game = self.get_game()
        if player != pyspiel.PlayerId.CHANCE:
            return str(game.game.action_to_string(action))
        if self.state is None:
            return f"setup {action}"
        return str(game.game.action_to_string(action + game.first_outcome))

    def is_terminal(self) -> bool:
        return self.state is not None and self.state.is_terminal()

    def returns(self) -> list[float]:
        return [0.0] * self.num_players() if self.state is None else self.state.returns()

    def __str__(self) -> str:
        return "the setup is not dealt yet" if self.state is None else str(self.state)

    @property
    def _dealt(self) -> State:
        assert self.state is not None
        return self.state


class Observer:
    """Writes what a player sees into `tensor`, whose fields are arrays in `dict`.

    With perfect recall there is no tensor, only a text of the actions so far: nothing is hidden.
    """

    def __init__(self, game: Game, *, has_perfect_recall: bool) -> None:
        self._has_perfect_recall = has_perfect_recall
        self.dict: dict[str, NDArray[np.float32]] = {}
        self.tensor: NDArray[np.float32] | None = None
        if not has_perfect_recall:
            self.tensor = np.zeros(game.observation_tensor_shape(), np.float32)
            first = 0
            for name, shape, _ in game.observation_layout():
                size = int(np.prod(shape))
                self.dict[name] = self.tensor[first : first + size].reshape(shape)
                first += size

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what a player sees; zeros until the setup is dealt."""
        if self.tensor is not None:
            self.tensor[:] = 0 if state.state is None else state.state.observation_tensor(player)

    def string_from(self, state: SpielState, _player: int) -> str:
        """Return what a player sees as a text."""
        return str(state.history_str()) if self._has_perfect_recall else str(state)


def _load(text: str) -> SpielGame:
    """Return the game of a text; a pickle that names this function imports this module."""
    game: SpielGame = pyspiel.load_game(text)
    return game


def _unset(knob: Knob) -> int | str | bool:
    """Return the value of a parameter that leaves its knob at the game's default."""
    return -1 if isinstance(knob, Integer) else False if isinstance(knob, Flag) else "default"


def _game_type(kind: type[Game]) -> Any:
    defaults = kind.default_settings({})
    parameters = dict(zip((knob.name for knob in kind.knobs), map(_unset, kind.knobs), strict=True))
    parameters["players"] = defaults["players"]
    game = kind()
    if game.has_random_setup:
        parameters["setups"] = SETUPS
    players = kind.knobs[0]
    assert isinstance(players, Integer)
    is_random = game.has_random_setup or game.max_chance_outcomes() > 0
    modes = pyspiel.GameType.ChanceMode
    return pyspiel.GameType(
        short_name=f"python_{kind.name}",
        long_name=kind.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=modes.EXPLICIT_STOCHASTIC if is_random else modes.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.CONSTANT_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=players.high,
        min_num_players=players.low,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )


for _name in names():  # classes: another callable would crash OpenSpiel when Python exits
    pyspiel.register_game(
        _game_type(game_class(_name)), type(f"{_name}_game", (SpielGame,), {"name": _name})
    )
