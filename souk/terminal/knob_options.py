"""Accept every knob of every game as an option: `--NAME VALUE` for `--knob NAME=VALUE`.

The names come from the games. `load_game` checks that the chosen game has the knob and accepts the
value.
"""

from collections.abc import Collection, Sequence
from typing import Any

from typer.core import TyperCommand

from souk.engine.knobs import Flag, FlagOrChoice, Knob
from souk.games import game_class, installed_names, names, own_names

BOOLEANS = ("true", "false")


class KnobCommand(TyperCommand):
    """A command with the option --knob."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the command line, including knobs given by name."""
        own = {text for param in self.get_params(ctx) for text in param.opts}
        return super().parse_args(ctx, as_knobs(args, own))


def as_knobs(args: Sequence[str], own: Collection[str]) -> list[str]:
    """Rewrite the options that are knobs; the command's own options stay.

    A knob that can be on or off needs no value.

    >>> as_knobs(["--edition", "pergioco", "--name", "Ada", "--no-cover-own"], ["--name"])
    ['--knob', 'edition=pergioco', '--name', 'Ada', '--knob', 'cover_own=False']
    """
    left = list(args)
    rewritten: list[str] = []
    while left:
        word = left.pop(0)
        if word == "--":
            return [*rewritten, word, *left]
        option, equals, value = word.partition("=")
        if not option.startswith("--") or option in own:
            rewritten.append(word)
            continue
        name, words, is_on = _knob(option[2:].replace("-", "_"), args)
        if name is None:
            rewritten.append(word)
            continue
        if words and not equals and not (left and left[0].lower() in words):
            value = str(is_on)
        elif not equals:
            value = left.pop(0) if left else ""
        rewritten += ["--knob", f"{name}={value}"]
    return rewritten


def _knob(name: str, args: Sequence[str]) -> tuple[str | None, tuple[str, ...], bool]:
    """Return the knob that an option names, its words if it can be on or off, and which is meant.

    A word after the option that is none of them is not its value.
    """
    knobs: list[Knob] = [knob for game in _games(args) for knob in game_class(game).knobs]
    for candidate, is_on in ((name, True), (name.removeprefix("no_"), False)):
        alike = [knob for knob in knobs if knob.name == candidate]
        flags = [knob for knob in alike if isinstance(knob, Flag | FlagOrChoice)]
        is_flag = len(flags) == len(alike)
        if alike and (is_on or is_flag):
            own = [word for knob in flags if isinstance(knob, FlagOrChoice) for word in knob.values]
            return candidate, (*BOOLEANS, *own) if is_flag else (), is_on
    return None, (), False


def _games(args: Sequence[str]) -> list[str]:
    """Return ours and the third-party games that the command line names; all, if it names none."""
    words = {word.partition("(")[0] for word in args}
    if words.isdisjoint([*own_names(), *installed_names()]):
        return names()
    return [*own_names(), *sorted(words & {*installed_names()} - {*own_names()})]
