"""`souk simulate` at a terminal: the progress bar, and a summary after Ctrl-C."""

from pathlib import Path

import pytest

from tests.terminal.pseudo_terminal import terminal


@pytest.mark.parametrize("threads", ["1", "2"])
def test_ctrl_c_sums_up_what_was_played(threads: str, tmp_path: Path) -> None:
    table = tmp_path / "games.csv"
    many = ("simulate", "marrakech(players=2,rugs=2)", "-n", "1000000", "--csv", str(table))
    seats = ("--seat", "greedy", "--seat", "random")
    with terminal(*many, *seats, "--threads", threads, data=tmp_path, columns=100) as screen:
        while "/1000000" not in screen.text:
            assert screen.more(), screen.text
        assert screen.interrupt() == 130
        output = screen.text
    assert "games of 1,000,000" in output or "no game was finished" in output
    assert "Traceback" not in output
    assert table.read_text().startswith("game,turns,score_0,score_1,share_0,share_1\n")
