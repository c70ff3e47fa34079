"""The core works without the extras, and every command names the extra that it needs."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer import main as typer_main
from typer.core import TyperGroup

from souk.cli import app
from tests.installed import ROOT, build, install_core

RECORDS = ROOT / "tests" / "records"
RECORD = RECORDS / "sheet004.souk"
# Every command with arguments, and the extra that it needs.
COMMANDS: list[tuple[str, str | None]] = [
    ("play --players 2", None),
    ("simulate -n 10", None),
    ("arena greedy random --games 2 --threads 1", None),
    ("arena greedy random --games 2 --chart games.png", "arena"),
    ("arena greedy random --games 2 --ray local", "ray"),
    ("train -o net.npz --on gpu", "gpu"),
    ("simulate --device cuda", "gpu"),
    (f"show {RECORD}", None),
    (f"analyse {RECORD} --level greedy --nodes 20", None),
    (f"rollout {RECORD} --at 2 --player random --games 12", None),
    (f"check {RECORD}", None),
    (f"records {RECORD}", None),
    (f"records {RECORD} -o games.parquet", "parquet"),
    (f"verify {RECORDS / 'signed.souk'}", "server"),
    ("rules", None),
    ("games", None),
    ("players", None),
    ("prepare marrakech", None),
    ("serve", "server"),
    ("mcp", "mcp"),
    ("bot http://127.0.0.1:9/t/TABLE", "server"),
    ("admin migrate --database souk.db", None),
    ("admin list --database postgresql://db/souk", "postgres"),
    ("admin list --database souk.db", None),
    ("admin export --database souk.db", None),
    ("admin key --database souk.db", None),
    ("admin backup backup.db --database souk.db", None),
    ("admin restore backup.db --database restored.db", None),
    ("admin reports --database souk.db", None),
    ("admin close 1 --database souk.db", None),
    ("admin people --database souk.db", None),
    ("admin person ADA --database souk.db", None),
    ("admin rename ADA --database souk.db", None),
    ("admin logout ADA --database souk.db", None),
    ("admin delete ADA --yes --database souk.db", None),
    ("admin ban 203.0.113.7 --database souk.db", None),
    ("admin bans --database souk.db", None),
    ("admin unban 203.0.113.7 --database souk.db", None),
    ("admin chat TABLE --database souk.db", None),
    ("admin remove-line TABLE 1 --database souk.db", None),
    ("admin cleanup --database souk.db", None),
]
# In one process, since starting one for each command would take longer than all the rest.
RUN = """
import contextlib, io, json, sys
from souk.cli import main

if __name__ == "__main__":
    results = []
    for command in json.load(sys.stdin):
        sys.argv, sys.stdin = ["souk", *command.split()], io.StringIO()
        errors = io.StringIO()
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(errors):
            try:
                main()
            except SystemExit as end:
                results.append([end.code, errors.getvalue()])
    print(json.dumps(results))
"""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment that has the wheel and what it requires."""
    folder = tmp_path_factory.mktemp("core")
    return install_core(build("wheel", folder), folder / "venv")


def paths(group: TyperGroup, parents: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for name, command in group.commands.items():
        if isinstance(command, TyperGroup):
            yield from paths(command, (*parents, name))
        else:
            yield (*parents, name)


def test_every_command_is_tried() -> None:
    group = typer_main.get_command(app)
    assert isinstance(group, TyperGroup)
    tried = [tuple(command.split()) for command, _ in COMMANDS]
    assert [path for path in paths(group) if path not in {one[: len(path)] for one in tried}] == []


def test_a_command_works_or_names_the_extra_that_it_needs(python: Path, tmp_path: Path) -> None:
    site = next((python.parents[1] / "lib").glob("python*/site-packages"))
    before = {path: path.stat().st_mtime_ns for path in (site / "souk").rglob("*")}
    (tmp_path / "run.py").write_text(RUN)
    done = subprocess.run(
        [python, "run.py"],
        input=json.dumps([command for command, _ in COMMANDS]),
        cwd=tmp_path,
        env={**os.environ, "SOUK_DATA_DIR": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    for (command, extra), (code, errors) in zip(COMMANDS, json.loads(done.stdout), strict=True):
        if extra is None:
            assert "extra" not in errors and code in (0, 1), f"{command}: {errors}"
        else:
            assert code == 1 and f'pip install "souk[{extra}]"' in errors, f"{command}: {errors}"
    assert {path: path.stat().st_mtime_ns for path in (site / "souk").rglob("*")} == before


@pytest.mark.parametrize(
    ("module", "extra"),
    [("gymnasium", "envs"), ("pettingzoo", "envs"), ("open_spiel", "open_spiel")],
)
def test_an_environment_names_the_extra_that_it_needs(
    python: Path, tmp_path: Path, module: str, extra: str
) -> None:
    done = subprocess.run(
        [python, "-c", f"import souk.envs, souk.envs.{module}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert f'souk.envs.{module} needs the {extra} extra: pip install "souk[{extra}]"' in done.stderr
