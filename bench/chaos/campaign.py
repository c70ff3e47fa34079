"""A campaign: play, attack, let everything recover, and compare."""

import asyncio
import random
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from bench.chaos.clients import Client, Ledger
from bench.chaos.deployments import Deployment, names
from souk import records
from souk.records import fairness
from souk.records.signatures import Signer
from souk.server.http.record_export import RECORD_KEY, record_of
from souk.server.store import Store, StoredTable, store_at
from souk.server.tables import entries as e

RECOVERY_SECONDS = 90.0  # within which every client must be answered after an attack


@dataclass
class Report:
    """The result of a campaign."""

    ledger: Ledger
    attacks: Counter[str] = field(default_factory=Counter)
    recoveries: list[float] = field(default_factory=list)  # seconds until everybody is answered
    finished: int = 0  # games
    proven: int = 0  # of them
    compared: Counter[str] = field(default_factory=Counter)
    errors: list[str] = field(default_factory=list)  # of the servers themselves

    @property
    def is_good(self) -> bool:
        """Return whether nothing was lost, doubled or changed, and nothing failed."""
        return not self.ledger.problems and not self.errors

    def text(self) -> str:
        """Return a report of a few lines."""
        problems = self.ledger.problems
        kinds = Counter(problem.partition(":")[0] for problem in problems)
        named = [f"{kinds.pop(kind, 0)} {kind}" for kind in ("lost", "doubled", "changed")]
        other = sum(kinds.values())
        attacks = ", ".join(f"{name} {count}" for name, count in sorted(self.attacks.items()))
        recovery = sorted(self.recoveries) or [0.0]
        median = recovery[len(recovery) // 2]
        compared = ", ".join(f"{count} {kind}" for kind, count in self.compared.items())
        lines = [
            f"{self.attacks.total()} attacks: {attacks}",
            f"games: {self.finished} finished, {self.proven} proven",
            f"compared: {compared}",
            f"{', '.join(named)}, {other} other problems, {len(self.errors)} errors in logs",
            f"until all are answered again: median {median:.1f} s, longest {recovery[-1]:.1f} s",
        ]
        return "\n".join(lines + [f"  {line}" for line in (problems + self.errors)[:20]])


async def run_campaign(
    deployment: Deployment,
    seconds: float,
    tables: int,
    seed: int,
    attacks: list[str] | None = None,
    ledger: Ledger | None = None,
) -> Report:
    """Play at tables for some seconds under random attacks, or under the given ones."""
    pick = random.Random(seed)
    report = Report(ledger or Ledger())
    await deployment.start()
    urls = [process.url for process in deployment.processes]
    clients = [Client(report.ledger, urls, seed * 1000 + number) for number in range(tables)]
    stop = asyncio.Event()
    running = [asyncio.create_task(client.run(stop)) for client in clients]
    try:
        await _everybody_is_answered(clients, running, report)
        end = time.monotonic() + seconds
        for name in names(deployment, pick) if attacks is None else attacks:
            if attacks is None and time.monotonic() > end:
                break
            report.attacks[name] += 1
            await deployment.attacks()[name](pick)
            healed = time.monotonic()
            await _everybody_is_answered(clients, running, report)
            report.recoveries.append(time.monotonic() - healed)
            await asyncio.sleep(pick.choice([0, pick.uniform(0, 1)]))
    finally:
        stop.set()
        done, waiting = await asyncio.wait(running, timeout=30)
        for task in waiting:
            task.cancel()
        for task in done:
            if not task.cancelled() and (error := task.exception()) is not None:
                report.ledger.problems.append(f"a client failed: {error!r}")
    for process in deployment.processes:
        process.kill()
    report.finished = sum(client.finished for client in clients)
    report.errors = deployment.errors()
    await _compare(deployment.database, report)
    return report


async def _everybody_is_answered(
    clients: list[Client], running: list[asyncio.Task[None]], report: Report
) -> None:
    """Wait until every client has had two more acknowledgements."""
    counts = [client.acknowledged + 2 for client in clients]
    end = time.monotonic() + RECOVERY_SECONDS
    while any(one.acknowledged < count for one, count in zip(clients, counts, strict=True)):
        if any(task.done() for task in running):
            return  # a client failed, which the report says
        if time.monotonic() > end:
            report.ledger.problems.append("stuck: somebody was not answered any more")
            return
        await asyncio.sleep(0.05)


async def _compare(database: str, report: Report) -> None:
    """Compare everything that clients were told with what is stored."""
    store = store_at(database)
    await store.open_read_only()
    try:
        key = await store.setting(RECORD_KEY)
        assert key is not None
        for table in report.ledger.tables:
            await _compare_table(store, table, Signer(key), report)
    finally:
        await store.close()


async def _compare_table(store: Store, id: str, signer: Signer, report: Report) -> None:
    ledger = report.ledger
    stored = await store.load(id)
    if stored is None:
        ledger.problems.append(f"lost: table {id}")
        return
    report.compared["tables"] += 1
    entries = [e.decode_entry(raw) for raw in stored.entries]
    _compare_requests(id, entries, report)
    _compare_events(id, entries, report)
    _compare_game(id, stored, signer, report)


def _compare_requests(id: str, entries: list[e.AnyEntry], report: Report) -> None:
    """Compare acknowledgements with entries: each is there once, where and as it was said."""
    ledger = report.ledger
    stored_at = defaultdict(list)
    for n, entry in enumerate(entries, 1):
        if entry.request is not None:
            stored_at[entry.by, entry.request].append(n)
    for (person, request), numbers in stored_at.items():
        if len(numbers) > 1:
            ledger.problems.append(f"doubled: request {request} of {person} at table {id}")
    for one in ledger.acknowledged.values():
        if one.table != id:
            continue
        report.compared["acknowledgements"] += 1
        if one.n not in stored_at[one.person, one.request]:
            ledger.problems.append(f"lost: {one}")
            continue
        entry = entries[one.n - 1]
        text = entry.action if isinstance(entry, e.Acted) else getattr(entry, "text", None)
        if text != one.text:
            ledger.problems.append(f"changed: {one} is stored as {entry}")


def _compare_events(id: str, entries: list[e.AnyEntry], report: Report) -> None:
    """Compare events with entries: nobody saw one that is not stored, or another."""
    ledger = report.ledger
    for (table, n), event in ledger.events.items():
        if table != id:
            continue
        report.compared["events"] += 1
        if n > len(entries):
            ledger.problems.append(f"lost: event {n} of table {id}")
            continue
        entry = entries[n - 1]
        steps = [step["action"] for step in event.get("steps", ())]
        if isinstance(entry, e.Acted):
            is_same = steps == [entry.action, *entry.chance]
        elif isinstance(entry, e.Said):
            is_same = event["line"]["text"] == entry.text
        else:
            is_same = True
        if not is_same or (event["kind"], event["at"]) != (entry.kind(), entry.at):
            ledger.problems.append(f"changed: event {n} of table {id}: {event}, {entry}")


def _compare_game(id: str, stored: StoredTable, signer: Signer, report: Report) -> None:
    """Verify a game against the commitment and all history hashes that anybody saw."""
    ledger = report.ledger
    table, record = record_of(stored)
    seen = [one for (other, _), one in ledger.history_hashes.items() if other == id]
    report.compared["history hashes"] += len(seen)
    if table.status == "over":
        again = records.read(records.write(signer.sign(record)))
        verdict = fairness.verify(
            again, ledger.commitments[id], history_hashes=seen, key=signer.key
        )
        report.proven += verdict.is_proven
        if not verdict.is_proven:
            ledger.problems.append(f"not proven: table {id}: {verdict.problems}")
