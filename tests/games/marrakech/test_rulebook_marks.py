"""Which statements of the rulebook are marked: those that the edition's sheet does not make."""

import re
from collections import Counter
from itertools import product

import pytest

import souk
from tests.games.marrakech.test_rulebook import (
    EDITIONS,
    LANGUAGES,
    TABLES,
    TRANSLATIONS,
    rules,
    section,
)
from tests.games.rulebook_text import marked, sentences

G60, G57, PG = EDITIONS  # sheets 000 and 001, sheet 002, sheet 004

# By section: a part of the English sentence, and the editions whose sheet does not say it.
FACTS: dict[str, dict[str, set[str]]] = {
    "kit": {"a board of": {G60, G57}, "1, 2, 2, 3, 3 and 4": {G60, G57, PG}},
    "board": {
        "two by two": {G60, G57, PG},
        "a step like any other": {G60, G57},
        "At g7": {G60, G57},  # sheet 004 has it as an example
        "At a1": {G60, G57, PG},
    },
    "setup": {
        "in the middle": set(),
        "He faces": {G60, G57, PG},
        "of one colour": set(),  # 15 or 12; sheet 002 also deals 15 to two players
        "in two colours": set(),
        "of each colour": {
            G60,
            G57,
        },  # the sheets only say 24 in two colours
        "coins": set(),
        "these colours": {G60, G57, PG},
        "Morocco": set(),
        "anyone": set(),
        "play goes round": {PG},
    },
    "piles": {
        "shuffles": set(),
        "lie face up": {G60, G57, PG},
        "lie face down": {G60, G57},
        "You draw": {G60, G57},
        "You show it": {G60, G57, PG},
    },
    "turn": {
        "**Draw**": {G60, G57},
        "for the next player.": {G57, PG},
        "for the next player, or": {G60, G57},
    },
    "turning": {
        "Before you roll": set(),
        "you must turn": {G57, PG},
        "After laying, you may": {G60, G57},
        "never turns right round": set(),
        "On the last turn": {G60, G57, PG},
    },
    "walk": {"twice as often": {G60, G57, PG}, "On the very first turn": {G60, G57, PG}},
    "tax": {"on an empty square": set(), "on a neutral rug": {G57, PG}},
    "broke": {
        "you are **out**": {G57},
        "Your turn ends": {G57},
        "all you have.": {G57},
        "forgiven": {G60, G57, PG},
        "the other player wins": {G60, G57},
        "in the box": {G57, PG},
        "**neutral rugs**": {G57, PG},
    },
    "lay": {
        "of the same rug at once": set(),
        "your own rugs too": {G60, G57},
        "Neutral rugs": {G60, G57},
        "Any number": {G60, G57},
    },
    "end": {"The game ends": set(), "It also ends": {G60, G57}, "scores 0": {G60, G57, PG}},
    "ties": {
        "more dirhams": set(),
        "they share the win": {G60, G57, PG},
        "nobody wins": {G60, G57},
        "Only they share": {G60, G57, PG},
        "rank behind": {G60, G57, PG},
    },
}
KNOBS: dict[str, list[object]] = {
    "pile": ["open", "face-down"],
    "cannot_pay": ["out", "plays-on"],
    "full_tie": ["shared", "draw"],
    "turn_last": ["no", "must", "may"],
    "cover_own": [False, True],
}
MIXES = [dict(zip(KNOBS, chosen, strict=True)) for chosen in product(*KNOBS.values())]
each_edition = pytest.mark.parametrize("edition", EDITIONS)


@each_edition
def test_what_the_sheet_does_not_say_is_marked_and_nothing_else(edition: str) -> None:
    seen = set()
    for (players, two_player), mix in product(TABLES, MIXES):
        book = rules("en", players, two_player=two_player, edition=edition, **mix)
        for part in book.sections:
            for sentence in sentences(part.body):
                facts = [fact for fact in FACTS.get(part.id, ()) if fact in sentence]
                assert len(facts) <= 1, sentence
                unsaid = any(edition in FACTS[part.id][fact] for fact in facts)
                assert sentence.endswith("†") == unsaid, (players, mix, sentence)
                seen |= {(part.id, fact) for fact in facts}
    known = {(id, fact) for id, facts in FACTS.items() for fact in facts}
    elsewhere = ["coins", "Morocco"] if edition == PG else ["anyone"]
    assert seen == known - {("setup", fact) for fact in elsewhere}


