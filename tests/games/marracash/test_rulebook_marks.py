"""Which statements of the rulebook are marked: those that the rule sheet does not make."""

import re
from collections import Counter

import pytest

from souk.engine.rulebook import read
from tests.games.marracash.test_rulebook import (
    FOLDER,
    LANGUAGES,
    TRANSLATIONS,
    every_game,
    rules,
    section,
)
from tests.games.rulebook_text import marked, sentences

# Parts of the English sentences that are not on the sheet; all others are, or follow from it.
UNSAID = {
    "kit": ["16 fountains", "five of each colour", "smallest amount"],
    "board": ["where the group arrives", "Which shops are met"],
    "setup": ["at random.", "Three play by"],
    "first-round": ["cannot start an auction"],
    "turn": ["free to choose", "no second step", "start with an auction", "If neither"],
    "auction": ["you need at least", "bid more than you hold", "A new shop waits"],
    "move": ["dark ones included"],
    "commission": ["how much is due", "which is paid only once", "Each shop is reckoned"],
    "visitors": ["If several dark", "With 3 visitors", "With one visitor"],
    "souvenirs": ["show these values", "one by one", "same spot", "the deck is used up"],
    "end": ["share the win"],
}


def test_what_the_sheet_does_not_say_is_marked_and_nothing_else() -> None:
    seen = set()
    for game in every_game():
        for part in read(FOLDER, "en", game).sections:
            for sentence in sentences(part.body):
                facts = [fact for fact in UNSAID.get(part.id, ()) if fact in sentence]
                assert sentence.endswith("†") == (len(facts) == 1), sentence
                seen |= {(part.id, fact) for fact in facts}
    assert seen == {(id, fact) for id, facts in UNSAID.items() for fact in facts}


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_every_language_marks_what_english_marks(language: str) -> None:
    for game in every_game():
        ours, english = (marked(read(FOLDER, one, game)) for one in (language, "en"))
        assert Counter(id for id, _ in ours) == Counter(id for id, _ in english)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_right_sentences_are_marked_in_every_language(language: str) -> None:
    """The decisions that people ask about most: each in the sentence that tells it."""
    (steps,) = (one for id, one in marked(rules(language)) if id == "kit" and one[0] != "-")
    assert re.search("25 [Dd]irham", steps)
    assert sentences(section(language, "end"))[-1].endswith("†")  # a shared win
    values = section(language, "souvenirs", souvenirs=True)
    assert re.search(r" 25\s?:†\n", values)


@pytest.mark.parametrize("language", LANGUAGES)
def test_only_the_sheets_reading_of_the_movers_commission_is_unmarked(language: str) -> None:
    for reading, count in {"per-customer": 0, "per-group": 2, "once": 2}.items():
        assert section(language, "commission", commission=reading).count("†") == count


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_notes_add_up(language: str) -> None:
    one, two, four = {
        "de": ("einem", "zwei", "vier"), "en": ("one", "two", "four"),
        "es": ("un", "dos", "cuatro"), "fr": ("un", "deux", "quatre"),
        "it": ("una", "due", "quattro"), "nl": ("één", "twee", "vier"),
        "pt": ("uma", "duas", "quatro"),
    }[language]  # fmt: skip
    counted = {one: 1, two: 2, four: 4}
    notes = next(x for x in sentences(section(language, "setup")) if "500" in x)
    found = re.findall(rf"\b({'|'.join(counted)})\b\D*?(\d+)", notes)
    assert [(counted[count], int(note)) for count, note in found] == [
        (1, 500), (2, 200), (2, 100), (4, 25),
    ]  # fmt: skip
    assert sum(counted[count] * int(note) for count, note in found) == 1200


@pytest.mark.parametrize("language", LANGUAGES)
def test_shops_at_the_same_spot_are_ordered_on_the_shipped_boards(language: str) -> None:
    ours, custom = (
        section(language, "souvenirs", souvenirs=True, layout=layout)
        for layout in ("medina", "Kasbah")
    )
    assert len(sentences(ours)) == len(sentences(custom)) + 1  # a board file gives its own order
