"""The list of legal actions: whole texts, whole numbers, and never too many rows."""

import re

import pytest

import souk
from souk.engine.styled_text import plain_text
from souk.terminal.action_list import list_actions, list_texts, list_with_previews

BIDS = ["pass", *(f"bid {amount}" for amount in range(25, 1300, 25))]
NAMES = ["Abdelrahman-al-Fassi", "Bartholomew-Cuthbert", "Clementine-Augustina", "Dominique-Marie"]


def rows(lines: list[list[tuple[str, str]]]) -> list[str]:
    return [plain_text(line) for line in lines]


def market(*texts: str, seed: int = 3) -> souk.State:
    """Return MarraCash after some actions."""
    state = souk.load_game("marracash").new_initial_state(seed)
    for text in texts:
        state.apply_action(state.string_to_action(text))
    return state


def owned_shops() -> souk.State:
    """Return a second round with 20 owned shops, so that most moves have effects."""
    state = souk.load_game("marracash").new_initial_state(3)
    position = state.to_dict()
    position |= {"round": 2, "phase": "choose"}
    for number, shop in enumerate(state.game.board.shops[:20]):  # type: ignore[attr-defined]
        position["shops"][shop] = {"owner": number % 4, "customers": 0}
    for player in position["players"]:
        player["signs"] = 1
    return state.game.state_from_dict(position)


def test_actions_are_grouped_by_kind_and_sorted() -> None:
    shops = [f"auction {colour}{number}" for colour in "YRBGP" for number in (10, 9, 1, 2, 3)]
    lines = rows(list_texts(["move F1>F4", "move F1>F3", *shops, *BIDS], 78, 9))
    assert lines[0] == "move     F1>F3  F1>F4"
    assert lines[1].startswith("auction  B1  B2  B3  B9  B10  G1")
    assert lines[-1] == "bid      25, 50 … 1275"
    assert max(map(len, lines)) <= 78


def test_actions_of_one_word_keep_their_order() -> None:
    assert rows(list_texts(["left", "ahead", "right"], 78, 9)) == ["left  ahead  right"]


@pytest.mark.parametrize("columns", range(26, 60))
def test_no_action_is_wrapped_or_cropped(columns: int) -> None:
    texts = [f"bring {gate} {end} 2" for gate in ("F1", "F8", "F16") for end in ("head", "tail")]
    names = {text.partition(" ")[2] for text in texts}
    for most in (1, 2, 9):
        for row in rows(list_texts(texts, columns, most)):
            row = row.removesuffix(" … more: ?").removeprefix("bring").strip()
            assert set(filter(None, row.split("  "))) <= names


def test_a_note_says_that_there_are_more() -> None:
    lines = list_texts([f"c{n}d{n}" for n in range(100, 160)], 40, 2)
    assert len(lines) == 2
    assert plain_text(lines[-1]).endswith(" … more: ?")
    assert len(plain_text(lines[-1])) <= 40


@pytest.mark.parametrize("name", souk.games())
@pytest.mark.parametrize(("columns", "most"), [(78, 3), (118, 14), (20, 1)])
def test_the_actions_of_every_position_fit(name: str, columns: int, most: int) -> None:
    game = souk.load_game(name)
    state = game.new_initial_state(3)
    player = souk.player("random", game, seed=1)
    while not state.is_terminal() and len(state.history()) < 60:
        if state.is_chance_node():
            state.apply_action(state.legal_actions()[-1])
            continue
        lines = list_actions(state, game.seat_names, columns, most)
        assert 0 < len(lines) <= most
        assert max(len(plain_text(line)) for line in lines) <= columns
        state.apply_action(player.choose(state))


@pytest.mark.parametrize("columns", [40, 60, 78, 80, 100, 200])
def test_previews_are_never_cropped(columns: int) -> None:
    state = owned_shops()
    together = " ".join(" ".join(rows(list_with_previews(state, NAMES, columns))).split())
    for action in state.legal_actions():
        sentence = state.game.preview_sentence(state.preview(action), NAMES)
        assert sentence in together
    assert "…" not in together and "Abdelrahman-al-Fassi +50" in together


def test_numbers_are_never_cropped() -> None:
    state = owned_shops()
    numbers = {
        number
        for action in state.legal_actions()
        for number in re.findall(
            r"[+-]\d+", state.game.preview_sentence(state.preview(action), NAMES)
        )
    }
    cut = 0
    for columns in range(40, 130):
        for most in (9, 10, 12, 14):
            lines = rows(list_actions(state, NAMES, columns, most))
            assert {number for line in lines for number in re.findall(r"[+-]\d+", line)} <= numbers
            cut += sum(line.endswith("…") for line in lines)
    assert cut > 100


def test_bids_are_listed_by_the_lowest_and_the_highest() -> None:
    state = market("auction P3", "bid 100")
    lines = rows(list_with_previews(state, NAMES, 78))
    assert [line.split("  ")[0] for line in lines] == ["pass", "bid 125", "…", "bid 1200"]
    assert "every 25" in lines[2]
    assert rows(list_actions(state, NAMES, 78, 4)) == lines
    assert len(list_actions(state, NAMES, 78, 2)) == 2
