"""The rules of MarraCash for players: every language, every mix of knobs."""

import re
from collections.abc import Iterator
from itertools import product
from math import prod
from pathlib import Path

import pytest

from souk.engine.rulebook import Rulebook, languages, read
from souk.games.marracash.drawing.examples import EXAMPLES
from tests.games.rulebook_text import outline, sentences

FOLDER = Path(__file__).parents[3] / "souk" / "games" / "marracash" / "rulebook"
LANGUAGES = ["de", "en", "es", "fr", "it", "nl", "pt"]
TRANSLATIONS = [language for language in LANGUAGES if language != "en"]
# Fixed parts of a web address: a page links to them.
SECTIONS = [
    "about", "kit", "board", "setup", "first-round", "turn", "auction", "move",
    "shops", "commission", "visitors", "souvenirs", "end", "tips", "notation",
]  # fmt: skip

# What each knob accepts, see the rules. A layout has any name.
CHOICES: dict[str, list[object]] = {
    "players": [3, 4],
    "layout": ["classic1996", "medina", "Medina (original layout)"],
    "souvenirs": [False, True],
    "commission": ["per-customer", "per-group", "once"],
    "pull_in": [False, True],
}
COLOURS = {
    "de": {"red": "Rot", "purple": "Violett", "green": "Grün", "blue": "Blau", "yellow": "Gelb"},
    "en": {"red": "red", "purple": "purple", "green": "green", "blue": "blue", "yellow": "yellow"},
    "es": {
        "red": "rojo", "purple": "morado", "green": "verde", "blue": "azul", "yellow": "amarillo",
    },
    "fr": {"red": "rouge", "purple": "violet", "green": "vert", "blue": "bleu", "yellow": "jaune"},
    "it": {"red": "rosso", "purple": "viola", "green": "verde", "blue": "blu", "yellow": "giallo"},
    "nl": {"red": "rood", "purple": "paars", "green": "groen", "blue": "blauw", "yellow": "geel"},
    "pt": {
        "red": "vermelho", "purple": "roxo", "green": "verde", "blue": "azul", "yellow": "amarelo",
    },
}  # fmt: skip
TOTAL = {"de": "summe", "it": "totale", "nl": "totaal"}  # elsewhere, total
SOUVENIR = {"es": "recuerdo", "pt": "lembrança"}  # elsewhere, souvenir
LOWEST_CARD = {"red": 50, "purple": 75, "green": 100, "blue": 125, "yellow": 150}


def values(**knobs: object) -> dict[str, object]:
    """The values of a game, as the command line hands them over."""
    return {
        "players": 3,
        "layout": "classic1996",
        "souvenirs": False,
        "commission": "per-customer",
        "pull_in": False,
        "shops": 25,
        "fountains": 16,
        "visitors": 54,
        "queue": 45,
        "dirhams": 1200,
        "signs": 6,
        **knobs,
    }


def every_game() -> Iterator[dict[str, object]]:
    for chosen in product(*CHOICES.values()):
        yield values(**dict(zip(CHOICES, chosen, strict=True)))


def rules(language: str, **knobs: object) -> Rulebook:
    return read(FOLDER, language, values(**knobs))


def section(language: str, id: str, **knobs: object) -> str:
    bodies = {s.id: s.body for s in rules(language, **knobs).sections}
    return bodies[id]


def numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text)]


def source(language: str) -> str:
    return (FOLDER / f"{language}.md").read_text(encoding="utf-8")


each_language = pytest.mark.parametrize("language", LANGUAGES)


def test_the_rules_come_in_seven_languages() -> None:
    assert languages(FOLDER) == LANGUAGES


@each_language
def test_every_mix_of_knobs_renders_in_full(language: str) -> None:
    for game in every_game():
        book = read(FOLDER, language, game)
        ids = [s.id for s in book.sections]
        assert ids == [id for id in SECTIONS if game["souvenirs"] or id != "souvenirs"]
        assert all(s.title and s.body for s in book.sections), game
        assert not re.search(r"[{}\[\]]|\bNone\b|\bTrue\b|\bFalse\b|  ", book.markdown()), game


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_translations_have_the_lines_of_the_english_text(language: str) -> None:
    assert outline(source(language)) == outline(source("en"))
    assert len(outline(source("en"))) > 150


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_translations_have_the_numbers_and_notation_of_the_english_text(language: str) -> None:
    pattern = r"`[^`]+`|\d+ [+×=] |\b\d{2,}\b"
    for game in every_game():
        english = read(FOLDER, "en", game)
        for ours, theirs in zip(
            read(FOLDER, language, game).sections, english.sections, strict=True
        ):
            result, expected = (set(re.findall(pattern, s.body)) for s in (ours, theirs))
            explained = {"`head`", "`tail`"}  # English needs no gloss
            assert result - explained == expected - explained, ours.id