@each_edition
@pytest.mark.parametrize("language", TRANSLATIONS)
def test_every_language_marks_what_english_marks(language: str, edition: str) -> None:
    single: list[dict[str, object]] = [{name: one} for name, all in KNOBS.items() for one in all]
    for (players, two_player), chosen in product(TABLES, single):
        knobs = {**chosen, "two_player": two_player, "edition": edition}
        ours, english = (marked(rules(one, players, **knobs)) for one in (language, "en"))
        assert Counter(id for id, _ in ours) == Counter(id for id, _ in english)


SHARED_WIN = {
    "de": "teilen sie sich den Sieg", "en": "share the win", "es": "comparten la victoria",
    "fr": "partagent la victoire", "it": "condividono la vittoria",
    "nl": "delen ze de overwinning", "pt": "partilham a vitória",
}  # fmt: skip
ODDS = {
    "de": "doppelt so oft", "en": "twice as often", "es": "el doble de veces",
    "fr": "deux fois plus souvent", "it": "il doppio delle volte", "nl": "twee keer zo vaak",
    "pt": "o dobro da frequência",
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_right_sentences_are_marked_in_every_language(language: str) -> None:
    """The decisions that people ask about most: each in the sentence that tells it."""

    def is_marked(id: str, part: str, **knobs: object) -> bool:
        (one,) = (one for one in sentences(section(language, id, 2, **knobs)) if part in one)
        return one.endswith("†")

    for edition in EDITIONS:
        assert is_marked("walk", ODDS[language], edition=edition)
        assert is_marked("setup", "d1", edition=edition)
        assert is_marked("ties", SHARED_WIN[language], edition=edition)
    (pile,) = (one for id, one in marked(rules(language, 2)) if id == "piles")
    assert not pile.endswith(":†") and section(language, "piles", 2).split("\n\n")[1].startswith(
        pile
    )
    playing_on = sentences(section(language, "broke", 2, edition=G57, cannot_pay="plays-on"))
    assert [one.endswith("†") for one in playing_on] == [False, True, True]


@pytest.mark.parametrize("language", LANGUAGES)
def test_only_the_tied_leaders_share_a_draw(language: str) -> None:
    two, three = (sentences(section(language, "ties", n, full_tie="draw")) for n in (2, 3))
    alone = [one for one in three if one not in two]
    assert len(alone) == 2 and all(one.endswith("†") for one in alone)  # and the order of the out


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sheets_way_to_choose_who_starts(language: str) -> None:
    morocco = {"de": "Marokko", "en": "Morocco", "es": "Marruecos", "fr": "Maroc", "it": "Marocco",
               "nl": "Marokko", "pt": "Marrocos"}[language]  # fmt: skip
    for edition in EDITIONS:
        assert (morocco in section(language, "setup", edition=edition)) == (edition != PG)


@pytest.mark.parametrize("language", LANGUAGES)
def test_coins_are_those_of_the_box(language: str) -> None:
    coins = {"de": "Münze", "en": "coin", "es": "moneda", "fr": "pièce", "it": "monet",
             "nl": "munt", "pt": "moeda"}[language]  # fmt: skip
    for edition in EDITIONS:
        assert (coins in section(language, "setup", edition=edition)) == (edition != PG)
        assert coins not in section(language, "setup", edition=edition, dirhams=20)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_book_tells_how_the_sheets_differ(language: str) -> None:
    for edition in EDITIONS:
        text = section(language, "editions", edition=edition)
        assert re.findall(r"- \*\*(Gigamic, \d+|Per gioco)", text) == [
            "Gigamic, 60", "Gigamic, 57", "Per gioco",
        ]  # fmt: skip
        assert "†" not in text


@pytest.mark.parametrize(
    ("knobs", "is_house_deal"),
    [
        ({}, False),
        ({"players": 4}, False),
        ({"players": 2}, False),
        ({"players": 2, "edition": "pergioco"}, False),
        ({"players": 2, "edition": "gigamic-57", "two_player": "one-colour"}, False),
        ({"players": 2, "two_player": "one-colour"}, True),
        ({"players": 2, "edition": "pergioco", "two_player": "one-colour"}, True),
        ({"players": 2, "edition": "pergioco", "rugs": 12}, True),
        ({"players": 2, "rugs": 15}, True),
        ({"dirhams": 20}, True),
        ({"rugs": 12}, True),
    ],
)
def test_a_deal_that_the_sheet_does_not_make_is_marked(
    knobs: dict[str, object], is_house_deal: bool
) -> None:
    book = souk.load_game("marrakech", **knobs).rulebook("en")  # type: ignore[arg-type]
    (setup,) = (part.body for part in book.sections if part.id == "setup")
    (deal,) = (one for one in sentences(setup) if one.startswith("Each player takes"))
    assert deal.endswith("†") == is_house_deal
