"""Try actions from any position, for viewers without rules.

A study is stateless: clients send a position and actions, and get every position on the way. This
may take a while: callers run it in a worker process.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from souk.analysis import Alternative
from souk.analysis.winning_chances import WinningChances
from souk.engine.errors import BadPosition, SoukError
from souk.engine.position_encoder import IncrementalEncoder
from souk.engine.state import State
from souk.players import player, strongest
from souk.records import Record
from souk.server.http.replays import MAX_ERROR_TEXT, Frame, frame
from souk.server.live.analyses import round_all
from souk.server.live.player_workers import preview_of
from souk.server.tables.commands import Refusal
from souk.server.tables.hosted_games import hosted_game

QUICK_NODES = 200  # of a position: some milliseconds
REFINED_NODES = 20_000
MAX_PROBLEMS = 50  # of a position that are named
SEED = 1  # of players that use random numbers, so that an evaluation is repeatable


class ChanceOutcome(Struct, frozen=True):
    """A chance outcome that can be chosen."""

    action: str
    probability: float


class StudyFrame(Frame, frozen=True):
    """A position of a study, at the start or after an action or chance outcome."""

    outcomes: list[ChanceOutcome]  # of the chance step that comes next, if one does
    over: bool  # whether the game is over


class Study(Struct, frozen=True):
    """The positions that a number of actions lead to."""

    game: str  # with its knobs
    name: str  # of the game, without knobs
    frames: list[StudyFrame]  # the start, then one for each action


class Evaluation(Struct, frozen=True):
    """The value of every action or chance outcome in a position."""

    level: str  # of the computer player that evaluates
    nodes: int
    shares: list[float]  # winning chances of every seat
    options: list[Alternative]  # of the player to move best first, or of chance


def study(game: str | None, position: bytes | None, actions: Sequence[str]) -> Study:
    """Return the positions that actions lead to, from the JSON of a position or a new game."""
    state = _start(game) if position is None else state_at(position)
    encoder = IncrementalEncoder(state.game)
    frames = [_frame(state, encoder, None, None)]
    for number, text in enumerate(actions):
        mover = state.current_player()
        apply(state, number, text)
        frames.append(_frame(state, encoder, mover if mover >= 0 else None, text))
    return Study(str(state.game), state.game.name, frames)


def apply(state: State, number: int, text: str) -> None:
    """Apply an action of a request, which has a number there, or refuse it."""
    try:
        state.apply_action(state.string_to_action(text))
    except SoukError as error:
        sentence = f"actions[{number}]: {error}"[:MAX_ERROR_TEXT]
        raise Refusal("illegal", f"{sentence}.") from None


def previews(position: bytes, actions: Sequence[str]) -> list[dict[str, Any]]:
    """Return what each of some actions would cause, as a live table sends it."""
    state = state_at(position)
    return [preview_of(state, action).to_dict() for action in actions]


def record_at(position: bytes) -> Record:
    """Return a record that begins with a position."""
    state = state_at(position)
    return Record(state.game, start=state.to_dict())


def evaluation(position: bytes, nodes: int) -> bytes:
    """Return the evaluation of a position as JSON."""
    state = state_at(position)
    level = strongest(state.game.name)
    chances = WinningChances(player(level, state.game, nodes=nodes, seed=SEED))
    options: list[Alternative] = []
    if state.is_chance_node():
        options = [
            Alternative(state.action_to_string(action), round_all(shares), probability)
            for action, probability, shares in chances.outcomes(state)
        ]
    elif not state.is_terminal():
        options = [
            Alternative(one.text, round_all(one.shares), None) for one in chances.options(state)
        ]
    shares = round_all(chances.of(state))
    return msgspec.json.encode(Evaluation(level, nodes, shares, options))


def _start(game: str | None) -> State:
    try:
        return hosted_game(game or "").new_initial_state()
    except SoukError as error:
        raise Refusal("bad-game", f"{error}.") from None


def state_at(text: bytes) -> State:
    """Return the state of a position in JSON; refuse it with every problem."""
    position = msgspec.json.decode(text)
    named = position.get("game")
    if not isinstance(named, str):
        raise _bad_position(["game: must be the game with its knobs"])
    try:
        game = hosted_game(named)
    except SoukError as error:
        raise _bad_position([f"game: {error}"]) from None
    try:
        return game.state_from_dict(position)
    except BadPosition as error:
        raise _bad_position(error.problems) from None


def _frame(
    state: State, encoder: IncrementalEncoder, seat: int | None, action: str | None
) -> StudyFrame:
    outcomes = []
    if state.is_chance_node():
        outcomes = [
            ChanceOutcome(state.action_to_string(one), probability)
            for one, probability in state.chance_outcomes()
        ]
    fields = msgspec.structs.asdict(frame(state, encoder, seat, action))
    return StudyFrame(**fields, outcomes=outcomes, over=state.is_terminal())


def _bad_position(problems: Sequence[str]) -> Refusal:
    named = [problem[:MAX_ERROR_TEXT] for problem in problems[:MAX_PROBLEMS]]
    sentence = f"This position cannot be loaded: {'; '.join(named)[:MAX_ERROR_TEXT]}."
    return Refusal("bad-position", sentence, {"problems": named})
