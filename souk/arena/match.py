"""A tournament being played: by processes here or by a cluster, kept in a file as it goes on."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from souk.arena.game_runner import Job, Played, PlayerFailed
from souk.arena.results import Results
from souk.arena.standings import Standing, standing
from souk.arena.tournament import Ledger, Tournament
from souk.arena.worker_pool import PATIENCE, Crew, LocalCrew, Outcome
from souk.engine.playouts import cores


class Match:
    """A tournament being played. A context manager that closes its file.

    What the file has already is not played again.
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
        self.ledger = Ledger(tournament)
        self._workers = workers
        self._ray = ray
        longest = max((one.seconds or 0.0 for one in tournament.entrants), default=0.0)
        self._patience = patience + longest
        self.results = Results(results, tournament.game, tournament.seed)
        for played in self.results.games.values():
            self.ledger.add(played)

    def __enter__(self) -> "Match":
        return self

    def __exit__(self, *_: object) -> None:
        self.results.close()

    def play(self) -> Iterator[Played]:
        """Play what is still to be played, and give every game when it is kept.

        A player that fails is withdrawn: its pairings rest, the others go on.
        """
        jobs = self._jobs()
        following = next(jobs, None)
        if following is None:
            return
        with closing(self._crew()) as crew:
            under_way = 0
            while True:
                while following is not None and crew.room() > 0:
                    crew.submit(following)
                    under_way += 1
                    following = next(jobs, None)
                if not under_way:
                    return
                for outcome in crew.wait():
                    under_way -= 1
                    yield from self._keep(outcome)
                if following is not None and not self._is_wanted(following):
                    following = next(jobs, None)

    def standing(self) -> Standing:
        """How it stands."""
        return standing(self.ledger, self.failures)

    def _crew(self) -> Crew:
        if self._ray is None:
            return LocalCrew(self._workers or cores(), self._patience)
        from souk.arena.ray_pool import RayCrew

        return RayCrew(self._ray, self._workers, self._patience)

    def _jobs(self) -> Iterator[Job]:
        """The games that are still to be played, setup by setup; the ledger is asked each time."""
        cup = self.tournament
        for setup in range(cup.setups):
            for pairing in cup.pairings:
                for job in cup.jobs(setup, pairing):
                    is_played = (job.setup, job.seats) in self.results.games
                    if not is_played and self.ledger.is_open(pairing):
                        yield job

    def _is_wanted(self, job: Job) -> bool:
        seats = sorted(job.seats)
        pairings = [one for one in self.tournament.pairings if sorted(one.seats) == seats]
        return any(map(self.ledger.is_open, pairings))

    def _keep(self, outcome: Outcome) -> Iterator[Played]:
        if outcome.played is not None:
            self.results.add(outcome.played)
            self.ledger.add(outcome.played)
            yield outcome.played
        elif outcome.failure is not None:
            self.ledger.withdraw(outcome.failure.player)
            if all(one.player != outcome.failure.player for one in self.failures):
                self.failures.append(outcome.failure)
