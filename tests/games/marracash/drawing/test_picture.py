"""The MarraCash drawing shows everything in its scene, in its place, and nothing else."""

import re
import xml.etree.ElementTree as ET
from collections import Counter, UserDict
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

import souk
from souk.games.marracash.drawing import Route, Scene, Seat, Shop, Walk, draw
from souk.games.marracash.drawing.description import describe
from souk.games.marracash.drawing.geometry import plan
from tests.games.marracash.drawing.scenes import (
    BOARDS,
    COLOURS,
    MARKED,
    QUEUE,
    SCENE,
    SEATS,
    SVG,
    copies,
    part,
    points_only,
    shops,
    start,
    tree,
    words,
)

THEMES = ("light", "dark", "auto")
SCENES = {
    "classic": start("classic1996"),
    "medina": start("medina"),
    "points": replace(SCENE, board=points_only("classic1996")),
    "marked": MARKED,
    "empty": Scene(BOARDS["medina"], {}, (), (), ()),
}


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", SCENES)
def test_a_drawing_is_well_formed_and_stands_alone(name: str, theme: str) -> None:
    text = draw(SCENES[name], theme=theme)
    root = ET.fromstring(text)
    assert root.tag == f"{SVG}svg" and root.attrib["role"] == "img"
    assert root.findtext(f"{SVG}title") and root.findtext(f"{SVG}desc")
    outside = text.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search(r"http|data:|<script|@import|nan|inf\b", outside)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", SCENES)
def test_every_reference_finds_what_it_names(name: str, theme: str) -> None:
    text = draw(SCENES[name], theme=theme)
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    named = re.findall(r'href="#([^"]+)"', text) + re.findall(r"url\(#([^)]+)\)", text)
    labels = re.search(r'aria-labelledby="([^"]+)"', text)
    assert labels and set(named) | set(labels[1].split()) <= set(ids)


def test_the_same_position_is_drawn_the_same() -> None:
    other = {name: UserDict(reversed([*group.items()])) for name, group in MARKED.groups.items()}
    assert draw(MARKED) == draw(replace(MARKED, groups=UserDict(other)))


def test_two_drawings_on_one_page_share_no_id_and_no_class() -> None:
    names = [
        {n for result in re.findall(r'\b(?:id|class)="([^"]+)"', text) for n in result.split()}
        for text in (draw(SCENE, theme="auto"), draw(replace(SCENE, queue=()), theme="auto"))
    ]
    assert names[0] and names[1] and not names[0] & names[1]


def test_light_and_dark_differ_in_paper_and_agree_in_cloth() -> None:
    light, dark = draw(SCENE, theme="light"), draw(SCENE, theme="dark")
    assert "#F4EBDD" in light and "#161A2B" not in light and "#161A2B" in dark
    for cloth in ("#B5382F", "#E2A92B", "#2B6C9E", "#4E8A4B", "#7A4B8C", "#D9651B"):
        assert cloth in light and cloth in dark
    style = tree(SCENE, "auto").findtext(f"{SVG}style") or ""
    assert "prefers-color-scheme:dark" in style and tree(SCENE).find(f"{SVG}style") is None


def test_size_is_the_width_and_the_shape_stays() -> None:
    small, large = (ET.fromstring(draw(SCENE, size=size)) for size in (500, 1500))
    assert (small.attrib["width"], large.attrib["width"]) == ("500", "1500")
    assert small.attrib["viewBox"] == large.attrib["viewBox"]


@pytest.mark.parametrize(
    ("scene", "named"),
    [
        (replace(SCENE, groups={"F99": {"red": 1}}), "'F99'.*F1, F2"),
        (replace(SCENE, groups={"F1": {"orange": 1}}), "'orange'.*red, yellow, blue"),
        (replace(SCENE, groups={"F1": {"red": -1}}), "F1: red is -1"),
        (replace(SCENE, queue=("white",)), "'white'"),
        (replace(SCENE, shops=(Shop("R9", "red", None, 0),)), "'R9'"),
        (replace(SCENE, shops=(Shop("R1", "pink", None, 0),)), "'pink'"),
        (replace(SCENE, shops=(Shop("R1", "red", 4, 0),)), "R1: owner 4.*4 seats"),
        (replace(SCENE, shops=(Shop("R1", "red", 0, -1),)), "R1: customers is -1"),
        (replace(SCENE, seats=(Seat("Ama", "green", 0, 0),), shops=()), "'green'.*orange"),
        (replace(SCENE, auction="Z1"), "'Z1'"),
        (replace(SCENE, walk=Walk("F1", "F0", ())), "'F0'"),
        (replace(SCENE, walk=Walk("F1", "F6", (("R0", "red"),))), "'R0'"),
        (replace(SCENE, walk=Walk("F1", "F6", (("R1", "mauve"),))), "'mauve'"),
        (replace(SCENE, routes=(Route("A1", "F6", ""),)), "'A1'"),
        (replace(SCENE, cards=(("gold", 50),)), "'gold'"),
    ],
)
def test_values_that_cannot_be_drawn_are_refused_by_name(scene: Scene, named: str) -> None:
    with pytest.raises(souk.SoukError, match=named):
        draw(scene)


