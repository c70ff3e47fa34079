"""The base class of all games.

The vocabulary is OpenSpiel's. A subclass adds the kernel of the rules and, where the defaults are
not enough, the texts, drawings and computer players of one game; this module knows no rules.
"""

import inspect
import random
import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, cast

from souk.engine import (
    default_position,
    default_texts,
    knobs,
    position_encoder,
    serialized_state,
)
from souk.engine.drawing.ornaments import GROUNDS
from souk.engine.errors import BadKnob, SoukError, all_of, as_int, brief, one_of
from souk.engine.events import Acted, Event, Gain, Over, Preview
from souk.engine.kernel import philox, targets
from souk.engine.kernel.rules_protocol import RULES_NAMES, Rules
from souk.engine.kernel.source import DEFAULT_RULES, Kernel
from souk.engine.knobs import Integer, Knob, Value
from souk.engine.position_encoder import PositionPart
from souk.engine.ranges import condense
from souk.engine.rulebook import Rulebook, languages, read
from souk.engine.state import TERMINAL, State
from souk.engine.styled_text import Styled, place_beside, stack

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Beliefs = Sequence[Sequence[float]]  # per seat: the probability of each opponent model
SEARCH = "souk.engine.search.expectimax"
MOST_PLAYERS = 6  # shares of the win among so many are whole numbers of sixtieths

__all__ = ["DEFAULT_RULES", "Beliefs", "Game", "check_seed"]


