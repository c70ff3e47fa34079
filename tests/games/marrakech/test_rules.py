"""The rules of Marrakech, a sentence a test, in the order of the rules file."""

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given

import souk
from souk.games.marrakech.board import DIE_FACES
from tests.games.marrakech.positions import TABLES, make_position, plain_knobs
from tests.games.marrakech.reference import (
    ARCS,
    EDITIONS,
    LEFT_OF,
    RIGHT_OF,
    SQUARES,
    neighbours,
)
from tests.games.marrakech.strategies import games_played

BEHIND = {"N": "S", "E": "W", "S": "N", "W": "E"}
THREE = {"players": 3, "edition": "gigamic"}
FOUR = {"players": 4, "edition": "gigamic"}
DECKS = {"players": 2, "edition": "gigamic"}
FACE_DOWN = {"players": 2, "edition": "pergioco"}

every_table = pytest.mark.parametrize("table", TABLES)
every_edition = pytest.mark.parametrize("edition", EDITIONS)


# ---- help: positions in, texts out ---------------------------------------------------------------


def start(knobs):
    return souk.load_game("marrakech", **knobs).new_initial_state()


def set_up(knobs, *arrangement, **more):
    position = make_position(knobs, *arrangement, **more)
    return souk.load_game("marrakech", **knobs).state_from_dict(position)


def play(state, *texts):
    for text in texts:
        state.apply_action(state.string_to_action(text))
    return state


def legal(state):
    return {state.action_to_string(action) for action in state.legal_actions()}


def phase(state):
    return state.to_dict()["phase"]


def assam(state):
    at = state.to_dict()["assam"]
    return f"{at['square']} {at['facing']}"


def dirhams(state):
    return [player["dirhams"] for player in state.to_dict()["players"]]


def rugs(state):
    return [player["rugs"] for player in state.to_dict()["players"]]


def next_rugs(state):
    return [player["next"] for player in state.to_dict()["players"]]


def event(state, kind):
    result = [event for event in state.events() if type(event).__name__ == kind]
    return result[0] if result else None


def path(state):
    return [step.square for step in event(state, "Walked").steps]


def chance(state):
    outcomes = state.chance_outcomes()
    return {
        state.action_to_string(action): Fraction(p).limit_denominator(10_000)
        for action, p in outcomes
    }


def seats_in(position):
    return [seat for seat, player in enumerate(position["players"]) if not player["out"]]


def owner_of(position, colour):
    return next(s for s, player in enumerate(position["players"]) if colour in player["rugs"])


def area(position, square):
    """The connected squares of one colour, by an independent flood fill over the JSON."""
    shown = {at: rug["colour"] for at, rug in position["squares"].items()}
    result = {square}
    while True:
        edge = {
            beside
            for at in result
            for beside in neighbours(at)
            if shown.get(beside) == shown[square]
        }
        if edge <= result:
            return result
        result |= edge


# ---- the board -----------------------------------------------------------------------------------


def test_assam_starts_on_d4():
    for edition in EDITIONS:
        assert start({"edition": edition}).to_dict()["assam"]["square"] == "d4"


def test_a_3_from_f7_facing_east_visits_g7_twice_and_g6():
    state = play(set_up(FACE_DOWN, "roll", "f7 E"), "3")
    assert path(state) == ["g7", "g7", "g6"]
    assert assam(state) == "g6 S"


def test_a_4_from_d2_facing_south_visits_d1_e1_e2_e3():
    state = play(set_up(FACE_DOWN, "roll", "d2 S"), "4")
    assert path(state) == ["d1", "e1", "e2", "e3"]
    assert assam(state) == "e3 N"


@pytest.mark.parametrize(("leaving", "square"), ARCS)
def test_every_arc_leads_where_the_sheet_draws_it(leaving, square):
    back, facing = ARCS[leaving, square]
    state = play(set_up(THREE, "roll", f"{square} {leaving}"), "1")
    assert assam(state) == f"{back} {facing}"
    assert [step.arc for step in event(state, "Walked").steps] == [True]


def test_inside_the_board_a_step_goes_straight_ahead():
    for facing, step in {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}.items():
        for file in range(7):
            for rank in range(7):
                then = file + step[0], rank + step[1]
                if not (0 <= then[0] < 7 and 0 <= then[1] < 7):
                    continue
                square, ahead = ("abcdefg"[f] + "1234567"[r] for f, r in ((file, rank), then))
                state = play(set_up(THREE, "roll", f"{square} {facing}"), "1")
                assert assam(state) == f"{ahead} {facing}"


@pytest.mark.parametrize("facing", "NESW")
@pytest.mark.parametrize("die", "1234")
def test_turning_about_and_walking_as_far_leads_back(die, facing):
    for square in SQUARES:
        there = play(set_up(THREE, "roll", f"{square} {facing}"), die)
        reached, looking = assam(there).split()
        back = play(set_up(THREE, "roll", f"{reached} {BEHIND[looking]}"), die)
        assert assam(back) == f"{square} {BEHIND[facing]}"


