"""The events that actions in Marrakech cause."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct

from souk.engine.errors import one_of
from souk.engine.events import Event, Outcome, Preview
from souk.games.marrakech import notes, text
from souk.games.marrakech.board import ARCS, FACINGS, MOST_PIPS, PLACES, SQUARES, squares_of, walk
from souk.games.marrakech.knobs import COLOURS

if TYPE_CHECKING:
    from souk.games.marrakech.game import Marrakech

COMPASS = {"N": "north", "E": "east", "S": "south", "W": "west"}


class Drew(Event, frozen=True):
    """A rug was turned up on a pile."""

    seat: int  # whose pile
    colour: str

    def sentence(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]}'s next rug is {self.colour}."


class Turned(Event, frozen=True):
    """Assam was turned, or kept his facing."""

    seat: int
    turning: str  # left, ahead or right
    facing: str  # N E S W, afterwards

    def sentence(self, names: Sequence[str]) -> str:
        if self.turning == "ahead":
            return f"{names[self.seat]} keeps Assam facing {COMPASS[self.facing]}."
        return f"{names[self.seat]} turns Assam {self.turning}, to the {COMPASS[self.facing]}."


class Step(Struct, frozen=True):
    """One step of a walk."""

    square: str
    facing: str
    arc: bool  # whether it led round an arc


class Walked(Event, frozen=True):
    """The die was rolled and Assam walked."""

    seat: int
    die: int
    start: str
    steps: tuple[Step, ...]

    def sentence(self, names: Sequence[str]) -> str:
        path = ", ".join(f"round to {s.square}" if s.arc else s.square for s in self.steps)
        return f"{names[self.seat]} rolls {self.die}: Assam walks {path}."

    def note(self) -> str:
        return (
            "Assam "
            + self.start
            + "".join(f" ~ {step.square}" if step.arc else f" {step.square}" for step in self.steps)
        )


class Paid(Event, frozen=True):
    """A tax was paid, in full or as far as the money went."""

    seat: int
    to: int
    owed: int
    paid: int
    colour: str
    squares: tuple[str, ...]  # the squares counted

    def sentence(self, names: Sequence[str]) -> str:
        payer, owner = names[self.seat], names[self.to]
        if self.paid == self.owed:
            return f"{payer} pays {owner} {_dirhams(self.paid)} for {self.colour}."
        return f"{payer} owes {owner} {_dirhams(self.owed)} and pays all they have: {self.paid}."

    def note(self) -> str:
        short = f" of {self.owed}" if self.paid < self.owed else ""
        return f"pays {self.paid}{short} to seat {self.to + 1} for {self.colour}"


class Out(Event, frozen=True):
    """A player could not pay and is out."""

    seat: int
    order: int  # 1 for the first out

    def sentence(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} is out. Their rugs become neutral."

    def note(self) -> str:
        return f"seat {self.seat + 1} is out"


class Covered(Struct, frozen=True):
    """A half of a rug that a new rug came to lie on."""

    square: str
    colour: str
    seat: int  # whose it is
    neutral: bool


class Laid(Event, frozen=True):
    """A rug was laid."""

    seat: int
    colour: str
    squares: tuple[str, str]
    covered: tuple[Covered, ...]

    def sentence(self, names: Sequence[str]) -> str:
        where = " and ".join(self.squares)
        over = " and ".join(f"{half.colour} on {half.square}" for half in self.covered)
        covering = f", covering {over}" if over else ""
        return f"{names[self.seat]} lays {self.colour} on {where}{covering}."

    def note(self) -> str:
        over = " and ".join(f"{half.colour} on {half.square}" for half in self.covered)
        return f"covers {over}" if over else ""


@cache  # as the next two: there are few different ones
def _longest_walk(square: int, facing: int) -> tuple[Step, ...]:
    """Return Assam's walk for the highest roll; a lower roll is the beginning of it."""
    steps = []
    for reached, turned in walk(square, facing, MOST_PIPS):
        steps.append(Step(SQUARES[reached], FACINGS[turned], (square, facing) in ARCS))
        square, facing = reached, turned
    return tuple(steps)


@cache
def _walk_event(seat: int, die: int, square: int, facing: int) -> Walked:
    return Walked(seat, die, SQUARES[square], _longest_walk(square, facing)[:die])


@cache
def _turn_event(seat: int, action: int, facing: int) -> Turned:
    return Turned(seat, text.ACTIONS[action], FACINGS[facing])


def action_events(
    game: "Marrakech", before: Sequence[int], action: int, after: Sequence[int]
) -> list[Event]:
    """Return the events that an action caused, from the buffers before and after it."""
    k = game.rules
    seat, phase = before[k.TO_MOVE], before[k.PHASE]
    events: list[Event] = []
    if phase == k.DRAW:
        events.append(Drew(k.pile_to_draw(before), COLOURS[action - k.COLOUR]))
    elif phase == k.ROLL:
        events += _roll_events(game, before, action - k.DIE + 1, after)
    elif phase == k.LAY:
        events.append(_lay_event(game, before, action))
    else:
        events.append(_turn_event(seat, action, after[k.FACING]))
    if after[k.PHASE] == k.OVER:
        events += game.end_events(after)
    return events


