"""The legal actions as people see them: by kind, which is the first word of their texts.

While there is room each is told with what it would cause, else by name. A long row of numbers is
told by its ends.
"""

import re
from collections.abc import Sequence

from souk.engine.ranges import condense, group_runs
from souk.engine.state import State
from souk.engine.styled_text import Styled, cell_width, crop, fill_rows, pad, plain_text, wrap

FEW = 30  # options of a kind that may be told with what each would cause
MORE = " … more: ?"

Entry = tuple[str, str]  # the text of an action, and what it would cause


def texts_of(state: State) -> list[str]:
    """The texts of the legal actions."""
    return [state.action_to_string(action) for action in state.legal_actions()]


def fitted(state: State, names: Sequence[str], columns: int, rows: int) -> list[Styled]:
    """The options on no more rows than there are.

    The first kinds of actions are told with what they would cause, as many of them as fit.
    """
    kinds = _kinds(texts_of(state))
    told: list[list[Entry]] = []
    while len(told) < len(kinds) and len(group_runs(kinds[len(told)])) <= FEW:
        told.append(_entries(state, names, kinds[len(told)]))
    for count in range(len(told), 0, -1):
        entries = [entry for kind in told[:count] for entry in kind]
        rest = [text for kind in kinds[count:] for text in kind]
        for is_short in (False, True):
            lines = _in_rows(entries, columns, is_short=is_short) + by_name(rest, columns, rows)
            if len(lines) <= rows:
                return lines
    return by_name(texts_of(state), columns, rows)


def with_previews(state: State, names: Sequence[str], columns: int) -> list[Styled]:
    """All options with what each would cause, those that cause the same together."""
    texts = [text for kind in _kinds(texts_of(state)) for text in kind]
    return _in_rows(_entries(state, names, texts), columns)


def _entries(state: State, names: Sequence[str], texts: Sequence[str]) -> list[Entry]:
    """Actions with what each would cause; of a long row of numbers the first and the last."""

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
    """The entries with the same sentence together; short: a row each, cut where it must be."""
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


def by_name(texts: Sequence[str], columns: int, rows: int) -> list[Styled]:
    """The options kind by kind, as much as fits.

    >>> [plain_text(line) for line in by_name(["move F1>F2", "move F1>F6", "auction R3"], 40, 2)]
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
    most = max(rows, 1)
    if len(lines) <= most:
        return lines
    return [*lines[: most - 1], _with_more(lines[most - 1], columns)]


def _with_more(line: Styled, columns: int) -> Styled:
    """A row of options that says that there are more; whole options make room for it."""
    *label, (row, style) = line
    room = columns - len(MORE) - cell_width(plain_text(label))
    while cell_width(row) > room and "  " in row:
        row = row.rpartition("  ")[0]
    return [*crop([*label, (row, style)], columns - len(MORE)), (MORE, "dim")]


def _kinds(texts: Sequence[str]) -> list[list[str]]:
    """Texts with the same first word together and in order; texts of one word are of one kind."""
    kinds: dict[str, list[str]] = {}
    for text in texts:
        kinds.setdefault(text.partition(" ")[0] if " " in text else "", []).append(text)
    return [sorted(kind, key=_in_order) if word else kind for word, kind in kinds.items()]


def _in_order(text: str) -> list[tuple[str, int]]:
    """A key that sorts F2 before F10."""
    return [(words, int(number or 0)) for words, number in re.findall(r"(\D*)(\d*)", text)]
