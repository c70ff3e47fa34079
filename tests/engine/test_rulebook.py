"""The rulebook mechanism: what translators may write, and how their slips are named."""

from pathlib import Path

import pytest

from souk.engine.errors import SoukError
from souk.engine.rulebook import Rulebook, TemplateError, UnknownLanguage, languages, read

VALUES: dict[str, object] = {"players": 3, "pile": "open", "late": "no", "cover_own": False}


def book(folder: Path, source: str, **changed: object) -> Rulebook:
    (folder / "en.md").write_text(source, encoding="utf-8")
    return read(folder, "en", {**VALUES, **changed})


def body(folder: Path, lines: str, **changed: object) -> str:
    return book(folder, f"# T\n## S {{#s}}\n{lines}\n", **changed).sections[0].body


def test_a_book_has_a_title_and_linkable_sections(tmp_path: Path) -> None:
    got = book(
        tmp_path, "<!-- note -->\n\n# Go\n\n## Set up {#setup}\nA.\n\n## A turn {#turn}\nB.\n"
    )
    assert (got.language, got.title) == ("en", "Go")
    assert [(s.id, s.title, s.body) for s in got.sections] == [
        ("setup", "Set up", "A."),
        ("turn", "A turn", "B."),
    ]
    assert got.markdown() == "# Go\n\n## Set up\n\nA.\n\n## A turn\n\nB."


@pytest.mark.parametrize(
    ("condition", "is_included"),
    [
        ("players=3", True),
        ("players=2", False),
        ("players=2|3", True),
        ("!players=2|3", False),
        ("!players=4", True),
        ("players=3 pile=open", True),
        ("players=3 pile=face-down", False),
        ("players=2 pile=open", False),
        ("cover_own", False),
        ("!cover_own", True),
        ("late", False),
        ("!late", True),
        ("pile", True),
    ],
)
def test_a_line_stays_where_all_terms_of_its_condition_hold(
    tmp_path: Path, condition: str, is_included: bool
) -> None:
    assert body(tmp_path, f"[{condition}] Text.") == ("Text." if is_included else "")


def test_choices_that_are_on(tmp_path: Path) -> None:
    assert body(tmp_path, "[cover_own late] Both.", cover_own=True, late="must") == "Both."


def test_sentences_on_their_own_lines_make_one_paragraph(tmp_path: Path) -> None:
    assert body(tmp_path, "One.\n[players=2] Two.\nThree.\n\nFour.") == "One. Three.\n\nFour."


def test_a_paragraph_left_out_leaves_no_gap(tmp_path: Path) -> None:
    assert body(tmp_path, "One.\n\n[players=2] Two.\n\n\nThree.") == "One.\n\nThree."


def test_list_items_keep_their_lines_and_take_following_sentences(tmp_path: Path) -> None:
    assert body(tmp_path, "- a\nmore\n[players=2] - b\n- c") == "- a more\n- c"


def test_numbered_items_are_renumbered(tmp_path: Path) -> None:
    text = "[cover_own] 1. a\n1. b\n1. c\n[late] 1. d\n\nThen:\n\n1. e"
    assert body(tmp_path, text) == "1. b\n2. c\n\nThen:\n\n1. e"
    assert body(tmp_path, text, cover_own=True).startswith("1. a\n2. b\n3. c")


def test_a_condition_before_a_heading_rules_the_section(tmp_path: Path) -> None:
    source = (
        "# T\n[late=no] ## Early {#when}\nA.\n## Mid {#mid}\nB.\n[!late=no] ## Late {#when}\nC.\n"
    )
    assert [s.title for s in book(tmp_path, source).sections] == ["Early", "Mid"]
    assert [s.title for s in book(tmp_path, source, late="may").sections] == ["Mid", "Late"]


def test_values_and_words_are_inserted_in_titles_and_texts(tmp_path: Path) -> None:
    source = (
        "# For {players}\n## W {#words}\n[players=1] folk: 1 player\n\n"
        "[!players=1] folk: {players} players\n## {folk} {#who}\nWe are {folk}.\n"
    )
    got = book(tmp_path, source)
    assert got.markdown() == "# For 3\n\n## 3 players\n\nWe are 3 players."
    assert book(tmp_path, source, players=1).sections[0].body == "We are 1 player."


def test_no_break_spaces_survive(tmp_path: Path) -> None:
    assert body(tmp_path, "Quoi\u00a0?\n[pile=open] «\u00a0Oui\u00a0»") == (
        "Quoi\u00a0? «\u00a0Oui\u00a0»"
    )


MARK = "## W {#words}\nmark: not on the sheet\n"


