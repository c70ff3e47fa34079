"""Step many games side by side in compiled code, for learning code."""

import math
import os
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from souk.engine.errors import IllegalAction, SoukError, as_int, brief
from souk.engine.game import Game, check_seed
from souk.engine.kernel import cuda_target
from souk.engine.kernel.philox import STREAM_SIZE
from souk.engine.observation import batch_driver, batch_kernel
from souk.engine.playouts import check_device, cores
from souk.engine.state import State

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_ROWS = 1 << 26
ALIGNMENT = 64  # bytes; JAX copies arrays that begin elsewhere
SMALL_BATCH = 512  # rows; threads would cost more time than they save
COPIED = (
    *("seed", "_samples", "_settings", "_buffers", "rewards"),
    *("current_player", "terminated", "legal_actions_mask", "_observation"),
)


class Batch:
    """Games, one in each row, that are stepped together on the CPU or an NVIDIA GPU.

    The arrays are the batch's own memory: the next step overwrites them. Row i of n plays games
    i, i + n, i + 2n … of the seed, so the same actions lead to the same games with any number of
    threads and on every device. Without `observations`, a step takes less time. With `autoreset`,
    a step starts the next game in rows whose game is over. With `reduced_actions`, players choose
    among fewer actions, for games that have them: in MarraCash, a few bids relative to the current
    one. `souk.batch` is another name for this class.

    >>> import souk
    >>> games = souk.batch(souk.load_game("marrakech", players=3), 100, seed=1)
    >>> games.step(games.sample_actions())
    >>> games.observation.shape, games.legal_actions_mask.shape
    ((100, 322), (100, 87))
    """

    current_player: "NDArray[np.int32]"  # per row: the seat to act, or TERMINAL
    legal_actions_mask: "NDArray[np.bool_]"  # rows × actions
    observation: "NDArray[np.float32]"  # rows × numbers, as the player to act sees the game
    rewards: "NDArray[np.float32]"  # rows × players: the returns of a game that ended, else 0
    terminated: "NDArray[np.bool_]"  # per row: whether the game is over

    def __init__(
        self,
        game: Game,
        rows: int,
        seed: int = 1,
        device: str = "cpu",
        *,
        observations: bool = True,
        autoreset: bool = True,
        threads: int | None = None,
        reduced_actions: bool = False,
    ) -> None:
        if not isinstance(game, Game):
            raise SoukError(f"a batch is of a game, not of {brief(game)}: see souk.load_game")
        check_device(device)
        self.game = game
        self.rows = rows = _whole("the number of games", rows, 1, MOST_ROWS)
        self.seed = check_seed(seed)
        self.device = device
        self.autoreset = bool(autoreset)
        self.reduced_actions = bool(reduced_actions)
        self.num_actions = game.num_distinct_actions()
        if reduced_actions:
            self.num_actions = game.num_reduced_actions()
            if not self.num_actions:
                raise SoukError(f"{game.name} has no reduced actions")
        if device == "cuda" and threads is not None:
            raise SoukError("threads are for the cpu")
        self._options: dict[str, Any] = {
            "device": device,
            "observations": observations,
            "autoreset": autoreset,
            "threads": threads,
            "reduced_actions": reduced_actions,
        }
        count = cores() if threads is None else _whole("threads", threads, 1, 1024)
        self._machine: _Machine = _Gpu(game) if device == "cuda" else _Cpu(game, rows, count)
        xp = self._xp = self._machine.xp
        width = game.observation_tensor_shape()[0] if observations else 0
        self._settings = xp.array([self.seed, rows, autoreset, reduced_actions, width], xp.int64)
        self._start = xp.array(game.initial_buffer(), xp.int64)
        self._samples = 0
        try:
            self._make_arrays(width)
        except MemoryError:  # CuPy's is one of these too
            raise SoukError(f"there is not enough memory for {rows:,} rows: take fewer") from None
        shown = (self.current_player, self.terminated, self.legal_actions_mask, self._observation)
        self._described = shown  # what the kernel writes after a step
        self._start_games(xp.ones(rows, xp.bool_), is_first=True)

    def _make_arrays(self, width: int) -> None:
        zeros, xp, rows, game = self._machine.zeros, self._xp, self.rows, self.game
        self._buffers = zeros((rows, game.rules.SIZE + STREAM_SIZE), xp.int64)
        self._illegal = zeros((rows,), xp.bool_)
        self._sampled = zeros((rows,), xp.int64)
        self.rewards = zeros((rows, game.num_players()), xp.float32)
        self.current_player = zeros((rows,), xp.int32)
        self.terminated = zeros((rows,), xp.bool_)
        self.legal_actions_mask = zeros((rows, self.num_actions), xp.bool_)
        self._observation = zeros((rows, width), xp.float32)

    def __reduce__(self) -> tuple[Any, ...]:
        """Let `copy` and `pickle` make a batch with memory of its own."""
        saved = {name: getattr(self, name) for name in COPIED}
        return partial(type(self), self.game, self.rows, **self._options), (), saved

    def __setstate__(self, saved: dict[str, Any]) -> None:
        for name, value in saved.items():
            if isinstance(value, int):
                setattr(self, name, value)
            else:
                getattr(self, name)[...] = value

    if not TYPE_CHECKING:

        @property
        def observation(self):
            """What the player to act sees, a row for each game."""
            if not self._observation.size:
                raise SoukError("this batch has no observations: make it with observations=True")
            return self._observation

    def step(self, actions: Any) -> None:
        """Apply an action in every row and draw chance until a player acts or the game is over.

        In a row whose game is over, the action is ignored; with `autoreset`, the row's next game
        starts instead. Raise IllegalAction, and change nothing, if any action is not legal.
        """
        chosen = self._actions(actions)
        self._run("check_row", self._buffers, chosen, self._illegal)
        if self._illegal.any():
            row = int(self._illegal.argmax())
            raise IllegalAction(f"row {row}: {self._illegal_message(row, int(chosen[row]))}")
        given = (self._start, self._buffers, chosen, self.rewards, *self._described)
        self._run("step_row", *given)

    def sample_actions(self) -> Any:
        """Return random legal actions, one for each row; 0 where a game is over.

        They depend on the seed, on the row and on how often this method was called.
        """
        first = (1 << 62) + self._samples * self.rows  # other streams than those of games
        self._samples += 1
        self._run("sample_row", self._buffers, first, self._sampled)
        return self._sampled

    def reset(self, rows: Any = None) -> None:
        """Start the next game of all rows, or of those whose numbers are given."""
        xp = self._xp
        chosen = xp.full(self.rows, rows is None)
        if rows is not None:
            numbers = self._as_array(rows, "rows are numbers")
            if numbers.dtype == xp.bool_ and numbers.shape == (self.rows,):
                chosen[...] = numbers
            elif numbers.size:
                is_whole = numbers.dtype.kind in "iu" and numbers.ndim < 2
                if not is_whole or int(numbers.min()) < 0 or int(numbers.max()) >= self.rows:
                    raise SoukError(
                        f"rows are numbers from 0 to {self.rows - 1}, not {brief(rows)}"
                    )
                chosen[numbers] = True
        self.rewards[chosen] = 0
        self._start_games(chosen, is_first=False)

    def state(self, row: int) -> State:
        """Return the state of a row, without its history."""
        return State(
            self.game, self._buffers[self._row_number(row)].tolist()[: self.game.rules.SIZE]
        )

    def set_state(self, row: int, state: State) -> None:
        """Set a row to the position of a state; at a chance node, draw the outcome."""
        number = self._row_number(row)
        if not isinstance(state, State) or state.game != self.game:
            other = state.game if isinstance(state, State) else state
            raise SoukError(f"this batch plays {self.game}, not {brief(other)}")
        rules, buffer = self.game.rules, list(state.buffer)
        if self.device == "cuda":
            cuda_target.check_ranges(rules, buffer)
        stream = self._buffers[number].tolist()[rules.SIZE :]
        while rules.mover(buffer) == -1:
            rules.apply(buffer, rules.random_outcome(buffer, stream))
        self._buffers[number][:] = self._xp.array([*buffer, *stream], self._xp.int64)
        self.rewards[number] = 0
        self._describe()

    def __len__(self) -> int:
        return self.rows

    def __repr__(self) -> str:
        return f"<batch of {self.rows} games of {self.game} on {self.device}>"

    def _row_number(self, row: int) -> int:
        return _whole("a row", row, 0, self.rows - 1)

    def _start_games(self, chosen: Any, *, is_first: bool) -> None:
        self._run("start_row", self._start, self._buffers, int(is_first), chosen)
        self._describe()

    def _describe(self) -> None:
        self._run("describe_row", self._buffers, *self._described)

    def _run(self, name: str, *given: Any) -> None:
        """Run a function of the kernel for all rows."""
        self._machine.run(name, self.rows, self._settings, *given)

    def _actions(self, actions: Any) -> Any:
        """Return actions as an array of this device."""
        xp = self._xp
        array = self._as_array(actions, "step takes a list of actions")
        if array.shape != (self.rows,):
            shape = "×".join(map(str, array.shape)) or "one number"
            raise SoukError(f"step takes {self.rows} actions, one for each row, not {shape}")
        if array.dtype.kind not in "iu":
            raise SoukError(f"actions are whole numbers, not {array.dtype}")
        return xp.ascontiguousarray(array, dtype=xp.int64)

    def _as_array(self, values: Any, accepted: str) -> Any:
        try:
            return self._xp.asarray(values)
        except ValueError:  # of lists of different lengths
            raise SoukError(f"{accepted}, not {brief(values)}") from None

    def _illegal_message(self, row: int, action: int) -> str:
        state = self.state(row)
        if self.reduced_actions:
            legal = self._xp.flatnonzero(self.legal_actions_mask[row]).tolist()
            texts = {one: self._reduced_text(state, one) for one in legal}
            names = ", ".join(f"{one} ({text})" for one, text in texts.items())
            return f"reduced action {action} is not legal now; legal: {names}"
        return state.illegal_message(action)

    def _reduced_text(self, state: State, action: int) -> str:
        return state.action_to_string(self.game.observing_rules.full_action(state.buffer, action))


