"""Exports have a documented schema and say what the records say."""

import json
import re
import sys
from pathlib import Path

import msgspec
import pytest

import souk
from souk.records import FileError, export, export_games, read, read_games
from souk.records.export import Row, parquet_schema
from souk.records.file_reading import read_game
from tests.records.test_comments import ANNOTATED

FOLDER = Path(__file__).parent
RECORDS = [*read_games(FOLDER / "fair.souk", FOLDER / "full_game.souk"), read(ANNOTATED)]


def check(row: dict, record: souk.records.Record) -> None:
    """A row says what its record says, and its positions are those of the game."""
    assert row["game"] == str(record.game) and row["result"] == record.outcome.result
    assert row["scores"] == [*record.outcome.scores] and sum(row["returns"]) in (0, 1)
    assert [step["action"] for step in row["steps"]] == record.texts()
    assert [step["action_number"] for step in row["steps"]] == [*record.actions]
    state = record.initial_state()
    for step in row["steps"]:
        assert step["position"] == state.to_dict()
        assert step["turn"] == record.game.turn_number(state.buffer)
        if state.is_chance_node():
            assert step["seat"] is None
            chances = [(one["action"], one["probability"]) for one in step["chances"]]
            outcomes = state.chance_outcomes()
            assert chances == [(state.action_to_string(one), share) for one, share in outcomes]
        else:
            assert step["seat"] == state.current_player() and step["chances"] == []
        state.apply_action(step["action_number"])
    assert row["final_position"] == state.to_dict()


def test_json_lines(tmp_path: Path) -> None:
    for name in ("games.jsonl", "games.jsonl.gz"):
        assert export_games(tmp_path / name, RECORDS) == len(RECORDS)
    lines = (tmp_path / "games.jsonl").read_bytes().splitlines()
    for line, record in zip(lines, RECORDS, strict=True):
        check(json.loads(line), record)
        assert isinstance(msgspec.json.decode(line, type=Row), Row)
    assert json.loads(lines[2])["steps"][3]["comment"].startswith("A quiet start.")
    assert json.loads(lines[0])["headers"]["commitment"] == RECORDS[0].extra["commitment"]


def test_parquet(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    file = tmp_path / "games.parquet"
    assert export_games(file, RECORDS) == len(RECORDS)
    table = parquet.read_table(file)
    assert table.schema.equals(parquet_schema())
    for row, record in zip(table.to_pylist(), RECORDS, strict=True):
        row["final_position"] = json.loads(row["final_position"])
        for step in row["steps"]:
            step["position"] = json.loads(step["position"])
        check(row, record)
        assert dict(row["headers"]) == record.extra and row["date"] == record.date


def test_positions_may_be_left_out(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    export_games(file, RECORDS, positions=False)
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    assert {step["position"] for row in rows for step in row["steps"]} == {None}
    assert [len(row["steps"]) for row in rows] == [len(record.actions) for record in RECORDS]


@pytest.mark.parametrize("ending", ["jsonl", "jsonl.gz", "parquet"])
def test_reading_an_export_says_that_it_is_one(ending: str, tmp_path: Path) -> None:
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    file = tmp_path / f"games.{ending}"
    export_games(file, [read(ANNOTATED)])
    reason = f"{file} is an export, not a file of records"
    with pytest.raises(FileError, match=f"^{re.escape(reason)}"):
        next(read_games(file))
    with pytest.raises(FileError, match=f"^{re.escape(reason)}"):
        read_game(file)


def test_both_formats_and_the_page_have_the_same_columns() -> None:
    pytest.importorskip("pyarrow")
    schema = parquet_schema()
    assert tuple(schema.names) == Row.__struct_fields__
    page = (FOLDER.parents[1] / "docs" / "records.md").read_text("utf-8").split("## Export")[1]
    for fields, of in ((schema, Row), (schema.field("steps").type.value_type, export.Step)):
        named = [field.name for field in fields]
        assert tuple(named) == of.__struct_fields__
        assert [name for name in named if not re.search(rf"^\| `{name}` \|", page, re.M)] == []


def test_a_missing_extra_and_an_unknown_format_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(souk.SoukError, match=r"ends with .jsonl, .jsonl.gz or .parquet, not"):
        export_games(tmp_path / "games.csv", RECORDS)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(souk.SoukError, match=r'pip install "souk\[parquet\]"'):
        export_games(tmp_path / "games.parquet", RECORDS)
    assert [*tmp_path.iterdir()] == []
