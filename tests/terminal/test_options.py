"""What is typed is read leniently, but never guessed."""

import pytest

import souk
from souk.engine.styled import plain
from souk.terminal.options import NoMatch, by_name, condensed, fitted, meant, squeeze

BIDS = ["pass", *(f"bid {amount}" for amount in range(25, 1300, 25))]


class Bidding:
    """As much of a game as matching needs: a market where up to 1,275 is bid."""

    def spellings(self, action: int) -> tuple[str, ...]:
        return (self.action_to_string(action),)

    def action_to_string(self, action: int) -> str:
        return [*BIDS, "move F1>F3", "move F1>F4", "auction R3"][action]


def bid(typed: str) -> str:
    game = Bidding()
    return game.action_to_string(meant(typed, game, range(len(BIDS) + 3)))  # type: ignore[arg-type]


def lay(typed: str) -> str:
    game = souk.load_game("marrakech")
    actions = [game.string_to_action(text) for text in ("c2c3", "c2d2", "d3d4", "c3d3")]
    return game.action_to_string(meant(typed, game, actions))


@pytest.mark.parametrize("typed", ["c2c3", "C2C3", "c2 c3", " C2-C3 ", "c3c2", "c3, c2", "C3 - C2"])
def test_squares_in_any_order_and_spacing(typed: str) -> None:
    assert lay(typed) == "c2c3"


def test_a_clear_beginning_is_enough() -> None:
    assert lay("d4") == "d3d4"
    assert bid("p") == "pass"
    assert bid("a") == "auction R3"


def test_an_unclear_beginning_names_the_choices() -> None:
    with pytest.raises(NoMatch, match="“c2” could be c2c3 or c2d2"):
        lay("c2")


def test_nothing_fits() -> None:
    with pytest.raises(NoMatch, match=r"“e7” is not possible now\. Type c2c3, c2d2, d3d4 or c3d3"):
        lay("e7")
    with pytest.raises(NoMatch):
        lay("- -")


@pytest.mark.parametrize(("typed", "meant"), [("bid 125", "bid 125"), ("125", "bid 125")])
def test_an_exact_number_is_never_a_beginning(typed: str, meant: str) -> None:
    assert bid(typed) == meant


@pytest.mark.parametrize("typed", ["bid 12", "12", "bid 3", "bid 1274"])
def test_a_number_is_never_completed(typed: str) -> None:
    with pytest.raises(NoMatch):
        bid(typed)


def test_signs_and_the_first_word_may_be_left_out() -> None:
    assert bid("move f1 f3") == bid("F1>F3") == bid("f1f3") == "move F1>F3"
    with pytest.raises(NoMatch, match="move F1>F3 or move F1>F4"):
        bid("move f1")


def test_every_action_of_every_standard_game_is_found_by_its_own_text() -> None:
    for name in souk.games():
        game = souk.load_game(name)
        actions = range(game.num_distinct_actions())
        for action in actions:
            same = [
                a
                for a in actions
                if squeeze(game.action_to_string(a)) == squeeze(game.action_to_string(action))
            ]
            if len(same) == 1:
                assert meant(game.action_to_string(action), game, actions) == action


def test_many_bids_take_one_line() -> None:
    assert condensed(BIDS) == ["pass", "bid 25, 50 … 1275"]
    assert condensed(["red 125", "red 150"]) == ["red 125", "red 150"]


def test_options_stand_kind_by_kind() -> None:
    shops = [f"auction {colour}{number}" for colour in "RYBGP" for number in range(1, 6)]
    lines = [plain(line) for line in by_name(["move F1>F3", "move F1>F4", *shops, *BIDS], 78, 9)]
    assert lines[0] == "move     F1>F3  F1>F4"
    assert lines[1].startswith("auction  R1  R2")
    assert lines[-1] == "bid      25, 50 … 1275"
    assert max(map(len, lines)) <= 78


def test_what_does_not_fit_is_said() -> None:
    lines = by_name([f"c{n}d{n}" for n in range(100, 160)], 40, 2)
    assert len(lines) == 2
    assert plain(lines[-1]).endswith(" … more: ?")
    assert len(plain(lines[-1])) <= 40


@pytest.mark.parametrize("name", souk.games())
@pytest.mark.parametrize(("columns", "rows"), [(78, 3), (118, 14), (20, 1)])
def test_the_options_of_every_position_fit(name: str, columns: int, rows: int) -> None:
    game = souk.load_game(name)
    state = game.new_initial_state(3)
    player = souk.player("random", game, seed=1)
    while not state.is_terminal() and len(state.history()) < 60:
        if state.is_chance_node():
            state.apply_action(state.legal_actions()[-1])
            continue
        lines = fitted(state, game.seat_names, columns, rows)
        assert 0 < len(lines) <= rows
        assert max(len(plain(line)) for line in lines) <= columns
        state.apply_action(player.choose(state))


def test_what_was_typed_cannot_steer_the_terminal() -> None:
    with pytest.raises(NoMatch) as refused:
        lay("\x1b[2Jzz")
    assert "\x1b" not in str(refused.value)
