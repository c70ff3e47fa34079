"""Play a tournament on local processes or a cluster, saving every game as it ends."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from souk.arena.game_runner import GameResult, Job, PlayerFailed
from souk.arena.pairings import Pairing
from souk.arena.pickled_players import pickle_players
from souk.arena.records_file import RecordsFile, tournament_record
from souk.arena.results_file import ResultsFile
from souk.arena.standings import Standings, compute_standings
from souk.arena.tournament import Tournament
from souk.arena.tournament_progress import TournamentProgress
from souk.arena.worker_pool import PATIENCE, LocalPool, Outcome, WorkerPool
from souk.engine.playouts import cores
from souk.records import Record, write_all


class TournamentRunner:
    """Plays a tournament. A context manager that adds the records to their file at the end.

    Games that the results file has already are not played again.
    """

    def __init__(
        self,
        tournament: Tournament,
        *,
        results: Path | None = None,
        records: Path | None = None,
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
        try:
            self.records_file = None if records is None else RecordsFile(records)
        except BaseException:
            self.results.close()
            raise

    def __enter__(self) -> "TournamentRunner":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Add the records that their file does not have, and close the files."""
        with self.results:
            if self.records_file is not None:
                with self.records_file as file:
                    for text in write_all(self.records(), file.path.parent):
                        file.add([text])

    def play(self) -> Iterator[GameResult]:
        """Play the remaining games, and yield the result of each once it is saved.

        A player that fails is withdrawn: its pairings are not continued, the others are.
        """
        remaining = self._remaining_games()
        following = next(remaining, None)
        if following is None:
            return
        with closing(self._start_pool()) as pool:
            running = 0
            while True:
                while following is not None and pool.free_slots() > 0:
                    pool.submit(following[1])
                    running += 1
                    following = next(remaining, None)
                if not running:
                    return
                for outcome in pool.wait():
                    running -= 1
                    yield from self._record(outcome)
                if following is not None and not self.progress.is_open(following[0]):
                    following = next(remaining, None)

    def standings(self) -> Standings:
        """Return the standings after the games played so far."""
        return compute_standings(self.progress, self.failures)

    def records(self) -> Iterator[Record]:
        """Yield the records of the games played so far, setup by setup."""
        found = 0
        for _, job in self._games():
            if found == self.progress.played:
                return
            result = self.results.games.get(job.key)
            if result is not None:
                found += 1
                yield tournament_record(self.tournament, result)

    def _start_pool(self) -> WorkerPool:
        players = pickle_players(self.tournament.entrants)
        if self._ray is None:
            return LocalPool(self._workers or cores(), self._patience, players)
        from souk.arena.ray_pool import RayPool

        return RayPool(self._ray, self._workers, self._patience, players)

    def _games(self) -> Iterator[tuple[Pairing, Job]]:
        """Yield all games of the tournament, setup by setup."""
        for setup in range(self.tournament.setups):
            for pairing in self.tournament.pairings:
                for job in self.tournament.jobs(setup, pairing):
                    yield pairing, job

    def _remaining_games(self) -> Iterator[tuple[Pairing, Job]]:
        """Yield the games still to play, checking each time if the pairing needs more."""
        for pairing, job in self._games():
            if job.key not in self.results.games and self.progress.is_open(pairing):
                yield pairing, job

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