class Game(ABC):
    """A game with its knobs set. Instances are immutable.

    `load_game` creates one, and `str(game)` is the string that it reads. Two games are equal if
    their strings and their `external_content` are. A subclass sets `name`, `kernel`, `knobs` and
    `action_texts`; everything else has a default.

    >>> import souk
    >>> game = souk.load_game("marrakech", players=2)
    >>> isinstance(game, souk.Game), souk.load_game(str(game)) == game
    (True, True)
    """

    name: ClassVar[str]
    title: ClassVar[str]  # as people read it; by default the name with a capital
    about: ClassVar[str] = ""  # a line in English for people who choose a game
    kernel: ClassVar[Kernel]  # the kernel modules of the rules
    knobs: ClassVar[tuple[Knob, ...]]  # in the order in which `str(game)` shows them
    always_shown: ClassVar[tuple[str, ...]] = ("players",)  # even if they have their default
    seat_fields: ClassVar[tuple[str, ...]] = ()  # `position_fields` that texts show by seat
    rules_version: ClassVar[int] = (
        1  # add 1 when a change makes the same game string play differently
    )
    policy: ClassVar[tuple[Knob, ...]] = ()  # settings of random players, each a slot of the buffer
    training_kernel: ClassVar[Kernel] = ()  # the kernel modules that only training uses
    # The kernel modules of each evaluation (see `expectimax`) by its name, the simplest first.
    evaluations: ClassVar[Mapping[str, Kernel]] = {}
    level_models: ClassVar[Mapping[str, int]] = {}  # the opponent model that predicts each level
    pruning: ClassVar[Kernel] = ("souk.engine.search.no_pruning",)  # defines `prune`
    settling: ClassVar[Kernel] = ("souk.engine.search.no_settling",)  # what an analysis skips
    # The kernel modules that describe actions for records (see `replay_loop`), if it has them.
    notes_kernel: ClassVar[Kernel] = ()
    # The kernel modules that define `observe` and LAYOUT, and those of `full_action`.
    observation_kernel: ClassVar[Kernel] = ("souk.engine.kernel.default_observation",)
    reduced_actions_kernel: ClassVar[Kernel] = ("souk.engine.kernel.no_reduced_actions",)
    # The kernel modules of `quick_value`, which may use floats, if the rules do not define it.
    quick_value_kernel: ClassVar[Kernel] = ()
    # How far players deviate from the best action in rollouts: the temperature of a softmax. The
    # default breaks ties: a player who cannot win any more must not always decide who does.
    rollout_temperature: ClassVar[float] = 1e-4
    trainer: ClassVar[str] = ""  # "module:class" of its `souk.train.Trainer`, if it has one
    batch_rollouts: ClassVar[str] = ""  # "module:class" that plays rollouts side by side, if any

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "name" in vars(cls) and "title" not in vars(cls):
            cls.title = cls.name.capitalize()
        if "quick_value" in vars(cls):
            raise SoukError(f"{cls.__name__}.quick_value: define it as a function of the kernel")

    def __init__(self, /, **given: Value) -> None:
        chosen = knobs.check_settings(self.name, self.knobs, given)
        defaults = self.default_settings(chosen)
        self.settings: dict[str, Value] = {
            knob.name: chosen.get(knob.name, defaults[knob.name]) for knob in self.knobs
        }
        self._players = int(self.settings["players"])
        self.validate()
        shown = {
            name: value
            for name, value in self.settings.items()
            if name in self.always_shown or value != defaults[name]
        }
        self._text = knobs.format_game(self.name, shown)

    @property
    def external_content(self) -> str:
        """The content of files that the settings name, such as a board; empty without files."""
        return ""

    @cached_property
    def rules(self) -> Rules:
        """The specialised kernel in plain Python, which states of this game use."""
        kernel = targets.python_kernel(self.kernel, self.constants())
        missing = [name for name in RULES_NAMES if not hasattr(kernel, name)]
        if missing:
            raise SoukError(f"the kernel of {self.name} does not define {', '.join(missing)}")
        return cast(Rules, kernel)

    @cached_property
    def slots(self) -> dict[str, range]:
        """The slots of the fields of a position and of knobs."""
        return default_position.slots_of(self)

    # ---- the public interface -----------------------------------------------------------------

    def num_players(self) -> int:
        """Return the number of players."""
        return self._players

    def num_distinct_actions(self) -> int:
        """Return the number of players' actions; the chance outcomes are numbered after them."""
        return self.rules.PLAYER_ACTIONS

    def max_chance_outcomes(self) -> int:
        """Return a number that no chance node has more outcomes than."""
        return self.rules.ACTIONS - self.rules.PLAYER_ACTIONS

    def max_game_length(self) -> int:
        """Return a number of players' actions that no game exceeds.

        The rules of some games set no limit. Then it is far more than games of players that try
        to win.
        """
        return 100_000

    def min_utility(self) -> float:
        """Return the least share of the win."""
        return 0.0

    def max_utility(self) -> float:
        """Return the greatest share of the win."""
        return 1.0

    def utility_sum(self) -> float:
        """Return the sum of all shares of the win."""
        return 1.0

    def observation_tensor_shape(self) -> list[int]:
        """Return the shape of `State.observation_tensor`."""
        return [sum(prod(shape) for _, shape, _ in self.observation_layout())]

    def observation_layout(self) -> list[tuple[str, tuple[int, ...], str]]:
        """Return the name, the shape and the meaning of every field of an observation, in order."""
        return list(self.observing_rules.LAYOUT)

    @cached_property
    def observing_rules(self) -> Any:
        """The kernel in plain Python with the functions that learning code uses."""
        driver = (*self.observation_kernel, *self.reduced_actions_kernel)
        return targets.python_kernel(self.kernel, self.constants(), driver)

    def num_reduced_actions(self) -> int:
        """Return the number of reduced actions; 0 if the game has none."""
        number: int = self.observing_rules.REDUCED_ACTIONS
        return number

    def deserialize_state(self, text: str) -> State:
        """Return the state of a text of `State.serialize`, with its history."""
        return serialized_state.read(self, text)

    def new_initial_state(self, seed: int | None = None) -> State:
        """Return the state at the start of a new game.

        The seed deals a random setup, if the game has one, and decides nothing later. Without a
        seed, the setup is dealt at random.
        """
        stream = _stream(secrets.randbits(63) if seed is None else check_seed(seed))
        buffer = self.initial_buffer()
        self.rules.deal(buffer, stream)
        return State(self, buffer)

    @cached_property
    def has_random_setup(self) -> bool:
        """True if the setup depends on the seed of `new_initial_state`."""
        stream = _stream(0)
        self.rules.deal(self.initial_buffer(), stream)
        return stream != _stream(0)

    def state_from_dict(self, position: Mapping[str, Any]) -> State:
        """Return the state of a position in the format of `State.to_dict`.

        Raise BadPosition, which lists every problem, if the position makes no sense.
        """
        return State(self, self.read_position(position))

    def position_dict(self, buffer: Sequence[int]) -> dict[str, Any]:
        """Return the position in a buffer as plain data, without the game string."""
        return position_encoder.position_dict(self.position_parts, buffer)

    def action_to_string(self, action: int) -> str:
        """Return the text of an action."""
        number = as_int(action)
        if number is None or not 0 <= number < len(self.action_texts):
            last = len(self.action_texts) - 1
            raise SoukError(f"there is no action {brief(action)}; they are numbered 0 to {last}")
        return self.action_texts[number]

    def string_to_action(self, text: str) -> int:
        """Return the action with a text, in any of its spellings.

        Raise SoukError if no action has it.
        """
        action = self._action_numbers.get(text) if isinstance(text, str) else None
        if action is None:
            raise SoukError(f"{self.name} has no action {brief(text)}; {self.action_help}")
        return action

    def rulebook(self, language: str = "en") -> Rulebook:
        """Return the rulebook of this game with its knobs."""
        return read(self.folder() / "rulebook", language, self.rulebook_values())

    @classmethod
    def languages(cls) -> list[str]:
        """Return the languages in which there is a rulebook."""
        return languages(cls.folder() / "rulebook")

    @classmethod
    def folder(cls) -> Path:
        """Return the folder of the game's package, which has its rulebook."""
        return Path(inspect.getfile(cls)).parent

    def board_text(self, state: State, names: Sequence[str] | None = None) -> Styled:
        """Return the board, the players and the prompt as text."""
        board = self.board_lines(state)
        players = stack(self.player_lines(state, names), len(board) - 1)
        pieces: Styled = []
        for line in place_beside(board, [[], *players]):
            pieces += [*line, ("\n", "")]
        return [*pieces, (self.prompt(state, names), "strong")]

    def spellings(self, action: int) -> tuple[str, ...]:
        """Return the texts that `string_to_action` reads as an action, its own text first."""
        return (self.action_to_string(action),)

    def action_kind(self, action: int) -> str:
        """Return the kind of an action, under which lists of actions group it.

        By default this is the first word of its text: `bid 125` is a `bid`.
        """
        return self.action_to_string(action).partition(" ")[0]

    def has_draws(self) -> bool:
        """Return whether a tie is a draw, not a shared win; players may agree on a draw too."""
        return False

    def is_draw(self, state: State) -> bool:
        """Return whether a finished game is a draw."""
        return self.has_draws() and state.is_terminal() and len(state.ranking()[0]) > 1

    def result_sentence(self, state: State, names: Sequence[str]) -> str:
        """Return the result of a finished game as a sentence."""
        best = [names[seat] for seat in state.ranking()[0]]
        by_name = zip(names, state.scores(), strict=True)
        scores = ", ".join(f"{name} {score}" for name, score in by_name)
        if len(best) == 1:
            return f"{best[0]} wins: {scores}."
        if self.is_draw(state):
            return f"A draw: {scores}."
        return f"{all_of(best)} share the win: {scores}."

    def board_data(self) -> dict[str, Any] | None:
        """Return the board as plain data for clients that draw it; None if there is none."""
        return None

    def seat_colour(self, seat: int) -> str:
        """Return the colour of a seat's pieces, or the first of several.

        It is red, yellow, blue, orange, green or purple.
        """
        return tuple(GROUNDS)[seat]

    def quick_value(self, buffer: Sequence[int], seat: int) -> float:
        """Return a rough value of a seat's position, by the kernel's `quick_value`."""
        value: float = self.greedy_rules.quick_value(buffer, seat)
        return value

    @cached_property
    def greedy_rules(self) -> Any:
        """The kernel in plain Python with the functions of the level `greedy`."""
        return targets.python_kernel(self.kernel, self.constants(), self.greedy_modules())

    def note_text(self, note: int) -> str:
        """Return the text of a note that `notes_kernel` writes: that of an event of the game."""
        raise NotImplementedError(f"{self.name} has no notes_kernel")

    def certain_events(self, after: State) -> list[Event]:
        """Return events that will follow the last action whatever chance and players decide."""
        return []

    def expected_gains(self, before: State, after: State) -> list[Gain]:
        """Return how an action changes the score of every seat, averaged over a chance step.

        `after` is the state directly after the action. A game whose actions have longer
        consequences overrides this method.
        """
        ends = [(after.scores(), 1.0)]
        if after.is_chance_node():
            ends = []
            for outcome, probability in after.chance_outcomes():
                then = after.clone()
                then.apply_action(outcome)
                ends.append((then.scores(), probability))
        gains = []
        for seat, score in enumerate(before.scores()):
            changes = [(scores[seat] - score, probability) for scores, probability in ends]
            least, most = min(changes)[0], max(changes)[0]
            expected = sum(change * probability for change, probability in changes)
            gains.append(Gain(least, least if least == most else expected, most))
        return gains

    def random_action(self, state: State, pick: random.Random) -> int:
        """Return a random legal action, distributed as in playouts."""
        return pick.choice(state.legal_actions())

    @classmethod
    def common_games(cls) -> "list[Game]":
        """Return the most common games, which `souk prepare` compiles."""
        return [cls()]

    @classmethod
    def games_for_all_kernels(cls) -> "list[Game]":
        """Return games that together use every specialisation of the kernel.

        By default there is one for each number of players.
        """
        players = next(knob for knob in cls.knobs if knob.name == "players")
        assert isinstance(players, Integer)
        return [cls(players=number) for number in range(players.low, players.high + 1)]

    @classmethod
    def settings_of_version(cls, version: int, chosen: Mapping[str, Value]) -> Mapping[str, Value]:
        """Return chosen knobs with those added that play by an older version of the rules.

        Servers use it for games that were stored before a change. A game whose rules or defaults
        change overrides this method, with a knob for the former rule or the former default.
        """
        if version != cls.rules_version:
            raise BadKnob(
                f"this game was stored with version {version} of the rules of {cls.name}, but this"
                f" version of souk plays only version {cls.rules_version}"
            )
        return chosen

    def is_named_by(self, text: str) -> bool:
        """Return whether a game string, in any spelling, names this game."""
        try:
            name, settings = knobs.parse_game(text)
            return name == self.name and type(self)(**settings) == self
        except BadKnob:
            return False

    def novice_value(self, state: State, action: int) -> float:
        """Return how good an action looks to a beginner: only their own position counts."""
        after = state.clone()
        after.apply_action(action)
        return self.quick_value(after.buffer, state.current_player())

    def weights(
        self,
        evaluation: str,
        beliefs: Beliefs = (),
        learned: "NDArray[np.float32] | None" = None,
    ) -> "NDArray[np.float32] | None":
        """Return the weights of an evaluation; None if it was not trained for these settings.

        An evaluation without weights, such as a heuristic, gets an empty array. Without `beliefs`
        every seat is taken to play as the evaluation itself does. `learned` is what `read_weights`
        returned, in place of the weights of the package.
        """
        import numpy as np

        return np.zeros(0, np.float32) if evaluation in self.evaluations else None

    def read_weights(self, data: bytes, file: str) -> "NDArray[np.float32]":
        """Return the weights in the content of a file that `souk train` wrote for this game.

        Raise SoukError, with the name of the file, if the content is anything else.
        """
        raise SoukError(f"{file} cannot be used: {self.name} has no weights to learn")

    def available_evaluations(self) -> list[str]:
        """Return the evaluations that these settings have, the simplest first."""
        return [name for name in self.evaluations if self.weights(name) is not None]

    def search_modules(self, evaluation: str) -> Kernel:
        """Return the kernel modules of a search with an evaluation, without the rules."""
        models = self.opponent_models(evaluation)
        return (*self.evaluations[evaluation], *models, *self.pruning, *self.settling, SEARCH)

    def is_auction(self, _buffer: Sequence[int]) -> bool:
        """Return whether an auction goes on, whose bids an analysis judges together."""
        return False

    def judge_options(
        self, _state: State, _search: Callable[[State, int], tuple[float, ...]]
    ) -> dict[int, tuple[float, ...]] | None:
        """Return each seat's share after every action; None where the search is to judge them.

        `search` returns the shares after an action of a position. An auction is judged as a whole.
        """
        return None

    def opponent_models(self, _evaluation: str) -> Kernel:
        """Return the kernel modules of the opponent models to use with an evaluation."""
        return ("souk.engine.search.no_opponent_models",)

    def prepare(self) -> None:
        """Compile what playouts and computer players need, unless it is in the disk cache."""
        for driver in self.drivers():
            targets.numba_kernel(self.kernel, self.constants(), driver)

    def is_prepared(self) -> bool:
        """Return whether all that `prepare` compiles is in the disk cache."""
        constants = self.constants()
        return all(targets.is_prepared(self.kernel, constants, one) for one in self.drivers())

    def drivers(self) -> list[Kernel]:
        """Return the drivers that the kernel is compiled with, each separately."""
        searches = map(self.search_modules, self.available_evaluations())
        drivers = [targets.PLAYOUT_LOOP, self.greedy_modules(), *searches]
        return [*drivers, *filter(None, [self.replay_modules()])]

    def greedy_modules(self) -> Kernel:
        """Return the driver of the level `greedy`."""
        return (*self.quick_value_kernel, *targets.GREEDY_CHOICE)

    def rollout_modules(self, evaluation: str | None) -> Kernel:
        """Return the driver of rollouts with an evaluation, or with the leads of `greedy`."""
        lead = (*self.quick_value_kernel, "souk.engine.search.lead_evaluation")
        modules = self.evaluations[evaluation] if evaluation else lead
        return (*modules, *self.pruning, *targets.ROLLOUT_LOOP)

    def replay_modules(self) -> Kernel:
        """Return the driver that replays records, which needs a `notes_kernel`."""
        return (*self.notes_kernel, *targets.REPLAY_LOOP) if self.notes_kernel else ()

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"souk.load_game({self._text!r})"

    def __eq__(self, other: object) -> bool:
        if self is other:  # players compare games before every action
            return True
        if not isinstance(other, Game):
            return False
        return (self._text, self.external_content) == (other._text, other.external_content)

    def __hash__(self) -> int:
        return hash((self._text, self.external_content))

    def __copy__(self) -> "Game":
        return self  # games are immutable

    def __deepcopy__(self, memo: object) -> "Game":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuild, (type(self), self.settings, self.external_content))

    @cached_property
    def _action_numbers(self) -> dict[str, int]:
        actions = range(len(self.action_texts))
        return {text: action for action in actions for text in self.spellings(action)}

    # ---- what a game may override -------------------------------------------------------------

    @classmethod
    def default_settings(cls, chosen: Mapping[str, Value]) -> dict[str, Value]:
        """Return the default of every knob, which may depend on the chosen knobs."""
        return {
            knob.name: knob.first if knob.default is None else knob.default for knob in cls.knobs
        }

    def validate(self) -> None:
        """Raise BadKnob if `settings` contradict each other.

        A subclass may also replace a setting by another one that means the same.
        """

    def constants(self) -> dict[str, int | tuple[int, ...]]:
        """Return the constants that specialise the kernel for these settings."""
        return {"PLAYERS": self.num_players()}

    @property
    def slot_knobs(self) -> tuple[Knob, ...]:
        """The knobs that are slots of the buffer, named like them in lower case."""
        constants = self.constants()
        return tuple(knob for knob in self.knobs if knob.name.upper() not in constants)

    @property
    def position_fields(self) -> tuple[Knob, ...]:
        """The fields of a position, named like slots of the buffer in lower case.

        The slots of a field reach to the next field or knob. A game that writes its positions in
        another way overrides `position_parts` and `read_position` instead.
        """
        return ()

    def position_problems(self, buffer: Sequence[int]) -> list[str]:
        """Return what makes no sense in a position whose fields each have an accepted value."""
        return []

    def empty_buffer(self) -> list[int]:
        """Return a buffer with the knobs set and an empty board."""
        buffer = [0] * self.rules.SIZE
        for knob in self.slot_knobs:
            number = default_position.slot_value(knob, self.settings[knob.name])
            buffer[self.slots[knob.name][0]] = number
        return buffer

    def initial_buffer(self) -> list[int]:
        """Return the buffer at the start of a game, before the kernel's `deal`."""
        return self.empty_buffer()

    @property
    def action_help(self) -> str:
        """A description of action texts for error messages."""
        return f"actions are {one_of(condense(self.action_texts))}"

    @property
    def seat_names(self) -> list[str]:
        """The default names of the seats."""
        return [f"Player {seat + 1}" for seat in range(self.num_players())]

    def turn_number(self, buffer: Sequence[int]) -> int:
        """Return the number of the current turn, from 1; 0 while chance deals the setup.

        When the game is over, return the number of the last turn.
        """
        return self.rules.turn_number(buffer)

    def turn_of(self, buffer: Sequence[int]) -> int:
        """Return the seat whose turn it is, also while chance acts."""
        return self.rules.turn_of(buffer)

    @cached_property
    def position_parts(self) -> tuple[PositionPart, ...]:
        """The parts of a position's JSON, in the order of its fields."""
        return default_position.position_parts(self)

    def read_position(self, position: Mapping[str, Any]) -> list[int]:
        """Return the buffer of a position; raise BadPosition with every problem."""
        return default_position.FieldReader(self).read(self, position)

    def board_lines(self, state: State) -> list[Styled]:
        """Return the board as lines of styled text."""
        return default_texts.board_lines(self, state)

    def player_lines(self, state: State, names: Sequence[str] | None = None) -> list[list[Styled]]:
        """Return some lines of styled text for every player, the name in the first."""
        return default_texts.player_lines(self, state, names or self.seat_names)

    def prompt(self, state: State, names: Sequence[str] | None = None) -> str:
        """Return a sentence that says what the current player must do, or the result."""
        return default_texts.prompt(self, state, names or self.seat_names)

    def sentence(
        self, before: Sequence[int], action: int, after: Sequence[int], names: Sequence[str]
    ) -> str:
        """Return what an action caused as a sentence, from the buffers before and after it."""
        return f"{names[self.turn_of(before)]}: {self.action_to_string(action)}."

    def events(self, before: Sequence[int], action: int, after: Sequence[int]) -> list[Event]:
        """Return the events of an action, from the buffers before and after it."""
        places = [f"{{{seat}}}" for seat in range(self.num_players())]
        sentence = self.sentence(before, action, after, places)
        acted = Acted(self.turn_of(before), self.action_to_string(action), sentence)
        return [acted, *self.end_events(after)]

    def end_events(self, after: Sequence[int]) -> list[Event]:
        """Return the event of the end of the game; none if it goes on."""
        if self.rules.mover(after) != TERMINAL:
            return []
        state = State(self, list(after))
        return [Over(tuple(state.scores()), tuple(map(tuple, state.ranking())))]

    def preview_sentence(self, preview: Preview, names: Sequence[str]) -> str:
        """Return a preview in one or two sentences for a player."""
        return default_texts.preview_sentence(preview, names)

    def draw(self, state: State, theme: str, names: Sequence[str], options: bool) -> str:
        """Return the position as SVG; with `options`, the legal actions are marked."""
        from souk.engine.drawing.default_drawing import draw_state

        return draw_state(state, theme, names)

    def draw_example(self, name: str) -> str:
        """Return a drawing of the rulebook as SVG, in the colours of the page around it."""
        raise SoukError(f"the rulebook of {self.name} has no drawing {brief(name)}")

    def rulebook_values(self) -> dict[str, Value]:
        """Return the values that the rulebook's templates can use."""
        return self.settings

    # ---- what a subclass implements -----------------------------------------------------------

    @property
    @abstractmethod
    def action_texts(self) -> Sequence[str]:
        """The text of every action, by its number."""


def _stream(seed: int) -> list[int]:
    """Return the random stream that deals a setup."""
    stream = [0] * philox.STREAM_SIZE
    philox.start_stream(stream, seed, 0)
    return stream


def check_seed(seed: int) -> int:
    """Return a seed as an int. Raise SoukError if it is not one."""
    number = as_int(seed)
    if number is None or not 0 <= number < 2**63:
        raise SoukError(f"a seed is a whole number from 0 to 2**63 - 1, not {brief(seed)}")
    return number


def _rebuild(kind: type[Game], settings: dict[str, Value], content: str) -> Game:
    game = kind(**settings)
    if game.external_content != content:
        raise SoukError(f"{game} has changed: a file that it names is no longer the same")
    return game
