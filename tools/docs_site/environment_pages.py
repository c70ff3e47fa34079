"""Write a page for every game as an environment: spaces, and tables of observations and actions.

Everything comes from the public interface of the game's class.
"""

import inspect
import re
from importlib import import_module
from math import prod

import souk
from souk.engine.game import Game
from souk.envs import gymnasium_id
from souk.games import game_class
from souk.testing import variations
from tools.docs_site.game_pages import shape, shortened
from tools.docs_site.tables import table


def files() -> dict[str, str]:
    """Return the pages by their path below docs/generated."""
    return {f"environments/{name}.md": page(game_class(name)()) for name in souk.games()}


def page(game: Game) -> str:
    """Return the page of a game's environments as Markdown."""
    by_size: dict[tuple[str, ...], Game] = {}  # the first variation of each
    for one in map(souk.load_game, variations(game.name)):
        by_size.setdefault(_size(one), one)
    sizes = table(
        ["game", "players", "numbers in an observation", "actions", "reduced actions"],
        [[f"`{one}`", *size] for size, one in by_size.items()],
    )
    parts = [
        f"# {game.title} as an environment",
        table(
            ["framework", "name"],
            [
                ["Gymnasium", f"`{gymnasium_id(game.name)}`"],
                ["PettingZoo", f'`souk.envs.pettingzoo.env("{game}")`'],
                ["OpenSpiel", f"`python_{game.name}`"],
            ],
        ),
        "[Environments](../../environments.md) says how to use them.",
        f"[The page of the game](../games/{game.name}.md) has the rules and the knobs.",
        "## Sizes",
        sizes,
        "## Observation",
        f"What a seat of `{game}` sees, in this order. Seats are in turn order from the observer.",
        _observation(game),
        "## Actions",
        f"The actions of `{game}`. `game.action_to_string` returns the text of an action.",
        _actions(game),
        _reduced(game),
        "## Rewards",
        "0 until the end of the game, and then each seat's share of the win.",
        _shares(game),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _shares(game: Game) -> str:
    least, most, total = game.min_utility(), game.max_utility(), game.utility_sum()
    return f"A share is a number from {least:g} to {most:g}, and all shares sum to {total:g}."


def _size(game: Game) -> tuple[str, ...]:
    sizes = [game.num_players(), *game.observation_tensor_shape(), game.num_distinct_actions()]
    return (*map(str, sizes), str(game.num_reduced_actions() or "none"))


def _observation(game: Game) -> str:
    rows, first = [], 0
    for name, sides, meaning in game.observation_layout():
        end = first + prod(sides)
        numbers = f"{first} to {end - 1}" if end - first > 1 else str(first)
        rows.append([f"`{name}`", numbers, " × ".join(map(str, sides)), meaning])
        first = end
    return table(["field", "numbers", "shape", "meaning"], rows)


def _actions(game: Game) -> str:
    texts = game.action_texts[: game.num_distinct_actions()]
    rows, first = [], 0
    while first < len(texts):
        end = first + 1
        while end < len(texts) and shape(texts[end]) == shape(texts[first]):
            end += 1
        numbers = f"{first} to {end - 1}" if end - first > 1 else str(first)
        rows.append([numbers, shortened(list(texts[first:end]))])
        first = end
    return table(["actions", "texts"], rows)


def _reduced(game: Game) -> str:
    if not game.num_reduced_actions():
        return ""
    about = inspect.getdoc(import_module(game.reduced_actions_kernel[0])) or ""
    constants = game.observing_rules
    text = re.sub("[A-Z_]{3,}", lambda name: str(getattr(constants, name[0], name[0])), about)
    return f"### Reduced actions\n\nWith `reduced_actions=True`:{text.partition(':')[2]}"
