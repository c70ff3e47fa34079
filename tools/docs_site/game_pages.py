"""Write a page for every game: its rules, knobs, actions, positions, events and drawings.

Everything comes from the public interface of the game's class, and from its modules `schema` and
`events` if it has them, so a new game gets its page without any change here.
"""

import json
import random
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from importlib.util import find_spec

import souk
from souk.engine.errors import one_of
from souk.engine.game import Game
from souk.engine.knobs import Value, format_value
from souk.engine.rulebook import DRAWING, MARK, Rulebook
from souk.engine.state import State
from souk.games import game_class
from souk.testing import variations
from tools.docs_site.tables import TypeTables, table
from tools.generate_types import game_protocol

NAMES = ("Leila", "Yusuf", "Nour", "Omar")
THEMES = ("light", "dark")
ACTIONS = """\
Actions are numbers in Python, and texts for players, in records and in the protocol:
`action_to_string` and `string_to_action` translate them. This table has the actions of the default
game and those that other knobs add."""
MEANINGS = {"seat": "counted from 0", "event": "the kind of event", "scores": "by seat"}
MOST_TEXTS = 4  # of one kind of action; more are shortened
MOST_STEPS = 3000  # of a sample game


@dataclass
class Samples:
    """What happened in random games: actions by phase, and a sentence for each event."""

    actions: dict[tuple[str, bool], set[str]] = field(default_factory=dict)  # phase, is chance
    sentences: dict[str, str] = field(default_factory=dict)

    def play(self, game: Game, seed: int) -> State:
        """Play a game and return the state at its end."""
        pick = random.Random(seed)
        names = NAMES[: game.num_players()]
        state = game.new_initial_state(seed)
        while not state.is_terminal() and len(state.history()) < MOST_STEPS:
            phase = str(state.to_dict().get("phase", ""))
            seen = self.actions.setdefault((phase, state.is_chance_node()), set())
            seen.update(shape(state.action_to_string(one)) for one in state.legal_actions())
            state.apply_action(_random_action(state, pick))
            for event in state.events():
                self.sentences.setdefault(type(event).__name__, event.sentence(names))
        return state


def files() -> dict[str, str]:
    """Return the pages and drawings by their path below docs/generated."""
    written: dict[str, str] = {}
    for name in souk.games():
        state = _middle(game_class(name)())
        names = NAMES[: state.game.num_players()]
        written[f"games/{name}.md"] = page(name)
        for theme in THEMES:
            written[f"games/{name}-{theme}.svg"] = state.svg(theme=theme, names=names)
    return written


