"""The English sentences for events are the same in the terminal and on the page.

`web/src/games/<game>/eventSentences.json` has an example of every kind of event with the sentence
on the page, which the page's own tests check. Where the terminal's sentence is meant to differ, it
is given as `terminal`.
"""

import importlib
import json
from functools import reduce
from operator import or_
from pathlib import Path

import msgspec
import pytest

from souk.engine.events import Event, Over

PAGE = Path(__file__).parents[2] / "web" / "src" / "games"


@pytest.mark.parametrize("game", [path.parent.name for path in PAGE.glob("*/eventSentences.json")])
def test_every_kind_of_event_has_the_sentence_of_the_page(game):
    module = importlib.import_module(f"souk.games.{game}.events")
    kinds = [kind for kind in Event.__subclasses__() if kind.__module__ == module.__name__]
    kinds.append(Over)
    examples = json.loads((PAGE / game / "eventSentences.json").read_text("utf-8"))
    result = set()
    for example in examples["events"]:
        event = msgspec.convert(example["event"], reduce(or_, kinds))
        result.add(type(event))
        expected = example.get("terminal", example["page"])
        assert event.sentence(examples["names"]) == expected
        assert example.get("terminal") != example["page"], "the same: leave out `terminal`"
    assert result == set(kinds)
