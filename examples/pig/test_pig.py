"""Pig keeps the contract of games; see `souk.testing`."""

import pytest

from souk.testing import checks


@pytest.mark.parametrize("check", checks("pig"), ids=str)
def test_pig(check):
    check()
