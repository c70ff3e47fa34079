"""Marrakech as a Game."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from souk.engine.events import Event, Preview
from souk.engine.game import DEFAULT_RULES, Beliefs, Game
from souk.engine.kernel.source import Kernel
from souk.engine.knobs import Value
from souk.engine.position_encoder import PositionPart
from souk.engine.state import State
from souk.engine.styled_text import Styled
from souk.games.marrakech import events, knobs, position, text
from souk.games.marrakech.ai import novice, weights
from souk.games.marrakech.ai.opponent_kinds import GREEDY, HEURISTIC, NET
from souk.games.marrakech.board import CENTRE, FACINGS, MOST_PIPS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from souk.games.marrakech.rules_protocol import MarrakechRules


AI = "souk.games.marrakech.ai"
MOST_RUGS, MOST_DIRHAMS = 24, 100  # per colour and per player: what the nets were trained for


class Marrakech(Game):
    """Marrakech with its knobs set.

    >>> game = Marrakech(players=2, edition="pergioco")
    >>> str(game), game.num_players(), game.settings["rugs"]
    ('marrakech(players=2,edition=pergioco)', 2, 15)
    """

    name = "marrakech"
    about = (
        "Move Assam the rug seller, lay your rugs and collect from everyone who lands on them."
        " Quick to learn."
    )
    kernel = (
        *(f"souk.games.marrakech.{part}" for part in ("rules", "setup", "playout")),
        DEFAULT_RULES,
    )
    evaluations: ClassVar[Mapping[str, Kernel]] = {
        "heuristic": (f"{AI}.tax", f"{AI}.heuristic", f"{AI}.heuristic_evaluation"),
        "net": (f"{AI}.tax", f"{AI}.net"),
    }
    level_models: ClassVar[Mapping[str, int]] = {
        "greedy": GREEDY,
        "trader": HEURISTIC,
        "expert": NET,
        "master": NET,
    }
    training_kernel = (f"{AI}.self_play", f"{AI}.training_opponents")
    trainer = f"{AI}.trainer:NetTrainer"
    batch_rollouts = f"{AI}.batch_rollouts:BatchRollouts"
    notes_kernel = ("souk.games.marrakech.notes",)
    observation_kernel = ("souk.engine.kernel.one_hot", "souk.games.marrakech.observation")
    knobs = knobs.KNOBS
    always_shown = ("players", "edition")
    action_texts = text.ACTIONS
    action_help = (
        "actions are left, ahead, right, 1 to 4, a colour, or two squares in any order like c2c3, "
        "c3-c2 or c3 c2"
    )

    @classmethod
    def default_settings(cls, chosen: Mapping[str, Value]) -> dict[str, Value]:
        return knobs.defaults(chosen)

    def validate(self) -> None:
        knobs.check(self.settings)
        self.settings = knobs.canonical(self.settings)

    @classmethod
    def common_games(cls) -> list[Game]:
        two = [cls(players=2), cls(players=2, two_player="one-colour")]
        return [*two, cls(players=3), cls(players=4)]

    games_for_all_kernels = common_games

    @cached_property
    def colours_each(self) -> int:
        """Return how many colours every player has."""
        return knobs.colours_each(self.settings)

    @cached_property
    def colours(self) -> tuple[tuple[str, ...], ...]:
        """Return the colours of every seat."""
        seats = range(self.num_players())
        return tuple(knobs.colours_of(seat, self.colours_each) for seat in seats)

    def colours_of(self, seat: int) -> tuple[str, ...]:
        """Return the colours of a seat."""
        return self.colours[seat]

    def seat_colour(self, seat: int) -> str:
        return self.colours[seat][0]

    if TYPE_CHECKING:

        @cached_property
        def rules(self) -> MarrakechRules: ...

    def constants(self) -> dict[str, int | tuple[int, ...]]:
        players = self.num_players()
        return {"PLAYERS": players, "COLOURS": players * self.colours_each}

    def weights(
        self,
        evaluation: str,
        beliefs: Beliefs = (),
        learned: "NDArray[np.float32] | None" = None,
    ) -> "NDArray[np.float32] | None":
        if evaluation != "net":
            return super().weights(evaluation, beliefs)
        if learned is None:
            rugs, dirhams = int(self.settings["rugs"]), int(self.settings["dirhams"])
            if rugs > MOST_RUGS or dirhams > MOST_DIRHAMS:
                return None
            learned = weights.load(self.num_players(), self.colours_each)
        return weights.for_search(learned, self.num_players(), beliefs)

    def read_weights(self, data: bytes, file: str) -> "NDArray[np.float32]":
        return weights.parse(data, file, self.num_players(), self.colours_each)[0]

    def opponent_models(self, evaluation: str) -> Kernel:
        if evaluation == "net" and self.num_players() > 2:
            return (f"{AI}.heuristic", f"{AI}.two_ply", f"{AI}.opponent_models")
        return super().opponent_models(evaluation)

    def has_draws(self) -> bool:
        return self.settings["full_tie"] == "draw"

    def max_chance_outcomes(self) -> int:
        return MOST_PIPS

    def max_game_length(self) -> int:
        """Return a bound: two actions for every rug, one in the turn that puts a player out."""
        k = self.rules
        return 2 * k.COLOURS * int(self.settings["rugs"]) + self.num_players()

    def empty_buffer(self) -> list[int]:
        """Return a buffer with the knobs set and nothing else."""
        k = self.rules
        S = [0] * k.SIZE
        S[k.PLAYS_ON] = self.settings["cannot_pay"] == "plays-on"
        S[k.COVER_OWN] = int(self.settings["cover_own"])
        S[k.TURN_LAST] = ("no", "must", "may").index(knobs.turn_last(self.settings))
        S[k.FACE_DOWN] = self.settings["pile"] == "face-down"
        S[k.DRAWN_TIE] = self.settings["full_tie"] == "draw"
        for seat in range(self.num_players()):
            S[k.NEXT + seat] = k.UNKNOWN
        return [int(slot) for slot in S]

    def initial_buffer(self) -> list[int]:
        k = self.rules
        S = self.empty_buffer()
        S[k.ASSAM] = CENTRE
        S[k.FACING] = FACINGS.index(str(self.settings["start_facing"]))
        S[k.TO_MOVE] = int(self.settings["first"])
        for seat in range(self.num_players()):
            S[k.DIRHAMS + seat] = int(self.settings["dirhams"])
        for colour in range(k.COLOURS):
            S[k.RUGS + colour] = int(self.settings["rugs"])
        k.begin_game(S)
        return S

    @property
    def seat_names(self) -> list[str]:
        seats = range(self.num_players())
        return [" and ".join(self.colours_of(seat)).capitalize() for seat in seats]

    @cached_property
    def position_parts(self) -> tuple[PositionPart, ...]:
        return position.parts(self)

    def read_position(self, position_: Mapping[str, Any]) -> list[int]:
        return position.read(self, position_)

    def board_lines(self, state: State) -> list[Styled]:
        return text.board_lines(self, state.buffer)

    def player_lines(self, state: State, names: Sequence[str] | None = None) -> list[list[Styled]]:
        return text.player_lines(self, state, names)

    def prompt(self, state: State, names: Sequence[str] | None = None) -> str:
        return text.prompt(self, state, names)

    def spellings(self, action: int) -> tuple[str, ...]:
        return text.spellings(action)

    def novice_value(self, state: State, action: int) -> float:
        if action <= self.rules.RIGHT:
            return novice.turning_value(self, state, action)
        return novice.laying_value(self, state, action - self.rules.LAY_AT)

    def events(self, before: Sequence[int], action: int, after: Sequence[int]) -> list[Event]:
        return events.action_events(self, before, action, after)

    def note_text(self, note: int) -> str:
        return events.note_text(note)

    def preview_sentence(self, preview: Preview, names: Sequence[str]) -> str:
        return events.preview_sentence(preview, names)

    def draw(self, state: State, theme: str, names: Sequence[str], options: bool) -> str:
        from souk.games.marrakech.drawing import draw_state

        return draw_state(self, state, theme, names, options)

    def draw_example(self, name: str) -> str:
        from souk.games.marrakech.drawing.examples import draw_example

        return draw_example(name)

    def board_data(self) -> dict[str, Any]:
        from souk.games.marrakech.drawing.board_data import board_data

        return board_data()

    def rulebook_values(self) -> dict[str, Value]:
        each = self.colours_each
        return {
            **self.settings,
            "first_seat": int(self.settings["first"]) + 1,
            "turn_last": knobs.turn_last(self.settings),
            "colours_each": each,
            "rugs_each": each * int(self.settings["rugs"]),
            "house_deal": not knobs.is_sheet_deal(self.settings),
        }
