"""Play the games of a tournament on a Ray cluster (extra `ray`).

Every game is a Ray task. The task plays in a child process of its own, which distinguishes a player
that crashes or hangs from a machine that is lost. Ray reassigns the games of a lost machine or
process, and uses machines that join.
"""

import os
import socket
from dataclasses import asdict
from functools import cache
from typing import Any

from souk.arena.game_runner import GameResult, Job, PlayerFailed
from souk.arena.pickled_players import Pickles
from souk.arena.worker_pool import PATIENCE, LocalPool, Outcome
from souk.engine.errors import SoukError, reason
from souk.engine.extras import needs_extra

LOCAL = "local"  # instead of an address: start Ray on this machine
GAMES_PER_CORE = 2  # one is played while one is queued
MAX_RETRIES = 20  # of a game whose machine or process is lost
WAIT_SECONDS = 1.0
CONNECT_SECONDS = 10.0


class RayPool:
    """The cores of a Ray cluster."""

    def __init__(
        self,
        address: str,
        workers: int | None = None,
        patience: float = PATIENCE,
        players: Pickles | None = None,
    ) -> None:
        with needs_extra("ray", "--ray"):
            import ray
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # send no telemetry
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # avoids a warning
        self._ray: Any = ray
        self._started_ray = not ray.is_initialized()
        if self._started_ray:
            self._connect(address, workers)
        self._max_workers = workers
        self._patience = patience
        self._task = ray.remote(num_cpus=1, max_retries=MAX_RETRIES)(play_remotely)
        self._players = ray.put(players or {})
        self._running: dict[Any, Job] = {}

    def _connect(self, address: str, workers: int | None) -> None:
        _check_reachable(address)
        quiet = {"logging_level": "ERROR", "log_to_driver": False}
        try:
            if address == LOCAL:
                self._ray.init(num_cpus=workers, include_dashboard=False, **quiet)
            else:
                self._ray.init(address=address, **quiet)
        except (ConnectionError, ValueError, RuntimeError) as error:
            why = (str(error) or type(error).__name__).strip().split("\n")[0]
            raise SoukError(f"cannot reach a Ray cluster at {address}: {why}") from None

    def free_slots(self) -> int:
        """Return how many more jobs the pool takes now; machines may have joined or left."""
        available = int(self._ray.cluster_resources().get("CPU", 0))
        cores = max(1, min(available, self._max_workers or available))
        return GAMES_PER_CORE * cores - len(self._running)

    def submit(self, job: Job) -> None:
        """Queue a job."""
        self._running[self._task.remote(asdict(job), self._patience, self._players)] = job

    def wait(self) -> list[Outcome]:
        """Return the outcomes since the last call, waiting briefly if there are none."""
        running = list(self._running)
        done, _ = self._ray.wait(running, num_returns=1, timeout=WAIT_SECONDS)
        if done:  # collect all that are ready
            done, _ = self._ray.wait(running, num_returns=len(running), timeout=0)
        return [self._outcome(reference) for reference in done]

    def close(self) -> None:
        """Cancel unfinished jobs and disconnect from the cluster."""
        for reference in self._running:
            self._ray.cancel(reference, force=True)
        if self._started_ray:
            self._ray.shutdown()

    def _outcome(self, reference: Any) -> Outcome:
        job = self._running.pop(reference)
        try:
            answer = self._ray.get(reference)
        except self._ray.exceptions.RayError as error:
            lines = str(error).strip().split("\n")
            raise SoukError(
                f"the cluster cannot play: {lines[-1].strip()}. Its machines need the same version "
                "of souk and the same players as this one"
            ) from None
        _check_version(answer["souk"])
        if "failed" in answer:
            return Outcome(job, None, PlayerFailed(answer["failed"], answer["reason"]))
        return Outcome(job, GameResult.from_dict(answer["result"]))


def _check_reachable(address: str) -> None:
    """Refuse an address that does not answer: Ray itself would try for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdigit():
        try:
            socket.create_connection((host.strip("[]"), int(port)), CONNECT_SECONDS).close()
        except (OSError, OverflowError) as error:
            raise SoukError(f"cannot reach a Ray cluster at {address}: {reason(error)}") from None


def _check_version(version: str) -> None:
    from souk import __version__

    if version != __version__:
        raise SoukError(f"the cluster has souk {version}, this machine {__version__}")


# ---- on the cluster ------------------------------------------------------------------------------


def play_remotely(job: dict[str, Any], patience: float, players: Pickles) -> dict[str, Any]:
    """Play a game in a child process of Ray's own process."""
    from souk import __version__

    pool = _pool(patience, tuple(players.items()))
    pool.submit(Job.from_dict(job))
    outcomes: list[Outcome] = []
    while not outcomes:
        outcomes = pool.wait()
    (outcome,) = outcomes
    if outcome.result is not None:
        return {"souk": __version__, "result": outcome.result.to_dict()}
    failure = outcome.failure
    assert failure is not None
    return {"souk": __version__, "failed": failure.player, "reason": failure.reason}


@cache
def _pool(patience: float, players: tuple[tuple[str, str], ...]) -> LocalPool:
    """Return the pool of this process, shared by all of its games."""
    return LocalPool(1, patience, dict(players))
