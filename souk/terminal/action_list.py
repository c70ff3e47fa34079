"""List the legal actions for people, grouped by the first word of their texts.

Where there is space each action is listed with its effects, otherwise by its text alone. Of a long
row of numbers only the ends are listed.
"""

import re
from collections.abc import Sequence

from souk.engine.ranges import condense, group_runs
from souk.engine.state import State
from souk.engine.styled_text import Styled, cell_width, crop, fill_rows, pad, plain_text, wrap

MAX_PREVIEWS = 30  # actions of a kind that are listed with their effects
MORE = " … more: ?"

Entry = tuple[str, str]  # the text of an action, and its effects


def action_texts(state: State) -> list[str]:
    """Return the texts of the legal actions."""
    return [state.action_to_string(action) for action in state.legal_actions()]


def list_actions(state: State, names: Sequence[str], columns: int, rows: int) -> list[Styled]:
    """List the actions on at most `rows` rows.

    The first kinds of actions are listed with their effects, as many of them as fit.
    """
    kinds = _kinds(action_texts(state))
    previewed: list[list[Entry]] = []
    while len(previewed) < len(kinds) and len(group_runs(kinds[len(previewed)])) <= MAX_PREVIEWS:
        previewed.append(_entries(state, names, kinds[len(previewed)]))
    for count in range(len(previewed), 0, -1):
        entries = [entry for kind in previewed[:count] for entry in kind]
        rest = [text for kind in kinds[count:] for text in kind]
        for is_short in (False, True):
            lines = _in_rows(entries, columns, is_short=is_short)
            lines += list_texts(rest, columns, rows)
            if len(lines) <= rows:
                return lines
    return list_texts(action_texts(state), columns, rows)


def list_with_previews(state: State, names: Sequence[str], columns: int) -> list[Styled]:
    """List all actions with their effects, those with the same effects together."""
    texts = [text for kind in _kinds(action_texts(state)) for text in kind]
    return _in_rows(_entries(state, names, texts), columns)


def _entries(state: State, names: Sequence[str], texts: Sequence[str]) -> list[Entry]:
    """Return actions with their effects; of a long row of numbers the first and the last."""

    def entry(text: str) -> Entry:
        preview = state.preview(state.string_to_action(text))
        return text, state.game.preview_sentence(preview, names)

    entries: list[Entry] = []
    for run in group_runs(texts):
        entries.append(entry(run.texts[0]))
        if run.step is not None:
            between = "and all" if run.step == 1 else f"and every {run.step}"
            entries += [("…", f"{between} up to"), entry(run.texts[-1])]
    return entries


def _in_rows(entries: Sequence[Entry], columns: int, *, is_short: bool = False) -> list[Styled]:
    """Return entries with the same effects together; short: on one row each, cropped to fit."""
    groups: dict[str, list[str]] = {}
    for text, sentence in entries:
        groups.setdefault(sentence, []).append(text)
    hang = max((cell_width(text) for text, _ in entries), default=0) + 2
    lines: list[Styled] = []
    for sentence, together in groups.items():
        texts = pad("  ".join(together), hang - 2)
        if is_short or cell_width(texts) + 2 + cell_width(sentence) <= columns:
            lines.append(crop([(f"{texts}  ", "strong"), (sentence, "")], columns))
        elif len(together) == 1:
            lines += wrap(sentence, columns, label=texts, hang=hang)
        else:
            lines += ([(row, "strong")] for row in fill_rows(together, columns))
            lines += wrap(sentence, columns, hang=hang)
    return lines


def list_texts(texts: Sequence[str], columns: int, rows: int) -> list[Styled]:
    """List the texts of actions kind by kind, as many as fit.

    >>> [plain_text(line) for line in list_texts(["move F1>F2", "move F1>F6", "auction R3"], 40, 2)]
    ['move     F1>F2  F1>F6', 'auction  R3']
    """
    kinds = [condense(kind) for kind in _kinds(texts)]
    words = ["" if " " not in kind[0] else kind[0].partition(" ")[0] for kind in kinds]
    hang = max((len(word) + 2 for word in words if word), default=0)
    lines: list[Styled] = []
    for word, kind in zip(words, kinds, strict=True):
        label, style = (pad(word, hang), "") if word else ("", "strong")
        rest = [text.partition(" ")[2] if word else text for text in kind]
        for row in fill_rows(rest, max(columns - cell_width(label), 8)):
            lines.append([piece for piece in ((label, "strong"), (row, style)) if piece[0]])
            label = " " * cell_width(label)
    limit = max(rows, 1)
    if len(lines) <= limit:
        return lines
    return [*lines[: limit - 1], _with_more(lines[limit - 1], columns)]


def _with_more(line: Styled, columns: int) -> Styled:
    """Add a note that there are more to a row, in place of whole actions where it is full."""
    *label, (row, style) = line
    width = columns - len(MORE) - cell_width(plain_text(label))
    while cell_width(row) > width and "  " in row:
        row = row.rpartition("  ")[0]
    return [*crop([*label, (row, style)], columns - len(MORE)), (MORE, "dim")]


def _kinds(texts: Sequence[str]) -> list[list[str]]:
    """Group texts by their first word and sort them; texts of one word form one group."""
    kinds: dict[str, list[str]] = {}
    for text in texts:
        kinds.setdefault(text.partition(" ")[0] if " " in text else "", []).append(text)
    return [sorted(kind, key=_natural_order) if word else kind for word, kind in kinds.items()]


def _natural_order(text: str) -> list[tuple[str, int]]:
    """Return a sort key that puts F2 before F10."""
    return [(words, int(number or 0)) for words, number in re.findall(r"(\D*)(\d*)", text)]