def test_an_unknown_theme_or_size_is_refused() -> None:
    with pytest.raises(souk.SoukError, match=r"'dusk'.*light, dark or auto"):
        draw(SCENE, theme="dusk")
    with pytest.raises(souk.SoukError, match="size is 0"):
        draw(SCENE, size=0)


@pytest.mark.parametrize("said", ["<script>alert(1)</script>", "\"'&]]>", "\x00\x1b\ud800", "ليلى"])
def test_names_notes_and_captions_are_text_whatever_they_hold(said: str) -> None:
    seat = Seat(said, "red", 0, 6, to_move=True, note=said)
    routes = (Route("F1", "F6", said, ((0, said),)),)
    scene = replace(SCENE, seats=(seat, *SEATS[1:]), routes=routes, caption=(said,))
    text = draw(scene)
    text.encode("utf-8")
    root = ET.fromstring(text)
    assert not list(root.iter(f"{SVG}script"))
    shown = re.sub(r"[\x00-\x1f\ud800]", "\ufffd", said)
    assert shown in (root.findtext(f"{SVG}desc") or "") and shown in words(root)


@pytest.mark.parametrize("name", ["classic", "medina", "points", "empty"])
def test_every_shop_and_fountain_is_named_once(name: str) -> None:
    scene, root = SCENES[name], tree(SCENES[name])
    for kind, element in (("fountains", "fountain"), ("shops", "shop")):
        ids = [entry["id"] for entry in scene.board[kind]]
        drawn = root.findall(f".//*[@data-{element}]")
        assert [one.attrib[f"data-{element}"] for one in drawn] == ids
        assert all(words(one).count(i) == 1 for one, i in zip(drawn, ids, strict=True))


def test_dark_fountains_look_different() -> None:
    root = tree(SCENE)
    for entry in SCENE.board["fountains"]:
        drawn = root.find(f".//*[@data-fountain='{entry['id']}']")
        assert drawn is not None
        basin = drawn.findall(f"{SVG}use")[0].attrib["href"]
        assert basin.endswith("-dark" if entry["dark"] else "-basin")


@pytest.mark.parametrize("waiting", [45, 22, 2, 1, 0])
def test_the_queue_stands_in_order_between_its_ends(waiting: int) -> None:
    queue = part(tree(replace(SCENE, queue=QUEUE[:waiting])), "queue")
    assert copies(queue, "visitor") == [*QUEUE[:waiting]]
    assert words(queue) == (["head", "tail"] if waiting else ["empty"])


def test_head_and_tail_stand_next_to_the_first_and_the_last() -> None:
    queue = part(tree(SCENE), "queue")
    assert queue is not None
    at = {
        end.attrib["data-end"]: place(end.attrib["transform"])
        for end in queue.iterfind("*[@data-end]")
    }
    standing = [place(one[0].attrib["transform"]) for one in queue.iterfind("*[@data-place]")]
    first, second, *_, last = standing
    step = distance(first, second)
    assert distance(at["head"], first) == pytest.approx(step, abs=0.1)
    assert distance(at["tail"], last) == pytest.approx(step, abs=0.1)


def place(transform: str) -> tuple[float, float]:
    x, y = map(float, re.findall(r"-?[\d.]+", transform)[:2])
    return x, y


def distance(a: tuple[float, float], b: tuple[float, float]) -> float:
    return float(abs(a[0] - b[0]) + abs(a[1] - b[1]))


@pytest.mark.parametrize("count", range(15))
def test_a_group_is_shown_one_by_one_until_it_is_a_crowd(count: int) -> None:
    group = Counter(QUEUE[i] for i in range(count))
    root = tree(replace(SCENE, groups={"F5": group}))
    drawn = root.find(".//*[@data-fountain='F5']")
    if count <= 9:
        assert Counter(copies(drawn, "visitor")) == group
        assert words(drawn) == ["F5"]
    else:
        output = zip(copies(drawn, "visitor"), words(drawn), strict=False)
        assert {colour: int(number) for colour, number in output} == group


@pytest.mark.parametrize("customers", range(8))
@pytest.mark.parametrize("shop", ["R3", "G1"])  # a high one and a wide one
def test_customers_are_counted_in_shapes_and_then_in_a_number(shop: str, customers: int) -> None:
    scene = replace(SCENE, shops=shops(BOARDS["classic1996"], **{shop: (2, customers)}))
    drawn = tree(scene).find(f".//*[@data-shop='{shop}']")
    inside, places = len(copies(drawn, "visitor")), len(copies(drawn, "place"))
    if customers <= 5:
        assert (inside, places) == (customers, 5 - customers)
    else:
        assert (inside, places) == (1, 0) and f"×{customers}" in words(drawn)


