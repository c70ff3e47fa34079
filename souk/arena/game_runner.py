"""Play one game of a tournament.

A game is a function of the seed, the setup and the players by seat, unless a player's limit is a
time. Chance comes from a counter-based stream: the outcome of the k-th chance step is drawn from
the number that belongs to (seed, setup, k) in every rotation of the seats. So the games of a setup
have the same dice for as long as they proceed alike.
"""

import datetime
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from souk.arena.entrants import Entrant
from souk.arena.luck import LuckMeter
from souk.engine.errors import SoukError, raised_at
from souk.engine.game import Game
from souk.engine.kernel import philox
from souk.engine.seeds import derive_seed
from souk.engine.state import CHANCE, State

MAX_TURNS = 1_000  # of a game: the rules of some games set no limit
MOST_LUCK = 1_000.0  # of a seat, in shares of the win; NaN is refused with it
Share = Annotated[float, Meta(ge=0, le=1)]
Seconds = Annotated[float, Meta(ge=0, le=1e9)]
Luck = Annotated[float, Meta(ge=-MOST_LUCK, le=MOST_LUCK)]
GameKey = tuple[int, tuple[str, ...]]  # setup, players by seat
OnAsk = Callable[[int], None]  # called with the seat that must answer now, or -1 for none


@dataclass(frozen=True)
class Job:
    """A game to play."""

    game: str
    seed: int
    setup: int
    players: tuple[str, ...]  # by seat

    @property
    def key(self) -> GameKey:
        """What tells it from the other games of its tournament."""
        return self.setup, self.players

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "Job":
        """Return the job that `asdict` gave, perhaps through JSON."""
        return cls(**{**values, "players": tuple(values["players"])})


@dataclass(frozen=True)
class GameResult:
    """The result of a game; tuples but `actions` have an entry for each seat."""

    setup: Annotated[int, Meta(ge=0)]
    players: tuple[str, ...]
    scores: tuple[int, ...]
    returns: tuple[Share, ...]  # of the win
    places: tuple[Annotated[int, Meta(ge=1)], ...]  # 1 is the best; who ties has the same place
    turns: Annotated[int, Meta(ge=0)]
    move_seconds: tuple[tuple[Seconds, ...], ...]  # for each choice between two or more actions
    luck: tuple[Luck, ...]  # what the chance steps gave each seat, in shares of the win
    actions: tuple[int, ...]  # chance outcomes included
    date: str  # for example 2026-11-15

    @property
    def key(self) -> GameKey:
        """What tells it from the other games of its tournament."""
        return self.setup, self.players

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "GameResult":
        """Return the result that `to_dict` wrote; raise a SoukError for anything else."""
        try:
            result = msgspec.convert(values, cls)
            datetime.date.fromisoformat(result.date)
        except ValueError as error:  # also msgspec's
            raise SoukError(f"not a game of a tournament: {error}") from None
        by_seat = (result.scores, result.returns, result.places, result.move_seconds, result.luck)
        if not all(len(entries) == len(result.players) for entries in by_seat):
            raise SoukError("a value is missing for some seat")
        if abs(sum(result.returns) - 1) > 1e-6:
            raise SoukError("the shares of the win do not sum to 1")
        return result


class PlayerFailed(SoukError):
    """A player crashed, hung or chose an illegal action. `player` is the entrant's text."""

    def __init__(self, player: str, reason: str) -> None:
        self.player = player
        self.reason = reason
        super().__init__(f"{player}: {reason}")

    @classmethod
    def of(cls, entrant: Entrant, error: SoukError) -> "PlayerFailed":
        """Return the failure of a player, with the line of its code that raised the error."""
        place = ""
        if error.__cause__ is not None:
            place = f" ({raised_at(error.__cause__)})"
        return cls(str(entrant), f"{error}{place}")


class SetupDice:
    """Draw the chance outcomes of a setup, the same for every rotation of the seats."""

    def __init__(self, seed: int, setup: int) -> None:
        self._stream = [0] * philox.STREAM_SIZE
        philox.start_stream(self._stream, derive_seed(seed, "arena dice"), setup)
        self._step = 0

    def draw(self, state: State) -> int:
        """Return an outcome of the chance step that a state is at."""
        # One block of the stream per step, so that the words one step uses do not shift the next.
        self._stream[philox.STREAM_BLOCK] = self._step
        self._stream[philox.WORDS_LEFT] = 0
        self._step += 1
        return state.chance_outcome(philox.random_below(self._stream, state.chance_total()))


def setup_seed(seed: int, setup: int) -> int:
    """Return the seed that deals a setup of a tournament."""
    return derive_seed(seed, "arena setup", setup)


def is_over(state: State) -> bool:
    """Return whether a game is over, or is stopped because it has lasted MAX_TURNS."""
    return state.is_terminal() or state.game.turn_number(state.buffer) > MAX_TURNS


def final_returns(state: State) -> list[float]:
    """Return each seat's share of the win; a game that was stopped counts as it stands."""
    if state.is_terminal():
        return state.returns()
    leaders = state.ranking()[0]
    return [(seat in leaders) / len(leaders) for seat in range(state.game.num_players())]


def play_game(
    game: Game, job: Job, entrants: Sequence[Entrant], on_ask: OnAsk = lambda _: None
) -> GameResult:
    """Play a game of a tournament.

    Every game has new players: what a player remembers must not depend on which games it played.
    """
    state = game.new_initial_state(setup_seed(job.seed, job.setup))
    dice = SetupDice(job.seed, job.setup)
    meter = LuckMeter(game, entrants)
    move_seconds: list[list[float]] = [[] for _ in entrants]
    players = []
    for seat, entrant in enumerate(entrants):
        on_ask(seat)
        copies = job.players[:seat].count(str(entrant))
        try:
            own_seed = derive_seed(job.seed, "arena player", job.setup, entrant, copies)
            players.append(entrant.player(game, own_seed))
        except SoukError as error:
            raise PlayerFailed.of(entrant, error) from error
    while not is_over(state):
        mover = state.current_player()
        if mover == CHANCE:
            outcome = dice.draw(state)
            meter.add(state, outcome)
            state.apply_action(outcome)
            continue
        on_ask(mover)
        started = time.perf_counter()
        try:
            action = players[mover].choose(state)
        except SoukError as error:
            raise PlayerFailed.of(entrants[mover], error) from error
        seconds = time.perf_counter() - started
        on_ask(-1)
        if len(state.legal_actions()) > 1:
            move_seconds[mover].append(round(seconds, 4))
        state.apply_action(action)
    places = [0] * len(entrants)
    for place, tied in enumerate(state.ranking(), start=1):
        for seat in tied:
            places[seat] = place
    return GameResult(
        setup=job.setup,
        players=job.players,
        scores=tuple(state.scores()),
        returns=tuple(final_returns(state)),
        places=tuple(places),
        turns=game.turn_number(state.buffer),
        move_seconds=tuple(map(tuple, move_seconds)),
        luck=tuple(round(luck, 6) for luck in meter.luck),
        actions=tuple(state.history()),
        date=datetime.date.today().isoformat(),
    )
