"""The scene of a state: who stands where, what just happened and what a move would bring.

The only room of the drawing that knows the game. It reads no rule: everything comes from the
position, the events and the previews.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from souk.engine.state import State
from souk.games.marracash import text
from souk.games.marracash.drawing.picture import draw
from souk.games.marracash.drawing.scene import Route, Scene, Seat, Shop, Walk
from souk.games.marracash.events import Entered, Moved

if TYPE_CHECKING:
    from souk.games.marracash.game import MarraCash

LINE = 110  # characters that a line under the board holds, about


def draw_state(
    game: "MarraCash", state: State, theme: str, names: Sequence[str], options: bool
) -> str:
    """A state as SVG; `options` shows what each move would bring to the player who makes it."""
    return draw(scene_of(game, state, names, options), theme=theme)


def scene_of(game: "MarraCash", state: State, names: Sequence[str], options: bool) -> Scene:
    """What a drawing of a state shows."""
    position = game.position(state.buffer)
    auction = position["auction"]
    return Scene(
        board=game.town.layout,
        groups=position["groups"],
        queue=tuple(position["queue"]),
        shops=tuple(
            Shop(name, game.town.colours[game.town.shops.index(name)], **shop)
            for name, shop in position["shops"].items()
        ),
        seats=_seats(state, position, names),
        cards=tuple(
            (colour, value) for colour, value in (position["cards"] or {"open": []})["open"]
        ),
        auction=auction["shop"] if auction else None,
        walk=_last_walk(state),
        routes=_routes(state) if options else (),
        caption=_caption(game, state, names),
    )


def _seats(state: State, position: Mapping[str, Any], names: Sequence[str]) -> tuple[Seat, ...]:
    over = state.is_terminal()
    return tuple(
        Seat(
            name=names[seat],
            colour=text.SIGN_COLOURS[seat],
            dirhams=player["dirhams"],
            signs=player["signs"],
            to_move=not over and seat == position["to_move"],
            turn_of=not over and seat == position["turn_of"],
            note=text.in_auction(position["auction"], seat),
        )
        for seat, player in enumerate(position["players"])
    )


def _last_walk(state: State) -> Walk | None:
    """The move that the last action made or went on with."""
    walk: Walk | None = None
    for before, action, after in state.steps()[-12:]:  # a walk with many cards takes some actions
        events = state.game.events(before, action, after)
        entered = tuple((e.shop, e.colour) for e in events if isinstance(e, Entered))
        if events and isinstance(events[0], Moved):
            walk = Walk(events[0].start, events[0].end, entered)
        elif walk is not None and entered:
            walk = Walk(walk.start, walk.end, walk.entered + entered)
        elif not state.game.position(before).get("walk"):
            walk = None
    return walk


def _routes(state: State) -> tuple[Route, ...]:
    seat = state.current_player()
    routes = []
    for action in state.legal_actions() if seat >= 0 else []:
        preview = state.preview(action)
        first = preview.events[0]
        if isinstance(first, Moved):
            gain = round(preview.gains[seat].expected)
            label = f"{first.start}>{first.end}"
            routes.append(Route(first.start, first.end, label, f"{gain:+}" if gain else "0"))
    return tuple(routes)


def _caption(game: "MarraCash", state: State, names: Sequence[str]) -> tuple[str, ...]:
    """What just happened, as far as a line holds it, and what is to be done."""
    story = ""
    for event in state.events():
        sentence = event.sentence(names)
        if len(story) + len(sentence) < LINE:
            story += sentence + " "
    to_do = text.to_do(game, state, names)
    return (story.rstrip(), to_do) if story else (to_do,)
