"""The rules of a game as a page shows them: the rulebook of exactly that game, as HTML."""

from msgspec import Struct


class RulesSection(Struct, frozen=True):
    """A section of the rules."""

    id: str  # the same in all languages
    title: str
    html: str  # safe: p, ul, ol, li, table, thead, tbody, tr, th, td, strong, em and code


class RulesView(Struct, frozen=True):
    """The rules of one game, in one language."""

    language: str
    title: str
    sections: list[RulesSection]
