"""The Marrakech drawing shows everything in its scene, in its place, and nothing else."""

import re
import xml.etree.ElementTree as ET
from collections import UserDict
from dataclasses import replace

import pytest

import souk
from souk.engine.drawing.pen import fit, shrink, text_width
from souk.games.marrakech.drawing import Option, Rug, Scene, Seat, Walk, draw
from souk.games.marrakech.drawing.description import describe
from souk.games.marrakech.drawing.palette import PALETTE

SVG = "{http://www.w3.org/2000/svg}"

# The rules' table of all 28 arcs: leaving from here by this side, one re-enters there, facing so.
ARC_TABLE = (
    "a7N b7S, b7N a7S, c7N d7S, d7N c7S, e7N f7S, f7N e7S, g7N g7W",
    "g7E g7S, g6E g5W, g5E g6W, g4E g3W, g3E g4W, g2E g1W, g1E g2W",
    "a1S a1E, b1S c1N, c1S b1N, d1S e1N, e1S d1N, f1S g1N, g1S f1N",
    "a7W a6E, a6W a7E, a5W a4E, a4W a5E, a3W a2E, a2W a3E, a1W a1N",
)
OPPOSITE = dict(zip("NESW", "SWNE", strict=True))
# The same as pairs of gates, each a square and the side one leaves it by.
GATES = [
    (out, back[:2] + OPPOSITE[back[2]])
    for out, back in (arc.split() for line in ARC_TABLE for arc in line.split(", "))
]

ALL_SQUARES = {file + rank for file in "abcdefg" for rank in "1234567"}

SEATS = (
    Seat("Leila", ("red", "yellow"), 34, 3, 37, {"red": 11, "yellow": 12}, "yellow", to_move=True),
    Seat("Nour", ("blue", "orange"), 21, 4, 25, {"blue": 1, "orange": 0}, "blue"),
)
RUGS = (
    Rug("red", ("c2", "c3")),
    Rug("blue", ("d3", "e3")),
    Rug("yellow", ("c3", "d3")),
    Rug("orange", ("f6",)),
)
SCENE = Scene("d4", "E", RUGS, SEATS)
MARKED = replace(
    SCENE,
    walk=Walk("d2", "S", 4),
    laid=2,
    taxed=("d3", "e3"),
    options=(Option("e4", "1/6", "\N{MINUS SIGN}2", True), Option("g4", "1/3", "0", False)),
    caption=("Nour lays yellow on c3 and d3.", "Leila to move: turn Assam, then roll."),
)


def tree(scene: Scene, theme: str = "light") -> ET.Element:
    return ET.fromstring(draw(scene, theme=theme))


def part(root: ET.Element, name: str) -> ET.Element | None:
    return root.find(f".//*[@data-part='{name}']")


def words(root: ET.Element) -> list[str]:
    return [text.text or "" for text in root.iter(f"{SVG}text")]


def centre(root: ET.Element, square: str) -> tuple[float, float]:
    """Where a square is drawn, read from its pane."""
    for pane in part(root, "panes") or ():
        title = pane.findtext(f"{SVG}title") or ""
        if title[:2] == square:
            x, y, side = map(float, re.findall(r"[\d.]+", pane.attrib["d"])[:3])
            return x + side / 2, y + side / 2
    raise AssertionError(f"{square} is not drawn")


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
@pytest.mark.parametrize("scene", [Scene("d4", "S", (), ()), SCENE, MARKED])
def test_a_drawing_is_well_formed_and_stands_alone(scene: Scene, theme: str) -> None:
    text = draw(scene, theme=theme)
    root = ET.fromstring(text)
    assert root.tag == f"{SVG}svg"
    assert root.attrib["role"] == "img"
    assert root.attrib["viewBox"].startswith("0 0 ")
    assert root.findtext(f"{SVG}title") and root.findtext(f"{SVG}desc")
    assert "<script" not in text and "@import" not in text
    outside = text.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert "http" not in outside and "data:" not in outside


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
def test_every_reference_finds_what_it_names(theme: str) -> None:
    text = draw(MARKED, theme=theme)
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    named = re.findall(r'href="#([^"]+)"', text) + re.findall(r"url\(#([^)]+)\)", text)
    labels = re.search(r'aria-labelledby="([^"]+)"', text)
    assert labels and set(named) | set(labels[1].split()) <= set(ids)


