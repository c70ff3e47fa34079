"""Make the scene of a state: the pieces, the last move and what the next one would bring.

The only module of the drawing that knows the game. It contains no rules: everything comes from the
position, the events and the previews.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from souk.engine.drawing.pen import fit
from souk.engine.state import State
from souk.games.marracash import text
from souk.games.marracash.drawing.picture import draw
from souk.games.marracash.drawing.scene import Route, Scene, Seat, Shop, Walk
from souk.games.marracash.events import Entered, Moved

if TYPE_CHECKING:
    from souk.games.marracash.game import MarraCash

NAME = 14  # the longest name in the caption, in widths of a capital letter


def draw_state(
    game: "MarraCash", state: State, theme: str, names: Sequence[str], options: bool
) -> str:
    """Return a state as SVG; `options` shows what each move would bring to each player."""
    return draw(scene_from_state(game, state, names, options), theme=theme)


def scene_from_state(game: "MarraCash", state: State, names: Sequence[str], options: bool) -> Scene:
    """Return what a drawing of a state shows."""
    position = game.position_dict(state.buffer)
    auction = position["auction"]
    walk = position.get("walk", {"group": {}, "shops": [None]})
    return Scene(
        board=game.board.layout,
        groups=position["groups"],
        queue=tuple(position["queue"]),
        shops=tuple(
            Shop(name, game.board.colours[game.board.shops.index(name)], **shop)
            for name, shop in position["shops"].items()
        ),
        seats=_seats(state, position, names),
        cards=tuple(
            (colour, value) for colour, value in (position["cards"] or {"open": []})["open"]
        ),
        auction=auction["shop"] if auction else None,
        walk=_walk(game, state, position),
        walkers=walk["group"],
        at=walk["shops"][0],
        routes=_routes(state) if options else (),
        caption=_caption(game, state, names),
    )


def _seats(state: State, position: Mapping[str, Any], names: Sequence[str]) -> tuple[Seat, ...]:
    over = state.is_terminal()
    return tuple(
        Seat(
            name=names[seat],
            colour=state.game.seat_colour(seat),
            dirhams=player["dirhams"],
            signs=player["signs"],
            to_move=not over and seat == position["to_move"],
            turn_of=not over and seat == position["turn_of"],
            note=text.in_auction(position["auction"], seat),
        )
        for seat, player in enumerate(position["players"])
    )


def _walk(game: "MarraCash", state: State, position: Mapping[str, Any]) -> Walk | None:
    """Return the move that the last action made or continued."""
    entered: tuple[tuple[str, str], ...] = ()
    for before, action, after in reversed(state.steps()):
        events = game.events(before, action, after)
        entered = (*((e.shop, e.colour) for e in events if isinstance(e, Entered)), *entered)
        if isinstance(events[0], Moved):
            return Walk(events[0].start, events[0].end, entered)
        if "walk" not in game.position_dict(before):
            return None
    walk = position.get("walk")  # of a position that was loaded in the middle of it
    if walk is None or walk["to"] is None:
        return None
    ahead = tuple(walk["shops"])
    ways = [street for street in game.board.streets if street.end == walk["to"]]
    starts = [way.start for way in ways if way.shops[-len(ahead) :] == ahead]
    return Walk(starts[0], walk["to"], entered) if starts else None


def _routes(state: State) -> tuple[Route, ...]:
    routes = []
    for action in state.legal_actions() if state.current_player() >= 0 else []:
        if not state.action_to_string(action).startswith("move "):
            continue
        preview = state.preview(action)
        first = preview.events[0]
        assert isinstance(first, Moved)
        gains = tuple(
            (seat, f"{'' if gain.is_certain else '≈'}{round(gain.expected):+}")
            for seat, gain in enumerate(preview.gains)
            if gain.least or gain.most
        )
        routes.append(Route(first.start, first.end, f"{first.start}>{first.end}", gains))
    return tuple(routes)


def _caption(game: "MarraCash", state: State, names: Sequence[str]) -> tuple[str, ...]:
    """Return what just happened and the prompt; long names are cut so that everything fits."""
    short = [fit(name, 1, NAME) for name in names]
    events = " ".join(event.sentence(short) for event in state.events())
    prompt = text.prompt(game, state, short)
    return (events, prompt) if events else (prompt,)
