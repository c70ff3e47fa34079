"""Which action a person means by what was typed.

Read leniently: case, spaces, hyphens and other signs do not matter, a first word that is clear may
be left out (`125` for `bid 125`) and so may the rest of a text that has begun (`l` for `left`). A
game adds its own other spellings (`Game.spellings`). A number is never completed: `bid 12` is not
`bid 125`. Where texts differ in case or signs only, what was typed exactly wins.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from souk.engine.errors import SoukError, one_of
from souk.engine.game import Game
from souk.engine.styled_text import crop, make_printable, plain_text

SHOWN = 8  # options that a sentence names before it says how many more there are
LONGEST_ECHO = 30  # characters of what was typed that a sentence repeats


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
    found = _found(typed, game, actions) if squeeze(typed) else []
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
    return _letters(text).casefold()


def _letters(text: str) -> str:
    return "".join(character for character in text if character.isalnum())


def _echo(typed: str) -> str:
    """What was typed, fit to be repeated in a sentence."""
    return plain_text(crop([(make_printable(typed).strip(), "")], LONGEST_ECHO))


def _found(typed: str, game: Game, actions: Sequence[int]) -> list[int]:
    """The actions that fit best: a whole text, one without its first word, then a beginning."""
    whole = {action: list(game.spellings(action)) for action in actions}
    rest = {action: [_rest(text) for text in texts] for action, texts in whole.items()}
    for texts in (whole, rest):
        found = _equal(squeeze, typed, texts)
        for form in (_letters, str.strip):
            found = (_equal(form, typed, texts) if len(found) > 1 else []) or found
        if found:
            return found
    for texts in (whole, rest):
        found = [action for action in actions if _begins(squeeze(typed), texts[action])]
        if found:
            return found
    return []


def _rest(text: str) -> str:
    """A text without its first word; nothing if it has only one."""
    return text.partition(" ")[2]


def _equal(form: Callable[[str], str], typed: str, texts: Mapping[int, list[str]]) -> list[int]:
    """The actions with a text that is, in some form, what was typed."""
    wanted = form(typed)
    return [action for action in texts if wanted in map(form, texts[action])]


def _begins(wanted: str, texts: Iterable[str]) -> bool:
    """Whether a text begins like that, and not in the middle of a number."""
    return any(
        text.startswith(wanted)
        and not (wanted[-1].isdigit() and text[len(wanted) : len(wanted) + 1].isdigit())
        for text in map(squeeze, texts)
    )