def test_an_owned_shop_bears_its_owners_flag_and_a_vacant_one_the_shape_it_waits_for() -> None:
    root = tree(SCENE)
    flags = {
        one.attrib["data-shop"]: copies(one, "flag") for one in root.iterfind(".//*[@data-shop]")
    }
    assert {shop: flag for shop, flag in flags.items() if flag} == {
        "R3": ["red"],
        "Y2": ["orange"],
        "P5": ["yellow"],
    }
    assert copies(root.find(".//*[@data-shop='B2']"), "place") == ["blue"]


def test_flags_and_visitors_differ_without_colour() -> None:
    text = draw(SCENE)
    for kind, colours in (("flag", ("red", "yellow", "blue", "orange")), ("visitor", COLOURS)):
        shapes = set()
        for colour in colours:
            result = re.search(rf'id="\w+-{kind}-{colour}".*?</g>', text)
            assert result
            shapes.add(tuple(re.findall(r' d="([^"]+)"', result[0])))
        assert len(shapes) == len(colours)


def test_a_seat_is_described_in_words() -> None:
    said = words(part(tree(SCENE), "seats"))
    for shown in ("Leila", "1200", "6 signs left", "1 sign left", "no signs left", "no shop yet"):
        assert shown in said
    for shown in ("to move", "in turn", "bids 125", "passed", "R3", "Y2", "P5"):
        assert said.count(shown) == 1
    assert "Waiting in the queue: 4" in said


def test_every_owned_shop_is_on_its_owners_card() -> None:
    ids = [entry["id"] for entry in BOARDS["medina"]["shops"]]
    scene = replace(start("medina"), shops=shops(BOARDS["medina"], **dict.fromkeys(ids, (1, 0))))
    said = words(part(tree(scene), "seats"))
    assert [word for word in said if word in ids] == ids


def test_marks_are_drawn_only_on_request() -> None:
    bare, marked = tree(SCENE), tree(MARKED)
    for name in ("walk", "entered", "auction", "ghosts", "routes", "key"):
        assert part(bare, name) is None
        assert part(marked, name) is not None
    assert bare.find(".//*[@data-card]") is None
    cards = [card.attrib["data-card"] for card in marked.iterfind(".//*[@data-card]")]
    assert cards == ["red 125", "blue 200"]
    assert set(MARKED.caption) <= set(words(marked))
    key = part(tree(replace(SCENE, auction="B4")), "key")
    assert words(key) == ["up for auction"]


def test_shops_that_were_entered_say_how_many_came() -> None:
    entered = part(tree(MARKED), "entered")
    assert entered is not None and words(entered) == ["+2"]
    assert [e.attrib["data-entered"] for e in entered.iterfind("*[@data-entered]")] == ["R3 red"]


def test_the_walk_follows_its_street_either_way() -> None:
    for walk in (Walk("F3", "F4", ()), Walk("F4", "F3", ())):  # a street with one bend
        line = part(tree(replace(SCENE, walk=walk)), "walk")
        assert line is not None
        assert line[0].attrib["d"].count("L") == 2


def test_two_routes_of_one_street_do_not_hide_each_other() -> None:
    both = (Route("F1", "F6", "F1>F6", ((0, "+100"),)), Route("F6", "F1", "F6>F1"))
    badges = part(tree(replace(SCENE, routes=both)), "routes")
    assert badges is not None
    (_, high), (_, low) = (place(badge.attrib["transform"]) for badge in badges)
    assert low - high > 40


def test_a_route_shows_what_it_brings_beside_each_players_flag() -> None:
    badges = part(tree(MARKED), "routes")
    assert badges is not None
    bringing, nothing = badges
    assert words(bringing) == ["F1>F6", "+300", "≈+75"]
    assert copies(bringing, "flag") == ["yellow", "orange"]  # of seats 1 and 3
    assert words(nothing) == ["F5>F3", "0"] and copies(nothing, "flag") == []


@pytest.mark.parametrize("layout", [BOARDS["medina"], points_only("classic1996")])
def test_what_routes_bring_hides_no_name_of_a_shop(layout: dict[str, Any]) -> None:
    board = {"board": layout, "groups": {}, "shops": ()}
    routes = tuple(Route(s["a"], s["b"], "", ((0, "+100"),)) for s in layout["streets"])
    scene = replace(SCENE, **board, routes=routes)
    town = plan(layout)
    badges = part(tree(scene), "routes")
    assert badges is not None
    for badge in badges:
        x, y = place(badge.attrib["transform"])
        for box in town.shops.values():
            assert not (box.x < x < box.x + box.width and box.y < y < box.y + box.height)