# ---- a turn: turning and rolling -----------------------------------------------------------------


def test_assam_is_turned_a_quarter_at_most_never_about():
    state = set_up(THREE, "turn", "d4 N")
    assert legal(state) == {"left", "ahead", "right"}
    for text, facing in {"left": "W", "ahead": "N", "right": "E"}.items():
        assert assam(play(state.clone(), text)) == f"d4 {facing}"


def test_turning_is_relative_to_the_way_assam_faces():
    for facing in "NESW":
        state = set_up(THREE, "turn", f"d4 {facing}")
        assert assam(play(state.clone(), "left")) == f"d4 {LEFT_OF[facing]}"
        assert assam(play(state.clone(), "right")) == f"d4 {RIGHT_OF[facing]}"


def test_the_die_has_faces_1_2_2_3_3_4():
    sixth = Fraction(1, 6)
    expected = {"1": sixth, "2": 2 * sixth, "3": 2 * sixth, "4": sixth}
    assert chance(set_up(THREE, "roll", "d4 N")) == expected
    assert sorted(DIE_FACES) == [1, 2, 2, 3, 3, 4]


@given(games_played())
def test_a_turn_is_turning_rolling_laying(game):
    """Whatever comes between them: `turn` leads to `roll`, and `roll` to `lay` or out."""
    for before, text, after in game:
        then = after.to_dict()
        mover = before["to_move"]
        if before["phase"] == "turn":
            assert then["phase"] == "roll" and then["to_move"] == mover
        if before["phase"] == "roll":
            assert int(text) in range(1, 5)
            assert then["players"][mover]["out"] or (then["phase"], then["to_move"]) == (
                "lay",
                mover,
            )
        if before["phase"] in ("draw", "turn", "turn_last", "lay"):
            assert then["assam"]["square"] == before["assam"]["square"]


@given(games_played())
def test_seats_play_clockwise_and_players_out_or_without_rugs_are_skipped(game):
    for before, _, after in game:
        then = after.to_dict()
        if before["phase"] in ("lay", "turn_last", "roll") and then["phase"] in ("turn", "roll"):
            seats = len(then["players"])
            waiting = [(before["to_move"] + k) % seats for k in range(1, seats + 1)]
            able = [s for s in waiting if any(then["players"][s]["rugs"].values())]
            assert then["to_move"] == able[0]
            assert not then["players"][able[0]]["out"]


# ---- a turn: tax ---------------------------------------------------------------------------------


def test_an_area_of_five_squares_costs_five():
    """Sheet 004: a 4 ends on f2, on a red area of five squares."""
    red = ["blue f2f3", "blue e3", "blue g3", "blue f1"]
    state = set_up(FACE_DOWN, "roll", "f6 S", rugs=[*red, "blue d2", "orange g2"])
    play(state, "4")
    assert assam(state) == "f2 S"
    assert dirhams(state) == [5, 15]
    paid = event(state, "Paid")
    assert (paid.owed, paid.paid, set(paid.squares)) == (5, 5, {"f1", "f2", "f3", "e3", "g3"})


@given(games_played())
def test_the_tax_is_one_dirham_for_every_square_of_the_area(game):
    for before, _, after in game:
        if before["phase"] != "roll":
            continue
        then, payer = after.to_dict(), before["to_move"]
        square = then["assam"]["square"]
        shown = before["squares"].get(square)
        owner = owner_of(before, shown["colour"]) if shown else None
        due = 0
        if shown and owner != payer and not before["players"][owner]["out"]:
            due = len(area(before, square))
        purse = before["players"][payer]["dirhams"]
        expected = [player["dirhams"] for player in before["players"]]
        expected[payer] -= min(due, purse)
        if due:
            expected[owner] += min(due, purse)
        assert dirhams(after) == expected
        assert (event(after, "Paid") is not None) == (due > 0)
        can_pay_or_stays = due <= purse or after.game.settings["cannot_pay"] == "plays-on"
        assert then["players"][payer]["out"] == (not can_pay_or_stays)


@given(games_played())
def test_no_dirham_appears_or_disappears(game):
    for before, _, after in game:
        had = [player["dirhams"] for player in before["players"]]
        assert sum(dirhams(after)) == sum(had)
        if before["phase"] != "roll":
            assert dirhams(after) == had


def test_own_rugs_of_either_colour_are_free():
    for colour in ("red", "yellow"):
        state = play(set_up(DECKS, "roll", "d4 N", rugs=[f"{colour} d5d6"]), "1")
        assert dirhams(state) == [10, 10] and phase(state) == "lay"


def test_an_empty_square_is_free():
    assert dirhams(play(set_up(THREE, "roll", "d4 N", rugs=["yellow d6d7"]), "1")) == [10, 10, 10]


def test_the_two_colours_of_a_player_are_separate_areas():
    touching = ["blue d5d6", "orange e5e6", "orange c5c6"]
    assert dirhams(play(set_up(DECKS, "roll", "d4 N", rugs=touching), "1")) == [8, 12]


