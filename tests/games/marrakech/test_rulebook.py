"""The rules of Marrakech for players: every language, every mix of knobs."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib.resources import files
from itertools import product

import pytest

from souk.engine.rulebook import Rulebook, languages, read
from souk.games.marrakech import board
from souk.games.marrakech.drawing.examples import EXAMPLES
from tests.games.rulebook_text import outline

FOLDER = files("souk.games.marrakech") / "rulebook"
LANGUAGES = ["de", "en", "es", "fr", "it", "nl", "pt"]
TRANSLATIONS = [language for language in LANGUAGES if language != "en"]
COLOURS = {
    "de": "Rot Gelb Blau Orange",
    "en": "red yellow blue orange",
    "es": "rojo amarillo azul naranja",
    "fr": "rouge jaune bleu orange",
    "it": "rosso giallo blu arancione",
    "nl": "rood geel blauw oranje",
    "pt": "vermelho amarelo azul laranja",
}
COMPASS = {
    "de": "Norden Osten Süden Westen",
    "en": "north east south west",
    "es": "norte este sur oeste",
    "fr": "nord est sud ouest",
    "it": "nord est sud ovest",
    "nl": "noorden oosten zuiden westen",
    "pt": "norte leste sul oeste",
}
# Fixed parts of a web address: a page links to them.
SECTIONS = {
    "about", "kit", "board", "setup", "piles", "turn", "turning", "walk",
    "tax", "broke", "lay", "end", "ties", "editions", "tips", "notation",
}  # fmt: skip

# What each knob accepts, see the rules. Amounts: any number; these test singular and plural.
CHOICES: dict[str, list[object]] = {
    "pile": ["open", "face-down"],
    "cannot_pay": ["out", "plays-on"],
    "full_tie": ["shared", "draw"],
    "start_facing": ["N", "E", "S", "W"],
    "turn_last": ["no", "must", "may"],
    "cover_own": [False, True],
}
EDITIONS = ["gigamic", "gigamic-57", "pergioco"]
COINS = re.compile(r"\S+ 30 [Dd]irhams? [^.]*\b1\b[^.]*\b5\.")  # the only sentence about coins
TABLES = [(2, "two-colour"), (2, "one-colour"), (3, "two-colour"), (4, "two-colour")]


def values(players: int = 3, two_player: str = "two-colour", **knobs: object) -> dict[str, object]:
    """The values of a game, as the command line hands them over."""
    colours_each = 2 if players == 2 and two_player == "two-colour" else 1
    rugs = int(str(knobs.get("rugs", 15)))
    return {
        "players": players,
        "edition": "gigamic",
        "dirhams": 30,
        "rugs": rugs,
        "two_player": two_player,
        "pile": "open",
        "cannot_pay": "out",
        "full_tie": "shared",
        "start_facing": "S",
        "first": 0,
        "turn_last": "no",
        "cover_own": False,
        "house_deal": False,
        **knobs,
        "first_seat": int(str(knobs.get("first", 0))) + 1,
        "colours_each": colours_each,
        "rugs_each": rugs * colours_each,
    }


def every_game() -> Iterator[dict[str, object]]:
    """Every mix of the knobs that choose sentences; those that only choose a word come after."""
    sentences = {name: choices for name, choices in CHOICES.items() if name != "start_facing"}
    mixes = [dict(zip(sentences, chosen, strict=True)) for chosen in product(*sentences.values())]
    for players, two_player in TABLES:
        for mix in mixes:
            yield values(players, two_player, **mix)
        for facing, turn_last in product(CHOICES["start_facing"], CHOICES["turn_last"]):
            yield values(players, two_player, start_facing=facing, turn_last=turn_last)
        for first in range(players):
            yield values(players, two_player, first=first)
        for edition, house_deal in product(EDITIONS, (False, True)):
            yield values(players, two_player, edition=edition, house_deal=house_deal)
        for dirhams, rugs in product((0, 1, 2, 30), (1, 2, 12)):
            yield values(players, two_player, dirhams=dirhams, rugs=rugs)


@cache
def every_text(language: str) -> tuple[str, ...]:
    """Return the rules of every game as Markdown, each text once."""
    texts = (read(FOLDER, language, game).markdown() for game in every_game())  # type: ignore[arg-type]
    return tuple(dict.fromkeys(texts))


def rules(language: str, players: int = 3, **knobs: object) -> Rulebook:
    return read(FOLDER, language, values(players, **knobs))  # type: ignore[arg-type]


def section(language: str, id: str, players: int = 3, **knobs: object) -> str:
    bodies = {s.id: s.body for s in rules(language, players, **knobs).sections}
    return bodies[id]


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
        assert set(ids) == SECTIONS - ({"piles"} if game["colours_each"] == 1 else set())
        assert all(s.title and s.body for s in book.sections), game
        assert not re.search(r"[{}\[\]]|\bNone\b|\bTrue\b|\bFalse\b|  ", book.markdown()), game


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_translations_have_the_lines_of_the_english_text(language: str) -> None:
    assert outline(source(language)) == outline(source("en"))
    assert len(outline(source("en"))) > 150


@each_language
def test_conditions_ask_only_for_values_a_knob_can_have(language: str) -> None:
    possible: dict[str, list[object]] = {
        **CHOICES,
        "edition": EDITIONS,
        "players": [2, 3, 4],
        "colours_each": [1, 2],
        "first": [0, 1, 2, 3],
        "dirhams": [0, 1, 30],
        "rugs": [1],
    }
    conditions = " ".join(re.findall(r"(?:^|†)\[([^\]]*)\]", source(language), flags=re.M))
    for name, accepted in re.findall(r"(\w+)=(\S+)", conditions):
        assert set(accepted.split("|")) <= {str(value) for value in possible[name]}, name


@each_language
@pytest.mark.parametrize("knob", [*CHOICES, "edition", "dirhams", "rugs", "first"])
def test_every_knob_changes_the_text(language: str, knob: str) -> None:
    more: dict[str, list[object]] = {
        "edition": EDITIONS,
        "dirhams": [1, 20, 30],
        "rugs": [1, 12, 15],
        "first": [0, 1],
    }
    choices = {**CHOICES, **more}[knob]
    texts = {rules(language, 2, **{knob: choice}).markdown() for choice in choices}
    assert len(texts) == len(choices)


@each_language
def test_every_table_has_its_own_text(language: str) -> None:
    texts = {rules(language, n, two_player=two).markdown() for n, two in TABLES}
    assert len(texts) == len(TABLES)


@each_language
def test_piles_mean_nothing_with_one_colour_each(language: str) -> None:
    for players, two_player in TABLES[1:]:
        one, other = (
            rules(language, players, two_player=two_player, pile=pile)
            for pile in ("open", "face-down")
        )
        assert one == other


@each_language
def test_amounts_appear_where_the_game_is_set_up(language: str) -> None:
    setup = section(language, "setup", 2, dirhams=23, rugs=11)
    assert {"23", "11", "22"} <= set(re.findall(r"\d+", setup))
    setup = section(language, "setup", 4, dirhams=23, rugs=11)
    assert {"23", "11"} <= set(re.findall(r"\d+", setup))
    assert "22" not in setup


@pytest.mark.parametrize(
    ("language", "one", "many"),
    [
        ("de", "1 Dirham und 1 Teppich ", "2 Dirham und 2 Teppiche "),
        ("en", "1 dirham and 1 rug ", "2 dirhams and 2 rugs "),
        ("es", "1 dirham y 1 alfombra ", "2 dirhams y 2 alfombras "),
        ("fr", "1 dirham ", "2 dirhams "),
        ("it", "1 dirham e 1 tappeto ", "2 dirham e 2 tappeti "),
        ("nl", "1 dirham en 1 tapijt ", "2 dirham en 2 tapijten "),
        ("pt", "1 dirham e 1 tapete ", "2 dirhams e 2 tapetes "),
    ],
)
def test_amounts_agree_in_number(language: str, one: str, many: str) -> None:
    assert one in section(language, "setup", dirhams=1, rugs=1)
    assert many in section(language, "setup", dirhams=2, rugs=2)


@pytest.mark.parametrize(
    ("language", "out", "neutral"),
    [
        ("de", "ausgeschieden", "neutral"),
        ("en", r"\bout\b", "neutral"),
        ("es", r"\bfuera\b", "neutral"),
        ("fr", "éliminé", "neutre"),
        ("it", r"\bfuori\b", "neutr"),
        ("nl", "uitgeschakeld", "neutra"),
        ("pt", r"\bfora\b", "neutro"),
    ],
)
def test_being_out_is_mentioned_only_where_it_exists(language: str, out: str, neutral: str) -> None:
    for players, pay in product((2, 3, 4), ("out", "plays-on")):
        book = rules(language, players, cannot_pay=pay)
        sections = tuple(s for s in book.sections if s.id != "editions")
        text = replace(book, sections=sections).markdown().lower()
        assert bool(re.search(out, text)) == (pay == "out")
        # With two players the game is over at once: no neutral rug ever matters.
        assert (neutral in text) == (pay == "out" and players > 2)


@each_language
@pytest.mark.parametrize("turn_last", ["no", "must", "may"])
def test_assam_is_turned_before_the_walk_or_after_laying(language: str, turn_last: str) -> None:
    ids = [s.id for s in rules(language, turn_last=turn_last).sections]
    after = ids[ids.index("turning") - 1]
    assert after == ("turn" if turn_last == "no" else "lay")


@pytest.mark.parametrize(
    ("language", "turn"),
    [("de", "**Drehe**"), ("en", "**Turn**"), ("es", "**Gira**"), ("fr", "**Tournez**"),
     ("it", "**Gira**"), ("nl", "**Draai**"), ("pt", "**Vira**")],
)  # fmt: skip
def test_the_steps_of_a_turn_are_counted(language: str, turn: str) -> None:
    steps = section(language, "turn").splitlines()[2:]
    assert [step[:2] for step in steps] == ["1.", "2.", "3.", "4.", "5."]
    assert turn in steps[0]
    for turn_last in ("must", "may"):
        last = section(language, "turn", 2, pile="face-down", turn_last=turn_last).splitlines()[2:]
        assert [step[:2] for step in last] == ["1.", "2.", "3.", "4.", "5.", "6."]
        assert turn in last[-1]


@each_language
def test_the_notation_has_no_ahead_where_assam_must_be_turned(language: str) -> None:
    for turn_last in ("no", "may", "must"):
        text = section(language, "notation", turn_last=turn_last)
        assert ("`ahead`" in text) == (turn_last != "must")


@each_language
def test_only_colours_in_play_are_dealt(language: str) -> None:
    colours = COLOURS[language].split()
    for (players, two_player), count in zip(TABLES, (4, 2, 3, 4), strict=True):
        for id in ("kit", "setup"):
            text = section(language, id, players, two_player=two_player)
            assert [colour in text for colour in colours] == [n < count for n in range(4)]


@each_language
def test_the_first_seat_is_named_with_its_colours(language: str) -> None:
    for players in (2, 3, 4):
        for first in range(players):
            lines = section(language, "setup", players, first=first).splitlines()
            dealt = [line for line in lines if line.startswith("- ")][first]
            colours = re.split(r"\s?: ", dealt)[1]
            assert f"{first + 1} ({colours})" in lines[-1]


@each_language
def test_the_arcs_are_those_of_the_board(language: str) -> None:
    sides = [x for x in section(language, "board").splitlines() if re.search(r"\w\d–\w\d,", x)]
    mentioned = set()
    for facing, side in enumerate(sides):
        for one, other in re.findall(r"([a-g][1-7])–([a-g][1-7])", side):
            mentioned |= {(facing, one, other), (facing, other, one)}
    names = board.SQUARES
    printed = {(facing, names[a], names[b]) for (a, facing), (b, _) in board.ARCS.items()}
    loops = {(facing, corner, corner) for facing, (corner, _) in board.CORNER_LOOPS.items()}
    assert mentioned == printed - loops


@each_language
def test_the_loops_are_those_of_the_board(language: str) -> None:
    names = COMPASS[language].split()
    text = section(language, "board")
    for corner in ("g7", "a1"):
        line = next(x for x in text.splitlines() if re.match(rf"- \w+ {corner}\s?:", x))
        facings = [names.index(word) for word in re.findall(rf"\b({'|'.join(names)})\b", line)]
        mentioned = dict(zip(facings[::2], facings[1::2], strict=True))
        assert mentioned == {
            out: back for out, (at, back) in board.CORNER_LOOPS.items() if at == corner
        }


@each_language
@pytest.mark.parametrize(("start", "facing", "die"), [("f7", "E", 3), ("d2", "S", 4)])
def test_the_worked_walks_are_right(language: str, start: str, facing: str, die: int) -> None:
    text = section(language, "board")
    line = next(x for x in text.splitlines() if re.search(rf"Assam \S+ \S+ {start}\b", x))
    walked = board.walk(board.SQUARES.index(start), board.FACINGS.index(facing), die)
    assert re.findall(r"\b[a-g][1-7]\b", line) == [start] + [board.SQUARES[at] for at, _ in walked]
    assert f" {die}." in line


@pytest.mark.parametrize(
    ("language", "banned"),
    [
        ("de", "Zehnt|Abgabe|Kachel|Kästchen|Münze|Läufer|Sitz|Zone|Spielzug"),
        ("en", "tithe|carpet|cell|tile|coin|field|color|throw"),
        ("es", "diezmo|tasa|tapete|moneda|cuadr[oí]|celda|ficha|lanza|área|silla"),
        ("fr", "taxe|carreau|pièce|pion|chaise|jeter"),
        ("it", "decima|tappetino|moneta|monete|pedaggio|casello|lanci"),
        ("nl", "tol|kleed|kleden|veld|munt|pion|stoel|zone|ronde|tegels"),
        ("pt", "dízimo|taxa|alfombra|carpete|moeda|quadrado|peão|cadeira|área|jogada"),
    ],
)
def test_one_word_per_thing(language: str, banned: str) -> None:
    for text in every_text(language):
        assert not re.search(rf"\b({banned})", COINS.sub("", text))


@each_language
def test_quotes_and_apostrophes_are_typographic(language: str) -> None:
    assert not re.search("['\"]", rules(language).markdown())


def test_french_punctuation_has_its_no_break_spaces() -> None:
    for text in every_text("fr"):
        assert not re.search(r"[^\u00a0][:»]|[^\u202f][;!?]|«[^\u00a0]", text)


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "fr"])
def test_other_languages_have_no_space_before_punctuation(language: str) -> None:
    for text in every_text(language):
        assert not re.search(r"\s[:;!?,.»”]", text)


@each_language
def test_every_drawing_is_in_the_text(language: str) -> None:
    named = re.findall(r"^!\[.+\]\(([a-z]+)\)$", source(language), flags=re.M)
    assert sorted(named) == sorted(EXAMPLES)
