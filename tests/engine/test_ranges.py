"""Long lists of action texts are shortened."""

import pytest

import souk
from souk.engine.ranges import condense, group_runs

BIDS = ["pass", *(f"bid {amount}" for amount in range(25, 1300, 25))]


def test_many_bids_take_one_entry():
    assert condense(BIDS) == ["pass", "bid 25, 50 … 1275"]
    assert condense(["red 125", "red 150"]) == ["red 125", "red 150"]


def test_nothing_is_lost_in_runs():
    texts = [*BIDS, "bid 7", "card 1", "card 2", "card 3", "card 4", "F1", "F2", "F3", "F4"]
    assert [text for run in group_runs(texts) for text in run.texts] == texts
    assert [run.step for run in group_runs(texts) if run.step] == [25, 1]


def test_a_refusal_in_an_auction_is_short_and_says_what_is_legal():
    state = souk.load_game("marracash").new_initial_state(3)
    for text in ("auction P3", "bid 100"):
        state.apply_action(state.string_to_action(text))
    with pytest.raises(souk.IllegalAction) as refused:
        state.apply_action(state.string_to_action("bid 100"))
    assert str(refused.value).endswith("is not legal now; legal: pass, bid 125, 150 … 1200")
