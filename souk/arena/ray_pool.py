"""The games of a tournament on a Ray cluster (extra `ray`).

Every game is a task of its own. A task runs in a process of Ray's, which has a process of ours to
play in: so a player that crashes or hangs is told from a machine that is lost. A lost machine or
process costs the games it was playing, and Ray gives them to others; machines that join are used.
"""

import os
import socket
from dataclasses import asdict
from functools import cache
from typing import Any

from souk.arena.game_runner import Job, Played, PlayerFailed
from souk.arena.worker_pool import LocalCrew, Outcome
from souk.engine.errors import SoukError

LOCAL = "local"  # a Ray of our own on this machine, instead of an address
QUEUED = 2  # games for each core of the cluster: one is played while one waits
RETRIES = 20  # of a game whose machine or process is lost
WAIT_SECONDS = 1.0
KNOCK_SECONDS = 10.0


class RayCrew:
    """The cores of a cluster."""

    def __init__(self, address: str, workers: int | None = None, patience: float = 120.0) -> None:
        try:
            import ray
        except ImportError:
            raise SoukError("--ray needs the extra ray: pip install 'souk[ray]'") from None
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nobody else's business
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # or it warns
        self._ray: Any = ray
        self._is_ours = not ray.is_initialized()
        if self._is_ours:
            self._connect(address, workers)
        self._most = workers
        self._patience = patience
        self._task = ray.remote(num_cpus=1, max_retries=RETRIES)(play_there)
        self._under_way: dict[Any, Job] = {}

    def _connect(self, address: str, workers: int | None) -> None:
        _knock(address)
        quiet = {"logging_level": "ERROR", "log_to_driver": False}
        try:
            if address == LOCAL:
                self._ray.init(num_cpus=workers, include_dashboard=False, **quiet)
            else:
                self._ray.init(address=address, **quiet)
        except (ConnectionError, ValueError, RuntimeError) as error:
            first = (str(error) or type(error).__name__).strip().split("\n")[0]
            raise SoukError(f"cannot reach a Ray cluster at {address}: {first}") from None

    def room(self) -> int:
        """How many more jobs it takes now; machines may have joined or gone."""
        there = int(self._ray.cluster_resources().get("CPU", 0))
        cores = max(1, there if self._most is None else min(there, self._most))
        return QUEUED * cores - len(self._under_way)

    def submit(self, job: Job) -> None:
        """Take a job."""
        self._under_way[self._task.remote(asdict(job), self._patience)] = job

    def wait(self) -> list[Outcome]:
        """What has come of jobs since; waits a moment if nothing has."""
        waiting = list(self._under_way)
        done, _ = self._ray.wait(waiting, num_returns=1, timeout=WAIT_SECONDS)
        if done:  # and whatever else is there
            done, _ = self._ray.wait(waiting, num_returns=len(waiting), timeout=0)
        return [self._outcome(reference) for reference in done]

    def close(self) -> None:
        """Let go of the cluster; jobs under way are dropped."""
        for reference in self._under_way:
            self._ray.cancel(reference, force=True)
        if self._is_ours:
            self._ray.shutdown()

    def _outcome(self, reference: Any) -> Outcome:
        job = self._under_way.pop(reference)
        try:
            answer = self._ray.get(reference)
        except self._ray.exceptions.RayError as error:
            lines = str(error).strip().split("\n")
            raise SoukError(
                f"the cluster cannot play: {lines[-1].strip()}. Its machines need the same souk "
                "as this one, with the same players"
            ) from None
        _check_version(answer["souk"])
        if "failed" in answer:
            return Outcome(job, None, PlayerFailed(answer["failed"], answer["why"]))
        return Outcome(job, Played.from_dict(answer["played"]))


def _knock(address: str) -> None:
    """Refuse an address where nobody answers: Ray itself would try for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdigit():
        try:
            socket.create_connection((host.strip("[]"), int(port)), KNOCK_SECONDS).close()
        except (OSError, OverflowError) as error:
            told = (getattr(error, "strerror", None) or str(error)).lower()
            raise SoukError(f"cannot reach a Ray cluster at {address}: {told}") from None


def _check_version(there: str) -> None:
    from souk import __version__

    if there != __version__:
        raise SoukError(f"the cluster has souk {there}, this machine {__version__}")


# ---- over there ----------------------------------------------------------------------------------


def play_there(found: dict[str, Any], patience: float) -> dict[str, Any]:
    """Play a game in a process beside Ray's own."""
    from souk import __version__

    crew = _crew(patience)
    crew.submit(Job(found["game"], found["seed"], found["setup"], tuple(found["seats"])))
    outcomes: list[Outcome] = []
    while not outcomes:
        outcomes = crew.wait()
    (outcome,) = outcomes
    if outcome.played is not None:
        return {"souk": __version__, "played": outcome.played.to_dict()}
    assert outcome.failure is not None
    return {"souk": __version__, "failed": outcome.failure.player, "why": outcome.failure.why}


@cache
def _crew(patience: float) -> LocalCrew:
    """The process that this process of Ray's plays in, kept from game to game."""
    return LocalCrew(1, patience)
