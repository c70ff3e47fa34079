"""The fair queue: by address, then by person, urgent work first."""

import asyncio
from types import SimpleNamespace

import pytest

from souk.server.live import fair_queue
from souk.server.live.fair_queue import FairQueue, Payer, Urgency

pytestmark = pytest.mark.asyncio
ADA, BEN = Payer("10.0.0.1", "ada"), Payer("10.0.0.2", "ben")
MOVE, HINT, REVIEW, BACKGROUND = Urgency


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """Return a clock that the test moves."""
    now = [1000.0]
    monkeypatch.setattr(fair_queue, "time", SimpleNamespace(monotonic=lambda: now[0]))
    return now


class Workers:
    """A queue whose jobs take a given time each; remembers the order in which they ran."""

    def __init__(self, clock, workers=1, **options):
        self.clock = clock
        self.queue = FairQueue(workers, **options)
        self.order = []
        self.tasks = []

    async def add(self, name, payer, urgency=MOVE, seconds=1.0, what=""):
        async def work():
            async with self.queue.turn(payer, urgency, what or name):
                self.order.append(name)
                await asyncio.sleep(0)
                self.clock[0] += seconds

        self.tasks.append(asyncio.create_task(work()))
        await asyncio.sleep(0)

    async def finish(self):
        await asyncio.gather(*self.tasks)
        return self.order


@pytest.fixture
def workers(clock):
    return Workers(clock)


def eve(number):
    return Payer("10.6.6.6", f"eve{number}")


async def hold(queue, payer, urgency=MOVE, what="long"):
    """Take a worker; return a function that gives it back."""
    turn = queue.turn(payer, urgency, what)
    await turn.__aenter__()
    return lambda: turn.__aexit__(None, None, None)


async def test_one_address_with_many_identities_does_not_hold_up_others(workers):
    release = await hold(workers.queue, BEN)
    for number in range(30):
        await workers.add(f"eve{number}", eve(number))
    for number in range(3):
        await workers.add(f"ada{number}", ADA)
    await release()
    order = await workers.finish()
    assert [order.index(f"ada{number}") < 8 for number in range(3)] == [True] * 3, order


async def test_within_an_address_people_share(workers):
    release = await hold(workers.queue, BEN)
    for number in range(20):
        await workers.add(f"eve{number}", Payer(ADA.address, "eve"), seconds=2)
    await workers.add("ada", ADA)
    await release()
    order = await workers.finish()
    assert order.index("ada") <= 2


async def test_moves_go_before_hints_before_reviews_before_tables_without_people(workers):
    release = await hold(workers.queue, ADA)
    for urgency in (BACKGROUND, REVIEW, HINT, MOVE):
        for payer in (ADA, BEN):
            await workers.add(f"{payer.person} {urgency.name}", payer, urgency, seconds=0.01)
    await release()
    order = [one.split()[1] for one in await workers.finish()]
    assert order == [one for one in ("MOVE", "HINT", "REVIEW", "BACKGROUND") for _ in "ab"]


async def test_what_is_less_urgent_waits_for_some_seconds_only(workers):
    """The moves of a person at two tables starved a table of computers that they watched."""
    release = await hold(workers.queue, ADA)
    await workers.add("background", ADA, BACKGROUND)
    for number in range(30):
        await workers.add(f"move{number}", ADA, MOVE)
    await release()
    order = await workers.finish()
    assert 3 <= order.index("background") <= 3 * fair_queue.PROMOTION + 1


async def test_a_hint_of_somebody_else_goes_before_the_moves_of_a_heavy_user(workers):
    release = await hold(workers.queue, BEN)
    for number in range(10):
        await workers.add(f"eve{number}", eve(number))
    await workers.add("hint", ADA, HINT)
    await release()
    order = await workers.finish()
    assert order.index("hint") <= 3


