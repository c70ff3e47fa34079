"""Make and read decision sets: positions with the value of every action by rollouts.

Players are measured against them. A set is a file of JSON Lines, which may be compressed (.gz),
with a `Decision` in every line. Decision number n comes from game number n between mixed players,
so a set can be extended without changing the decisions that it has.
"""

import gzip
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from souk.analysis.rollouts import Rollout, rollout
from souk.engine.errors import SoukError, reason
from souk.engine.game import Game
from souk.engine.seeds import derive_seed
from souk.engine.state import State
from souk.games import load_game
from souk.players import player as make_player
from souk.players import players

# How often each level has a seat in the games from which decisions come.
MIX = {"random": 1, "novice": 2, "greedy": 3, "trader": 3, "expert": 3}
HELD_BACK = 5  # one in so many positions is held back from training
DIGITS = 5  # of shares in a file


class Decision(Struct, frozen=True):
    """A position in which a player decides, with what every legal action is worth."""

    number: int  # from 0
    position: dict[str, Any]  # as `State.to_dict` returns it
    phase: str
    turn: int
    seat: int  # the player to move
    actions: list[str]
    shares: list[list[float]]  # of every action: the share of the win of every seat
    losses: list[float]  # of every action: what the player to move loses against the best
    errors: list[float]  # of every action: the standard error of its loss
    games: list[int]  # of every action: the rollouts that were played

    @property
    def is_held_back(self) -> bool:
        """Whether the position must not be used for training; a hash of it decides."""
        text = json.dumps(self.position, sort_keys=True)
        return int(hashlib.sha256(text.encode()).hexdigest(), 16) % HELD_BACK == 0

    def state(self) -> State:
        """Return the state in which the player decides."""
        return load_game(self.position["game"]).state_from_dict(self.position)


def make_decision(
    text: str,
    number: int,
    *,
    seed: int,
    games: int,
    error: float,
    truncate: int,
    player: str | None = None,
    mix: Mapping[str, int] = MIX,
) -> Decision:
    """Return a decision from a game between mixed players, with all its actions rolled out.

    All phases are equally frequent. Rollouts go on until the losses of the actions that may still
    be best have a standard error of at most `error`, or for `games` games.
    """
    state = _numbered_state(text, seed, number, mix)
    results = rollout(
        state,
        player,
        games=games,
        seed=derive_seed(seed, "rollouts", text, number),
        actions=state.legal_actions(),
        error=error,
        truncate=truncate or None,
        threads=1,
    )
    return to_decision(number, state, _turn(state), results)


def to_decision(number: int, state: State, turn: int, results: Sequence[Rollout]) -> Decision:
    """Return the decision in a state, given the number of the turn and the rollouts of all actions.

    A state that was loaded from a position does not know how many turns came before.
    """
    return Decision(
        number=number,
        position=state.to_dict(),
        phase=_phase(state),
        turn=turn,
        seat=state.current_player(),
        actions=[state.action_to_string(one.action or 0) for one in results],
        shares=[[round(share, DIGITS) for share in one.shares] for one in results],
        losses=[round(one.loss, DIGITS) for one in results],
        errors=[round(one.loss_error, DIGITS) for one in results],
        games=[one.games for one in results],
    )


class NumberedPosition(NamedTuple):
    """A position of a set, and the number of the turn in its game."""

    position: dict[str, Any]
    turn: int


def numbered_position(text: str, seed: int, number: int) -> NumberedPosition:
    """Return the position of decision number `number` of a set."""
    state = _numbered_state(text, seed, number)
    return NumberedPosition(state.to_dict(), _turn(state))


def _turn(state: State) -> int:
    return state.game.turn_number(state.buffer)


def _numbered_state(text: str, seed: int, number: int, mix: Mapping[str, int] = MIX) -> State:
    return pick_decision(load_game(text), Random(derive_seed(seed, text, number)), mix)


def pick_decision(game: Game, random: Random, mix: Mapping[str, int] = MIX) -> State:
    """Play a game between mixed players; return one of its states that offers a choice."""
    choices: dict[str, list[int]] = {}  # by phase: the number of actions before
    for state in mixed_game(game, random, mix):
        if not state.is_terminal() and len(state.legal_actions()) > 1:
            choices.setdefault(_phase(state), []).append(len(state.history()))
    undo_to(state, random.choice(choices[random.choice(sorted(choices))]))
    return state


def mixed_game(game: Game, random: Random, mix: Mapping[str, int] = MIX) -> Iterator[State]:
    """Play a game between mixed players; yield its state before every choice and at the end.

    `mix` has how often each player has a seat. It is always the same state, which goes on.
    """
    names = [name for name in players(game.name) if name in mix]
    weights = [mix[name] for name in names]
    seats = [
        make_player(name, game, seed=random.getrandbits(62))
        for name in random.choices(names, weights, k=game.num_players())
    ]
    state = game.new_initial_state(random.getrandbits(62))
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            action = random.choices(outcomes, chances)[0]
        else:
            yield state
            action = seats[state.current_player()].choose(state)
        state.apply_action(action)
    yield state


def undo_to(state: State, actions: int) -> None:
    """Take actions back until only so many are left."""
    while len(state.history()) > actions:
        state.undo_action()


def _phase(state: State) -> str:
    return str(state.to_dict().get("phase", ""))


def encode(decision: Decision) -> bytes:
    """Return a decision as a line of a file."""
    return msgspec.json.encode(decision) + b"\n"


def read_decisions(path: Path) -> list[Decision]:
    """Return the decisions of a file; an incomplete last line is left out."""
    return list(_read(path))


def _read(path: Path) -> Iterator[Decision]:
    try:
        data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    except (OSError, EOFError) as error:
        raise SoukError(f"cannot read {path}: {reason(error)}") from None
    for number, line in enumerate(data[: data.rfind(b"\n") + 1].splitlines(), start=1):
        try:
            yield msgspec.json.decode(line, type=Decision)
        except msgspec.DecodeError as error:
            raise SoukError(f"{path}, line {number} is not a decision: {error}") from None
