"""Typed actions are parsed leniently, but never guessed."""

from collections.abc import Sequence

import pytest

import souk
from souk.terminal.action_parser import NoMatch, normalise, parse_action

BIDS = ["pass", *(f"bid {amount}" for amount in range(25, 1300, 25))]
MARKET = [*BIDS, "move F1>F3", "move F1>F4", "auction R3"]  # where up to 1,275 is bid


class Texts:
    """The part of a game that parsing needs: actions with texts."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts

    def spellings(self, action: int) -> tuple[str, ...]:
        return (self.action_to_string(action),)

    def action_to_string(self, action: int) -> str:
        return self.texts[action]


def among(texts: Sequence[str], typed: str) -> str:
    return texts[parse_action(typed, Texts(texts), range(len(texts)))]  # type: ignore[arg-type]


def bid(typed: str) -> str:
    return among(MARKET, typed)


def lay(typed: str) -> str:
    game = souk.load_game("marrakech")
    actions = [game.string_to_action(text) for text in ("c2c3", "c2d2", "d3d4", "c3d3")]
    return game.action_to_string(parse_action(typed, game, actions))


@pytest.mark.parametrize("typed", ["c2c3", "C2C3", "c2 c3", " C2-C3 ", "c3c2", "c3, c2", "C3 - C2"])
def test_squares_in_any_order_and_spacing(typed: str) -> None:
    assert lay(typed) == "c2c3"


def test_an_unambiguous_prefix_is_enough() -> None:
    assert lay("d4") == "d3d4"
    assert bid("p") == "pass"
    assert bid("a") == "auction R3"


def test_an_ambiguous_prefix_lists_the_options() -> None:
    with pytest.raises(NoMatch, match="“c2” could be c2c3 or c2d2"):
        lay("c2")


def test_a_text_that_matches_nothing_is_refused() -> None:
    with pytest.raises(NoMatch, match=r"“e7” is not possible now\. Type c2c3, c2d2, d3d4 or c3d3"):
        lay("e7")
    with pytest.raises(NoMatch):
        lay("- -")


@pytest.mark.parametrize(("typed", "text"), [("bid 125", "bid 125"), ("125", "bid 125")])
def test_an_exact_number_is_never_a_prefix(typed: str, text: str) -> None:
    assert bid(typed) == text


@pytest.mark.parametrize("typed", ["bid 12", "12", "bid 3", "bid 1274"])
def test_a_number_is_never_completed(typed: str) -> None:
    with pytest.raises(NoMatch):
        bid(typed)


def test_punctuation_and_the_first_word_may_be_left_out() -> None:
    assert bid("move f1 f3") == bid("F1>F3") == bid("f1f3") == "move F1>F3"
    with pytest.raises(NoMatch, match="move F1>F3 or move F1>F4"):
        bid("move f1")


CLOSE = ("auction S", "auction s", "move A1>1", "move A>11", "move a>11")


@pytest.mark.parametrize("text", CLOSE)
def test_an_exact_text_wins_over_one_that_differs_in_case_or_punctuation(text: str) -> None:
    assert among(CLOSE, text) == among(CLOSE, f"  {text} ") == text
    assert among(CLOSE, text.partition(" ")[2]) == text


def test_a_text_without_an_exact_match_stays_ambiguous() -> None:
    with pytest.raises(NoMatch, match="could be auction S or auction s"):
        among(CLOSE, "auction ſ")  # a long s, which folds to s
    with pytest.raises(NoMatch, match="could be move A1>1 or move A>11"):
        among(CLOSE, "move A11")


@pytest.mark.parametrize("name", souk.games())
def test_every_action_is_parsed_from_its_own_text(name: str) -> None:
    game = souk.load_game(name)
    actions = range(len(game.action_texts))
    texts = [game.action_to_string(action) for action in actions]
    assert len({normalise(text) for text in texts}) == len(texts)
    for action in range(0, len(texts), 1 + len(texts) // 100):
        assert parse_action(texts[action], game, actions) == action


def test_typed_control_characters_are_not_echoed() -> None:
    with pytest.raises(NoMatch) as refused:
        lay("\x1b[2Jzz")
    assert "\x1b" not in str(refused.value)