async def test_use_is_forgotten_after_a_while(workers, clock):
    for number in range(10):
        await workers.add(f"eve{number}", eve(number))
    await workers.finish()
    clock[0] += 10 * fair_queue.HALF_LIFE
    release = await hold(workers.queue, BEN)
    await workers.add("ada", ADA, HINT)
    await workers.add("eve again", eve(0), MOVE)
    await release()
    assert (await workers.finish())[-2:] == ["eve again", "ada"]


async def test_no_address_takes_the_last_worker_while_others_are_active(clock):
    queue = FairQueue(2)
    first = await hold(queue, eve(0))
    second = asyncio.create_task(hold(queue, eve(1)))
    await asyncio.sleep(0)
    assert second.done(), "without anybody else it may use all"
    await (await second)()
    await (await hold(queue, ADA))()
    third = asyncio.create_task(hold(queue, eve(2)))
    await asyncio.sleep(0)
    assert not third.done() and queue.waiting() == queue.waiting("10.6.6.6") == 1
    other = await asyncio.wait_for(hold(queue, ADA), 1)
    await first()
    await asyncio.sleep(0)
    assert third.done()
    await (await third)()
    await other()
    clock[0] += fair_queue.HALF_LIFE + 1
    await hold(queue, eve(0))
    await asyncio.wait_for(hold(queue, eve(1)), 1)


async def test_quick_work_has_a_worker_of_its_own(clock):
    workers = Workers(clock, quick=True)
    for name in ("one", "two"):
        await workers.add(name, BEN, seconds=0.01, what="greedy")
        await workers.finish()
    release = await hold(workers.queue, eve(0), what="master")
    await workers.add("slow", ADA, what="master")
    await workers.add("unknown", ADA, what="new")
    await workers.add("quick", ADA, seconds=0.01, what="greedy")
    await asyncio.sleep(0.01)
    assert workers.order == ["one", "two", "quick"]
    await release()
    assert (await workers.finish())[3:] == ["slow", "unknown"]


async def test_work_whose_time_varies_never_counts_as_quick(clock):
    queue = FairQueue(1, quick=True)
    for _ in range(3):
        async with queue.turn(BEN, HINT, "") as worker:
            assert worker == 0, "not the one for quick work"
            clock[0] += 0.01


async def test_work_that_is_slow_twice_is_no_longer_quick(clock):
    workers = Workers(clock, quick=True)
    for seconds in (0.01, 5, 5):
        await workers.add("x", BEN, seconds=seconds, what="player")
        await workers.finish()
    await hold(workers.queue, eve(0))
    await workers.add("late", ADA, what="player")
    assert "late" not in workers.order


async def test_cancelled_jobs_leave_the_queue():
    queue = FairQueue(1)
    release = await hold(queue, ADA)
    tasks = [asyncio.create_task(hold(queue, BEN)) for _ in range(3)]
    await asyncio.sleep(0)
    tasks[0].cancel()
    await asyncio.sleep(0)
    assert queue.waiting() == 2
    await release()
    tasks[1].cancel()  # it has been granted the worker, and does not know it yet
    await asyncio.sleep(0.01)
    assert tasks[2].done() and queue.waiting() == 0
    await (await tasks[2])()


async def test_an_error_in_a_job_frees_its_worker(clock):
    queue = FairQueue(1)
    with pytest.raises(ZeroDivisionError):
        async with queue.turn(ADA, MOVE, ""):
            clock[0] += 1 / 0
    await asyncio.wait_for(hold(queue, BEN), 1)


async def test_a_thousand_waiting_jobs_are_no_burden(clock):
    queue = FairQueue(1)
    queue._addresses.add("10.6.6.6", 100, clock[0])
    release = await hold(queue, ADA)
    tasks = [asyncio.create_task(hold(queue, eve(number))) for number in range(1000)]
    await asyncio.sleep(0)
    loop = asyncio.get_running_loop()
    started = loop.time()
    for _ in range(10):
        waiting = asyncio.create_task(hold(queue, ADA))
        await asyncio.sleep(0)
        await release()
        release = await waiting
    assert (loop.time() - started) / 10 < 0.1
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
