"""A short campaign of `make chaos`: what clients were told is what is stored."""

import pytest

from bench.chaos.campaign import run_campaign
from bench.chaos.clients import Acknowledged, Ledger
from bench.chaos.deployments import SqliteDeployment

pytestmark = pytest.mark.asyncio

ATTACKS = ["disk full", "workers killed", "server frozen", "server killed"]


async def test_nothing_is_lost_doubled_or_changed_under_attack(tmp_path):
    with SqliteDeployment(tmp_path) as deployment:
        report = await run_campaign(deployment, 0, tables=3, seed=2, attacks=ATTACKS)
        assert report.is_good, report.text()
        assert report.attacks.total() == len(ATTACKS)
        assert report.compared["acknowledgements"] > 20 and report.compared["events"] > 20
        assert "0 lost, 0 doubled, 0 changed" in report.text()


async def test_the_comparison_finds_what_is_lost_doubled_or_changed(tmp_path):
    """Without a fault of the server: the ledger is told something else."""

    class Liar(Ledger):
        def acknowledge(self, one):
            super().acknowledge(one)
            if len(self.acknowledged) == 1:
                one.text = "another text"  # changed
                ids = (one.table, one.person, "never sent")
                super().acknowledge(Acknowledged(*ids, 999, 0, "left"))  # lost

    with SqliteDeployment(tmp_path) as deployment:
        report = await run_campaign(deployment, 0, tables=1, seed=5, attacks=[], ledger=Liar())
    kinds = {problem.partition(":")[0] for problem in report.ledger.problems}
    assert {"lost", "changed"} <= kinds and not report.is_good, report.text()