def test_squares_that_meet_at_a_corner_are_not_connected():
    state = set_up(THREE, "roll", "d4 N", rugs=["yellow d5", "yellow e6"])
    assert dirhams(play(state, "1")) == [9, 11, 10]


def test_an_area_does_not_reach_round_the_edge_of_the_board():
    """g4 and a5 are neighbours by number only."""
    rows = ["yellow g3g4", "yellow a5a6", "yellow a4"]
    assert dirhams(play(set_up(THREE, "roll", "g5 S", rugs=rows), "1")) == [8, 12, 10]


def test_different_rugs_of_one_colour_make_one_area():
    joined = ["yellow d5d6", "yellow e5e6", "yellow f6"]
    assert dirhams(play(set_up(THREE, "roll", "d4 N", rugs=joined), "1")) == [5, 15, 10]


def test_a_covered_square_counts_for_nobody():
    """Blue covers e5: it parts f5 from the yellow area, and yellow has a square less."""
    state = set_up(THREE, "lay", "d4 N", rugs=["yellow d5d6", "yellow e5f5"], to_move=2)
    assert state.scores() == [10, 14, 10]
    play(state, "e4e5")
    assert state.scores() == [10, 13, 12]
    assert dirhams(play(state, "ahead", "1")) == [8, 12, 10]


@given(games_played())
def test_what_a_rug_covers_is_gone_from_every_score_and_area(game):
    for before, text, after in game:
        if before["phase"] == "lay":
            then = after.to_dict()
            laid = {text[:2], text[2:]}
            shown = [then["squares"][square] for square in laid]
            assert shown[0] == shown[1], "both halves show one rug"
            number = {"colour": shown[0]["colour"], "rug": shown[0]["rug"]}
            assert [at for at, rug in then["squares"].items() if rug == number] == sorted(
                laid, key=SQUARES.index
            )
            assert set(then["squares"]) == set(before["squares"]) | laid
            for at, rug in before["squares"].items():
                assert at in laid or then["squares"][at]["colour"] == rug["colour"]


# ---- cannot pay ----------------------------------------------------------------------------------


def test_exactly_enough_is_enough():
    state = set_up(THREE, "roll", "d4 N", rugs=["yellow d5d6"], dirhams=[2, 10, 10])
    play(state, "1")
    assert dirhams(state) == [0, 12, 10]
    assert phase(state) == "lay" and state.current_player() == 0


def test_a_player_who_cannot_pay_gives_all_they_have_and_is_out_at_once():
    state = set_up(THREE, "roll", "d4 N", rugs=["yellow d5d6", "red a1a2"], dirhams=[1, 10, 10])
    play(state, "1")
    assert dirhams(state) == [0, 11, 10]
    assert state.to_dict()["players"][0] == {
        "dirhams": 0,
        "rugs": {"red": 0},
        "next": None,
        "out": True,
        "out_order": 1,
    }
    assert (phase(state), state.current_player()) == ("turn", 1)
    assert assam(state) == "d5 N", "Assam stays where he landed"
    assert "a1" in state.to_dict()["squares"], "the rugs laid stay"
    assert state.scores() == [0, 13, 10]


def test_with_turn_last_an_eliminated_player_turns_nothing():
    knobs = {**THREE, "turn_last": True}
    state = set_up(knobs, "roll", "d4 N", rugs=["yellow d5d6"], dirhams=[1, 10, 10])
    play(state, "1")
    assert phase(state) == "roll" and state.to_dict()["to_move"] == 1


def test_in_gigamic_57_a_player_pays_what_they_have_and_plays_on():
    knobs = {"players": 3, "edition": "gigamic-57"}
    state = set_up(knobs, "roll", "d4 N", rugs=["yellow d5d6"], dirhams=[1, 10, 10])
    play(state, "1")
    assert dirhams(state) == [0, 11, 10]
    assert phase(state) == "lay" and state.current_player() == 0


def test_neutral_rugs_are_free():
    state = set_up(THREE, "roll", "d4 N", rugs=["yellow d5d6"], out=[1])
    assert dirhams(play(state, "1")) == [10, 0, 10]


def test_neutral_rugs_score_for_nobody():
    assert set_up(THREE, "turn", "d4 N", rugs=["yellow d5d6"], out=[1]).scores() == [10, 0, 10]


@pytest.mark.parametrize("cover_own", [False, True])
def test_neutral_rugs_may_not_be_covered_wholly(cover_own):
    knobs = {**THREE, "cover_own": cover_own}
    state = set_up(knobs, "lay", "d4 N", rugs=["yellow d5d6"], out=[1])
    assert "d5d6" not in legal(state)
    assert "c5d5" in legal(state)


def test_a_second_elimination_leaves_the_last_player_the_winner():
    rugs_laid = ["yellow d5d6", "blue a1a2", "blue b1b2"]
    state = set_up(THREE, "roll", "d4 N", rugs=rugs_laid, dirhams=[1, 0, 0], out=[2])
    play(state, "1")
    assert state.is_terminal()
    assert state.ranking() == [[1], [0], [2]]
    assert state.returns() == [0, 1, 0]
    assert state.to_dict()["to_move"] == 0, "the last mover"


