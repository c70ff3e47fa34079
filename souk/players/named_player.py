"""Parse and format names of computer players with settings, such as `master:seconds=0.1`."""

import re
from dataclasses import dataclass, replace
from typing import Any, Self

from souk.engine.errors import SoukError, brief

_TEXT = re.compile(r"(?P<name>[^:#,;]+)(?::(?P<settings>[^#,;]*))?")
_COLON = re.compile(r":(?=\w+=)")  # paths may have others
_READ = {"seconds": float, "nodes": int, "weights": str}


@dataclass(frozen=True)
class NamedPlayer:
    """The name of a computer player, its limit per move, and its file of weights.

    >>> NamedPlayer.parse("expert:nodes=500:weights=nets/a.npz")
    NamedPlayer(name='expert', seconds=None, nodes=500, weights='nets/a.npz')
    >>> str(NamedPlayer("greedy", seconds=0.1))
    'greedy:seconds=0.1'
    """

    name: str  # as `souk players` lists it
    seconds: float | None = None  # per move
    nodes: int | None = None  # per move
    weights: str | None = None  # a file that `souk train` wrote, instead of the package's

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse NAME, which settings may follow: :seconds=S, :nodes=N and :weights=FILE."""
        is_line = isinstance(text, str) and text.isprintable()
        match = _TEXT.fullmatch(text) if is_line else None
        if match is None:
            raise SoukError(
                "a player is written name, name:seconds=0.1, name:nodes=2000 or "
                f"name:weights=FILE, without commas, not {brief(text)}"
            )
        if match["settings"] is None:
            return cls(match["name"])
        settings: dict[str, Any] = {}
        for setting in _COLON.split(match["settings"]):
            key, _, value = setting.partition("=")
            if key not in _READ or key in settings or setting == "weights=":
                raise SoukError(
                    f"cannot read {brief(setting)} in {brief(text)}; after a colon comes "
                    "seconds=0.1, nodes=2000 or weights=FILE, each at most once"
                )
            try:
                settings[key] = _READ[key](value)
            except ValueError:
                raise SoukError(
                    f"{key} is a number, not {brief(value)}, in {brief(text)}"
                ) from None
        return cls(match["name"], **settings)

    def __str__(self) -> str:
        settings = {
            "seconds": None if self.seconds is None else f"{self.seconds:.12g}",
            "nodes": self.nodes,
            "weights": self.weights,
        }
        given = (f":{key}={value}" for key, value in settings.items() if value is not None)
        return "".join((self.name, *given))

    def with_limit(self, seconds: float | None, nodes: int | None) -> Self:
        """Return the player with a limit, unless it has one."""
        if self.seconds is not None or self.nodes is not None:
            return self
        return replace(self, seconds=seconds, nodes=nodes)
