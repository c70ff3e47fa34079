"""Game: the fixed facts of a game and its knobs. A game's folder completes this class.

Nothing here knows a rule. Rules are in the kernel (`targets` runs it); how a position is written,
told and drawn is up to the game.
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
from souk.engine.styled_text import Styled, beside, stacked

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Beliefs = Sequence[Sequence[float]]  # how likely every seat is of each kind of player
SEARCH = "souk.engine.search.expectimax"  # the kernel module that looks ahead


class Game(ABC):
    """A game with its knobs set. Two games are equal if string and `content` are.

    A subclass gives the class variables and the abstract methods; everything public is here.
    """

    name: ClassVar[str]
    kernel: ClassVar[Kernel]  # the modules of the rules
    knobs: ClassVar[tuple[Knob, ...]]  # in the order in which `str(game)` shows them
    always_shown: ClassVar[tuple[str, ...]]  # knobs that `str(game)` shows at their default too
    rulebook_folder: ClassVar[Path]
    policy: ClassVar[tuple[Knob, ...]] = ()  # how playouts choose; each a slot of the kernel
    # Kernel modules with `is_quiet` and `judge` (see `search`), by name, the simplest first.
    judgements: ClassVar[Mapping[str, Kernel]] = {}
    # The kernel module whose `worth_trying` says which legal actions a search tries.
    thinning: ClassVar[Kernel] = ("souk.engine.search.no_pruning",)

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
        """What the settings name but do not hold, like a file: a text that changes with it."""
        return ""

    @cached_property
    def rules(self) -> Rules:
        """The kernel in plain Python: what every state of this game uses at every step."""
        return cast(Rules, targets.python_kernel(self.kernel, self.constants()))

    # ---- what a user calls --------------------------------------------------------------------

    def num_players(self) -> int:
        """How many seats the game has."""
        return self._players

    def num_distinct_actions(self) -> int:
        """How many action numbers there are, chance outcomes included."""
        return len(self.action_texts)

    def new_initial_state(self, seed: int | None = None) -> State:
        """A new game. The seed deals the setup where the game has one; it decides nothing later."""
        stream = _stream(secrets.randbits(63) if seed is None else check_seed(seed))
        buffer = self.initial_buffer()
        self.rules.deal(buffer, stream)
        return State(self, buffer)

    @cached_property
    def has_random_setup(self) -> bool:
        """Whether the seed decides anything: whether dealing draws random numbers."""
        stream = _stream(0)
        self.rules.deal(self.initial_buffer(), stream)
        return stream != _stream(0)

    def state_from_dict(self, position: Mapping[str, Any]) -> State:
        """The state of a position as `State.to_dict` writes it.

        A position whose pieces make no sense raises BadPosition, which names every problem.
        """
        return State(self, self.read_position(position))

    def position_dict(self, buffer: Sequence[int]) -> dict[str, Any]:
        """The position as plain JSON, without the game's string."""
        return position_encoder.position_dict(self.position_parts, buffer)

    def action_to_string(self, action: int) -> str:
        """The text of an action."""
        number = as_int(action)
        if number is None or not 0 <= number < len(self.action_texts):
            last = len(self.action_texts) - 1
            raise SoukError(f"there is no action {brief(action)}; they are numbered 0 to {last}")
        return self.action_texts[number]

    def string_to_action(self, text: str) -> int:
        """The action that has a text, whether or not it is legal now."""
        action = self._action_numbers.get(text) if isinstance(text, str) else None
        if action is None:
            raise SoukError(f"{self.name} has no action {brief(text)}; {self.action_help}")
        return action

    def rulebook(self, language: str = "en") -> Rulebook:
        """The rules of this game with these knobs, in our own words."""
        return read(self.rulebook_folder, language, self.rulebook_values())

    @classmethod
    def languages(cls) -> list[str]:
        """The languages that the rulebook is written in."""
        return languages(cls.rulebook_folder)

    def board_text(self, state: State, names: Sequence[str] | None = None) -> Styled:
        """The position as text for people: the board, the players and what is expected."""
        grid = self.board_lines(state)
        players = stacked(self.player_lines(state, names), len(grid) - 1)
        pieces: Styled = []
        for line in beside(grid, [[], *players]):
            pieces += [*line, ("\n", "")]
        return [*pieces, (self.prompt(state, names), "strong")]

    def spellings(self, action: int) -> tuple[str, ...]:
        """The texts by which a person may mean an action; its own text is the first."""
        return (self.action_to_string(action),)

    def is_draw(self, state: State) -> bool:
        """Whether a finished game has no winner; a tie is a shared win unless a game says so."""
        return False

    def result_sentence(self, state: State, names: Sequence[str]) -> str:
        """How a finished game ended."""
        best = [names[seat] for seat in state.ranking()[0]]
        told = zip(names, state.scores(), strict=True)
        scores = ", ".join(f"{name} {score}" for name, score in told)
        if len(best) == 1:
            return f"{best[0]} wins: {scores}."
        if self.is_draw(state):
            return f"A draw: {scores}."
        return f"{' and '.join(best)} share the win: {scores}."

    def board_data(self) -> dict[str, Any] | None:
        """The board as plain JSON for clients that draw it; None if there is none."""
        return None

    def seat_colour(self, seat: int) -> str:
        """The colour of a seat's pieces, or the first of them: to draw what is his."""
        return ("red", "yellow", "blue", "orange")[seat % 4]

    def worth(self, buffer: Sequence[int], seat: int) -> float:
        """What a seat's position is worth at a glance: its score, unless a game knows better."""
        score: int = self.rules.score(buffer, seat)
        return score

    def certain_events(self, after: State) -> list[Event]:
        """What is sure to follow an action just done, though chance or a choice comes first."""
        return []

    def expected_gains(self, before: State, after: State) -> list[Gain]:
        """What an action just done is worth: the change of every score, its chance step included.

        A game whose actions set more going than one chance step looks further.
        """
        ends = [(after.scores(), 1.0)]
        if after.is_chance_node():
            ends = []
            for drawn, probability in after.chance_outcomes():
                then = after.clone()
                then.apply_action(drawn)
                ends.append((then.scores(), probability))
        gains = []
        for seat, score in enumerate(before.scores()):
            changes = [(scores[seat] - score, probability) for scores, probability in ends]
            least, most = min(changes)[0], max(changes)[0]
            expected = sum(change * probability for change, probability in changes)
            gains.append(Gain(least, least if least == most else expected, most))
        return gains

    def random_action(self, state: State, pick: random.Random) -> int:
        """An action as playouts would take it: evenly, unless a game's `policy` is another."""
        return pick.choice(state.legal_actions())

    @classmethod
    def common_games(cls) -> "list[Game]":
        """The games most people play: `souk prepare` compiles them."""
        return [cls()]

    @classmethod
    def games_for_all_kernels(cls) -> "list[Game]":
        """A game for every kernel that the package brings."""
        return cls.common_games()

    def is_named_by(self, text: str) -> bool:
        """Whether a game string, however it is written, means this very game."""
        try:
            name, settings = knobs.parse_game(text)
            return name == self.name and type(self)(**settings) == self
        except BadKnob:
            return False

    def glance(self, state: State, action: int) -> float:
        """How good an action looks to a beginner: what he would own, whatever others get of it."""
        after = state.clone()
        after.apply_action(action)
        return self.worth(after.buffer, state.current_player())

    def weights(self, judgement: str, beliefs: Beliefs = ()) -> "NDArray[np.float32] | None":
        """The numbers that a judgement has learned; None if it knows nothing of these settings.

        A judgement that needs none, as one made by hand, gets an empty array. `beliefs` says how
        likely every seat is of each kind of player, where it is not taken to play as the judgement
        itself does.
        """
        import numpy as np

        return np.zeros(0, np.float32) if judgement in self.judgements else None

    def judges(self) -> list[str]:
        """The judgements that these settings have, the simplest first."""
        return [name for name in self.judgements if self.weights(name) is not None]

    def searching(self, judgement: str) -> Kernel:
        """What drives the kernel when it looks ahead with a judgement."""
        return (*self.judgements[judgement], *self.minds(judgement), *self.thinning, SEARCH)

    def minds(self, _judgement: str) -> Kernel:
        """The kernel modules that say what others may have in mind while a judgement is used."""
        return ("souk.engine.search.no_opponent_models",)

    def prepare(self) -> None:
        """Compile the kernel for random games and for the computer players, if it has to be."""
        for after in self._bundles():
            targets.numba_kernel(self.kernel, self.constants(), after)

    def is_prepared(self) -> bool:
        """Whether all that is compiled is on disk, so that playouts and players start at once."""
        constants = self.constants()
        return all(targets.is_prepared(self.kernel, constants, after) for after in self._bundles())

    def _bundles(self) -> list[Kernel]:
        return [targets.PLAYOUT_LOOP, *(self.searching(name) for name in self.judges())]

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
        return self  # nothing in it ever changes

    def __deepcopy__(self, memo: object) -> "Game":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuild, (type(self), self.settings, self.external_content))

    @cached_property
    def _action_numbers(self) -> dict[str, int]:
        return {text: action for action, text in enumerate(self.action_texts)}

    # ---- what a game's folder gives ----------------------------------------------------------

    @classmethod
    @abstractmethod
    def default_settings(cls, chosen: Mapping[str, Value]) -> dict[str, Value]:
        """The default of every knob, which may depend on knobs that were chosen."""

    @abstractmethod
    def validate(self) -> None:
        """Refuse settings that do not go together."""

    @abstractmethod
    def constants(self) -> dict[str, int | tuple[int, ...]]:
        """The kernel's constants for these settings."""

    @abstractmethod
    def empty_buffer(self) -> list[int]:
        """The kernel's buffer with the knobs set and nothing on the board."""

    @abstractmethod
    def initial_buffer(self) -> list[int]:
        """The kernel's buffer at the start of a game, before `deal` has dealt the setup."""

    @property
    @abstractmethod
    def action_texts(self) -> Sequence[str]:
        """The text of every action, by its number."""

    @property
    @abstractmethod
    def action_help(self) -> str:
        """What action texts look like, for error messages."""

    @property
    @abstractmethod
    def seat_names(self) -> list[str]:
        """What to call the seats when nobody gave them names."""

    @abstractmethod
    def turn_number(self, buffer: Sequence[int]) -> int:
        """The turn being played, from 1, or played last; 0 while the setup is dealt by chance."""

    @abstractmethod
    def turn_of(self, buffer: Sequence[int]) -> int:
        """The seat whose turn it is, also while chance acts."""

    @property
    @abstractmethod
    def position_parts(self) -> tuple[PositionPart, ...]:
        """The parts of a position as plain JSON, in the order of its fields."""

    @abstractmethod
    def read_position(self, position: Mapping[str, Any]) -> list[int]:
        """The buffer of a position; a bad one raises BadPosition naming every problem."""

    @abstractmethod
    def board_lines(self, state: State) -> list[Styled]:
        """The board alone as lines of text, in pieces with a style each (see `Styled`)."""

    @abstractmethod
    def player_lines(self, state: State, names: Sequence[str] | None = None) -> list[list[Styled]]:
        """How the players stand, a few lines for each; the first has the name."""

    @abstractmethod
    def prompt(self, state: State, names: Sequence[str] | None = None) -> str:
        """Whose turn it is and what is expected, in one sentence; at the end the result."""

    @abstractmethod
    def events(self, before: Sequence[int], action: int, after: Sequence[int]) -> list[Event]:
        """What an action caused, from the buffers before and after it."""

    @abstractmethod
    def preview_sentence(self, preview: Preview, names: Sequence[str]) -> str:
        """What a person who thinks of an action should know, in one or two sentences."""

    @abstractmethod
    def draw(self, state: State, theme: str, names: Sequence[str], options: bool) -> str:
        """The position as SVG."""

    @abstractmethod
    def draw_example(self, name: str) -> str:
        """A small drawing that the rulebook shows, as SVG within a page and in its colours."""

    @abstractmethod
    def rulebook_values(self) -> dict[str, Value]:
        """What the rulebook's texts may mention or depend on."""


def _stream(seed: int) -> list[int]:
    """The random numbers that deal a setup."""
    stream = [0] * philox.STREAM_SIZE
    philox.start_stream(stream, seed, 0)
    return stream


def check_seed(seed: int) -> int:
    """The seed as a plain int; anything that is no seed is refused."""
    number = as_int(seed)
    if number is None or not 0 <= number < 2**63:
        raise SoukError(f"a seed is a whole number from 0 to 2**63 - 1, not {brief(seed)}")
    return number


def _rebuild(kind: type[Game], settings: dict[str, Value], content: str) -> Game:
    game = kind(**settings)
    if game.external_content != content:
        raise SoukError(f"{game} is no longer what it was: a file that it names has changed")
    return game
