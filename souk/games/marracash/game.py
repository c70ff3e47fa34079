"""MarraCash as a Game."""

import random
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from souk.engine.events import Event, Gain, Preview
from souk.engine.game import DEFAULT_RULES, Beliefs, Game
from souk.engine.kernel.source import Kernel
from souk.engine.knobs import Integer, Value
from souk.engine.position_encoder import PositionPart
from souk.engine.state import State
from souk.engine.styled_text import Styled
from souk.games.marracash import (
    amounts,
    board,
    board_file,
    events,
    expected_gains,
    knobs,
    position,
    text,
)
from souk.games.marracash.ai import auctions, weights
from souk.games.marracash.board import COLOURS, Board

AI = "souk.games.marracash.ai"

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from souk.games.marracash.rules_protocol import MarraCashRules


class MarraCash(Game):
    """MarraCash with its knobs set.

    >>> str(MarraCash(players=3, souvenirs=True))
    'marracash(players=3,souvenirs=True)'
    """

    name = "marracash"
    title = "MarraCash"
    about = (
        "Buy shops in the souk at auction and move visitors to them. A little longer and deeper."
    )
    kernel = (
        *(f"souk.games.marracash.{part}" for part in ("rules", "setup", "playout")),
        DEFAULT_RULES,
    )
    evaluations: ClassVar[Mapping[str, Kernel]] = {  # the simplest first
        "heuristic": (f"{AI}.heuristic", f"{AI}.heuristic_shares"),
        "net": (f"{AI}.heuristic", f"{AI}.net"),
    }
    pruning = (f"{AI}.pruning",)
    settling = (f"{AI}.settling",)
    rollout_temperature = 0.01  # without souvenirs there is no chance: else all rollouts were equal
    training_kernel = (f"{AI}.self_play",)
    trainer = f"{AI}.trainer:NetTrainer"
    observation_kernel = ("souk.engine.kernel.one_hot", "souk.games.marracash.observation")
    reduced_actions_kernel = ("souk.games.marracash.reduced_actions",)
    quick_value_kernel = ("souk.games.marracash.quick_value",)
    notes_kernel = ("souk.engine.kernel.write_log", "souk.games.marracash.notes")
    knobs = knobs.KNOBS
    action_help = (
        "actions look like move F1>F3, auction R3, bid 125, pass, bring F8 head 3 or card 150"
    )
    policy = (
        Integer("pass_chance", "how often in 100 a bidder passes", 1, 100),
        Integer("most_raise", "the largest raise, in steps of 25", 1, 40),
    )

    @classmethod
    def common_games(cls) -> list[Game]:
        return [cls(players=players) for players in (3, 4)]

    @classmethod
    def games_for_all_kernels(cls) -> list[Game]:
        boards = board_file.SHIPPED
        return [cls(players=players, layout=board) for players in (3, 4) for board in boards]

    def validate(self) -> None:
        self.board: Board = board_file.load(str(self.settings["layout"]))

    @property
    def external_content(self) -> str:
        return self.board.digest

    if TYPE_CHECKING:

        @cached_property
        def rules(self) -> MarraCashRules: ...

    def constants(self) -> dict[str, int | tuple[int, ...]]:
        return {"PLAYERS": self.num_players(), **self.board.sizes(), **self.board.tables()}

    @cached_property
    def action_texts(self) -> Sequence[str]:
        return text.actions(self.board, self.num_players())

    def max_chance_outcomes(self) -> int:
        return self.rules.DECK if self.settings["souvenirs"] else 0

    def empty_buffer(self) -> list[int]:
        """Return a buffer with the knobs set, without visitors and owners."""
        k = self.rules
        S = [0] * k.SIZE
        S[k.SOUVENIRS] = int(self.settings["souvenirs"])
        S[k.COMMISSION_RULE] = knobs.COMMISSIONS.index(str(self.settings["commission"]))
        S[k.PULL_IN] = int(self.settings["pull_in"])
        S[k.PASS_CHANCE] = 50
        S[k.MOST_RAISE] = 4
        S[k.LAST_TURNS] = k.NEVER
        nobody = ["LOT", "BIDDER", "WALK_MOVER", "WALK_END", "OPEN_CARD"]
        slots = [getattr(k, name) for name in nobody]
        slots += [k.OPEN_CARD + 1]
        slots += [k.OWNER + shop for shop in range(k.SHOPS)]
        slots += [k.AHEAD + place for place in range(k.MOST_PASSED + 1)]
        for slot in slots:
            S[slot] = k.NOBODY
        return S

    def initial_buffer(self) -> list[int]:
        k = self.rules
        S = self.empty_buffer()
        for seat in range(self.num_players()):
            S[k.DIRHAMS + seat] = amounts.START_DIRHAMS
            S[k.SIGNS_LEFT + seat] = amounts.SIGNS
        k.begin_game(S)
        return S

    def weights(
        self,
        evaluation: str,
        beliefs: Beliefs = (),
        learned: "NDArray[np.float32] | None" = None,
    ) -> "NDArray[np.float32] | None":
        return weights.load(evaluation, self.num_players()) if learned is None else learned

    def read_weights(self, data: bytes, file: str) -> "NDArray[np.float32]":
        return weights.parse(data, file, self.num_players())[0]

    def is_auction(self, buffer: Sequence[int]) -> bool:
        return buffer[self.rules.PHASE] == self.rules.BIDDING

    def judge_options(
        self, state: State, search: auctions.Search
    ) -> dict[int, auctions.Shares] | None:
        if not self.is_auction(state.buffer):
            return None
        return auctions.option_shares(state, self.rules, search)

    def random_action(self, state: State, pick: random.Random) -> int:
        """Choose as the kernel's playouts do, with small raises only."""
        actions = state.legal_actions()
        buffer, k = state.buffer, self.rules
        if buffer[k.PHASE] != k.BIDDING or actions == [k.PASS]:
            return pick.choice(actions)
        if actions[0] == k.PASS and pick.randrange(100) < buffer[k.PASS_CHANCE]:
            return actions[0]
        bids = actions[1:] if actions[0] == k.PASS else actions
        return bids[min(pick.randrange(buffer[k.MOST_RAISE]), len(bids) - 1)]

    @property
    def seat_names(self) -> list[str]:
        return ["Ali", "Anfa", "Omar", "Leila"][: self.num_players()]

    def group(self, packed: int) -> dict[str, int]:
        """Return a group of the kernel as colours and counts."""
        counts = zip(COLOURS, packed.to_bytes(len(COLOURS), "little"), strict=True)
        return {colour: count for colour, count in counts if count}

    @cached_property
    def position_parts(self) -> tuple[PositionPart, ...]:
        return position.parts(self)

    def read_position(self, position_: Mapping[str, Any]) -> list[int]:
        return position.read(self, position_)

    def board_lines(self, state: State) -> list[Styled]:
        return text.board_lines(self, state)

    def player_lines(self, state: State, names: Sequence[str] | None = None) -> list[list[Styled]]:
        return text.player_lines(self, state, names)

    def prompt(self, state: State, names: Sequence[str] | None = None) -> str:
        return text.prompt(self, state, names)

    def events(self, before: Sequence[int], action: int, after: Sequence[int]) -> list[Event]:
        return events.action_events(self, before, action, after)

    def note_text(self, note: int) -> str:
        return events.note_text(self, note)

    def certain_events(self, after: State) -> list[Event]:
        return events.certain_events(self, after.buffer)

    def expected_gains(self, before: State, after: State) -> list[Gain]:
        return expected_gains.gains(self, before.buffer, after.buffer)

    def preview_sentence(self, preview: Preview, names: Sequence[str]) -> str:
        return events.preview_sentence(preview, names)

    def draw(self, state: State, theme: str, names: Sequence[str], options: bool) -> str:
        from souk.games.marracash.drawing import draw_state

        return draw_state(self, state, theme, names, options)

    def draw_example(self, name: str) -> str:
        from souk.games.marracash.drawing.examples import draw_example

        return draw_example(name)

    def board_data(self) -> dict[str, Any]:
        from souk.games.marracash.drawing.board_data import board_data

        return board_data(self.board)

    def rulebook_values(self) -> dict[str, Value]:
        return {
            **self.settings,
            "shops": len(self.board.shops),
            "fountains": len(self.board.fountains),
            "visitors": sum(board.VISITORS.values()),
            "queue": sum(board.VISITORS.values()) - 3 * board.GATES,
            "dirhams": amounts.START_DIRHAMS,
            "signs": amounts.SIGNS,
        }