def test_the_same_position_is_drawn_the_same() -> None:
    other_mapping = tuple(replace(s, rugs=UserDict(reversed([*s.rugs.items()]))) for s in SEATS)
    assert draw(MARKED) == draw(replace(MARKED)) == draw(replace(MARKED, seats=other_mapping))


@pytest.mark.parametrize("theme", ["light", "auto"])
def test_two_drawings_on_one_page_share_no_id_and_no_class(theme: str) -> None:
    first, second = draw(SCENE, theme=theme), draw(replace(SCENE, assam="d5"), theme=theme)
    for attribute in ("id", "class"):
        result = [
            {
                name
                for names in re.findall(rf'\b{attribute}="([^"]+)"', text)
                for name in names.split()
            }
            for text in (first, second)
        ]
        assert result[0] and result[1] and not result[0] & result[1]


def test_an_auto_drawing_follows_the_system_and_its_rules_stay_inside() -> None:
    root = tree(SCENE, "auto")
    style = root.findtext(f"{SVG}style") or ""
    prefix = root.attrib["class"]
    assert "@media (prefers-color-scheme:dark)" in style
    selectors = re.findall(r"([^{}]+)\{", style.replace("@media (prefers-color-scheme:dark){", ""))
    assert selectors and all(s.startswith(f".{prefix}") for s in selectors)
    assert tree(SCENE, "light").find(f"{SVG}style") is None


def test_light_and_dark_differ_in_paper_and_agree_in_cloth() -> None:
    light, dark = draw(SCENE, theme="light"), draw(SCENE, theme="dark")
    assert "#F4EBDD" in light and "#161A2B" not in light
    assert "#161A2B" in dark
    for cloth in ("#B5382F", "#E2A92B", "#2B6C9E", "#D9651B"):
        assert cloth in light and cloth in dark


def test_an_unknown_theme_is_refused_with_what_is_accepted() -> None:
    with pytest.raises(souk.SoukError, match=r"'dusk'.*light, dark or auto"):
        draw(SCENE, theme="dusk")


@pytest.mark.parametrize(
    ("scene", "named"),
    [
        (replace(SCENE, assam="h9"), "'h9'"),
        (replace(SCENE, facing="up"), "'up'"),
        (replace(SCENE, rugs=(Rug("green", ("a1", "a2")),)), "'green'"),
        (replace(SCENE, rugs=(Rug("red", ("a1", "c1")),)), "neighbouring"),
        (replace(SCENE, rugs=(Rug("red", ()),)), "neighbouring"),
        (replace(SCENE, walk=Walk("d4", "NE", 1)), "'NE'"),
        (replace(SCENE, walk=Walk("d8", "N", 1)), "'d8'"),
        (replace(SCENE, laid=4), "laid=4"),
        (replace(SCENE, taxed=("z1",)), "'z1'"),
    ],
)
def test_values_that_cannot_be_drawn_are_refused_by_name(scene: Scene, named: str) -> None:
    with pytest.raises(souk.SoukError, match=named):
        draw(scene)


def test_size_is_the_width_and_the_shape_stays() -> None:
    small, large = (ET.fromstring(draw(SCENE, size=size)) for size in (400, 1200))
    assert (small.attrib["width"], large.attrib["width"]) == ("400", "1200")
    assert small.attrib["viewBox"] == large.attrib["viewBox"]
    assert float(large.attrib["height"]) == pytest.approx(3 * float(small.attrib["height"]), abs=2)
    with pytest.raises(souk.SoukError, match="size is 0"):
        draw(SCENE, size=0)


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "\"'&]]>", "\x00\x1b\ud800", "ليلى"])
def test_names_and_captions_are_text_whatever_they_hold(name: str) -> None:
    seat = replace(SEATS[0], name=name)
    text = draw(replace(SCENE, seats=(seat,), caption=(name,)))
    text.encode("utf-8")
    root = ET.fromstring(text)
    assert not list(root.iter(f"{SVG}script"))
    shown = re.sub(r"[\x00-\x1f\ud800]", "\ufffd", name)
    assert shown in (root.findtext(f"{SVG}desc") or "")
    assert fit(shown, 20, 1000) in words(root)


def test_a_long_name_is_cut_to_fit_and_shown_in_full_on_hover() -> None:
    name = "Abderrahmane ben Yusuf the Elder"
    root = tree(replace(SCENE, seats=(replace(SEATS[0], name=name),)))
    assert name not in words(root)
    assert any(said.startswith("Abderr") and said.endswith("…") for said in words(root))
    assert name in [title.text for title in root.iter(f"{SVG}title")]


