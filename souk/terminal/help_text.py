"""The help text shown while a game is played."""

from souk.engine.styled_text import plain_text, wrap

COMMANDS = {
    "?": "list all options with their effects",
    "? OPTION": "show the effects of one option",
    "u, undo": "undo your last choice and what computers did since; chance outcomes cannot be "
    "undone",
    "s, save": "show where the game is saved; save FILE saves a copy",
    "board": "show the board again",
    "history": "show what happened since your last choice; history all shows the whole game",
    "rules": "show the rules of this game",
    "help": "show this text",
    "q, quit": "stop; the game is saved and can be resumed. q asks for confirmation",
}
BEFORE = """\
Type an option, or enough of it to be unambiguous: case, spaces and hyphens do not matter. \
The Tab key completes what you type."""
AFTER = """\
When your turn is over, the computers wait until you press Enter, so that you can undo. With \
--fast they do not wait.

The game is saved after every action. Ctrl-C stops at any time and loses nothing. \
While the others play, any key skips the pauses."""


def help_text(columns: int) -> str:
    """Return the whole text; its paragraphs are not wrapped yet."""
    indent = max(map(len, COMMANDS)) + 4
    lines: list[str] = []
    for command, effect in COMMANDS.items():
        lines += map(plain_text, wrap(effect, columns, label=f"  {command}", hang=indent))
    return "\n".join([BEFORE, "", *lines, "", AFTER])