def _roll_events(
    game: "Marrakech", before: Sequence[int], die: int, after: Sequence[int]
) -> list[Event]:
    k = game.rules
    seat, square, facing = before[k.TO_MOVE], before[k.ASSAM], before[k.FACING]
    events: list[Event] = [_walk_event(seat, die, square, facing)]
    taxed = k.taxed_colour(before, after[k.ASSAM], seat)
    if taxed != k.UNKNOWN:
        area = k.connected(before[k.BOARD + taxed], after[k.ASSAM])
        paid = before[k.DIRHAMS + seat] - after[k.DIRHAMS + seat]
        counted = tuple(squares_of(area))
        events.append(Paid(seat, k.owner_of(taxed), len(counted), paid, COLOURS[taxed], counted))
    if after[k.OUT + seat]:
        events.append(Out(seat, after[k.OUT + seat]))
    return events


def _lay_event(game: "Marrakech", before: Sequence[int], action: int) -> Laid:
    k = game.rules
    first, second = PLACES[action - k.LAY_AT]
    covered = []
    for square in (first, second):
        colour = text.colour_at(game, before, square)
        if colour is not None:
            owner = k.owner_of(colour)
            neutral = before[k.OUT + owner] > 0
            covered.append(Covered(SQUARES[square], COLOURS[colour], owner, neutral))
    colour_laid = COLOURS[k.rug_in_hand(before)]
    squares = (SQUARES[first], SQUARES[second])
    return Laid(before[k.TO_MOVE], colour_laid, squares, tuple(covered))


def note_text(note: int) -> str:
    """Return the text of a note of the kernel, which is that of an event (see `notes`)."""
    kind, rest = note & 3, note >> 2
    if kind == notes.WALK_NOTE:
        return _walk_event(0, rest >> 8, rest & 63, rest >> 6 & 3).note()
    if kind == notes.TAX_NOTE:
        colour, owed, paid = COLOURS[rest >> 3 & 7], rest >> 6 & 63, rest >> 12
        return Paid(0, rest & 7, owed, paid, colour, ()).note()
    if kind == notes.OUT_NOTE:
        return Out(rest, 0).note()
    squares = [SQUARES[square] for square in PLACES[rest >> 6]]
    colours = (rest >> 3 & 7) - 1, (rest & 7) - 1
    covered = [
        Covered(square, COLOURS[colour], 0, neutral=False)
        for square, colour in zip(squares, colours, strict=True)
        if colour != -1
    ]
    return Laid(0, "", (squares[0], squares[1]), tuple(covered)).note()


def preview_sentence(preview: Preview, names: Sequence[str]) -> str:
    """Return the effect of an action in words."""
    event = preview.events[0]
    if isinstance(event, Turned):
        return _turning_sentence(preview, names)
    if isinstance(event, Laid):
        return _laying_sentence(event)
    return event.sentence(names)


def _turning_sentence(preview: Preview, names: Sequence[str]) -> str:
    """Return what a turning would cost, on average and by square."""
    turned = preview.events[0]
    assert isinstance(turned, Turned)
    if not preview.outcomes or not any(isinstance(e, Walked) for e in preview.outcomes[0].events):
        return turned.sentence(names)
    stops = [_stop(outcome, names) for outcome in preview.outcomes]
    squares: dict[str, dict[str, None]] = {}  # by cost, each square once
    chances: dict[str, float] = {}
    for stop, outcome in zip(stops, preview.outcomes, strict=True):
        squares.setdefault(stop.cost, {})[stop.square] = None
        chances[stop.cost] = chances.get(stop.cost, 0) + outcome.probability
    whose = "" if stops[0].walker == turned.seat else f"for {names[stops[0].walker]}, "
    free = one_of(squares.pop("", {}))
    if not squares:
        return f"{whose}free wherever Assam stops: {free}."
    parts = [
        f"{cost} on {one_of(squares[cost])} ({Fraction(chances[cost]).limit_denominator(6)})"
        for cost in squares
    ]
    if free:
        parts.append(f"free on {free}")
    expected = sum(
        stop.paid * outcome.probability
        for stop, outcome in zip(stops, preview.outcomes, strict=True)
    )
    return f"{whose}{expected:.1f} on average: {', '.join(parts)}."


@dataclass(frozen=True)
class _Stop:
    """A possible end of a walk, and its cost."""

    walker: int
    square: str
    paid: int
    cost: str  # in words; empty if nothing


def _stop(outcome: Outcome, names: Sequence[str]) -> _Stop:
    walker, square, paid, cost = 0, "", 0, ""
    for event in outcome.events:
        if isinstance(event, Walked):
            walker, square = event.seat, event.steps[-1].square
        elif isinstance(event, Paid):
            paid = event.paid
            cost = f"{paid} to {names[event.to]}"
        elif isinstance(event, Out):
            cost += " and out"
    return _Stop(walker, square, paid, cost)


def _laying_sentence(laid: Laid) -> str:
    if not laid.covered:
        return "on bare ground: 2 squares more for you"
    own = [half for half in laid.covered if half.seat == laid.seat]
    over = " and ".join(f"{half.colour} on {half.square}" for half in laid.covered)
    return f"covers {over}: {2 - len(own)} more for you"


def _dirhams(amount: int) -> str:
    return "1 dirham" if amount == 1 else f"{amount} dirhams"