def test_text_that_fits_is_left_alone_and_text_that_does_not_fits_after() -> None:
    assert fit("Ama", 18, 100) == "Ama"
    assert text_width(fit("W" * 50, 18, 100), 18) <= 100


def test_text_is_made_smaller_before_it_is_cut() -> None:
    assert shrink("Ama", 18, 14, 100) == ("Ama", 18)
    text, size = shrink("Blue and orange", 18, 14, 130)
    assert text == "Blue and orange" and 14 <= size < 18 and text_width(text, size) <= 130
    cut, least = shrink("W" * 50, 18, 14, 100)
    assert cut.endswith("…") and least == 14 and text_width(cut, 14) <= 100


def test_every_square_is_named_once_and_names_itself_on_hover() -> None:
    root = tree(SCENE)
    names = part(root, "names")
    assert names is not None
    assert sorted(text.text or "" for text in names) == sorted(ALL_SQUARES)
    panes = [pane.findtext(f"{SVG}title") or "" for pane in part(root, "panes") or ()]
    assert {title[:2] for title in panes} == ALL_SQUARES
    assert "c3: yellow" in panes and "a1" in panes


def test_files_and_ranks_stand_at_all_28_gates() -> None:
    root = tree(SCENE)
    gates = part(root, "gates")
    assert gates is not None
    assert sorted(words(gates)) == sorted(2 * "abcdefg1234567")


def test_every_arc_of_the_rules_is_drawn_from_gate_to_gate() -> None:
    root = tree(SCENE)
    drawn = {path.attrib["data-arc"]: path.attrib["d"] for path in root.iterfind(".//*[@data-arc]")}
    ends = {frozenset(name.split()) for name in drawn}
    assert len(drawn) == 14
    assert ends == {frozenset(arc) for arc in GATES}
    for name, path in drawn.items():
        numbers = [float(n) for n in re.findall(r"-?[\d.]+", path)]
        for gate, (x, y) in zip(name.split(), (numbers[:2], numbers[-2:]), strict=True):
            cx, cy = centre(root, gate[:2])
            along, across = (y - cy, x - cx) if gate[2] in "NS" else (x - cx, y - cy)
            assert across == 0
            assert 40 < abs(along) < 66 and (along > 0) == (gate[2] in "SE")


def test_a1_is_at_the_bottom_left() -> None:
    root = tree(SCENE)
    (ax, ay), (gx, gy) = centre(root, "a1"), centre(root, "g7")
    assert ax < gx and ay > gy
    assert centre(root, "g1") == (gx, ay)


def test_every_arc_bends_away_from_the_board() -> None:
    root = tree(SCENE)
    clockwise = {"N": "1", "E": "1", "S": "0", "W": "0"}  # from the first gate to the second
    for path in root.iterfind(".//*[@data-arc]"):
        first, second = path.attrib["data-arc"].split()
        bends = set(re.findall(r"A[\d.]+ [\d.]+ 0 0 ([01])", path.attrib["d"]))
        assert bends == ({clockwise[first[2]]} if first[2] == second[2] else {"1"})


@pytest.mark.parametrize(
    ("walk", "squares", "bends"),
    [
        (Walk("d4", "N", 2), ["d5", "d6"], 0),
        (Walk("c7", "E", 1), ["d7"], 0),
        (Walk("c7", "N", 1), ["d7"], 1),  # the same squares, but round an arc
        (Walk("d2", "S", 4), ["d1", "e1", "e2", "e3"], 1),
        (Walk("f7", "E", 3), ["g7", "g7", "g6"], 3),  # a corner loop has three bends
        (Walk("b1", "W", 3), ["a1", "a1", "a2"], 3),
    ],
)
def test_a_walk_is_drawn_through_its_squares_and_round_its_arcs(
    walk: Walk, squares: list[str], bends: int
) -> None:
    root = tree(replace(SCENE, walk=walk))
    drawn = part(root, "walk")
    assert drawn is not None
    assert drawn[0].attrib["d"].count("A") == bends
    *dots, halo, ring = drawn.iter(f"{SVG}circle")
    places = [(float(c.attrib["cx"]), float(c.attrib["cy"])) for c in (*dots, halo, ring)]
    assert places == [centre(root, s) for s in (*squares, walk.start, walk.start)]
    output = ", ".join([walk.start, *squares])
    assert f"Assam's last walk: {output}." in describe(replace(SCENE, walk=walk))