batch = Batch


class _Machine(Protocol):
    xp: Any  # NumPy, or a module with its interface

    def zeros(self, shape: tuple[int, ...], number: Any) -> Any:
        """Return an array of zeros, in the order in memory that suits the device."""

    def run(self, name: str, items: int, *given: Any) -> None:
        """Run a function of the kernel for a number of items."""


class _Cpu:
    """The cores of this computer."""

    def __init__(self, game: Game, rows: int, threads: int) -> None:
        import numpy

        self.xp: Any = numpy
        self._kernel = batch_kernel(game)
        self._threads = threads if rows > SMALL_BATCH else 1
        self._pool, self._process = ThreadPoolExecutor(threads), os.getpid()

    def zeros(self, shape: tuple[int, ...], number: Any) -> Any:
        size = math.prod(shape) * self.xp.dtype(number).itemsize
        memory = self.xp.zeros(size + ALIGNMENT, self.xp.uint8)
        first = -memory.ctypes.data % ALIGNMENT
        return memory[first : first + size].view(number).reshape(shape)

    def run(self, name: str, items: int, *given: Any) -> None:
        entry = getattr(self._kernel, f"{name}_all")
        flat = [one if isinstance(one, int) else one.reshape(-1) for one in given]
        if self._threads == 1:
            entry(*flat, 0, items)
            return
        if self._process != os.getpid():  # a fork, in which the threads do not exist
            self._pool, self._process = ThreadPoolExecutor(self._threads), os.getpid()
        size = -(-items // self._threads)
        parts = [(first, min(first + size, items)) for first in range(0, items, size)]
        list(self._pool.map(lambda part: entry(*flat, *part), parts))


class _Gpu:
    """An NVIDIA GPU, through CuPy."""

    def __init__(self, game: Game) -> None:
        self.xp: Any = cuda_target.load_cupy('device="cuda"')
        self._kernel = cuda_target.cuda_kernel(
            game.kernel, game.constants(), batch_driver(game), game.initial_buffer()
        )

    def zeros(self, shape: tuple[int, ...], number: Any) -> Any:
        return self.xp.zeros(shape, number, order="F")  # what `row_of` expects in C

    def run(self, name: str, items: int, *given: Any) -> None:
        getattr(self._kernel, name)(items, *given)


def _whole(name: str, value: Any, low: int, high: int) -> int:
    number = as_int(value)
    if number is None or not low <= number <= high:
        raise SoukError(f"{name} is a whole number from {low} to {high}, not {brief(value)}")
    return number
