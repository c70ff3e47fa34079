"""The lessons of the page: all choices and scripts keep the rules, and the texts are true."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import souk
from souk.engine.state import State

FOLDERS = Path(__file__).parents[2] / "web/src/games"
LESSONS = {
    path.parts[-3]: json.loads(path.read_text()) for path in FOLDERS.glob("*/lessons/*.json")
}
LEARNER = 0

Events = list[dict[str, Any]]


def legal(state: State) -> list[str]:
    return [state.action_to_string(action) for action in state.legal_actions()]


def after(state: State, actions: list[str]) -> tuple[State, Events]:
    """Return a new state after some actions, and all events."""
    state, events = state.game.state_from_dict(state.to_dict()), []
    for action in actions:
        assert action in legal(state)
        state.apply_action(state.string_to_action(action))
        events += json.loads(msgspec.json.encode(state.events()))
    return state, events


def walk(game: str) -> dict[str, tuple[State, list[tuple[State, Events]]]]:
    """Return where each step begins, and what each of its choices leads to."""
    outcome: dict[str, tuple[State, list[tuple[State, Events]]]] = {}
    ends: list[tuple[State, Events]] = []
    for step in LESSONS[game]:
        if "position" in step:
            state = souk.load_game(step["position"]["game"]).state_from_dict(step["position"])
        else:
            assert len({str(end.to_dict()) for end, _ in ends}) == 1, "go on from one position only"
            state = ends[0][0]
        ends = [(state, [])]
        if "choices" in step:
            assert state.current_player() == LEARNER
            choices = step["choices"] or legal(state)
            ends = [after(state, [choice, *step.get("script", [])]) for choice in choices]
        outcome[step["name"]] = state, ends
    return outcome


def test_both_games_are_taught() -> None:
    assert {"marracash", "marrakech"} <= set(LESSONS) <= set(souk.games())


def wins(events: Events) -> bool:
    return any(one["event"] == "over" and one["ranking"][0] == [LEARNER] for one in events)


def has(kind: str, **fields: Any) -> Callable[[Events], bool]:
    """Return a test whether there is such an event."""
    expected = {"event": kind, **fields}.items()
    return lambda events: any(expected <= one.items() for one in events if one["event"] == kind)


@pytest.mark.parametrize(
    ("game", "facts"),
    [
        (
            "marrakech",
            {
                "turn": has("walked", die=3),
                "arc": lambda events: any(step["arc"] for step in events[-1]["steps"]),
                "pay": has("paid", seat=0, to=1, paid=4),
                "avoid": lambda events: not has("paid")(events),
                "cover": lambda events: any(one["seat"] == 1 for one in events[-1]["covered"]),
                "paid": has("paid", seat=1, to=0),
                "end": wins,
            },
        ),
        (
            "marracash",
            {
                "bid": has("bid", seat=1, amount=250),
                "raise": has("sold", seat=0),
                "move": lambda events: [one["payment"] for one in events[1:]] == [100, 200],
                "commission": has("commission", owner=1, seat=0, amount=50),
                "bring": has("brought", gate="F1"),
                "open": has("bid", seat=1, amount=300),
                "pass": has("sold", seat=1, price=300, commission=100),
                "end": has("lastround"),
            },
        ),
    ],
)
def test_every_choice_is_legal_and_leads_to_what_the_texts_say(
    game: str, facts: dict[str, Callable[[Events], bool]]
) -> None:
    steps = walk(game)
    for name, is_true in facts.items():
        assert all(is_true(events) for _, events in steps[name][1]), name


def test_one_direction_alone_avoids_all_rugs_of_others() -> None:
    state, _ = walk("marrakech")["avoid"]
    free = [
        turning
        for turning in legal(state)
        if not any(has("paid")(after(state, [turning, die])[1]) for die in "1234")
    ]
    assert free == ["right"]
