"""The books of a game: every step is luck, a choice, or a better view of what was there.

Between two positions of a game a seat's expected share changes. Where chance acted, all of it is
luck. Where a player chose, the difference between what he chose and the best option is his doing;
what remains is that the computer, one step further, sees more: the revision. So for every seat

    end - start = luck + own choices + choices of others + revisions,

and each sums to zero over all seats, as what one wins the others lose.
"""

from collections.abc import Callable
from pathlib import Path

from souk.analysis.report import (
    WORTH_A_WORD,
    Account,
    Alternative,
    AnalysedStep,
    GameAnalysis,
    costliest,
    turning_points,
)
from souk.analysis.values import Shares, Values
from souk.engine.errors import SoukError, brief
from souk.engine.state import CHANCE, State
from souk.players import player, strongest
from souk.records import Record, read

USUAL_NODES = 2_000  # for each position: a game of two takes a few seconds
SEED = 1  # of players that draw lots: the same game is told in the same way

Progress = Callable[[int, int], None]  # steps done, and how many there are


def analyse(
    game: "Record | State | str | Path",
    *,
    level: str | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    progress: Progress | None = None,
) -> GameAnalysis:
    """What was luck and what was skill in a game: a record, its file, or a state's own history.

    A computer player, the strongest unless another level is named, thinks about every decision and
    about every outcome that chance might have had: for so many seconds each, or so many nodes,
    which tells the same game in the same way every time. A game that is not over is told up to
    where it stands.

    >>> import souk
    >>> state = souk.load_game("marrakech", players=3).new_initial_state()
    >>> for text in ("left", "3", "f3f4"):
    ...     state.apply_action(state.string_to_action(text))
    >>> told = souk.analyse(state, level="trader")
    >>> [step.action for step in told.steps], told.over
    (['left', '3', 'f3f4'], False)
    >>> [one.action for one in told.steps[1].alternatives]
    ['1', '2', '3', '4']
    >>> one = told.accounts[0]
    >>> abs(one.start + one.luck + one.own + one.others + one.revision - one.end) < 1e-6
    True
    """
    record = _record(game)
    name = strongest(record.game.name) if level is None else level
    if seconds is None and nodes is None:
        nodes = USUAL_NODES
    judge = player(name, record.game, seconds=seconds, nodes=nodes, seed=SEED)
    values = Values(judge)
    state = record.initial_state()
    start = values.of(state)
    steps: list[AnalysedStep] = []
    for number, action in enumerate(record.actions, start=1):
        steps.append(_step(values, state, number, action))
        state.apply_action(action)
        if progress is not None:
            progress(number, len(record.actions))
    return GameAnalysis(
        game=str(record.game),
        level=name,
        nodes=nodes,
        over=state.is_terminal(),
        start=list(start),
        accounts=[
            _account(seat, name, record.game.seat_colour(seat), start[seat], steps)
            for seat, name in enumerate(record.names())
        ],
        steps=steps,
        costly=costliest(steps),
        turning=turning_points(steps),
    )


def _record(game: object) -> Record:
    if isinstance(game, Record):
        return game
    if isinstance(game, State):
        return Record.from_state(game)
    if isinstance(game, str | Path):
        try:
            text = Path(game).read_text("utf-8")
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or "it is not a text file"
            raise SoukError(f"cannot read {brief(str(game))}: {why.lower()}") from None
        return read(text.replace("\r\n", "\n"), Path(game).parent)
    raise SoukError(f"analyse takes a record, its file or a state, not {brief(game)}")


def _step(values: Values, state: State, number: int, action: int) -> AnalysedStep:
    """One step of the game, from the position before it."""
    before = values.of(state)
    mover = state.current_player()
    is_chance = mover == CHANCE
    if is_chance:
        alternatives, at_once = _outcomes(values, state, action)
    else:
        alternatives, at_once = _choices(values, state, action)
    then = state.clone()
    then.apply_action(action)
    shares = values.of(then)
    change = _difference(at_once, before)
    return AnalysedStep(
        step=number,
        turn=state.game.turn_number(state.buffer),
        seat=None if is_chance else mover,
        action=state.action_to_string(action),
        change=change,
        revision=_difference(shares, at_once),
        shares=list(shares),
        cost=0.0 if is_chance else max(0.0, -change[mover]),
        best=None if is_chance else alternatives[0].action,
        alternatives=alternatives,
    )


def _outcomes(values: Values, state: State, action: int) -> tuple[list[Alternative], Shares]:
    """What chance could have brought, and what its outcome was worth."""
    found = values.outcomes(state)
    told = [
        Alternative(state.action_to_string(one), list(shares), probability)
        for one, probability, shares in found
    ]
    return told, next(shares for one, _, shares in found if one == action)


def _choices(values: Values, state: State, action: int) -> tuple[list[Alternative], Shares]:
    """What the player could have done, and what his choice was worth as it was made."""
    if len(state.legal_actions()) == 1:
        shares = values.of(state)
        return [Alternative(state.action_to_string(action), list(shares), None)], shares
    found = values.options(state)
    told = [Alternative(one.text, list(one.shares), None) for one in found]
    return told, next(one.shares for one in found if one.action == action)


def _difference(after: Shares, before: Shares) -> list[float]:
    return [one - other for one, other in zip(after, before, strict=True)]


def _account(seat: int, name: str, colour: str, start: float, steps: list[AnalysedStep]) -> Account:
    luck = own = others = revision = 0.0
    for step in steps:
        revision += step.revision[seat]
        if step.seat is None:
            luck += step.change[seat]
        elif step.seat == seat:
            own += step.change[seat]
        else:
            others += step.change[seat]
    decisions = [step for step in steps if step.seat == seat and len(step.alternatives) > 1]
    return Account(
        seat=seat,
        name=name,
        colour=colour,
        start=start,
        luck=luck,
        own=own,
        others=others,
        revision=revision,
        end=steps[-1].shares[seat] if steps else start,
        decisions=len(decisions),
        best=sum(step.cost < WORTH_A_WORD for step in decisions),
    )
