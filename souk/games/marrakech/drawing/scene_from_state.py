"""Make the scene of a state: the board, the last move and what may happen next.

The only module of the drawing that knows the game. It contains no rules: rugs, walks and taxes
come from the position and the events.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from souk.engine.events import Event, Over
from souk.engine.state import State
from souk.games.marrakech import text
from souk.games.marrakech.board import FACINGS
from souk.games.marrakech.drawing.picture import draw
from souk.games.marrakech.drawing.scene import Option, Rug, Scene, Seat, Walk
from souk.games.marrakech.events import Laid, Out, Paid, Walked

if TYPE_CHECKING:
    from souk.games.marrakech.game import Marrakech

LINE = 96  # characters that a line under the board holds, about


def draw_state(
    game: "Marrakech", state: State, theme: str, names: Sequence[str], options: bool
) -> str:
    """Return a state as SVG; `options` shows where Assam may stop and what that would cost."""
    return draw(scene_from_state(game, state, names, options), theme=theme)


def scene_from_state(game: "Marrakech", state: State, names: Sequence[str], options: bool) -> Scene:
    """Return what a drawing of a state shows.

    The marks of the last move (walk, tax, rug laid) stay until the die is rolled again.
    """
    steps = state.steps()
    rugs = _initial_rugs(game.position_dict(steps[0][0] if steps else state.buffer)["squares"])
    walk: Walk | None = None
    taxed: tuple[str, ...] = ()
    laid = False
    recent: list[Event] = []
    for before, action, after in steps:
        for event in game.events(before, action, after):
            if isinstance(event, Walked):
                set_out = FACINGS[before[game.rules.FACING]]
                walk, taxed, laid = Walk(event.start, set_out, event.die), (), False
                recent = []
            elif isinstance(event, Paid):
                taxed = event.squares
            elif isinstance(event, Laid):
                rugs.append(Rug(event.colour, event.squares))
                laid = True
            recent.append(event)
    position = game.position_dict(state.buffer)
    seats = _seats(game, state, position, names)
    neutral = {colour for seat in seats if seat.out for colour in seat.colours}
    shown = [replace(rug, neutral=rug.colour in neutral) for rug in _visible_rugs(rugs)]
    return Scene(
        assam=position["assam"]["square"],
        facing=position["assam"]["facing"],
        rugs=tuple(shown),
        seats=seats,
        walk=walk,
        laid=len(shown) - 1 if laid else None,
        taxed=taxed,
        options=tuple(_options(state)) if options else (),
        caption=(*_recent_events(recent, names), text.prompt(game, state, names)),
    )


def _initial_rugs(squares: Mapping[str, Mapping[str, Any]]) -> list[Rug]:
    """Return the rugs of the history's first position, single halves below the others."""
    rugs: dict[int, Rug] = {}
    for square, half in squares.items():
        before = rugs.get(half["rug"], Rug(half["colour"], ()))
        rugs[half["rug"]] = replace(before, squares=(*before.squares, square))
    return sorted(rugs.values(), key=lambda rug: len(rug.squares))


def _visible_rugs(rugs: Sequence[Rug]) -> list[Rug]:
    """Return the rugs with a visible square; the hidden ones would bloat the file."""
    top = {square: number for number, rug in enumerate(rugs) for square in rug.squares}
    return [rugs[number] for number in sorted(set(top.values()))]


def _seats(
    game: "Marrakech", state: State, position: Mapping[str, Any], names: Sequence[str]
) -> tuple[Seat, ...]:
    return tuple(
        Seat(
            name=names[seat],
            colours=game.colours_of(seat),
            dirhams=player["dirhams"],
            squares=game.rules.visible(state.buffer, seat),
            score=game.rules.score(state.buffer, seat),
            rugs=player["rugs"],
            next=player["next"],
            out=player["out"],
            to_move=seat == position["to_move"] and not state.is_terminal(),
        )
        for seat, player in enumerate(position["players"])
    )


def _options(state: State) -> Iterator[Option]:
    """Yield where Assam may stop after the next roll, for every turning before it."""
    chances: dict[tuple[str, str, str], float] = {}
    for turning, probability, events in _rolls(state):
        stop, note = "", "0"
        for event in events:
            if isinstance(event, Walked):
                stop = event.steps[-1].square
            elif isinstance(event, Paid) and event.paid:
                note = f"\N{MINUS SIGN}{event.paid}"
            elif isinstance(event, Out):
                note = "out"
        if stop:
            chances[turning, stop, note] = chances.get((turning, stop, note), 0) + probability
    for (turning, stop, note), chance in chances.items():
        label = f"{turning} {Fraction(chance).limit_denominator(6)}".strip()
        yield Option(stop, label, note, cost=note != "0")


def _rolls(state: State) -> Iterator[tuple[str, float, tuple[Event, ...]]]:
    """Yield the turning, if one is chosen first, and each outcome's probability and events."""
    if state.is_chance_node():
        for action, probability in state.chance_outcomes():
            yield "", probability, state.preview(action).events
    else:
        for action in state.legal_actions():
            preview = state.preview(action)
            for outcome in preview.outcomes:
                yield preview.text, outcome.probability, outcome.events


def _recent_events(recent: Sequence[Event], names: Sequence[str]) -> list[str]:
    """Return what just happened, as much as fits on a line, the latest last."""
    line = ""
    for event in reversed(recent):
        longer = f"{event.sentence(names)} {line}".strip()
        if len(longer) > LINE:
            break
        if not isinstance(event, Over):  # the prompt says that
            line = longer
    return [line] if line else []