def test_those_on_the_way_stand_on_their_street_at_the_shop_they_have_come_to() -> None:
    walk = Walk("F4", "F9", (("R3", "red"),))
    scene = replace(SCENE, walk=walk, walkers={"blue": 2, "red": 1}, at="R3")
    walking = part(tree(scene), "walkers")
    assert walking is not None
    assert copies(walking, "visitor") == ["red", "blue", "blue"]
    x, y = place(walking.attrib["transform"])
    town = plan(SCENE.board)
    (x0, y0), (x1, y1) = town.way("F4", "F9")
    assert x == pytest.approx(x0, abs=0.01) and x0 == pytest.approx(x1, abs=0.01)
    assert y0 < y < y1
    pulled_in = part(tree(replace(scene, walk=None)), "walkers")
    assert pulled_in is not None
    box = town.shops["R3"]
    x, y = place(pulled_in.attrib["transform"])
    assert box.x < x < box.x + box.width and box.y < y < box.y + box.height
    assert "Still on the way, at R3: 1 red, 2 blue." in describe(scene)
    assert part(tree(replace(scene, walkers={})), "walkers") is None


def test_no_name_of_a_shop_or_fountain_is_cut() -> None:
    layout = deepcopy(points_only("classic1996"))
    names = {}
    for kind in ("fountains", "shops"):
        for number, entry in enumerate(layout[kind]):
            names[entry["id"]] = entry["id"] = f"WWWWWW{number:02}"
    for street in layout["streets"]:
        street["a"], street["b"] = (names[street[end]] for end in "ab")
    layout["gates"] = [names[gate] for gate in layout["gates"]]
    scene = Scene(layout, {}, QUEUE, shops(layout, WWWWWW03=(0, 2)), SEATS)
    said = words(tree(scene))
    for kind in ("fountains", "shops"):
        assert {entry["id"] for entry in layout[kind]} <= set(said)
    assert not any("…" in word for word in said)


def test_a_long_caption_goes_on_below_and_never_loses_a_part_without_a_sign() -> None:
    sentence = "Leila leads 2 red from F1 to F6. "
    said = words(tree(replace(SCENE, caption=(sentence * 4, "Yusuf: bid or pass."))))[-4:]
    assert (
        " ".join(said[:-1]).endswith((sentence * 4).rstrip()) and said[-1] == "Yusuf: bid or pass."
    )
    said = words(tree(replace(SCENE, caption=(sentence * 40, "Yusuf: bid or pass."))))
    output = " ".join(said[-5:-1])
    assert output.endswith("…") and (sentence * 40).startswith(output[:-1])


def test_many_routes_show_only_what_they_bring() -> None:
    routes = tuple(
        Route(a, b, f"{a}>{b}", ((2, "+50"),))
        for street in SCENE.board["streets"]
        for a, b in ((street["a"], street["b"]), (street["b"], street["a"]))
    )
    badges = part(tree(replace(SCENE, routes=routes)), "routes")
    assert words(badges) == ["+50"] * 46


def test_the_description_says_the_position_in_words() -> None:
    output = describe(MARKED)
    for sentence in (
        "Groups: F1 (gate): 2 red, 1 purple; F5: 7 yellow, 14 green.",
        "Queue of 4, head first: red, yellow, yellow, blue.",
        "R3 (red) Leila, 2 customers;",
        "Shops without one: Y1, P1,",
        "Yusuf (yellow): 75 dirhams, 1 sign left, bids 125, to move.",
        "Open souvenir cards: red 125, blue 200.",
        "Up for auction: B4.",
        "Last move: F4 to F9; red enters R3, red enters R3.",
        "F1 to F6: Yusuf +300, Ama ≈+75.",
        "F5 to F3: nothing for anybody.",
    ):
        assert sentence in output
    assert "The queue is empty." in describe(replace(SCENE, queue=()))
    title = tree(MARKED).findtext(f"{SVG}title")
    assert title == "MarraCash: Yusuf to move"


def test_a_full_town_stays_small() -> None:
    layout = BOARDS["classic1996"]
    owned = {entry["id"]: (i % 4, i % 6) for i, entry in enumerate(layout["shops"][:24])}
    streets = layout["streets"]
    full = replace(
        MARKED,
        groups={e["id"]: {"red": 1, "yellow": 1, "blue": 1} for e in layout["fountains"]},
        queue=QUEUE,
        shops=shops(layout, **owned),
        routes=tuple(
            Route(s[a], s[b], "F1>F6", ((0, "+1200"),)) for s in streets for a, b in ("ab", "ba")
        ),
    )
    assert len(draw(full, theme="auto").encode()) < 100_000