@each_language
def test_conditions_ask_only_for_values_a_knob_can_have(language: str) -> None:
    conditions = " ".join(re.findall(r"(?:^|†)\[([^\]]*)\]", source(language), flags=re.M))
    for name, accepted in re.findall(r"(\w+)=(\S+)", conditions):
        # A board may have a single shop; the notes are those of the only amount dealt.
        known = {**CHOICES, "shops": [1], "dirhams": [1200]}
        assert set(accepted.split("|")) <= {str(value) for value in known[name]}, name


@pytest.mark.parametrize(
    ("language", "one", "many"),
    [
        ("de", "3 Brunnen und 1 Laden†\n", "und 25 Läden"),
        ("en", "3 fountains and 1 shop†\n", "and 25 shops"),
        ("es", "3 fuentes y 1 tienda†\n", "y 25 tiendas"),
        ("fr", "3 fontaines et 1 boutique†\n", "et 25 boutiques"),
        ("it", "3 fontane e 1 bottega†\n", "e 25 botteghe"),
        ("nl", "3 fonteinen en 1 winkel†\n", "en 25 winkels"),
        ("pt", "3 fontes e 1 loja†\n", "e 25 lojas"),
    ],
)
def test_a_board_with_one_shop_has_no_shops(language: str, one: str, many: str) -> None:
    assert one in section(language, "kit", shops=1, fountains=3)
    assert many in section(language, "kit")


@each_language
def test_every_mix_of_knobs_has_its_own_text(language: str) -> None:
    texts = [read(FOLDER, language, game).markdown() for game in every_game()]
    assert len(set(texts)) == len(texts)


@each_language
@pytest.mark.parametrize(
    ("amount", "where"),
    [
        ("shops", ["kit"]),
        ("fountains", ["kit", "board"]),
        ("visitors", ["kit"]),
        ("queue", ["setup"]),
        ("dirhams", ["kit", "setup"]),
        ("signs", ["kit", "setup"]),
    ],
)
def test_amounts_appear_where_they_are_needed(language: str, amount: str, where: list[str]) -> None:
    for id in where:
        assert 87 in numbers(section(language, id, **{amount: 87})), id


@each_language
def test_the_board_is_named(language: str) -> None:
    assert "Kasbah" in section(language, "about", layout="Kasbah")


@each_language
def test_customers_pay_by_their_rank(language: str) -> None:
    lines = [x for x in section(language, "shops").splitlines() if x.startswith("- ")]
    assert [numbers(line) for line in lines] == [[1, 100], [2, 200], [3, 300], [4, 400], [5, 500]]
    example = section(language, "shops").splitlines()[-1]
    assert re.search(r"\b1\D+100\D+3\D+300\D+6\D+500\b", example)


@each_language
def test_the_auctioneers_commission_has_its_border(language: str) -> None:
    text = section(language, "auction")
    line = next(x for x in text.splitlines() if x.startswith("4. "))
    assert numbers(line)[1:] == [100, 500, 200, 525]


@each_language
def test_the_rulebook_explains_the_chosen_movers_commission(language: str) -> None:
    for souvenirs in (False, True):
        single, group, once = (
            section(language, "commission", commission=reading, souvenirs=souvenirs)
            for reading in ("per-customer", "per-group", "once")
        )
        for text in (single, group, once):
            tiers = [x for x in text.splitlines() if x.startswith("- ")]
            assert [numbers(x) for x in tiers] == [[300, 50], [300, 100]]
        assert "50 + 100 + 100 = 250" in single and "3 × 100" not in single
        assert "3 × 100 = 300" in group and "50 + 100" not in group
        paid = [numbers(x)[-1] for x in sentences(once.splitlines()[-1])[1:]]
        assert paid == [50, 100] and "×" not in once
        word = TOTAL.get(language, "total")
        assert word in group.lower() and word in once.lower() and word not in single.lower()


@each_language
def test_sums_and_products_are_right(language: str) -> None:
    seen = 0
    for game in every_game():
        text = read(FOLDER, language, game).markdown()
        for terms, result in re.findall(r"((?:\d+ \+ )+\d+) = (\d+)", text):
            assert sum(numbers(terms)) == int(result)
            seen += 1
        for factors, result in re.findall(r"(\d+ × \d+) = (\d+)", text):
            assert prod(numbers(factors)) == int(result)
            seen += 1
    assert seen > 50


@each_language
def test_amounts_of_money_are_multiples_of_25(language: str) -> None:
    for game in every_game():
        text = read(FOLDER, language, game).markdown()
        small = {number for number in numbers(text) if number % 25}
        assert small <= {*range(7), 8, 10, 14, 16, 45, 54, 1996}, game


