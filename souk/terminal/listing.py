"""`souk games` and `souk players`: what there is."""

from souk.games import game_class, names
from souk.players import players


def games_text() -> str:
    """Every game with its knobs."""
    parts = []
    for name in names():
        kind = game_class(name)
        defaults = kind.defaults({})
        rows = [(knob.name, knob.accepts, knob.about) for knob in kind.knobs]
        wide = [max(len(row[column]) for row in rows) for column in range(2)]
        lines = [f"{name}    plain {name} is {kind()}"]
        for knob, accepts, about in rows:
            lines.append(f"  {knob:<{wide[0]}}  {accepts:<{wide[1]}}  {about} [{defaults[knob]}]")
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def players_text(game: str) -> str:
    """The computer players of a game, weakest first."""
    return "\n".join(players(game))