def test_marks_are_drawn_only_on_request() -> None:
    bare, marked = tree(SCENE), tree(MARKED)
    for name in ("walk", "laid", "taxed", "options", "key"):
        assert part(bare, name) is None
        assert part(marked, name) is not None
    taxed = part(marked, "taxed")
    assert taxed is not None and len(list(taxed.iter(f"{SVG}use"))) == 2
    assert set(MARKED.caption) <= set(words(marked))


def test_the_taxed_area_is_drawn_round_its_outside_only() -> None:
    taxed = part(tree(replace(SCENE, taxed=("d3", "e3", "e4"))), "taxed")
    assert taxed is not None and taxed[0].attrib["d"].count("M") == 8


def test_the_key_explains_the_marks_in_use_and_no_others() -> None:
    key = part(tree(replace(SCENE, taxed=("d3", "e3"))), "key")
    assert key is not None and words(key) == ["counted for the tax: 2 squares"]


def test_a_badge_says_the_chance_and_marks_a_cost() -> None:
    root = tree(MARKED)
    costly, free = (root.find(f".//*[@data-option='{square}']") for square in ("e4", "g4"))
    assert costly is not None and free is not None
    assert words(costly) == ["1/6", "\N{MINUS SIGN}2"] and words(free) == ["1/3", "0"]
    assert costly[-1].attrib["fill"] == PALETTE["cost"][0] != free[-1].attrib["fill"]


def test_two_badges_on_one_square_do_not_hide_each_other() -> None:
    both = (Option("a1", "1/6", "0", False), Option("a1", "1/3", "\N{MINUS SIGN}4", True))
    root = tree(replace(SCENE, options=both))
    places = [g.attrib["transform"] for g in root.iterfind(".//*[@data-option='a1']")]
    heights = [float(place.rstrip(")").split()[1]) for place in places]
    assert heights[1] - heights[0] > 37


def test_rugs_are_drawn_in_the_order_laid() -> None:
    drawn = [g.attrib["data-rug"] for g in tree(SCENE).iterfind(".//*[@data-rug]")]
    assert drawn == ["red c2 c3", "blue d3 e3", "yellow c3 d3", "orange f6"]
    turned = [
        g.attrib["data-rug"]
        for g in tree(replace(SCENE, rugs=RUGS[::-1])).iterfind(".//*[@data-rug]")
    ]
    assert turned == drawn[::-1]


def test_a_rug_lies_over_its_two_squares() -> None:
    root = tree(SCENE)
    rug = root.find(".//*[@data-rug='red c2 c3']")
    assert rug is not None
    x, y = map(float, re.findall(r"translate\(([\d.]+) ([\d.]+)\)", rug[-1].attrib["transform"])[0])
    (ax, ay), (bx, by) = centre(root, "c2"), centre(root, "c3")
    assert (x, y) == ((ax + bx) / 2, (ay + by) / 2)


def test_a_rug_stays_as_it_lies_when_others_come() -> None:
    before, after = tree(SCENE), tree(replace(SCENE, rugs=(Rug("blue", ("a6", "a7")), *RUGS)))
    lie = [r.find(".//*[@data-rug='red c2 c3']") for r in (before, after)]
    assert lie[0] is not None and lie[1] is not None
    assert lie[0][-1].attrib["transform"] == lie[1][-1].attrib["transform"]


def test_half_a_rug_keeps_its_fringe_only_if_we_know_where_the_rest_is() -> None:
    covered_on_one_side = (Rug("red", ("c2",)), Rug("blue", ("c3", "d3")))
    on_two_sides = (*covered_on_one_side, Rug("yellow", ("b2", "b1")))
    for rugs, piece in (
        (covered_on_one_side, "end"),
        (on_two_sides, "middle"),
        (RUGS[3:], "middle"),
    ):
        assert re.search(rf'clip-path="url\(#\w+-{piece}\)"', draw(replace(SCENE, rugs=rugs)))
    assert "clip-path" not in draw(replace(SCENE, rugs=RUGS[:3]))


