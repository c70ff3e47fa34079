"""The base class of all games.

The vocabulary is OpenSpiel's. A subclass in `souk/games` adds the kernel of the rules and the
texts, drawings and computer players of one game; this module knows no rules.
"""

import random
import secrets
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, cast

from souk.engine import knobs, position_encoder
from souk.engine.errors import BadKnob, SoukError, as_int, brief
from souk.engine.events import Event, Gain, Preview
from souk.engine.kernel import philox, targets
from souk.engine.kernel.rules_protocol import Rules
from souk.engine.kernel.source import Kernel
from souk.engine.knobs import Knob, Value
from souk.engine.position_encoder import PositionPart
from souk.engine.rulebook import Rulebook, languages, read
from souk.engine.state import State
from souk.engine.styled_text import Styled, place_beside, stack

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Beliefs = Sequence[Sequence[float]]  # per seat: the probability of each opponent model
SEARCH = "souk.engine.search.expectimax"


class Game(ABC):
    """A game with its knobs set. Instances are immutable.

    Two games are equal if their strings and their `external_content` are. A subclass sets the
    class variables and implements the abstract methods at the end of this class.
    """

    name: ClassVar[str]
    kernel: ClassVar[Kernel]  # the kernel modules of the rules
    knobs: ClassVar[tuple[Knob, ...]]  # in the order in which `str(game)` shows them
    always_shown: ClassVar[tuple[str, ...]]  # knobs that `str(game)` shows even at their default
    rules_version: ClassVar[int] = (
        1  # add 1 when a change makes the same game string play differently
    )
    rulebook_folder: ClassVar[Path]
    policy: ClassVar[tuple[Knob, ...]] = ()  # settings of random players, each a slot of the buffer
    training_kernel: ClassVar[Kernel] = ()  # the kernel modules that only training uses
    # The kernel modules of each evaluation (see `expectimax`) by its name, the simplest first.
    evaluations: ClassVar[Mapping[str, Kernel]] = {}
    pruning: ClassVar[Kernel] = ("souk.engine.search.no_pruning",)  # defines `prune`
    trainer: ClassVar[str] = ""  # "module:class" of its `souk.train.Trainer`, if it has one

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
        return cast(Rules, targets.python_kernel(self.kernel, self.constants()))

    # ---- the public interface -----------------------------------------------------------------

    def num_players(self) -> int:
        """Return the number of players."""
        return self._players

    def num_distinct_actions(self) -> int:
        """Return the number of actions, chance outcomes included."""
        return len(self.action_texts)

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
        return read(self.rulebook_folder, language, self.rulebook_values())

    @classmethod
    def languages(cls) -> list[str]:
        """Return the languages in which there is a rulebook."""
        return languages(cls.rulebook_folder)

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
        return f"{' and '.join(best)} share the win: {scores}."

    def board_data(self) -> dict[str, Any] | None:
        """Return the board as plain data for clients that draw it; None if there is none."""
        return None

    def seat_colour(self, seat: int) -> str:
        """Return the colour of a seat's pieces, or the first of several."""
        return ("red", "yellow", "blue", "orange")[seat % 4]

    def quick_value(self, buffer: Sequence[int], seat: int) -> float:
        """Return a rough value of a seat's position: its score, unless a game knows better."""
        score: int = self.rules.score(buffer, seat)
        return score

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
        """Return games that together use every specialisation of the kernel."""
        return cls.common_games()

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

    def weights(self, evaluation: str, beliefs: Beliefs = ()) -> "NDArray[np.float32] | None":
        """Return the weights of an evaluation; None if it was not trained for these settings.

        An evaluation without weights, such as a heuristic, gets an empty array. Without `beliefs`
        every seat is taken to play as the evaluation itself does.
        """
        import numpy as np

        return np.zeros(0, np.float32) if evaluation in self.evaluations else None

    def available_evaluations(self) -> list[str]:
        """Return the evaluations that these settings have, the simplest first."""
        return [name for name in self.evaluations if self.weights(name) is not None]

    def search_modules(self, evaluation: str) -> Kernel:
        """Return the kernel modules of a search with an evaluation, without the rules."""
        models = self.opponent_models(evaluation)
        return (*self.evaluations[evaluation], *models, *self.pruning, SEARCH)

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
        return [targets.PLAYOUT_LOOP, *map(self.search_modules, self.available_evaluations())]

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"souk.load_game({self._text!r})"

    def __eq__(self, other: object) -> bool:
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

    # ---- what a subclass implements -----------------------------------------------------------

    @classmethod
    @abstractmethod
    def default_settings(cls, chosen: Mapping[str, Value]) -> dict[str, Value]:
        """Return the default of every knob, which may depend on the chosen knobs."""

    @abstractmethod
    def validate(self) -> None:
        """Raise BadKnob if `settings` contradict each other.

        A subclass may also replace a setting by another one that means the same.
        """

    @abstractmethod
    def constants(self) -> dict[str, int | tuple[int, ...]]:
        """Return the constants that specialise the kernel for these settings."""

    @abstractmethod
    def empty_buffer(self) -> list[int]:
        """Return a buffer with the knobs set and an empty board."""

    @abstractmethod
    def initial_buffer(self) -> list[int]:
        """Return the buffer at the start of a game, before the kernel's `deal`."""

    @property
    @abstractmethod
    def action_texts(self) -> Sequence[str]:
        """The text of every action, by its number."""

    @property
    @abstractmethod
    def action_help(self) -> str:
        """A description of action texts for error messages."""

    @property
    @abstractmethod
    def seat_names(self) -> list[str]:
        """The default names of the seats."""

    @abstractmethod
    def turn_number(self, buffer: Sequence[int]) -> int:
        """Return the number of the current turn, from 1; 0 while chance deals the setup.

        When the game is over, return the number of the last turn.
        """

    @abstractmethod
    def turn_of(self, buffer: Sequence[int]) -> int:
        """Return the seat whose turn it is, also while chance acts."""

    @property
    @abstractmethod
    def position_parts(self) -> tuple[PositionPart, ...]:
        """The parts of a position's JSON, in the order of its fields."""

    @abstractmethod
    def read_position(self, position: Mapping[str, Any]) -> list[int]:
        """Return the buffer of a position; raise BadPosition with every problem."""

    @abstractmethod
    def board_lines(self, state: State) -> list[Styled]:
        """Return the board as lines of styled text."""

    @abstractmethod
    def player_lines(self, state: State, names: Sequence[str] | None = None) -> list[list[Styled]]:
        """Return some lines of styled text for every player, the name in the first."""

    @abstractmethod
    def prompt(self, state: State, names: Sequence[str] | None = None) -> str:
        """Return a sentence that says what the current player must do, or the result."""

    @abstractmethod
    def events(self, before: Sequence[int], action: int, after: Sequence[int]) -> list[Event]:
        """Return the events of an action, from the buffers before and after it."""

    @abstractmethod
    def preview_sentence(self, preview: Preview, names: Sequence[str]) -> str:
        """Return a preview in one or two sentences for a player."""

    @abstractmethod
    def draw(self, state: State, theme: str, names: Sequence[str], options: bool) -> str:
        """Return the position as SVG; with `options`, the legal actions are marked."""

    @abstractmethod
    def draw_example(self, name: str) -> str:
        """Return a drawing of the rulebook as SVG, in the colours of the page around it."""

    @abstractmethod
    def rulebook_values(self) -> dict[str, Value]:
        """Return the values that the rulebook's templates can use."""


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