def test_an_elimination_on_the_last_turn_ends_the_game():
    """Seat 0 had the last rug of all."""
    state = set_up(
        FOUR, "roll", "d4 N", rugs=["yellow d5d6"], dirhams=[1, 5, 5, 5], left=[1, 0, 0, 0]
    )
    play(state, "1")
    assert state.is_terminal()
    assert state.scores() == [0, 8, 5, 5]
    assert state.ranking() == [[1], [2, 3], [0]]


def test_a_seat_without_rugs_is_passed_over_and_its_rugs_still_cost_tax():
    state = set_up(THREE, "roll", "d4 N", rugs=["yellow d5d6"], left=[2, 0, 2])
    play(state, "1")
    assert dirhams(state) == [8, 12, 10]
    play(state, "c5c6")
    assert state.current_player() == 2


def test_the_only_seat_with_rugs_plays_again():
    state = play(set_up(THREE, "lay", "d4 N", left=[2, 0, 0]), "d5d6")
    assert (phase(state), state.current_player()) == ("turn", 0)


# ---- laying --------------------------------------------------------------------------------------


def places_beside(square):
    """Two touching squares, one of them beside Assam and neither his own, by plain search."""
    return {
        min(one, other) + max(one, other)
        for one in neighbours(square)
        for other in neighbours(one)
        if other != square
    }


def matchings(places):
    """Every set of places that share no square: all that visible whole rugs can occupy."""
    if not places:
        yield []
        return
    first, *rest = places
    yield from matchings(rest)
    apart = [place for place in rest if not {place[:2], place[2:]} & {first[:2], first[2:]}]
    for others in matchings(apart):
        yield [first, *others]


@pytest.mark.parametrize("square", SQUARES)
def test_on_a_bare_board_every_place_beside_assam_is_legal(square):
    assert legal(set_up(THREE, "lay", f"{square} N")) == places_beside(square)


@pytest.mark.parametrize("square", SQUARES)
def test_a_legal_place_always_exists(square):
    """A proof. Only a whole visible rug forbids a place, and just the one it lies on. A square
    shows one rug, so of two places with a square in common at most one is forbidden; and round
    every square there are two such places.
    """
    places = legal(set_up(THREE, "lay", f"{square} N"))
    assert any({a[:2], a[2:]} & {b[:2], b[2:]} for a, b in combinations(places, 2))


@pytest.mark.parametrize("square", ["a1", "d1", "g7", "b2", "d2", "d4", "a4"])
def test_just_the_places_of_whole_rugs_are_forbidden_however_rugs_lie_round_assam(square):
    """Return every way in which whole rugs can lie on the places beside Assam."""
    places = sorted(places_beside(square))
    for whole_rugs in matchings(places):
        laid = [f"{'red' if k % 2 else 'yellow'} {place}" for k, place in enumerate(whole_rugs)]
        state = set_up(THREE, "lay", f"{square} N", rugs=laid)
        assert legal(state) == set(places) - set(whole_rugs)
        assert state.legal_actions()


@given(games_played())
def test_a_rug_touches_assam_and_never_lies_under_him(game):
    for before, text, _ in game:
        if before["phase"] == "lay":
            square = before["assam"]["square"]
            one, other = text[:2], text[2:]
            assert other in neighbours(one)
            assert square not in (one, other)
            assert {one, other} & set(neighbours(square))


@given(games_played())
def test_no_rug_is_covered_wholly_in_one_go_except_ones_own_by_house_rule(game):
    for before, text, after in game:
        if before["phase"] == "lay":
            under = [before["squares"].get(square) for square in (text[:2], text[2:])]
            if under[0] is not None and under[0] == under[1]:
                assert after.game.settings["cover_own"]
                assert owner_of(before, under[0]["colour"]) == before["to_move"]


def test_the_sheet_forbids_e6f6_under_one_rug():
    """Sheet 004: from g6 a rug may start at g7, g5 or f6, but not cover f6-e6, which is one rug."""
    state = set_up(FACE_DOWN, "roll", "f7 E", rugs=["blue e6f6"])
    play(state, "3")
    assert assam(state) == "g6 S"
    assert legal(state) == {"f7g7", "f6f7", "f5f6", "f5g5", "g4g5"}


def test_halves_of_two_rugs_may_be_covered_even_of_one_colour():
    state = set_up(THREE, "lay", "d4 N", rugs=["yellow c5d5", "yellow d6e6", "blue e4", "red f4g4"])
    assert {"d5d6", "e4f4"} <= legal(state)


def test_one_half_and_an_empty_square_may_be_covered():
    assert "d5d6" in legal(set_up(THREE, "lay", "d4 N", rugs=["yellow d6d7"]))


def test_once_one_half_is_covered_the_other_may_be():
    state = set_up(THREE, "lay", "d4 N", rugs=["yellow d5d6"])
    assert "d5d6" not in legal(state)
    play(state, "d5e5", "right", "1")
    assert assam(state) == "e4 E"
    assert "d5e5" not in legal(state), "now that is the whole rug"
    play(state, "e5e6", "left", "1")
    assert assam(state) == "e5 N"
    assert "d5d6" in legal(state)


