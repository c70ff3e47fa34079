"""Names that could mislead are refused, and nobody takes the name of another at the table."""

import random

import pytest

from souk.server.tables import commands as c
from souk.server.tables.commands import Refusal
from souk.server.tables.names import checked_name, skeleton
from souk.server.tables.request import Person
from tests.server.random_tables import ADA, BEN, ME, OPEN, ask, random_table


@pytest.mark.parametrize(
    "name",
    [
        "Ada",
        "Zoë",
        "Łukasz",
        "Nguyễn Thị",
        "Αθηνά",
        "Борис",
        "أحمد",
        "दीपिका",
        "李小龍",
        "ひろみ カナ",
        "Jean-Luc d’Arc",
        "R2-D2",
        "🦊",
        "שָׁלוֹם",
        "กิ่งแก้ว",
        "Ada ❤ Ben",
    ],
)
def test_names_of_all_scripts_are_accepted_as_they_are(name):
    assert checked_name(name) == name


@pytest.mark.parametrize(
    "name", ["Ａｄａ", "𝐀𝐝𝐚", "Ⓐⓓⓐ", "A\u200bda".replace("\u200b", ""), " Ada\t"]
)
def test_decorated_letters_become_the_plain_ones(name):
    assert checked_name(name) == "Ada"


@pytest.mark.parametrize(
    "name",
    [
        "Аda",
        "Adα",
        "Воb",
        "Z" + "́" * 3 + "oe",
        "H̶̡̺e",
        "a⃝",
        "...",
        "ADMIN",
        "Mоderator",
        "m0derat0r",
        "S o u k",
        "Ada\u1160",
        "\u3164",
        "\u2800",
        "ᴀᴅᴍɪɴ",
        "\U0001d159",
        "ꓮꓓꓟꓲꓠ",
        "🅐🅓🅜🅘🅝",
    ],
)
def test_misleading_names_are_refused_with_a_sentence(name):
    with pytest.raises(Refusal) as refusal:
        checked_name(name)
    assert refusal.value.code == "bad-name" and refusal.value.sentence.endswith(".")


@pytest.mark.parametrize(
    "twin",
    [
        "ada",
        "Ａda",
        "A d a",
        "Аԁа",
        "Adá",
        "АДА".replace("Д", "ԁ"),
        "ᴀᴅᴀ",
        "Adɑ",
        "ꓮꓓꓮ",
        "ᎪᎠᎪ",
        "🅰🅳🅰",
    ],
)
def test_names_that_look_alike_have_one_skeleton(twin):
    assert skeleton(twin) == skeleton("Ada")


@pytest.mark.parametrize(
    ("one", "other"), [("Ada", "Ida"), ("Ben", "Bea"), ("李", "王"), ("🦊", "🐪")]
)
def test_names_that_differ_have_different_skeletons(one, other):
    assert skeleton(one) != skeleton(other)


def waiting():
    return random_table(random.Random(0), seats=[ME, OPEN, OPEN], game="marrakech(players=3)")


@pytest.mark.parametrize("name", ["Ada", "ADA", "Аԁа"])
def test_nobody_sits_under_the_name_of_another_at_the_table(name):
    refusal = ask(waiting(), BEN, c.Sit("sit", 1, name))
    assert refusal.code == "name-taken" and "Ada" in refusal.sentence


def test_a_guest_of_the_same_name_gets_a_number_and_a_watcher_too():
    logged, twin = waiting(), Person("twin", "Ada")
    said = ask(logged, twin, c.Say("say", "hello"))
    assert said.name == "Ada 2", "not the name of a player"
    sat = ask(logged, twin, c.Sit("sit", 1))
    assert sat.name == "Ada 2"
    logged.add(sat)
    assert ask(logged, Person("third", "ada"), c.Sit("sit", 2)).name == "ada 3"


def test_one_person_may_use_a_name_twice_and_a_computer_player_keeps_its_own():
    logged = waiting()
    assert ask(logged, ADA, c.Sit("sit", 1, "Ada")).name == "Ada"
    logged.add(ask(logged, ADA, c.Assign("assign", 1, "greedy")))
    name = logged.table.seats[1].name
    assert ask(logged, BEN, c.Sit("sit", 2, name)).code == "name-taken"


def test_a_repeated_request_under_a_name_is_the_same():
    logged = waiting()
    entry = ask(logged, BEN, c.Sit("sit", 1, "Ｂｅｎ"))
    logged.add(entry)
    assert entry.name == "Ben"
    assert ask(logged, BEN, c.Sit("sit", 1, "Ｂｅｎ")).n == logged.table.n
