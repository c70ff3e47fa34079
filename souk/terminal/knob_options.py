"""Every knob of every game as an option of its own: `--NAME VALUE` for `--knob NAME=VALUE`.

The names come from the games, so none is written down here. Whether the chosen game has the knob,
and whether it takes the value, is for `load_game` to say.
"""

from collections.abc import Collection, Sequence
from typing import Any

from typer.core import TyperCommand

from souk.engine.knobs import Flag, Knob
from souk.games import game_class, names

TRUTH = ("true", "false")


class WithKnobs(TyperCommand):
    """A command that has the option --knob."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the command line, knobs that are given by name included."""
        own = {text for param in self.get_params(ctx) for text in param.opts}
        return super().parse_args(ctx, as_knobs(args, own))


def as_knobs(args: Sequence[str], own: Collection[str]) -> list[str]:
    """Arguments with the options that are knobs rewritten; those a command has of its own stay.

    A knob that is on or off needs no value.

    >>> as_knobs(["--edition", "pergioco", "--name", "Ada", "--no-cover-own"], ["--name"])
    ['--knob', 'edition=pergioco', '--name', 'Ada', '--knob', 'cover_own=False']
    """
    waiting = list(args)
    read: list[str] = []
    while waiting:
        word = waiting.pop(0)
        if word == "--":
            return [*read, word, *waiting]
        option, equals, value = word.partition("=")
        if not option.startswith("--") or option in own:
            read.append(word)
            continue
        name, is_flag, is_on = _knob(option[2:].replace("-", "_"))
        if name is None:
            read.append(word)
            continue
        if is_flag and not equals and not (waiting and waiting[0].lower() in TRUTH):
            value = str(is_on)
        elif not equals:
            value = waiting.pop(0) if waiting else ""
        read += ["--knob", f"{name}={value}"]
    return read


def _knob(name: str) -> tuple[str | None, bool, bool]:
    """The knob that a name means, whether it is on or off, and which of these the name says."""
    for wanted, is_on in ((name, True), (name.removeprefix("no_"), False)):
        alike = [knob for knob in _knobs() if knob.name == wanted]
        is_flag = all(isinstance(knob, Flag) for knob in alike)
        if alike and (is_on or is_flag):
            return wanted, is_flag, is_on
    return None, False, False


def _knobs() -> list[Knob]:
    return [knob for name in names() for knob in game_class(name).knobs]
