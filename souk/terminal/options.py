"""How the legal actions are shown: with what each would cause while that fits, else by name."""

import re
from collections.abc import Sequence

from souk.engine.state import State
from souk.engine.styled import Styled
from souk.terminal.lines import cells, crop, wrap

FEW = 16  # options that may be shown with what each would cause
SHORTEST_RUN = 4  # numbers in a row that are worth a dash


def texts_of(state: State) -> list[str]:
    """The texts of the legal actions."""
    return [state.action_to_string(action) for action in state.legal_actions()]


def grouped(state: State, names: Sequence[str]) -> list[tuple[str, str]]:
    """The legal actions and what they would cause; those that cause the same together."""
    groups: dict[str, list[str]] = {}
    for action in state.legal_actions():
        sentence = state.game.preview_sentence(state.preview(action), names)
        groups.setdefault(sentence, []).append(state.action_to_string(action))
    return [("  ".join(texts), sentence) for sentence, texts in groups.items()]


def with_previews(state: State, names: Sequence[str], columns: int) -> list[Styled]:
    """All legal actions, each with what it would cause."""
    groups = grouped(state, names)
    hang = max(map(cells, texts_of(state))) + 2
    lines: list[Styled] = []
    for texts, sentence in groups:
        if cells(texts) <= hang - 2:
            lines += wrap(sentence, columns, label=texts, hang=hang)
        elif cells(texts) + 2 + cells(sentence) <= columns:
            lines.append([(f"{texts}  ", "strong"), (sentence, "")])
        else:
            lines += [*wrap(texts, columns, style="strong"), *wrap(sentence, columns, hang=hang)]
    return lines


def fitted(state: State, names: Sequence[str], columns: int, rows: int) -> list[Styled]:
    """The options on no more rows than there are."""
    if len(state.legal_actions()) > FEW:
        return by_name(texts_of(state), columns, rows)
    lines = with_previews(state, names, columns)
    if len(lines) <= rows:
        return lines
    groups = grouped(state, names)
    if len(groups) > rows or any("  " in texts for texts, _ in groups):
        return by_name(texts_of(state), columns, rows)
    hang = max(cells(texts) for texts, _ in groups) + 2
    return [crop([(f"{text:<{hang}}", "strong"), (told, "")], columns) for text, told in groups]


def by_name(texts: Sequence[str], columns: int, rows: int) -> list[Styled]:
    """The options in columns; what does not fit is counted."""
    entries = condensed(texts)
    wide = max(map(cells, entries)) + 2
    across = max(1, (columns + 2) // wide)
    room = across * max(rows, 1)
    if len(entries) > room:
        kept = max(0, room - 2)  # the count is wider than an option
        entries = [*entries[:kept], f"… {len(entries) - kept} more: ?"]
    lines: list[Styled] = []
    for start in range(0, len(entries), across):
        row = "".join(f"{entry:<{wide}}" for entry in entries[start : start + across])
        lines.append(crop([(row.rstrip(), "strong")], columns))
    return lines


def condensed(texts: Sequence[str]) -> list[str]:
    """The texts with long rows of numbers drawn together.

    >>> condensed(["bid 25", "bid 50", "bid 75", "bid 100", "bid 125", "pass"])
    ['bid 25, 50 … 125', 'pass']
    """
    entries: list[str] = []
    at = 0
    while at < len(texts):
        end = _run_end(texts, at)
        if end - at < SHORTEST_RUN:
            end = at + 1
            entries.append(texts[at])
        else:
            second, last = _split(texts[at + 1])[1], _split(texts[end - 1])[1]
            entries.append(f"{texts[at]}, {second} … {last}")
        at = end
    return entries


def _run_end(texts: Sequence[str], first: int) -> int:
    """Where the row of evenly spaced numbers that begins at a text ends."""
    words, number = _split(texts[first])
    end, step = first + 1, None
    while number is not None and end < len(texts):
        others, following = _split(texts[end])
        if others != words or following is None or step not in (None, following - number):
            break
        step, number = following - number, following
        end += 1
    return end


def _split(text: str) -> tuple[str, int | None]:
    """The words of a text and the number at its end, if there is one."""
    found = re.fullmatch(r"(.*?\D )(\d{1,18})", text)
    return (found[1], int(found[2])) if found else (text, None)