def test_there_is_no_limit_to_the_height_of_a_pile():
    """The loop keeps Assam in the corner while a hundred rugs are laid upon f6."""
    state = set_up(FOUR, "turn", "g7 S", left=40)
    for _ in range(50):
        play(state, "left", "1", "f6f7", "left", "1", "f6g6")
        assert assam(state) == "g7 S"
    assert len(state.to_dict()["squares"]) == 3


def test_own_rugs_may_be_covered_wholly_only_by_house_rule():
    laid = ["red d5d6", "yellow c5c6", "blue e5e6"]
    assert not {"d5d6"} & legal(set_up(DECKS, "lay", "d4 N", rugs=laid))
    assert "d5d6" in legal(set_up({**DECKS, "cover_own": True}, "lay", "d4 N", rugs=laid))


def test_by_house_rule_either_own_colour_may_be_covered_and_no_other():
    knobs = {**DECKS, "cover_own": True}
    laid = ["red d5d6", "yellow c4c5", "blue d2d3", "orange e4f4"]
    state = set_up(knobs, "lay", "d4 N", rugs=laid)
    assert {"d5d6", "c4c5"} <= legal(state)
    assert not {"d2d3", "e4f4"} & legal(state)


@given(games_played())
def test_every_lay_takes_one_rug_of_the_colour_shown_and_nothing_else_takes_any(game):
    for before, text, after in game:
        had = [dict(player["rugs"]) for player in before["players"]]
        mover = before["to_move"]
        if before["phase"] == "lay":
            colour = before["players"][mover]["next"]
            had[mover][colour] -= 1
            assert after.to_dict()["squares"][text[:2]]["colour"] == colour
        if after.to_dict()["players"][mover]["out"]:
            had[mover] = dict.fromkeys(had[mover], 0)
        assert rugs(after) == had


# ---- end and score -------------------------------------------------------------------------------


@given(games_played())
def test_the_game_ends_with_the_last_rug_or_when_one_player_is_left(game):
    for _, _, after in game:
        position = after.to_dict()
        players = [position["players"][seat] for seat in seats_in(position)]
        rugs_left = sum(sum(player["rugs"].values()) for player in players)
        assert after.is_terminal() == (rugs_left == 0 or len(players) == 1)


@given(games_played())
def test_the_score_is_dirhams_plus_visible_squares_and_0_for_a_player_who_is_out(game):
    for _, _, after in game:
        position = after.to_dict()
        for seat, player in enumerate(position["players"]):
            own = [s for s in position["squares"].values() if s["colour"] in player["rugs"]]
            expected = 0 if player["out"] else player["dirhams"] + len(own)
            assert after.scores()[seat] == expected


def finished(knobs, rugs_laid, money, out=()):
    return set_up(knobs, "over", "d4 N", rugs=rugs_laid, dirhams=money, left=0, out=out)


def test_the_highest_score_wins():
    state = finished(THREE, ["red a1a2", "yellow b1b2", "yellow c1"], [5, 5, 6])
    assert state.scores() == [7, 8, 6]
    assert state.ranking() == [[1], [0], [2]]
    assert state.returns() == [0, 1, 0]


def test_tied_in_score_more_dirhams_wins():
    state = finished(THREE, ["red a1a2", "yellow b1", "blue c1"], [5, 6, 1])
    assert state.scores() == [7, 7, 2]
    assert state.ranking() == [[1], [0], [2]]
    assert state.returns() == [0, 1, 0]


def test_a_full_tie_is_a_shared_win_with_gigamic():
    state = finished(FOUR, ["red a1a2", "yellow b1b2"], [5, 5, 0, 6])
    assert state.ranking() == [[0, 1], [3], [2]]
    assert state.returns() == [0.5, 0.5, 0, 0]


def test_a_full_tie_is_a_draw_that_pays_only_the_tied_leaders_with_pergioco():
    knobs = {"players": 4, "edition": "pergioco"}
    state = finished(knobs, ["red a1a2", "yellow b1b2"], [5, 5, 0, 6])
    assert state.ranking() == [[0, 1], [3], [2]]
    assert state.returns() == [0.5, 0.5, 0, 0]
    assert state.game.is_draw(state)
    names = ["Ada", "Ben", "Cem", "Dia"]
    assert state.game.result_sentence(state, names).startswith("A draw: Ada 7, Ben 7,")


def test_a_player_who_is_out_gains_nothing_by_a_draw():
    knobs = {"players": 3, "edition": "pergioco"}
    state = finished(knobs, ["yellow a1a2", "blue b1b2"], [0, 30, 30], out=[0])
    assert (state.scores(), state.ranking()) == ([0, 32, 32], [[1, 2], [0]])
    assert state.returns() == [0, 0.5, 0.5]
    assert state.game.is_draw(state)