@pytest.mark.parametrize(
    ("line", "result"),
    [
        ("One. †\nTwo.", "One.† Two."),
        ("One. †[pile=open]", "One.†"),
        ("One. †[pile=face-down]", "One."),
        ("One. †[pile=open !cover_own]", "One.†"),
        ("One. †[pile=open cover_own]", "One."),
        ("[players=3] - one †[!late]\n- two", "- one†\n- two"),
        ("[players=2] One. †", ""),
        ("A † in a line, and†", "A † in a line, and†"),  # plain characters
    ],
)
def test_a_line_is_marked_where_its_mark_holds(tmp_path: Path, line: str, result: str) -> None:
    source = f"# T\n{MARK}## S {{#s}}\n{line}\n"
    assert book(tmp_path, source).sections[0].body == result
    assert book(tmp_path, source).mark == "not on the sheet"


def test_a_book_without_marks_needs_no_word_for_them(tmp_path: Path) -> None:
    assert book(tmp_path, "# T\n## S {#s}\nOne.\n").mark == ""


def test_languages_are_the_markdown_files_named_after_one(tmp_path: Path) -> None:
    for name in ("fr.md", "en.md", "pt-BR.md", "README.md", "en.txt"):
        (tmp_path / name).write_text("# T\n", encoding="utf-8")
    assert languages(tmp_path) == ["en", "fr", "pt-BR"]


def test_a_book_that_is_missing_or_unreadable_is_one_sentence(tmp_path: Path) -> None:
    assert languages(tmp_path / "nowhere") == []
    with pytest.raises(UnknownLanguage, match=r"'en'; .*nowhere has none"):
        read(tmp_path / "nowhere", "en", {})
    (tmp_path / "en.md").mkdir()
    (tmp_path / "de.md").write_bytes(b"# Stra\xdfe")
    for language in ("en", "de"):
        with pytest.raises(SoukError, match=f"cannot read the rulebook .*{language}.md: "):
            read(tmp_path, language, {})


def test_an_unknown_language_is_named_with_those_there_are(tmp_path: Path) -> None:
    for name in ("fr.md", "en.md"):
        (tmp_path / name).write_text("# T\n", encoding="utf-8")
    with pytest.raises(UnknownLanguage, match="'de'; choose en or fr"):
        read(tmp_path, "de", VALUES)
    with pytest.raises(SoukError):
        read(tmp_path, "../en", VALUES)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{plyers}", r"line 3: unknown name \{plyers\}; known: cover_own, late, pile, players"),
        ("[cover_own] {plyers}", r"line 3: unknown name \{plyers\}"),
        ("[pyle=open] A.", "line 3: unknown name 'pyle' in a condition; known: cover_own, late"),
        ("[players>2] A.", "line 3: unknown condition 'players>2'; write name, !name"),
        ("[] A.", "line 3: unknown condition ''"),
        ("A. †", "line 3: a † needs the word `mark`"),
        ("A. †[]", "line 3: unknown condition ''"),
        ("A. †[pyle=open]", "line 3: unknown name 'pyle' in a condition"),
        ("[cover_own] A. †[pile>1]", "line 3: unknown condition 'pile>1'"),
        ("[players=] A.", "line 3: unknown condition 'players='"),
        ("[players=2", "line 3: expected `\\[condition\\] text`"),
        ("[cover_own=True] A.", "line 3: 'cover_own' is on or off; write cover_own or !cover_own"),
        ("A { brace.", "line 3: a brace outside"),
        ("{Players}", "line 3: a brace outside"),
        ("## Untitled", "line 3: expected `## Title \\{#id\\}`"),
        ("## Again {#s}", "'s' appears 2 times"),
        ("## W {#words}\nno colon", "line 4: expected `name: text`"),
        ("## W {#words}\nplayers: x", "line 4: the word 'players' has the name of a value"),
        ("## W {#words}\nw: x\n[pile=open] w: y", "line 5: a second wording of 'w' holds"),
        ("## W {#words}\nv: x\nw: {v}", r"line 5: unknown name \{v\}"),
        ("{w}\n## W {#words}\n[cover_own] w: x", r"line 3: no wording of \{w\} holds"),
    ],
)
def test_a_slip_is_named_with_its_line(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(TemplateError, match=message):
        body(tmp_path, line)


@pytest.mark.parametrize("source", ["", "Text\n# T\n", "## S {#s}\n"])
def test_a_book_must_begin_with_its_title(tmp_path: Path, source: str) -> None:
    with pytest.raises(TemplateError, match="expected the title"):
        book(tmp_path, source)


def test_text_before_the_first_section_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TemplateError, match="line 2: expected `## Title"):
        book(tmp_path, "# T\nLost.\n")
