"""`python -m tools.decisions` goes on with its own files only."""

from pathlib import Path

import pytest

import souk
from souk.analysis.decisions import Decision, encode, numbered_position
from souk.arena.append_file import AppendFile
from tools.decisions import parse, resume

GAME = "marrakech(players=2,two_player=one-colour,rugs=3)"  # compiled for others


def resume_file(path: Path, *options: str) -> list[Decision]:
    with AppendFile(path) as file:
        return resume(file, parse([GAME, str(path), *options]))


def decision(number: int) -> Decision:
    position = numbered_position(str(souk.load_game(GAME)), 1, number).position
    return Decision(number, position, "turn", 1, 0, ["left"], [[1.0, 0.0]], [0.0], [0.0], [2])


def test_an_interrupted_file_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    spaced = encode(decision(0)).replace(b'"number":', b'"number": ')  # formatted by another tool
    path.write_bytes(spaced + encode(decision(1))[:-9])
    assert [one.number for one in resume_file(path)] == [0]
    assert path.read_bytes() == spaced


@pytest.mark.parametrize(
    ("number", "options", "message"),
    [
        (None, (), "not a decision"),
        (1, (), "0, 1, 2 … in their order"),
        (0, ("--seed", "2"), "another game or seed"),
    ],
)
def test_other_files_are_refused_and_kept(
    number: int | None, options: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "set.jsonl"
    data = b"notes without a line break" if number is None else encode(decision(number))
    path.write_bytes(data)
    with pytest.raises(souk.SoukError, match=message):
        resume_file(path, *options)
    assert path.read_bytes() == data


@pytest.mark.parametrize(
    "wrong", [("set.gz",), ("set.jsonl", "--processes", "0"), ("set.jsonl", "--seconds", "nan")]
)
def test_wrong_options_are_refused(wrong: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit):
        parse([GAME, *wrong])


def test_a_position_comes_with_the_turn_of_its_game() -> None:
    for number in range(4):
        position, turn = numbered_position(str(souk.load_game(GAME)), 1, number)
        players = position["players"]
        if not any(one["out"] for one in players):
            left = sum(sum(one["rugs"].values()) for one in players)
            assert turn == 1 + 2 * 3 - left