def test_a_neutral_rug_loses_its_colour_and_keeps_its_pattern() -> None:
    def shapes(neutral: bool) -> tuple[set[str], list[str]]:
        text = draw(Scene("d4", "S", (Rug("red", ("c2", "c3"), neutral),), ()))
        cloth = re.search(r'<g id="\w+-rug-red[^"]*">(.*?)</g>', text)
        assert cloth
        return set(re.findall(r"#[0-9A-F]{6}", cloth[1])), re.findall(r' d="([^"]+)"', cloth[1])

    (colours, pattern), (greys, same) = shapes(neutral=False), shapes(neutral=True)
    assert "#B5382F" in colours and "#B5382F" not in greys
    assert pattern == same


def test_assam_looks_different_each_way() -> None:
    figures = set()
    for facing in "NESW":
        figure = part(tree(replace(SCENE, facing=facing)), "assam")
        assert figure is not None
        figures.add(ET.tostring(figure))
    assert len(figures) == 4


def test_assam_shows_his_face_from_the_front_and_not_from_behind() -> None:
    def round_things(facing: str) -> int:
        figure = part(tree(replace(SCENE, facing=facing)), "assam")
        assert figure is not None
        return len(list(figure.iter(f"{SVG}circle")))

    assert round_things("N") == 1  # the head alone
    assert round_things("S") == 1 + 2  # head and eyes
    assert round_things("E") == round_things("W") == 1 + 1 + 1  # head, eye and hand


def test_a_seat_is_described_without_colour() -> None:
    said = words(tree(SCENE))
    for shown in ("Leila", "to move", "34", "37", "red: 11 left", "yellow: 12 left"):
        assert shown in said
    assert "blue: 1 left" in said and "orange: none left" in said
    assert said.count("next") == 2 and said.count("to move") == 1


def test_next_is_not_shown_with_one_colour() -> None:
    seat = Seat("Ama", ("red",), 30, 0, 30, {"red": 12}, "red")
    assert "next" not in words(tree(replace(SCENE, seats=(seat,))))


def test_a_player_who_is_out_is_said_to_be_out() -> None:
    seat = Seat("Ama", ("red",), 0, 0, 0, {"red": 0}, None, out=True)
    root = tree(replace(SCENE, seats=(seat,)))
    assert {"out", "red: neutral now"} <= set(words(root))
    assert "Ama (red) is out." in (root.findtext(f"{SVG}desc") or "")


def test_four_seats_and_all_marks_fit_the_panel() -> None:
    colours = ("red", "yellow", "blue", "orange")
    seats = tuple(Seat(c.title(), (c,), 30, 2, 32, {c: 11}, c) for c in colours)
    root = tree(replace(MARKED, seats=seats))
    key = part(root, "key")
    assert key is not None and len(words(key)) == 5  # four marks, and the sign of a badge


def test_the_description_says_the_position_in_words() -> None:
    output = describe(MARKED)
    for sentence in (
        "Assam stands on d4, facing east.",
        "Rugs seen from above: red on c2; yellow on c3, d3; blue on e3; orange on f6.",
        "rugs left: 11 red, 12 yellow, next yellow, to move.",
        "Laid last: yellow on c3 and d3.",
        "Assam may stop on e4: 1/6, \N{MINUS SIGN}2.",
    ):
        assert sentence in output
    assert "No rugs lie on the board." in describe(Scene("d4", "S", (), ()))


@pytest.mark.parametrize("night", [0, 1])
@pytest.mark.parametrize(
    ("ink", "ground"),
    [
        ("ink", "paper"),
        ("ink", "card"),
        ("soft", "card"),
        ("soft", "paper"),
        ("cost", "card"),
        ("on_accent", "accent"),
        ("on_tile", "tile"),
        ("square_name", "square"),
        ("square_name", "square_odd"),
    ],
)
def test_text_has_contrast_enough_to_read(ink: str, ground: str, night: int) -> None:
    light, dark = sorted((_luminance(PALETTE[n][night]) for n in (ink, ground)), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= 4.5


def _luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_a_full_board_stays_small() -> None:
    files, ranks = "abcdefg", "1234567"
    rugs = tuple(
        Rug(colour, (files[(i + k) % 7] + ranks[i % 6], files[(i + k) % 7] + ranks[i % 6 + 1]))
        for k, colour in enumerate(("red", "yellow", "blue", "orange"))
        for i in range(15)
    )
    assert len(draw(replace(MARKED, rugs=rugs), theme="auto").encode()) < 60_000