@each_language
def test_souvenir_cards_have_their_values(language: str) -> None:
    lines = section(language, "souvenirs", souvenirs=True).splitlines()
    mentioned = {}
    for line in lines:
        if match := re.match(r"- (\w+)\s?: ", line):
            mentioned[match[1]] = numbers(line)
    names = COLOURS[language]
    assert mentioned == {names[colour]: [low, low + 100] for colour, low in LOWEST_CARD.items()}


@each_language
def test_souvenirs_are_mentioned_only_where_they_are_in_play(language: str) -> None:
    for game in every_game():
        text = read(FOLDER, language, game).markdown()
        assert (SOUVENIR.get(language, "souvenir") in text.lower()) == game["souvenirs"]
        assert ("`card 150`" in text) == ("`red 125`" in text) == game["souvenirs"]


@pytest.mark.parametrize(
    ("language", "word"),
    [("de", "Hausregel:"), ("en", "House rule:"), ("es", "Regla de la casa:"),
     ("fr", "Règle maison\u00a0:"), ("it", "Regola della casa:"), ("nl", "Huisregel:"),
     ("pt", "Regra da casa:")],
)  # fmt: skip
def test_pulling_in_is_mentioned_as_a_house_rule(language: str, word: str) -> None:
    for game in every_game():
        assert (word in read(FOLDER, language, game).markdown()) == game["pull_in"]


@each_language
def test_the_turn_has_three_ways_and_the_auction_four_steps(language: str) -> None:
    ways = [x for x in section(language, "turn").splitlines() if x.startswith("- ")]
    assert len(ways) == 3
    steps = [x for x in section(language, "auction").splitlines() if re.match(r"\d\. ", x)]
    assert [step[:2] for step in steps] == ["1.", "2.", "3.", "4."]


@each_language
def test_everyone_has_a_last_turn(language: str) -> None:
    for players in (3, 4):
        text = section(language, "end", players=players)
        seats = re.findall(r"\d", text)
        last = seats[0]  # who brings the last group
        assert seats[-1] == last
        assert sorted(seats[1:]) == [str(seat + 1) for seat in range(players)]


@each_language
def test_everyone_but_the_auctioneer_passes_in_the_example(language: str) -> None:
    for players in (3, 4):
        example = section(language, "notation", players=players).splitlines()[-1]
        assert example.count("`pass`") == players - 1


@each_language
def test_the_notation_is_that_of_the_contract(language: str) -> None:
    text = section(language, "notation", souvenirs=True)
    for action in (
        "move F1>F3", "auction R3", "bid 125", "pass", "bring F8 head 3", "bring F8 tail 2",
        "card 150", "red 125",
    ):  # fmt: skip
        assert f"`{action}`" in text


@pytest.mark.parametrize(
    ("language", "banned"),
    [
        ("de", "tourist|geschäft|figur|spielstein|gasse|verkäufer|käufer|gebühr|münze|händler"),
        ("en", "tourist|client|clerk|line|pawn|token|store|stall|road|alley|fee|color"),
        ("es", "turista|comercio|negocio|ficha|callej|vended|oferta|ofrec|moneda|entrada|propiet"),
        ("fr", "touriste|magasin|échoppe|pion|ruelle|vendeur|commissaire|prime|d’entrée"),
        ("it", "turist|negozi|pedin|segnalin|vicol|vendito|puntat|monet|ingress"),
        ("nl", "toerist|zaak|zaken|pion|steeg|verkoper|provisie|munt|ingang|wachtrij|bordje"),
        ("pt", "turista|negócio|peão|ficha|viela|vendedor|licita|moeda|entrada|propriet|ronda"),
    ],
)
def test_one_word_per_thing(language: str, banned: str) -> None:
    for game in every_game():
        assert not re.search(rf"\b({banned})", read(FOLDER, language, game).markdown().lower())


@each_language
def test_quotes_and_apostrophes_are_typographic(language: str) -> None:
    for game in every_game():
        assert not re.search("['\"]", read(FOLDER, language, game).markdown())


def test_french_punctuation_has_its_no_break_spaces() -> None:
    for game in every_game():
        text = read(FOLDER, "fr", game).markdown()
        assert not re.search(r"[^\u00a0][:»]|[^\u202f][;!?]|«[^\u00a0]", text)


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "fr"])
def test_other_languages_have_no_space_before_punctuation(language: str) -> None:
    for game in every_game():
        assert not re.search(r"\s[:;!?,.»”]", read(FOLDER, language, game).markdown())


@each_language
def test_every_drawing_is_in_the_text(language: str) -> None:
    named = re.findall(r"^!\[.+\]\(([a-z]+)\)$", source(language), flags=re.M)
    assert sorted(named) == sorted(EXAMPLES)
