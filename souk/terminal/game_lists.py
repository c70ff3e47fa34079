"""`souk games` and `souk players`: list the games and the computer players."""

from souk.engine.styled_text import plain_text, wrap
from souk.games import game_class, names
from souk.players import players
from souk.terminal.screen_layout import PLAIN_COLUMNS


def games_text() -> str:
    """Return every game with its knobs."""
    parts = []
    for name in names():
        kind = game_class(name)
        defaults = kind.default_settings({})
        rows = [(knob.name, knob.accepts, knob.about) for knob in kind.knobs]
        widths = [max(len(row[column]) for row in rows) + 2 for column in range(2)]
        lines = [f"{name}    default: {kind()}"]
        for knob, accepts, about in rows:
            label = f"  {knob:<{widths[0]}}{accepts:<{widths[1]}}"
            text = f"{about} [{defaults[knob]}]"
            lines += map(plain_text, wrap(text, PLAIN_COLUMNS, label=label, hang=len(label)))
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def players_text(game: str) -> str:
    """Return the computer players of a game, weakest first."""
    return "\n".join(players(game))
