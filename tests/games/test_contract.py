"""The contract of Game and State (`souk.testing`), on every game with every knob."""

import pytest

import souk
from souk import testing


@pytest.mark.parametrize(
    "check", [one for name in souk.games() for one in testing.checks(name)], ids=str
)
def test_contract(check):
    check()


@pytest.mark.parametrize("name", souk.games())
def test_there_are_variations_of_every_game(name):
    assert len(testing.variations(name)) > 5
