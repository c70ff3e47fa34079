"""The string that names a game: read and written, quoted where needed, refused with reasons."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import souk
from souk.engine.knobs import (
    Choice,
    Flag,
    FlagOrChoice,
    Integer,
    check_settings,
    format_game,
    format_value,
    parse_game,
    parse_value,
)
from tests.games.marrakech.reference import Reference
from tests.games.marrakech.strategies import knobs as marrakech_knobs

values = (
    st.booleans()
    | st.integers(-(10**17), 10**17)
    | st.text()
    | st.sampled_from(
        ["True", "False", "3", "-3", "", "a b", 'say "x"', "it's", "a,b", "(x)", "\\"]
    )
)
names = st.from_regex(r"[a-z_][a-z0-9_]{0,8}", fullmatch=True)


@given(values)
def test_a_value_is_read_back_as_it_was_with_its_type(value):
    read = parse_value(format_value(value))
    assert read == value and type(read) is type(value)


@given(names, st.dictionaries(names, values))
def test_a_game_string_is_read_back_as_it_was(name, settings):
    assert parse_game(format_game(name, settings)) == (name, settings)


@given(st.dictionaries(names, values, min_size=1))
def test_spaces_round_names_and_values_mean_nothing(settings):
    inside = " , ".join(f" {name} = {format_value(value)} " for name, value in settings.items())
    assert parse_game(f"  chess ( {inside} )  ") == ("chess", settings)


def test_plain_words_are_not_quoted_and_others_are():
    assert format_value("gigamic-57") == "gigamic-57"
    assert format_value("boards/fez.json") == "boards/fez.json"
    assert format_value("my board") == '"my board"'
    assert format_value("3") == '"3"'
    assert format_value("True") == '"True"'
    assert format_value(True) == "True"
    assert format_value("") == '""'


def test_single_quotes_are_read_too():
    assert parse_game("chess(board='my board, the small one')") == (
        "chess",
        {"board": "my board, the small one"},
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "write it like name(players=3,knob=value)"),
        ("mar rakech", "write it like"),
        ("marrakech(players=3", "write it like"),
        ("marrakech players=3", "write it like"),
        ("marrakech(players)", "cannot read 'players'"),
        ("marrakech(=3)", "cannot read '=3'"),
        ("marrakech(players=)", "cannot read 'players='"),
        ("marrakech(players=3 edition=gigamic)", "cannot read 'players=3 edition=gigamic'"),
        ("marrakech(players=3,)", "cannot read"),
        ("marrakech(,players=3)", "cannot read"),
        ("marrakech(players=3,players=4)", "players is set twice"),
        ('marrakech(edition="gigamic)', "cannot read"),
        ('marrakech(edition="a\\q")', "is not a quoted text"),
    ],
)
def test_invalid_syntax_is_refused_with_its_position(text, words):
    with pytest.raises(souk.BadKnob) as refusal:
        souk.load_game(text)
    assert words in str(refusal.value)


@given(st.text())
def test_any_text_is_a_game_or_refused(text):
    with pytest.raises(souk.BadKnob):
        souk.load_game("?" + text)
    with pytest.raises(souk.BadKnob):
        souk.load_game(f"marrakech({text or '?'}=?)")


@pytest.mark.parametrize("knob", ["self", "cls", "text", "name", "settings", "given"])
def test_an_unknown_knob_is_refused_whatever_its_name(knob):
    with pytest.raises(souk.BadKnob, match=f"no knob '{knob}'"):
        souk.load_game(f"marrakech({knob}=3)")


@pytest.mark.parametrize("knob", ["self", "cls", "text", "name"])
def test_an_unknown_knob_beside_the_string_is_refused_too(knob):
    with pytest.raises(souk.BadKnob, match=f"no knob '{knob}'"):
        souk.load_game("marrakech", **{knob: 3})


def test_an_unknown_game_is_refused_with_those_there_are():
    with pytest.raises(souk.BadKnob, match=r"no game 'chess'.*marrakech"):
        souk.load_game("chess")


@pytest.mark.parametrize("text", [None, 3, b"marrakech", ["marrakech"]])
def test_values_other_than_texts_are_refused(text):
    with pytest.raises(souk.BadKnob, match="named by a text"):
        souk.load_game(text)


def test_a_knob_set_in_the_string_and_beside_it_is_refused():
    with pytest.raises(souk.BadKnob, match="players is set twice"):
        souk.load_game("marrakech(players=3)", players=3)


def test_each_kind_of_knob_says_what_it_accepts():
    kinds = [
        Integer("n", "", 2, 4),
        Choice("pile", "", ("open", "face-down")),
        Flag("flag", ""),
        FlagOrChoice("last", "", ("must", "may")),
    ]
    for name, value, words in [
        ("n", 5, "n accepts a whole number from 2 to 4, not 5"),
        ("n", True, "n accepts a whole number from 2 to 4, not True"),
        ("n", 3.0, "n accepts a whole number from 2 to 4, not 3.0"),
        ("pile", "Open", "pile accepts open or face-down, not 'Open'"),
        ("flag", 1, "flag accepts True or False, not 1"),
        ("depth", 1, "chess has no knob 'depth'; it has n, pile, flag or last"),
        ("last", 0, "last accepts False, True, must or may, not 0"),
        ("last", "Must", "last accepts False, True, must or may, not 'Must'"),
    ]:
        with pytest.raises(souk.BadKnob) as refusal:
            check_settings("chess", kinds, {name: value})
        assert words in str(refusal.value)
    good = {"n": 2, "pile": "open", "flag": False}
    for last in (False, True, "must", "may"):
        assert check_settings("chess", kinds, {**good, "last": last}) == {**good, "last": last}


@given(marrakech_knobs(short=False))
def test_a_games_string_shows_what_differs_from_the_default_and_names_the_same_game(knobs):
    game = souk.load_game("marrakech", **knobs)
    assert str(game) == Reference(**knobs).game_text()
    again = souk.load_game(str(game))
    assert again == game and hash(again) == hash(game)
    assert again.settings == game.settings
    assert eval(repr(game), {"souk": souk}) == game


def test_games_differ_as_their_knobs_do():
    assert souk.load_game("marrakech") == souk.load_game("marrakech(dirhams=30)")
    assert souk.load_game("marrakech") != souk.load_game("marrakech", dirhams=29)
    assert souk.load_game("marrakech") != "marrakech(players=3,edition=gigamic)"
