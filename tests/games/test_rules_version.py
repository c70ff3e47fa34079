"""A change of the rules gets a new version, so that stored games stay as they are."""

import hashlib
import json
import random
from pathlib import Path

import pytest

import souk
from souk.games import game_class
from souk.server.tables.hosted_games import hosted_game
from souk.testing import variations

FILE = Path(__file__).parents[1] / "fixtures" / "rules.json"  # game, version, game string: digest
DIGESTS = json.loads(FILE.read_text("utf-8"))
GAMES = 6
MOST_STEPS = 250


def digest(game):
    """A digest of all that the rules decide in a few random games."""
    hashed = hashlib.sha256()
    for seed in range(GAMES):
        pick = random.Random(seed)
        state = game.new_initial_state(seed)
        for _ in range(MOST_STEPS):
            if state.is_terminal():
                break
            options = (
                state.chance_weights()
                if state.is_chance_node()
                else [(action, 1) for action in state.legal_actions()]
            )
            texts = sorted((state.action_to_string(action), weight) for action, weight in options)
            hashed.update(repr((state.current_player(), texts, state.scores())).encode())
            state.apply_action(state.string_to_action(pick.choice(texts)[0]))
        end = (state.ranking(), state.returns()) if state.is_terminal() else None
        hashed.update(repr((state.scores(), end)).encode())
    return hashed.hexdigest()[:16]


@pytest.mark.parametrize("name", souk.games())
def test_games_of_every_version_play_as_they_did(name):
    """If this fails after a change of the rules or defaults on purpose: add 1 to `rules_version`,
    make `settings_of_version` play the version before, and add digests of the new version
    (`python -m tests.games.test_rules_version` prints them).
    """
    versions = DIGESTS[name]
    assert set(versions) == {str(one) for one in range(1, game_class(name).rules_version + 1)}
    for version, digests in versions.items():
        assert len(digests) > 3
        for text, then in digests.items():
            assert digest(hosted_game(text, int(version))) == then, (version, text)


if __name__ == "__main__":
    for name in souk.games():
        digests = {text: digest(hosted_game(text)) for text in variations(name)}
        DIGESTS.setdefault(name, {}).setdefault(str(game_class(name).rules_version), digests)
    print(json.dumps(DIGESTS, indent=1))
