"""One game of a tournament: a pure function of the seed, the setup and who sits where.

Unless a player thinks by the clock. Chance comes from a counter-based stream: the outcome of the
k-th chance step of a setup is drawn from the number that belongs to (seed, setup, k), in every
rotation of the seats. So the games of a setup have the same dice as far as they run alike.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import msgspec

from souk.arena.entrants import Entrant
from souk.engine.errors import SoukError
from souk.engine.game import Game
from souk.engine.kernel import philox
from souk.engine.seeds import derive_seed
from souk.engine.state import CHANCE, State

MOST_TURNS = 1_000  # of a game: some rules set no limit, but whoever plays thousands needs one
Asked = Callable[[int], None]  # told whose answer we wait for: a seat, or -1 for nobody's


@dataclass(frozen=True)
class Job:
    """A game to be played."""

    game: str
    seed: int
    setup: int
    seats: tuple[str, ...]


@dataclass(frozen=True)
class Played:
    """A game that was played; lists have an entry for each seat."""

    setup: int
    seats: tuple[str, ...]
    scores: tuple[int, ...]
    shares: tuple[float, ...]  # of the win
    places: tuple[int, ...]  # 1 is the best; those who tie have the same
    turns: int
    seconds: tuple[tuple[float, ...], ...]  # for each choice among two or more actions

    @property
    def key(self) -> tuple[int, tuple[str, ...]]:
        """What tells it from the other games of a tournament."""
        return self.setup, self.seats

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, found: dict[str, Any]) -> "Played":
        """The inverse of `to_dict`; anything else raises a SoukError."""
        try:
            played = msgspec.convert(found, cls)
        except msgspec.ValidationError as error:
            raise SoukError(f"this is no game of a tournament: {error}") from None
        lists = (played.scores, played.shares, played.places, played.seconds)
        if not all(len(one) == len(played.seats) for one in lists):
            raise SoukError("a value for each seat is missing")
        return played


class PlayerFailed(SoukError):
    """A player that crashed, hung or answered nonsense. `player` is its text."""

    def __init__(self, player: str, why: str) -> None:
        self.player = player
        self.why = why
        super().__init__(f"{player}: {why}")


class Dice:
    """The chance of a setup, the same for every rotation of the seats."""

    def __init__(self, seed: int, setup: int) -> None:
        self._stream = [0] * philox.STREAM_SIZE
        philox.start_stream(self._stream, derive_seed(seed, "arena dice"), setup)
        self._step = 0

    def draw(self, state: State) -> int:
        """An outcome for the chance step that a state is at."""
        weights = state.chance_weights()
        # A block of the stream for each step: however many words it takes, the next is not moved.
        self._stream[philox.STREAM_BLOCK] = self._step
        self._stream[philox.WORDS_LEFT] = 0
        self._step += 1
        left = philox.random_below(self._stream, sum(weight for _, weight in weights))
        for action, weight in weights:
            left -= weight
            if left < 0:
                return action
        raise AssertionError("a number below the sum of the weights is within one of them")


def is_over(state: State) -> bool:
    """Whether a game is over, or has lasted for so long that it counts as it stands."""
    return state.is_terminal() or state.game.turn_number(state.buffer) > MOST_TURNS


def shares(state: State) -> list[float]:
    """Every seat's share of the win, also of a game that was broken off."""
    if state.is_terminal():
        return state.returns()
    first = state.ranking()[0]
    return [(seat in first) / len(first) for seat in range(state.game.num_players())]


def play(game: Game, job: Job, seats: Sequence[Entrant], asked: Asked = lambda _: None) -> Played:
    """Play a game of a tournament.

    New players for every game: what one remembers must not depend on which games it played.
    """
    state = game.new_initial_state(derive_seed(job.seed, "arena setup", job.setup))
    dice = Dice(job.seed, job.setup)
    count = len(seats)
    thought: list[list[float]] = [[] for _ in seats]
    players = []
    for seat, entrant in enumerate(seats):
        asked(seat)
        own = derive_seed(
            job.seed, "arena player", job.setup, entrant, job.seats[:seat].count(str(entrant))
        )
        try:
            players.append(entrant.player(game, own))
        except SoukError as error:
            raise PlayerFailed(str(entrant), str(error)) from error
    while not is_over(state):
        mover = state.current_player()
        if mover == CHANCE:
            state.apply_action(dice.draw(state))
            continue
        asked(mover)
        started = time.perf_counter()
        try:
            action = players[mover].choose(state)
        except SoukError as error:
            raise PlayerFailed(job.seats[mover], str(error)) from error
        seconds = time.perf_counter() - started
        asked(-1)
        if len(state.legal_actions()) > 1:
            thought[mover].append(round(seconds, 4))
        state.apply_action(action)
    places = [0] * count
    for place, tied in enumerate(state.ranking(), start=1):
        for seat in tied:
            places[seat] = place
    return Played(
        setup=job.setup,
        seats=job.seats,
        scores=tuple(state.scores()),
        shares=tuple(shares(state)),
        places=tuple(places),
        turns=game.turn_number(state.buffer),
        seconds=tuple(map(tuple, thought)),
    )
