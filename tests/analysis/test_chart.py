"""The drawing of the winning chances."""

from xml.etree import ElementTree

import pytest

import souk
from souk.records import Record, Seat
from tests.analysis.example_games import random_record

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def analysis():
    return souk.analyse(random_record("marrakech(players=3,rugs=2)"), level="trader")


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
def test_the_chart_has_a_line_and_a_name_for_every_player(analysis, theme):
    root = ElementTree.fromstring(analysis.svg(theme=theme))
    lines = [group for group in root.iter(f"{SVG}g") if group.get("data-seat")]
    assert len(lines) == 3
    for group in lines:
        points = group.find(f"{SVG}path").get("d").split("L")
        assert len(points) == len(analysis.steps) + 1
    words = [text.text for text in root.iter(f"{SVG}text")]
    assert {"Leila", "Karim", "Zineb"} <= set(words)
    assert (root.find(f"{SVG}style") is not None) == (theme == "auto")
    assert "Zineb from" in root.find(f"{SVG}desc").text


def test_lines_differ_by_more_than_colour(analysis):
    root = ElementTree.fromstring(analysis.svg())
    groups = [group for group in root.iter(f"{SVG}g") if group.get("data-seat")]
    dashes = {group.findall(f"{SVG}path")[1].get("stroke-dasharray") for group in groups}
    markers = {group.find(f"{SVG}g/{SVG}path").get("d") for group in groups}
    assert len(dashes) == len(markers) == 3


def test_the_height_of_a_line_is_proportional_to_the_share(analysis):
    root = ElementTree.fromstring(analysis.svg())
    for group in root.iter(f"{SVG}g"):
        if (seat := group.get("data-seat")) is None:
            continue
        points = group.find(f"{SVG}path").get("d").removeprefix("M").split("L")
        heights = [float(point.split()[1]) for point in points]
        shares = [analysis.start[int(seat)], *(step.shares[int(seat)] for step in analysis.steps)]
        top, bottom = 96, 396
        for height, share in zip(heights, shares, strict=True):
            assert height == pytest.approx(bottom + (top - bottom) * share, abs=0.01)


def test_names_are_escaped():
    record = random_record("marrakech(players=2,rugs=2)", moves=3)
    nasty = [Seat('<b>&"'), Seat("a very long name " * 9)]
    record = Record(record.game, record.actions, record.seed, tuple(nasty))
    analysis = souk.analyse(record, level="trader")
    ElementTree.fromstring(analysis.svg())
    with pytest.raises(souk.SoukError, match="theme is 'pink'"):
        analysis.svg(theme="pink")


def test_a_game_without_moves_has_a_chart():
    analysis = souk.analyse(random_record("marrakech(players=2,rugs=2)", moves=0), level="trader")
    ElementTree.fromstring(analysis.svg())
