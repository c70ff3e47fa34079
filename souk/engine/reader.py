"""What readers of plain JSON have in common: they collect every problem instead of giving up."""

from collections.abc import Mapping, Sequence
from typing import Any

from souk.engine.errors import brief, one_of


class Reader:
    """Checks pieces of plain JSON; `problems` says where something is wrong and what."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def wrong(self, where: str, problem: str) -> None:
        """Note a problem."""
        self.problems.append(f"{where}: {problem}")

    def fields(
        self, where: str, value: object, keys: Sequence[str], optional: Sequence[str] = ()
    ) -> dict[str, Any]:
        """The fields of an object that has these keys and no others; empty if it has not.

        >>> reader = Reader()
        >>> reader.fields("assam", {"square": "d4"}, ("square", "facing"))
        {}
        >>> reader.problems
        ['assam: facing is missing']
        """
        if not isinstance(value, Mapping):
            self.wrong(where, f"must be an object with {', '.join(keys)}, not {brief(value)}")
            return {}
        before = len(self.problems)
        for key in keys:
            if key not in value:
                self.wrong(where, f"{key} is missing")
        for key in value:
            if key not in keys and key not in optional:
                known = ", ".join([*keys, *optional])
                self.wrong(where, f"{brief(key)} is not known here; known: {known}")
        return dict(value) if len(self.problems) == before else {}

    def choice(self, where: str, value: object, accepted: Sequence[str]) -> int:
        """The number of a word among the accepted ones."""
        if isinstance(value, str) and value in accepted:
            return accepted.index(value)
        self.wrong(where, f"must be {one_of(accepted)}, not {brief(value)}")
        return 0

    def whole(self, where: str, value: object, low: int, high: int) -> int:
        """A whole number between two limits, both included."""
        if type(value) is int and low <= value <= high:
            return value
        self.wrong(where, f"must be a whole number from {low} to {high}, not {brief(value)}")
        return low

    def items(self, where: str, value: object, what: str) -> list[tuple[str, Any]]:
        """The entries of an object from names to something."""
        if isinstance(value, Mapping) and all(isinstance(name, str) for name in value):
            return list(value.items())
        self.wrong(where, f"must be an object {what}, not {brief(value)}")
        return []

    def list(self, where: str, value: object, what: str) -> Sequence[Any]:
        """The entries of a list."""
        if isinstance(value, Sequence) and not isinstance(value, str | bytes):
            return value
        self.wrong(where, f"must be a list of {what}, not {brief(value)}")
        return []
