"""Split the change in each player's winning chances into luck, decisions and hindsight.

Between two positions of a game a seat's winning chances change. Where chance acted, the whole
change is luck. Where a player decided, the difference between their choice and the best option is
due to the decision; the rest is hindsight: one step later, the evaluation sees further. So for
every seat

    end - start = luck + own decisions + decisions of others + hindsight,

and each of these sums to zero over all seats, since what one gains the others lose.
"""

from collections.abc import Callable
from pathlib import Path

import msgspec

from souk.analysis.error_rate import error_rate
from souk.analysis.game_analysis import (
    NEGLIGIBLE,
    Alternative,
    AnalysedStep,
    GameAnalysis,
    PlayerSummary,
    costliest,
    name_mistakes,
    turning_points,
)
from souk.analysis.winning_chances import Shares, WinningChances
from souk.engine.errors import SoukError, brief
from souk.engine.state import CHANCE, State
from souk.players import player, strongest
from souk.players.base import position_after
from souk.records import Record, read

DEFAULT_NODES = 2_000  # per position: a two-player game takes a few seconds
SEED = 1  # of players that use random numbers, so that an analysis is repeatable

Progress = Callable[[int, int], None]  # called with the steps done and their total


def analyse(
    game: "Record | State | str | Path",
    *,
    level: str | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    progress: Progress | None = None,
) -> GameAnalysis:
    """Analyse luck and skill in a game: a record, its file, or a state with its history.

    A computer player, by default the strongest, evaluates every decision and every possible chance
    outcome with a limit of seconds or nodes per position. With nodes the analysis is repeatable.
    The costs of decisions compare only between analyses with the same level and nodes.
    An unfinished game is analysed as far as it was played.

    >>> import souk
    >>> state = souk.load_game("marrakech", players=3).new_initial_state()
    >>> for text in ("left", "3", "f3f4"):
    ...     state.apply_action(state.string_to_action(text))
    >>> analysis = souk.analyse(state, level="trader")
    >>> [step.action for step in analysis.steps], analysis.over
    (['left', '3', 'f3f4'], False)
    >>> [alternative.action for alternative in analysis.steps[1].alternatives]
    ['1', '2', '3', '4']
    >>> one = analysis.players[0]
    >>> abs(one.start + one.luck + one.own + one.others + one.hindsight - one.end) < 1e-6
    True
    """
    record = _to_record(game)
    name = strongest(record.game.name) if level is None else level
    if seconds is None and nodes is None:
        nodes = DEFAULT_NODES
    evaluator = player(name, record.game, seconds=seconds, nodes=nodes, seed=SEED)
    if evaluator.nodes is not None and evaluator.nodes < evaluator.least_nodes:
        raise SoukError(
            f"an analysis by {name} takes at least {evaluator.least_nodes} nodes per position, "
            f"not {evaluator.nodes}: with fewer, the costs mislead"
        )
    chances = WinningChances(evaluator)
    state = record.initial_state()
    start = chances.of(state)
    steps: list[AnalysedStep] = []
    charged: dict[int, float] = {}  # what the auction has cost each seat so far
    for number, action in enumerate(record.actions, start=1):
        step = _analyse_step(chances, state, number, action)
        if not record.game.is_auction(state.buffer):
            charged.clear()
        elif step.seat is not None:
            step = _charge_once(step, charged)
        steps.append(step)
        state.apply_action(action)
        if progress is not None:
            progress(number, len(record.actions))
    steps = name_mistakes(steps)
    return GameAnalysis(
        game=str(record.game),
        level=name,
        nodes=nodes,
        over=state.is_terminal(),
        start=list(start),
        players=[
            _summarise(seat, name, record.game.seat_colour(seat), start[seat], steps)
            for seat, name in enumerate(record.names())
        ],
        steps=steps,
        costliest=costliest(steps),
        turning_points=turning_points(steps),
    )


def _to_record(game: object) -> Record:
    if isinstance(game, Record):
        return game
    if isinstance(game, State):
        return Record.from_state(game)
    if isinstance(game, str | Path):
        try:
            text = Path(game).read_text("utf-8")
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "it is not a text file"
            raise SoukError(f"cannot read {brief(str(game))}: {reason.lower()}") from None
        return read(text.replace("\r\n", "\n"), Path(game).parent)
    raise SoukError(f"analyse takes a record, its file or a state, not {brief(game)}")


