"""Parse what a person types into a legal action.

Parsing is lenient: case, spaces, hyphens and other punctuation do not matter, the first word may be
left out (`125` for `bid 125`), and the beginning of a text is enough (`l` for `left`). A game adds
alternative spellings (`Game.spellings`). A number is never completed: `bid 12` is not `bid 125`.
Where texts differ only in case or punctuation, an exact match wins.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from souk.engine.errors import SoukError, one_of
from souk.engine.game import Game
from souk.engine.styled_text import crop, make_printable, plain_text

MAX_LISTED = 8  # options that a message names before it says how many more there are
MAX_ECHO = 30  # characters of what was typed that a message repeats


class NoMatch(SoukError):
    """No legal action, or more than one, matches what was typed."""


def parse_action(typed: str, game: Game, actions: Sequence[int]) -> int:
    """Return the legal action that a typed text means; raise NoMatch if it is not exactly one.

    >>> import souk
    >>> game = souk.load_game("marrakech")
    >>> state = game.new_initial_state()
    >>> game.action_to_string(parse_action("R", game, state.legal_actions()))
    'right'
    """
    matches = _matches(typed, game, actions) if normalise(typed) else []
    if len(matches) == 1:
        return matches[0]
    texts = [game.action_to_string(action) for action in matches or actions]
    if matches:
        more = "" if len(texts) <= MAX_LISTED else f" … ({len(texts) - MAX_LISTED} more)"
        listed = ", ".join(texts[:MAX_LISTED]) + more if more else one_of(texts)
        raise NoMatch(f"“{_echo(typed)}” could be {listed}. Type a little more.")
    if len(texts) <= MAX_LISTED:
        accepted = one_of(texts)
    else:
        accepted = f"one of the {len(texts)} options, like {texts[len(texts) // 2]} (? shows all)"
    raise NoMatch(f"“{_echo(typed)}” is not possible now. Type {accepted}, or help.")


def normalise(text: str) -> str:
    """Return the letters and digits of a text in lower case, for comparison.

    >>> normalise("move F1>F3"), normalise(" C2 - c3 ")
    ('movef1f3', 'c2c3')
    """
    return _letters(text).casefold()


def _letters(text: str) -> str:
    return "".join(character for character in text if character.isalnum())


def _echo(typed: str) -> str:
    """Return what was typed, shortened and without control characters."""
    return plain_text(crop([(make_printable(typed).strip(), "")], MAX_ECHO))


def _matches(typed: str, game: Game, actions: Sequence[int]) -> list[int]:
    """Return the best matches: whole texts, then texts without their first word, then prefixes."""
    whole = {action: list(game.spellings(action)) for action in actions}
    rest = {action: [_rest(text) for text in texts] for action, texts in whole.items()}
    for texts in (whole, rest):
        matches = _equal(normalise, typed, texts)
        for form in (_letters, str.strip):
            matches = (_equal(form, typed, texts) if len(matches) > 1 else []) or matches
        if matches:
            return matches
    for texts in (whole, rest):
        matches = [action for action in actions if _has_prefix(texts[action], normalise(typed))]
        if matches:
            return matches
    return []


def _rest(text: str) -> str:
    """Return a text without its first word; empty if it has only one."""
    return text.partition(" ")[2]


def _equal(form: Callable[[str], str], typed: str, texts: Mapping[int, list[str]]) -> list[int]:
    """Return the actions with a text that equals what was typed, both in some form."""
    return [action for action in texts if form(typed) in map(form, texts[action])]


def _has_prefix(texts: Iterable[str], prefix: str) -> bool:
    """Return whether a text has a prefix that does not end within a number."""
    return any(
        text.startswith(prefix)
        and not (prefix[-1].isdigit() and text[len(prefix) : len(prefix) + 1].isdigit())
        for text in map(normalise, texts)
    )