def page(name: str) -> str:
    """Return the page of a game as Markdown."""
    kind = game_class(name)
    game = kind()
    book = game.rulebook()
    samples = Samples()
    for number, text in enumerate(variations(name)):
        samples.play(souk.load_game(text), seed=number)
    parts = [
        f"# {book.title}",
        f"![A position of {book.title}]({name}-light.svg)",
        game.about,
        _facts(game),
        *_rules(game, book),
        "## Knobs",
        f"The settings of a game, for example `{variations(name)[:2][-1]}`.",
        _knobs(kind),
        "## Actions",
        ACTIONS,
        _actions(game, samples),
        _types(kind, samples),
        "## A position in every form",
        "This is the start of a game, as `str(state)` prints it:",
        f"```text\n{game.new_initial_state(1)}\n```",
        "And as `state.to_dict()` returns it:",
        f"```json\n{json.dumps(game.new_initial_state(1).to_dict(), ensure_ascii=False)}\n```",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _facts(game: Game) -> str:
    players = next(knob for knob in game.knobs if knob.name == "players")
    languages = len(game.languages())
    facts = {
        "In Python": f'`souk.load_game("{game.name}")`',
        "In a terminal": f"`souk play {game.name}`",
        "Players": players.accepts.removeprefix("a whole number from "),
        "Computer players": ", ".join(f"`{one}`" for one in souk.players(game.name)),
        "Setup": "dealt from a seed" if game.has_random_setup else "always the same",
        "Rulebook": f"in {languages} language{'s' if languages > 1 else ''}",
    }
    return "\n".join(f"- **{name}:** {fact}" for name, fact in facts.items())


def _rules(game: Game, book: Rulebook) -> Iterator[str]:
    yield "## Rules"
    others = one_of(f"`{one}`" for one in game.languages() if one != book.language)
    translated = f" `--language` chooses {others}." if others else ""
    yield (
        f"These are the rules of `{game}`. `souk rules {game.name}` prints them for any knobs."
        + translated
    )
    for section in book.sections:
        yield f"### {section.title}"
        for block in section.body.split("\n\n"):
            lines = [_rule_line(game, line) for line in block.split("\n")]
            yield MARK.sub(f'<sup title="{escape(book.mark)}">†</sup>', "\n".join(lines))


def _rule_line(game: Game, line: str) -> str:
    drawing = DRAWING.fullmatch(line)
    if drawing is None:
        return line
    picture = re.sub(r"\n\s*", "", game.draw_example(drawing[2]))
    return (
        f'<figure class="rule" role="img" aria-label="{escape(drawing[1])}">{picture}</figure>\n\n'
    )


def _knobs(kind: type[Game]) -> str:
    defaults = kind.default_settings({})
    rows = []
    for knob in kind.knobs:
        condition = f"; only with {_needs(knob.needs)}" if knob.needs else ""
        default = f"`{format_value(defaults[knob.name])}`"
        rows.append([f"`{knob.name}`", knob.about + condition, knob.accepts, default])
    return table(["knob", "meaning", "accepts", "default"], rows)


def _needs(needs: Mapping[str, tuple[Value, ...]]) -> str:
    return " and ".join(
        f"`{name}={one_of(map(format_value, values))}`" for name, values in needs.items()
    )


def _actions(game: Game, samples: Samples) -> str:
    texts: dict[str, list[str]] = {}
    for text in game.action_texts:
        texts.setdefault(shape(text), []).append(text)
    rows = []
    for (phase, is_chance), shapes in samples.actions.items():
        shown = ", ".join(shortened(texts[one]) for one in texts if one in shapes)
        rows.append([f"`{phase}`", "chance" if is_chance else "a player", shown])
    return table(["phase", "who acts", "actions"], rows)


def shortened(texts: list[str]) -> str:
    shown = [f"`{text}`" for text in texts]
    if len(texts) <= MOST_TEXTS:
        return ", ".join(shown)
    return f"{shown[0]}, {shown[1]} … {shown[-1]} ({len(texts)})"


def shape(text: str) -> str:
    """Return an action text with its places and numbers replaced.

    >>> shape("c2c3"), shape("move F1>F3"), shape("bid 125")
    ('□□', 'move □>□', 'bid #')
    """
    return re.sub(r"\d+", "#", re.sub(r"[A-Za-z]\d+", "□", text))


def _types(kind: type[Game], samples: Samples) -> str:
    """Return the tables of a game's positions and events."""
    if kind().position_fields:
        return f"## Positions\n\n{_fields(kind())}"
    package = str(sys.modules[kind.__module__].__package__)
    if not all(find_spec(f"{package}.{module}") for module in ("schema", "events")):
        return ""
    tables = TypeTables(f"{kind.name}-", meanings=MEANINGS, examples=samples.sentences)
    text = game_protocol(kind.name, tables, package=package, prefix="")
    about = f"`state.to_dict()` returns a [Position](#{kind.name}-position), which has these parts."
    return text.replace("## Positions\n", f"## Positions\n\n{about}\n", 1)


def _fields(game: Game) -> str:
    rows = [[f"`{one.name}`", one.about, one.accepts] for one in game.position_fields]
    return table(["field", "meaning", "values"], [["`game`", "with its knobs", "a text"], *rows])


def _middle(game: Game) -> State:
    """Return a state from the middle of a random game."""
    state = Samples().play(game, seed=1)
    for _ in range(len(state.history()) // 2):
        state.undo_action()
    return state


def _random_action(state: State, pick: random.Random) -> int:
    if state.is_chance_node():
        actions, weights = zip(*state.chance_outcomes(), strict=True)
        return int(pick.choices(actions, weights)[0])
    return state.game.random_action(state, pick)
