"""The scene of a state: what lies on the board, what just happened and what may happen next.

The only room of the drawing that knows the game. It reads no rule: rugs, walks and taxes come
from the position and the events.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from souk.engine.events import Event
from souk.engine.state import State
from souk.games.marrakech import text
from souk.games.marrakech.board import FACINGS
from souk.games.marrakech.drawing.picture import draw
from souk.games.marrakech.drawing.scene import Option, Rug, Scene, Seat, Walk
from souk.games.marrakech.events import Laid, Out, Over, Paid, Walked

if TYPE_CHECKING:
    from souk.games.marrakech.game import Marrakech

LINE = 96  # characters that a line under the board holds, about


def draw_state(
    game: "Marrakech", state: State, theme: str, names: Sequence[str], options: bool
) -> str:
    """A state as SVG; `options` shows where Assam may stop and what that would cost."""
    return draw(scene_from_state(game, state, names, options), theme=theme)


def scene_from_state(game: "Marrakech", state: State, names: Sequence[str], options: bool) -> Scene:
    """What a drawing of a state shows.

    The marks of the last move (walk, tax, rug laid) stay until the die is rolled again.
    """
    steps = state.steps()
    rugs = _ground(game.position_dict(steps[0][0] if steps else state.buffer)["squares"])
    walk: Walk | None = None
    taxed: tuple[str, ...] = ()
    laid = False
    story: list[Event] = []
    for before, action, after in steps:
        for event in game.events(before, action, after):
            if isinstance(event, Walked):
                set_out = FACINGS[before[game.rules.FACING]]
                walk, taxed, laid = Walk(event.start, set_out, event.die), (), False
                story = []
            elif isinstance(event, Paid):
                taxed = event.squares
            elif isinstance(event, Laid):
                rugs.append(Rug(event.colour, event.squares))
                laid = True
            story.append(event)
    position = game.position_dict(state.buffer)
    seats = _seats(game, state, position, names)
    neutral = {colour for seat in seats if seat.out for colour in seat.colours}
    shown = [replace(rug, neutral=rug.colour in neutral) for rug in _seen(rugs)]
    return Scene(
        assam=position["assam"]["square"],
        facing=position["assam"]["facing"],
        rugs=tuple(shown),
        seats=seats,
        walk=walk,
        laid=len(shown) - 1 if laid else None,
        taxed=taxed,
        options=tuple(_options(state)) if options else (),
        caption=(*_told(story, names), text.prompt(game, state, names)),
    )


def _ground(squares: Mapping[str, Mapping[str, Any]]) -> list[Rug]:
    """The rugs that the first position of the history shows, single halves below the others."""
    rugs: dict[int, Rug] = {}
    for square, half in squares.items():
        before = rugs.get(half["rug"], Rug(half["colour"], ()))
        rugs[half["rug"]] = replace(before, squares=(*before.squares, square))
    return sorted(rugs.values(), key=lambda rug: len(rug.squares))


def _seen(rugs: Sequence[Rug]) -> list[Rug]:
    """The rugs of which a square is to be seen: a long game would fill the file with the rest."""
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
    """Where Assam may stop after the coming roll, for every way he may be turned before it."""
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
    """The turning, if one is to be chosen first; a chance outcome's probability and events."""
    if state.is_chance_node():
        for action, probability in state.chance_outcomes():
            yield "", probability, state.preview(action).events
    else:
        for action in state.legal_actions():
            preview = state.preview(action)
            for outcome in preview.outcomes:
                yield preview.text, outcome.probability, outcome.events


def _told(story: Sequence[Event], names: Sequence[str]) -> list[str]:
    """What just happened, as much of it as one line holds, the latest at the end."""
    line = ""
    for event in reversed(story):
        longer = f"{event.sentence(names)} {line}".strip()
        if len(longer) > LINE:
            break
        if not isinstance(event, Over):  # that is said by what is to be done
            line = longer
    return [line] if line else []
