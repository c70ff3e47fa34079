"""Play a tournament on local processes or a cluster, saving every game as it ends."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from souk.arena.game_runner import GameResult, Job, PlayerFailed
from souk.arena.results_file import ResultsFile
from souk.arena.standings import Standings, compute_standings
from souk.arena.tournament import Tournament
from souk.arena.tournament_progress import TournamentProgress
from souk.arena.worker_pool import PATIENCE, LocalPool, Outcome, WorkerPool
from souk.engine.playouts import cores


class TournamentRunner:
    """Plays a tournament. A context manager that closes the results file.

    Games that the file has already are not played again.
    """

    def __init__(
        self,
        tournament: Tournament,
        *,
        results: Path | None = None,
        workers: int | None = None,
        ray: str | None = None,
        patience: float = PATIENCE,
    ) -> None:
        self.tournament = tournament
        self.failures: list[PlayerFailed] = []
        self.progress = TournamentProgress(tournament)
        self._workers = workers
        self._ray = ray
        longest = max((entrant.seconds or 0.0 for entrant in tournament.entrants), default=0.0)
        self._patience = patience + longest
        self.results = ResultsFile(results, tournament.game, tournament.seed)
        for result in self.results.games.values():
            self.progress.add(result)

    def __enter__(self) -> "TournamentRunner":
        return self

    def __exit__(self, *_: object) -> None:
        self.results.close()

    def play(self) -> Iterator[GameResult]:
        """Play the remaining games, and yield the result of each once it is saved.

        A player that fails is withdrawn: its pairings are not continued, the others are.
        """
        jobs = self._remaining_jobs()
        job = next(jobs, None)
        if job is None:
            return
        with closing(self._start_pool()) as pool:
            running = 0
            while True:
                while job is not None and pool.free_slots() > 0:
                    pool.submit(job)
                    running += 1
                    job = next(jobs, None)
                if not running:
                    return
                for outcome in pool.wait():
                    running -= 1
                    yield from self._record(outcome)
                if job is not None and not self._is_needed(job):
                    job = next(jobs, None)

    def standings(self) -> Standings:
        """Return the standings after the games played so far."""
        return compute_standings(self.progress, self.failures)

    def _start_pool(self) -> WorkerPool:
        if self._ray is None:
            return LocalPool(self._workers or cores(), self._patience)
        from souk.arena.ray_pool import RayPool

        return RayPool(self._ray, self._workers, self._patience)

    def _remaining_jobs(self) -> Iterator[Job]:
        """Yield the games still to play, setup by setup, checking each time if it is needed."""
        tournament = self.tournament
        for setup in range(tournament.setups):
            for pairing in tournament.pairings:
                for job in tournament.jobs(setup, pairing):
                    is_played = (job.setup, job.players) in self.results.games
                    if not is_played and self.progress.is_open(pairing):
                        yield job

    def _is_needed(self, job: Job) -> bool:
        return any(
            self.progress.is_open(pairing)
            for pairing in self.tournament.pairings
            if sorted(pairing.seating) == sorted(job.players)
        )

    def _record(self, outcome: Outcome) -> Iterator[GameResult]:
        """Save and count the result of a job, or withdraw the player that failed."""
        if outcome.result is not None:
            self.results.add(outcome.result)
            self.progress.add(outcome.result)
            yield outcome.result
        elif outcome.failure is not None:
            self.progress.withdraw(outcome.failure.player)
            if all(failure.player != outcome.failure.player for failure in self.failures):
                self.failures.append(outcome.failure)