def _analyse_step(chances: WinningChances, state: State, number: int, action: int) -> AnalysedStep:
    """Analyse one step from the position before it."""
    before = chances.of(state)
    mover = state.current_player()
    is_chance = mover == CHANCE
    if is_chance:
        alternatives, chosen = _outcomes(chances, state, action)
    else:
        alternatives, chosen = _options(chances, state, action)
    after = chances.of(position_after(state, action))
    change = _difference(chosen, before)
    return AnalysedStep(
        step=number,
        turn=state.game.turn_number(state.buffer),
        seat=None if is_chance else mover,
        action=state.action_to_string(action),
        change=change,
        hindsight=_difference(after, chosen),
        shares=list(after),
        cost=0.0 if is_chance else max(0.0, -change[mover]),
        best=None if is_chance else alternatives[0].action,
        alternatives=alternatives,
    )


def _charge_once(step: AnalysedStep, charged: dict[int, float]) -> AnalysedStep:
    """Leave of a bidder's cost what goes beyond their charges in the same auction.

    Two who overbid each other lose the shop's excessive price once, not with every bid: a higher
    bid takes the loss of the bid before back. The rest of the change becomes hindsight.
    """
    seat = step.seat
    if seat is None or step.cost <= 0:
        return step
    before = charged.get(seat, 0.0)
    cost = max(0.0, step.cost - before)
    charged[seat] = before + cost
    change = [cost / step.cost * one for one in step.change]
    rest = _difference(tuple(step.change), tuple(change))
    hindsight = [one + more for one, more in zip(step.hindsight, rest, strict=True)]
    return msgspec.structs.replace(step, change=change, hindsight=hindsight, cost=cost)


def _outcomes(
    chances: WinningChances, state: State, action: int
) -> tuple[list[Alternative], Shares]:
    """Return the possible chance outcomes, and the value of the one that occurred."""
    outcomes = chances.outcomes(state)
    alternatives = [
        Alternative(state.action_to_string(outcome), list(shares), probability)
        for outcome, probability, shares in outcomes
    ]
    return alternatives, next(shares for outcome, _, shares in outcomes if outcome == action)


def _options(
    chances: WinningChances, state: State, action: int
) -> tuple[list[Alternative], Shares]:
    """Return the options of the player, and the value of the one chosen when it was chosen."""
    if len(state.legal_actions()) == 1:
        shares = chances.of(state)
        return [Alternative(state.action_to_string(action), list(shares), None)], shares
    options = chances.options(state)
    alternatives = [Alternative(option.text, list(option.shares), None) for option in options]
    return alternatives, next(option.shares for option in options if option.action == action)


def _difference(after: Shares, before: Shares) -> list[float]:
    return [one - other for one, other in zip(after, before, strict=True)]


def _summarise(
    seat: int, name: str, colour: str, start: float, steps: list[AnalysedStep]
) -> PlayerSummary:
    luck = own = others = hindsight = 0.0
    for step in steps:
        hindsight += step.hindsight[seat]
        if step.seat is None:
            luck += step.change[seat]
        elif step.seat == seat:
            own += step.change[seat]
        else:
            others += step.change[seat]
    decisions = [step for step in steps if step.seat == seat and len(step.alternatives) > 1]
    return PlayerSummary(
        seat=seat,
        name=name,
        colour=colour,
        start=start,
        luck=luck,
        own=own,
        others=others,
        hindsight=hindsight,
        end=steps[-1].shares[seat] if steps else start,
        decisions=len(decisions),
        best=sum(step.cost < NEGLIGIBLE for step in decisions),
        inaccuracies=sum(step.mistake == "inaccuracy" for step in decisions),
        mistakes=sum(step.mistake == "mistake" for step in decisions),
        blunders=sum(step.mistake == "blunder" for step in decisions),
        error_rate=error_rate([step.cost for step in decisions]).rate if decisions else 0.0,
    )
