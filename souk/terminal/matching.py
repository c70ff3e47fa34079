"""What a person meant: reads typed text leniently, against the actions that are legal now.

Case, spaces, hyphens and other signs do not matter, a first word that is clear may be left out
(`125` for `bid 125`) and so may the rest of a text that has begun (`l` for `left`). A game adds
its own other spellings (`Game.spellings`). A number is never completed: `bid 12` is not `bid 125`.
"""

from collections.abc import Iterable, Sequence

from souk.engine.errors import SoukError, one_of
from souk.engine.game import Game

SHOWN = 8  # options that a sentence names before it says how many more there are


class NoMatch(SoukError):
    """No legal action, or more than one, has what was typed."""


def match(typed: str, game: Game, actions: Sequence[int]) -> int:
    """The legal action that a typed text means; NoMatch if there is none, or more than one.

    >>> import souk
    >>> game = souk.load_game("marrakech")
    >>> state = game.new_initial_state()
    >>> game.action_to_string(match("R", game, state.legal_actions()))
    'right'
    """
    wanted = squeeze(typed)
    found = _found(wanted, game, actions) if wanted else []
    if len(found) == 1:
        return found[0]
    if found:
        texts = [game.action_to_string(action) for action in found]
        raise NoMatch(f"“{shown(typed)}” could be {some(texts)}. Type a little more.")
    texts = [game.action_to_string(action) for action in actions]
    if len(texts) <= SHOWN:
        accepted = one_of(texts)
    else:
        accepted = f"one of the {len(texts)} options, like {texts[len(texts) // 2]} (? shows all)"
    raise NoMatch(f"“{shown(typed)}” is not possible now. Type {accepted}, or help.")


def squeeze(text: str) -> str:
    """The letters and digits of a text: what is compared.

    >>> squeeze("move F1>F3"), squeeze(" C2 - c3 ")
    ('movef1f3', 'c2c3')
    """
    return "".join(character for character in text.casefold() if character.isalnum())


def shown(typed: str) -> str:
    """What was typed, short enough to be repeated in a sentence."""
    text = typed.strip()
    return text if len(text) <= 30 else text[:29] + "…"


def some(texts: Sequence[str]) -> str:
    """Some texts as `a, b or c`, and how many more there are."""
    if len(texts) <= SHOWN:
        return one_of(texts)
    return f"{', '.join(texts[:SHOWN])} … ({len(texts) - SHOWN} more)"


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
