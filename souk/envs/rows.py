"""Batches whose rows can also be stepped one at a time, for environments."""

from typing import TYPE_CHECKING, Any

import numpy as np

from souk.engine.batch import Batch
from souk.engine.errors import IllegalAction, as_int, brief
from souk.engine.game import Game, check_seed
from souk.engine.observation import batch_kernel
from souk.engine.state import State
from souk.games import own_names

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Finite bounds of observations, which Gymnasium asks for: the most dirhams that the knobs allow
# are below 2**17 in their scale. Games of other packages may have any numbers.
OWN_BOUNDS = (0.0, 2.0**17)
ANY_BOUNDS = (-(2.0**63), 2.0**63)
RENDER_MODES = ("human", "ansi")


class Rows(Batch):
    """A batch on the CPU whose rows can also be stepped one at a time.

    It calls compiled functions with arguments that are prepared once, since checking them takes
    longer than a step of one game.
    """

    def __init__(self, game: Game, rows: int, *, reduced_actions: bool = False) -> None:
        super().__init__(game, rows, reduced_actions=reduced_actions)
        self._options = {"reduced_actions": reduced_actions}
        self._kernel = batch_kernel(game)
        self._chosen = np.zeros(rows, np.int64)
        mask = self.legal_actions_mask
        if reduced_actions:
            mask = np.zeros((rows, game.num_distinct_actions()), np.bool_)
        # Stepped one at a time, a row gets no observation and no new game; by whether actions are
        # reduced.
        self._arguments = {
            False: self._row_arguments([0, rows, 0, 0, 0], mask),
            True: self._row_arguments([0, rows, 0, 1, 0], self.legal_actions_mask),
        }

    def _row_arguments(self, settings: list[int], mask: Any) -> tuple[Any, list[Any]]:
        """Return settings and arrays for functions that handle one row."""
        shown = (self.current_player, self.terminated, mask, self._observation)
        arrays = (self._buffers, self.rewards, *shown)
        return np.array(settings), [one.reshape(-1) for one in arrays]

    def restart(self, seed: int) -> None:
        """Start the first game of a seed in every row."""
        self.seed = self._settings[0] = check_seed(seed)
        self.rewards[:] = 0
        self._start_games(np.ones(self.rows, np.bool_), is_first=True)

    def step_or_restart(self, actions: Any, is_cut: "NDArray[np.bool_]") -> None:
        """Apply an action in every row, but start the next game in those that are cut."""
        if is_cut.any():
            actions = self._actions(actions).copy()
            actions[is_cut] = self.legal_actions_mask[is_cut].argmax(axis=1)  # any legal one
        self.step(actions)
        if is_cut.any():
            self.reset(is_cut)

    def check(self, row: int, action: object) -> int:
        """Return an action of the player to act; raise IllegalAction if it is not legal."""
        number = as_int(action)
        if number is None:
            raise IllegalAction(f"an action is a whole number, not {brief(action)}")
        if not (0 <= number < self.num_actions and self.legal_actions_mask[row, number]):
            raise IllegalAction(self._illegal_message(row, number))
        return number

    def step_row(self, row: int, action: int, *, reduced: bool) -> None:
        """Apply a legal action in one row; observations are not written.

        Without `reduced`, in a batch with reduced actions, the mask is not written either.
        """
        self._chosen[row] = action
        settings, (buffers, *written) = self._arguments[reduced]
        given = (settings, self._start, buffers, self._chosen, *written)
        self._kernel.step_row_all(*given, row, row + 1)

    def play_random(self, seats: int, row: int | None = None) -> None:
        """Let the seats of a bit mask act at random until another acts, in one row or in all."""
        if row is None:
            self._run("play_random_row", self._buffers, seats, self.rewards, *self._described)
        else:
            settings, (buffers, *written) = self._arguments[self.reduced_actions]
            self._kernel.play_random_row_all(settings, buffers, seats, *written, row, row + 1)

    def describe(self, row: int | None = None) -> None:
        """Write the mask of a row, or the masks and observations of all."""
        if row is None:
            self._describe()
        else:
            settings, (buffers, _, *shown) = self._arguments[self.reduced_actions]
            self._kernel.describe_row_all(settings, buffers, *shown, row, row + 1)

    def observe(self, row: int, seat: int) -> "NDArray[np.float32]":
        """Return what a seat sees in one row."""
        seen = np.empty(self._observation.shape[1], np.float32)
        self._kernel.observe_buffer(self._buffers[row], seat, seen)
        return seen

    def observe_ends(self, seat: int) -> None:
        """Write what a seat sees in the rows whose games are over."""
        for row in np.flatnonzero(self.terminated):
            self._kernel.observe_buffer(self._buffers[row], seat, self._observation[row])

    def buffers(self) -> list[list[int]]:
        """Return the buffers of all positions."""
        buffers: list[list[int]] = self._buffers[:, : self.game.rules.SIZE].tolist()
        return buffers

    def buffer(self, row: int) -> list[int]:
        """Return the buffer of one row's position."""
        buffer: list[int] = self._buffers[row, : self.game.rules.SIZE].tolist()
        return buffer

    def mask(self, row: int) -> "NDArray[np.int8]":
        """Return 1 for every legal action of one row, as the spaces of Gymnasium expect it."""
        mask: NDArray[np.int8] = self.legal_actions_mask[row].astype(np.int8)
        return mask

    def no_actions(self) -> "NDArray[np.int8]":
        """Return the mask of a player who does not act."""
        return np.zeros(self.num_actions, np.int8)


def bounds(game: Game) -> tuple[float, float]:
    """Return bounds of the numbers in observations of a game."""
    return OWN_BOUNDS if game.name in own_names() else ANY_BOUNDS


def show(state: State, render_mode: str | None) -> str | None:
    """Render a state: return its text, or print it for people."""
    if render_mode == "human":
        print(state)
        return None
    return str(state) if render_mode == "ansi" else None
