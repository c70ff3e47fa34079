"""The legal actions for people: how they are shown, and which one a typed text means.

Shown: by kind (the first word of their texts), with what each would cause while that fits, else
by name. Read: leniently. Case, spaces, hyphens and other signs do not matter, a first word that is
clear may be left out (`125` for `bid 125`) and so may the rest of a text that has begun (`l` for
`left`). A game adds its own other spellings (`Game.spellings`). A number is never completed:
`bid 12` is not `bid 125`.
"""

import re
from collections.abc import Iterable, Sequence

from souk.engine.errors import SoukError, one_of
from souk.engine.game import Game
from souk.engine.state import State
from souk.engine.styled import Styled, cells, crop, padded, plain, printable, wrap

FEW = 30  # options of a kind that may be shown with what each would cause
SHORTEST_RUN = 4  # numbers in a row that are worth a dash
SHOWN = 8  # options that a sentence names before it says how many more there are
LONGEST_ECHO = 30  # characters of what was typed that a sentence repeats
MORE = " … more: ?"


# ---- shown ---------------------------------------------------------------------------------------


def texts_of(state: State) -> list[str]:
    """The texts of the legal actions."""
    return [state.action_to_string(action) for action in state.legal_actions()]


def fitted(state: State, names: Sequence[str], columns: int, rows: int) -> list[Styled]:
    """The options on no more rows than there are.

    The first kinds of actions are told with what they would cause, as many of them as fit.
    """
    kinds = [[state.string_to_action(text) for text in texts] for texts in _kinds(texts_of(state))]
    told = 0
    while told < len(kinds) and len(kinds[told]) <= FEW:
        told += 1
    for count in range(told, 0, -1):
        actions = [action for kind in kinds[:count] for action in kind]
        rest = [state.action_to_string(action) for kind in kinds[count:] for action in kind]
        for is_short in (False, True):
            lines = with_previews(state, names, columns, actions, is_short=is_short)
            lines += by_name(rest, columns, rows)
            if len(lines) <= rows:
                return lines
    return by_name(texts_of(state), columns, rows)


def with_previews(
    state: State,
    names: Sequence[str],
    columns: int,
    actions: Sequence[int] | None = None,
    *,
    is_short: bool = False,
) -> list[Styled]:
    """Actions with what each would cause, those that cause the same together; short: a row each."""
    groups: dict[str, list[str]] = {}
    for action in state.legal_actions() if actions is None else actions:
        sentence = state.game.preview_sentence(state.preview(action), names)
        groups.setdefault(sentence, []).append(state.action_to_string(action))
    hang = max((cells(text) for texts in groups.values() for text in texts), default=0) + 2
    lines: list[Styled] = []
    for sentence, together in groups.items():
        texts = "  ".join(together)
        if is_short or cells(texts) + 2 + cells(sentence) <= columns:
            line = [(padded(texts, hang - 2) + "  ", "strong"), (sentence, "")]
            lines.append(crop(line, columns))
        elif len(together) == 1:
            lines += wrap(sentence, columns, label=texts, hang=hang)
        else:
            lines += [*wrap(texts, columns, style="strong"), *wrap(sentence, columns, hang=hang)]
    return lines


def by_name(texts: Sequence[str], columns: int, rows: int) -> list[Styled]:
    """The options kind by kind, as much as fits.

    >>> [plain(line) for line in by_name(["move F1>F2", "move F1>F6", "auction R3"], 40, 2)]
    ['move     F1>F2  F1>F6', 'auction  R3']
    """
    kinds = [condensed(kind) for kind in _kinds(texts)]
    words = ["" if " " not in kind[0] else kind[0].partition(" ")[0] for kind in kinds]
    hang = max((len(word) + 2 for word in words if word), default=0)
    lines: list[Styled] = []
    for word, kind in zip(words, kinds, strict=True):
        if word:
            rest = "  ".join(text.partition(" ")[2] for text in kind)
            lines += wrap(rest, columns, label=word, hang=hang)
        else:
            lines += wrap("  ".join(kind), columns, style="strong")
    most = max(rows, 1)
    if len(lines) > most:
        last = crop(lines[most - 1], columns - len(MORE))
        lines = [*lines[: most - 1], [*last, (MORE, "dim")]]
    return lines


def _kinds(texts: Sequence[str]) -> list[list[str]]:
    """Texts with the same first word together; texts of one word are of one kind."""
    kinds: dict[str, list[str]] = {}
    for text in texts:
        kinds.setdefault(text.partition(" ")[0] if " " in text else "", []).append(text)
    return list(kinds.values())


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


# ---- read ----------------------------------------------------------------------------------------


class NoMatch(SoukError):
    """No legal action, or more than one, has what was typed."""


def meant(typed: str, game: Game, actions: Sequence[int]) -> int:
    """The legal action that a typed text means; NoMatch if there is none, or more than one.

    >>> import souk
    >>> game = souk.load_game("marrakech")
    >>> state = game.new_initial_state()
    >>> game.action_to_string(meant("R", game, state.legal_actions()))
    'right'
    """
    wanted = squeeze(typed)
    found = _found(wanted, game, actions) if wanted else []
    if len(found) == 1:
        return found[0]
    texts = [game.action_to_string(action) for action in found or actions]
    if found:
        more = "" if len(texts) <= SHOWN else f" … ({len(texts) - SHOWN} more)"
        some = ", ".join(texts[:SHOWN]) + more if more else one_of(texts)
        raise NoMatch(f"“{_echo(typed)}” could be {some}. Type a little more.")
    if len(texts) <= SHOWN:
        accepted = one_of(texts)
    else:
        accepted = f"one of the {len(texts)} options, like {texts[len(texts) // 2]} (? shows all)"
    raise NoMatch(f"“{_echo(typed)}” is not possible now. Type {accepted}, or help.")


def squeeze(text: str) -> str:
    """The letters and digits of a text: what is compared.

    >>> squeeze("move F1>F3"), squeeze(" C2 - c3 ")
    ('movef1f3', 'c2c3')
    """
    return "".join(character for character in text.casefold() if character.isalnum())


def _echo(typed: str) -> str:
    """What was typed, fit to be repeated in a sentence."""
    return plain(crop([(printable(typed).strip(), "")], LONGEST_ECHO))


def _found(wanted: str, game: Game, actions: Sequence[int]) -> list[int]:
    """The actions that fit best: a whole text, one without its first word, then a beginning."""
    spelt = {action: game.spellings(action) for action in actions}
    whole = {action: [squeeze(text) for text in texts] for action, texts in spelt.items()}
    rest = {action: [_rest(text) for text in texts] for action, texts in spelt.items()}
    for texts in (whole, rest):
        found = [action for action in actions if wanted in texts[action]]
        if found:
            return found
    for texts in (whole, rest):
        found = [action for action in actions if _begins(wanted, texts[action])]
        if found:
            return found
    return []


def _rest(text: str) -> str:
    """A text without its first word; nothing if it has only one."""
    return squeeze(text.partition(" ")[2])


def _begins(wanted: str, texts: Iterable[str]) -> bool:
    return any(
        text.startswith(wanted)
        and not (wanted[-1].isdigit() and text[len(wanted) : len(wanted) + 1].isdigit())
        for text in texts
    )
