"""What `help` says while a game is played."""

from souk.engine.styled_text import plain_text, wrap

COMMANDS = {
    "?": "all options, each with what it would cause",
    "? OPTION": "what one option would cause",
    "u, undo": "take back your last choice, and what computers did since; not once chance has "
    "decided anything",
    "s, save": "say where the game is kept; save FILE keeps a copy there",
    "board": "show the board again",
    "story": "tell what happened since your last choice; story all tells the whole game",
    "rules": "the rules of this game",
    "help": "this text",
    "q, quit": "stop; the game is kept and can be resumed. After a q you are asked again",
}
BEFORE = """\
Type an option, or enough of it to be clear: case, spaces and hyphens do not matter. \
The tab key completes what you began."""
AFTER = """\
When your turn is over, the computers wait for Enter: the moment for undo. With --fast they do \
not wait.

The game is saved after every action. Ctrl-C stops at any moment and loses nothing. \
While the others play, any key makes them hurry."""


def help_text(columns: int) -> str:
    """The whole text; its paragraphs are still to be wrapped."""
    hang = max(map(len, COMMANDS)) + 4
    lines: list[str] = []
    for command, what in COMMANDS.items():
        lines += map(plain_text, wrap(what, columns, label=f"  {command}", hang=hang))
    return "\n".join([BEFORE, "", *lines, "", AFTER])
