"""Measured figures and what they are compared with."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One line of the report."""

    what: str
    value: float
    unit: str
    beside: str = ""  # what it is compared with
    reference: float = 0.0  # measured in the same run, same unit
    at_least: float | None = None  # the ratio we promise
    floor: float | None = None  # the value we promise
    at_most: float | None = None  # the value we promise not to exceed

    @property
    def ratio(self) -> float | None:
        return self.value / self.reference if self.reference else None

    @property
    def passes(self) -> bool:
        """Return whether the promise is met."""
        is_fast = self.floor is None or self.value >= self.floor
        is_short = self.at_most is None or self.value <= self.at_most
        return (
            is_fast and is_short and (self.at_least is None or (self.ratio or 0) >= self.at_least)
        )

    def line(self) -> str:
        text = f"{self.what:<44}{self.value:>10.2f} {self.unit:<12}"
        if self.ratio is not None:
            text += f"{self.ratio:>8.2f} × {self.beside}"
        promises = [f"at least {one:g}" for one in (self.at_least, self.floor) if one is not None]
        promises += [f"at most {self.at_most:g}"] if self.at_most is not None else []
        if promises:
            text += f" ({', '.join(promises)}{'' if self.passes else ': MISSED'})"
        return text