def test_a_tie_for_second_place_is_no_draw():
    knobs = {"players": 3, "edition": "pergioco"}
    state = finished(knobs, [], [5, 3, 3])
    assert state.ranking() == [[0], [1, 2]]
    assert state.returns() == [1, 0, 0]


def test_three_may_share_the_win():
    assert finished(FOUR, [], [5, 5, 5, 1]).returns() == [1 / 3, 1 / 3, 1 / 3, 0]


def test_players_who_are_out_rank_last_and_the_last_one_out_first_among_them():
    state = finished(FOUR, ["red a1a2"], [0, 0, 0, 0], out=[2, 0])
    assert state.ranking() == [[1, 3], [0], [2]]
    assert state.scores() == [0, 0, 0, 0]
    assert state.returns() == [0, 0.5, 0, 0.5]


@given(games_played())
def test_before_the_end_nobody_has_won_and_at_the_end_one_win_is_shared_out(game):
    for _, _, after in game:
        if after.is_terminal():
            assert sum(after.returns()) == pytest.approx(1)
            best = after.ranking()[0]
            winners = [seat for seat, share in enumerate(after.returns()) if share]
            assert winners == best, "in a draw too"
        else:
            assert not any(after.returns())


# ---- editions ------------------------------------------------------------------------------------


@every_edition
def test_everyone_starts_with_30_dirhams(edition):
    for table in TABLES:
        assert set(dirhams(start(plain_knobs(edition, table)))) == {30}


@pytest.mark.parametrize(
    ("edition", "table", "each"),
    [
        ("gigamic", "four", 12),
        ("gigamic", "three", 15),
        ("gigamic", "two", 12),
        ("gigamic", "two of one colour", 15),
        ("gigamic-57", "four", 12),
        ("gigamic-57", "three", 15),
        ("gigamic-57", "two", 12),
        ("gigamic-57", "two of one colour", 15),
        ("pergioco", "four", 12),
        ("pergioco", "three", 15),
        ("pergioco", "two", 15),
        ("pergioco", "two of one colour", 15),
    ],
)
def test_rugs_of_each_colour(edition, table, each):
    counts = [
        count for player in rugs(start(plain_knobs(edition, table))) for count in player.values()
    ]
    assert set(counts) == {each}


def test_colours_of_the_seats():
    assert [list(own) for own in rugs(start(FOUR))] == [["red"], ["yellow"], ["blue"], ["orange"]]
    assert [list(own) for own in rugs(start(DECKS))] == [["red", "yellow"], ["blue", "orange"]]
    one_each = {**DECKS, "two_player": "one-colour"}
    assert [list(own) for own in rugs(start(one_each))] == [["red"], ["yellow"]]


@pytest.mark.parametrize(
    ("edition", "facing"), [("gigamic", "S"), ("gigamic-57", "S"), ("pergioco", "E")]
)
def test_where_assam_looks_at_the_start(edition, facing):
    assert assam(start({"edition": edition})) == f"d4 {facing}"
    assert assam(start({"edition": edition, "start_facing": "W"})) == "d4 W"


@every_edition
@every_table
def test_the_first_seat_starts(edition, table):
    for seat in range(TABLES[table][0]):
        knobs = {**plain_knobs(edition, table), "first": seat}
        assert start(knobs).to_dict()["to_move"] == seat


def test_the_first_turns_of_sheet_004():
    """South turns Assam down, rolls 2, lays c2-c3; north goes ahead, rolls 4, lays d3-c3."""
    state = start(FACE_DOWN)
    play(state, "red", "right", "2")
    assert assam(state) == "d2 S"
    assert legal(state) == places_beside("d2")
    play(state, "c2c3", "blue", "ahead", "4")
    assert path(state) == ["d1", "e1", "e2", "e3"]
    assert dirhams(state) == [30, 30]
    play(state, "c3d3")
    squares = state.to_dict()["squares"]
    assert {square: shown["colour"] for square, shown in squares.items()} == {
        "c2": "red",
        "c3": "blue",
        "d3": "blue",
    }
    assert squares["c3"]["rug"] == squares["d3"]["rug"]
    assert state.scores() == [31, 32]


# ---- the decks of two players --------------------------------------------------------------------


def test_open_piles_show_their_top_rugs_at_the_deal_first_seat_first():
    state = start({**DECKS, "first": 1})
    assert (phase(state), state.current_player(), next_rugs(state)) == (
        "draw",
        souk.CHANCE,
        [None, None],
    )
    assert chance(state) == {"blue": Fraction(1, 2), "orange": Fraction(1, 2)}
    play(state, "orange")
    assert (phase(state), state.to_dict()["to_move"]) == ("draw", 1)
    assert chance(state) == {"red": Fraction(1, 2), "yellow": Fraction(1, 2)}
    play(state, "red")
    assert (phase(state), state.current_player()) == ("turn", 1)
    assert next_rugs(state) == ["red", "orange"]


