"""Helpers for tests of rulebooks: the outline of a template and the sentences of a text."""

import re

from souk.engine.rulebook import Rulebook

_LINE = re.compile(
    r"(?P<condition>\[[^\]]*\] )?(?P<kind>## |- |1\. |!)?.*?"
    r"(?P<end>\{#[a-z-]+\}|\]\([a-z]+\)| †(?:\[[^\]]*\])?)?"
)


def outline(source: str) -> list[str]:
    """Return every line from the first shown section on, without its text.

    What remains is the condition, the kind of line, the section id or drawing, and the mark.
    """
    shown = re.sub(r".*\{#words\}.*?(?=^## )", "", source, flags=re.S | re.M)
    matches = (_LINE.fullmatch(line) for line in shown.splitlines())
    return ["".join(part or "" for part in match.groups()) for match in matches if match]


def sentences(text: str) -> list[str]:
    """Return the sentences of a section's text; a marked one ends with †."""
    lines = text.replace(" † ", " dagger ").splitlines()
    return [one for line in lines for one in re.split(r"(?<=[.!?†])\s+", line) if one]


def marked(book: Rulebook) -> list[tuple[str, str]]:
    """Return the marked sentences of a rulebook, each with its section id."""
    return [
        (section.id, one)
        for section in book.sections
        for one in sentences(section.body)
        if one.endswith("†")
    ]
