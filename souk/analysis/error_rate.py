"""Measure the error rate of players: what their choices lose on average in a decision set.

Losses are measured against the action with the best value. Of noisy values the best is too high on
average, so every loss is slightly too high: by the same amount for all players, which `noise`
estimates. The difference of two players in the same decisions has no such bias.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from math import erf, nan, sqrt

from souk.analysis.decisions import Decision
from souk.engine.playouts import cores
from souk.engine.seeds import derive_seed
from souk.games import load_game
from souk.players import Player, player

Z = 1.96  # of an interval of 95%
CHUNK = 4  # decisions that a process gets at a time
CLEAR = 6.0  # standard errors by which an action is worse than the best without doubt
STEPS = 100  # of a numerical integral


@dataclass(frozen=True)
class ErrorRate:
    """The mean loss of the share of the win in a decision, times 1000, with its 95% interval."""

    decisions: int
    rate: float
    error: float  # half the width of the interval; nan for a single decision

    def __str__(self) -> str:
        return f"{self.rate:.1f} ± {self.error:.1f}"


def loss(chooser: Player, decision: Decision) -> float:
    """Return what a player loses in a decision by its choice."""
    state = decision.state()
    text = state.action_to_string(chooser.choose(state))
    return decision.losses[decision.actions.index(text)]


def losses(
    names: Sequence[str],
    decisions: Sequence[Decision],
    *,
    seed: int = 1,
    processes: int | None = None,
) -> Iterator[list[float]]:
    """Yield for each of some players what it loses in each of some decisions.

    Every decision has a new player, whose seed belongs to the decision. So a loss depends neither
    on the number of processes, by default one per core, nor on the other decisions; but it does
    depend on the machine if the player's limit is a time.
    """
    from souk.engine.processes import in_processes  # it imports multiprocessing

    starts = range(0, len(decisions), CHUNK)
    tasks = [(name, decisions[start : start + CHUNK]) for name in names for start in starts]
    results = in_processes(partial(_losses, seed), tasks, processes or cores())
    lost = chain.from_iterable(results)
    for _ in names:
        yield list(islice(lost, len(decisions)))


def _losses(seed: int, task: tuple[str, Sequence[Decision]]) -> list[float]:
    name, decisions = task
    return [
        loss(
            player(
                name,
                load_game(one.position["game"]),
                seed=derive_seed(seed, "errors", name, one.number),
            ),
            one,
        )
        for one in decisions
    ]


def error_rate(lost: Sequence[float]) -> ErrorRate:
    """Return the error rate of some losses, or of the differences of losses of two players.

    >>> str(error_rate([0.0, 0.01, 0.02, 0.01]))
    '10.0 ± 8.0'
    """
    count = len(lost)
    mean = sum(lost) / count
    variance = sum((one - mean) ** 2 for one in lost) / (count - 1) if count > 1 else nan
    return ErrorRate(count, 1000 * mean, 1000 * Z * sqrt(variance / count))


def noise(decision: Decision) -> float:
    """Return about how much too high the losses in a decision are, since the best was chosen.

    This is how much the best of the values exceeds the value of the apparent best on average if
    every loss is drawn again, from a normal distribution with its standard error. On the mean over
    decisions it is unbiased if the gaps between the best actions are spread evenly; exact ties
    count for too little.

    >>> one = Decision(0, {}, "", 1, 0, ["a", "b"], [], [0.0, 0.0], [0.0, 0.01], [2, 2])
    >>> round(noise(one), 5)  # 0.01 divided by the square root of 2 pi
    0.00399
    """
    close = [
        (lost, error)
        for lost, error in zip(decision.losses, decision.errors, strict=True)
        if lost < CLEAR * error
    ]
    if not close:
        return 0.0
    step = CLEAR * max(error for _, error in close) / STEPS
    total = 0.0
    for number in range(STEPS):  # the integral of the probability that any of them leads by `lead`
        lead = (number + 0.5) * step
        none = 1.0
        for lost, error in close:
            none *= (1 + erf((lead + lost) / error / sqrt(2))) / 2
        total += 1 - none
    return step * total