def test_an_open_pile_shows_its_next_rug_right_after_a_lay_in_proportion_to_what_is_left():
    state = play(start(DECKS), "red", "blue", "ahead", "1", "d4d5")
    assert (phase(state), state.to_dict()["to_move"]) == ("draw", 0)
    assert chance(state) == {"red": Fraction(11, 23), "yellow": Fraction(12, 23)}
    play(state, "yellow")
    assert (phase(state), state.current_player()) == ("turn", 1)
    assert next_rugs(state) == ["yellow", "blue"]


def test_a_face_down_pile_is_drawn_from_at_the_start_of_its_owners_turn():
    state = start(FACE_DOWN)
    assert chance(state) == {"red": Fraction(1, 2), "yellow": Fraction(1, 2)}
    play(state, "red", "ahead", "1", "d4d5")
    assert (phase(state), state.to_dict()["to_move"]) == ("draw", 1)
    assert next_rugs(state) == [None, None]
    play(state, "orange", "ahead", "1", "e3f3")
    assert chance(state) == {"red": Fraction(14, 29), "yellow": Fraction(15, 29)}


def test_a_draw_with_one_possible_colour_is_no_chance_event():
    knobs = {**DECKS, "rugs": 1}
    state = play(start(knobs), "red", "blue", "ahead", "1", "d4d5")
    assert (phase(state), state.current_player()) == ("turn", 1)
    assert next_rugs(state) == ["yellow", "blue"]
    knobs = {**FACE_DOWN, "rugs": 1}
    state = play(start(knobs), "red", "ahead", "1", "d4d5", "blue", "ahead", "1", "e3f3")
    assert (phase(state), state.current_player()) == ("turn", 0)
    assert next_rugs(state) == ["yellow", None]


@given(games_played())
def test_a_rug_is_drawn_in_proportion_to_what_is_left_in_its_pile(game):
    """Never a coin flip, never from an empty pile, never a certainty."""
    for before, _, after in game:
        if after.to_dict()["phase"] != "draw":
            continue
        position = after.to_dict()
        seats = [position["to_move"], 1 - position["to_move"]]
        pile = next(
            position["players"][seat]["rugs"]
            for seat in seats
            if position["players"][seat]["next"] is None
            and sum(position["players"][seat]["rugs"].values())
        )
        total = sum(pile.values())
        assert chance(after) == {colour: Fraction(left, total) for colour, left in pile.items()}
        assert before["phase"] in ("draw", "lay", "turn_last", "roll")


@given(games_played())
def test_a_face_down_pile_shows_nothing_between_its_owners_turns(game):
    for _, _, after in game:
        position = after.to_dict()
        if after.game.settings["pile"] == "face-down" and len(position["players"][0]["rugs"]) == 2:
            for seat, player in enumerate(position["players"]):
                in_hand = seat == position["to_move"] and position["phase"] in (
                    "turn",
                    "roll",
                    "lay",
                )
                assert (player["next"] is not None) == in_hand


@given(games_played())
def test_an_open_pile_always_shows_its_top_rug_once_dealt(game):
    for _, _, after in game:
        position = after.to_dict()
        if after.game.settings["pile"] == "open" and position["phase"] != "draw":
            for player in position["players"]:
                assert (player["next"] is not None) == any(player["rugs"].values())


@pytest.mark.parametrize("knobs", [THREE, {**DECKS, "two_player": "one-colour"}])
@pytest.mark.parametrize("pile", ["open", "face-down"])
def test_with_one_colour_each_there_is_nothing_to_draw(knobs, pile):
    state = start({**knobs, "pile": pile})
    assert phase(state) == "turn"
    assert next_rugs(state) == ["red", "yellow", "blue"][: state.game.num_players()]


# ---- the variant: turning last -------------------------------------------------------------------


def test_turning_last_the_first_turn_starts_with_the_roll_in_the_start_facing():
    state = start({**THREE, "turn_last": True})
    assert (phase(state), state.current_player()) == ("roll", souk.CHANCE)
    assert assam(play(state, "2")) == "d2 S"


def test_with_gigamic_assam_must_be_turned_after_laying():
    state = play(start({**THREE, "turn_last": True}), "2", "c2c3")
    assert (phase(state), state.current_player()) == ("turn_last", 0)
    assert legal(state) == {"left", "right"}
    play(state, "left")
    assert assam(state) == "d2 E"
    assert (phase(state), state.to_dict()["to_move"]) == ("roll", 1)


def test_with_pergioco_assam_may_be_turned_after_laying():
    knobs = {"players": 3, "edition": "pergioco", "turn_last": True}
    state = play(start(knobs), "2", "f5g5")
    assert phase(state) == "turn_last"
    assert legal(state) == {"left", "ahead", "right"}


@pytest.mark.parametrize("edition", EDITIONS)
def test_turning_last_must_and_may_be_chosen_in_any_edition(edition):
    for chosen, turnings in (("must", {"left", "right"}), ("may", {"left", "ahead", "right"})):
        state = start({"players": 3, "edition": edition, "turn_last": chosen, "start_facing": "S"})
        play(state, "2", "c2c3")
        assert phase(state) == "turn_last"
        assert legal(state) == turnings


@pytest.mark.parametrize(
    ("edition", "shown"),
    [
        ("gigamic", {"must": "True", "may": "may"}),
        ("gigamic-57", {"must": "must", "may": "may"}),
        ("pergioco", {"must": "must", "may": "True"}),
    ],
)
def test_must_and_may_are_shown_where_true_does_not_mean_them(edition, shown):
    for chosen, value in shown.items():
        game = souk.load_game(f"marrakech(players=3,edition={edition},turn_last={chosen})")
        assert str(game) == f"marrakech(players=3,edition={edition},turn_last={value})"
        assert souk.load_game(str(game)) == game
        assert game.new_initial_state().to_dict()["game"] == str(game)


def test_the_last_turn_has_no_turning_step():
    knobs = {**THREE, "turn_last": True}
    state = play(set_up(knobs, "lay", "d4 N", left=[1, 0, 0]), "d5d6")
    assert state.is_terminal()


def test_an_open_pile_shows_its_next_rug_before_assam_is_turned():
    state = play(start({**DECKS, "turn_last": True}), "red", "blue", "1", "c3c4")
    assert (phase(state), state.to_dict()["to_move"]) == ("draw", 0)
    play(state, "yellow")
    assert (phase(state), state.current_player()) == ("turn_last", 0)


def test_a_face_down_pile_is_drawn_from_after_assam_is_turned():
    state = play(start({**FACE_DOWN, "turn_last": True}), "red", "1", "e5f5", "ahead")
    assert (phase(state), state.to_dict()["to_move"]) == ("draw", 1)
    play(state, "blue")
    assert phase(state) == "roll"


@given(games_played())
def test_assam_is_turned_before_the_roll_or_after_laying_never_both(game):
    for before, _, after in game:
        turning = "turn_last" if after.game.settings["turn_last"] else "turn"
        assert before["phase"] in ("draw", "roll", "lay", turning)


# ---- knobs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("knobs", "named"),
    [
        ({"players": 1}, ["players", "2 to 4", "1"]),
        ({"players": 5}, ["players", "2 to 4", "5"]),
        ({"players": "three"}, ["players", "2 to 4", "'three'"]),
        ({"players": True}, ["players", "2 to 4", "True"]),
        ({"players": 3.0}, ["players", "2 to 4", "3.0"]),
        ({"players": None}, ["players", "2 to 4", "None"]),
        ({"edition": "hasbro"}, ["edition", "gigamic, gigamic-57 or pergioco", "'hasbro'"]),
        ({"edition": 57}, ["edition", "gigamic, gigamic-57 or pergioco", "57"]),
        ({"dirhams": -1}, ["dirhams", "0 to", "-1"]),
        ({"dirhams": 10**9}, ["dirhams", "0 to", "1000000000"]),
        ({"rugs": 0}, ["rugs", "1 to", "0"]),
        ({"rugs": 10**9}, ["rugs", "1 to", "1000000000"]),
        ({"two_player": "three-colour"}, ["two_player", "two-colour or one-colour"]),
        ({"two_player": "one-colour"}, ["two_player", "one-colour", "players=2"]),
        ({"players": 4, "two_player": "one-colour"}, ["two_player", "players=2", "4"]),
        ({"pile": "closed"}, ["pile", "open or face-down", "'closed'"]),
        ({"cannot_pay": "owes"}, ["cannot_pay", "out or plays-on", "'owes'"]),
        ({"full_tie": "coin"}, ["full_tie", "shared or draw", "'coin'"]),
        ({"start_facing": "north"}, ["start_facing", "N, E, S or W", "'north'"]),
        ({"start_facing": ["N"]}, ["start_facing", "N, E, S or W"]),
        ({"first": -1}, ["first", "0 to 3", "-1"]),
        ({"first": 3}, ["first", "0 to 2", "3"]),
        ({"players": 2, "first": 2}, ["first", "0 to 1", "2"]),
        ({"turn_last": "no"}, ["turn_last", "False, True, must or may", "'no'"]),
        ({"turn_last": "True"}, ["turn_last", "False, True, must or may", "'True'"]),
        ({"turn_last": 1}, ["turn_last", "False, True, must or may", "1"]),
        (
            {"edition": "gigamic-57", "turn_last": True},
            ["turn_last", "False, must or may", "gigamic-57", "pergioco"],
        ),
        ({"cover_own": "yes"}, ["cover_own", "True or False", "'yes'"]),
        ({"colour": "red"}, ["'colour'", "players", "cover_own"]),
    ],
)
def test_a_refused_knob_is_named_with_what_it_accepts(knobs, named):
    with pytest.raises(souk.BadKnob) as refusal:
        souk.load_game("marrakech", **knobs)
    for words in named:
        assert words in str(refusal.value)


def test_knobs_that_change_nothing_here_are_not_refused():
    for table in TABLES:
        for edition in EDITIONS:
            for knob in ({"pile": "open"}, {"pile": "face-down"}, {"turn_last": False}):
                start({**plain_knobs(edition, table), **knob})
