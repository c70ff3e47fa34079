"""The summary of many records: games, lengths, results and players."""

from dataclasses import dataclass, field

from souk.arena.report import quantity, table
from souk.records import Record
from souk.records.record import PERSON

_MOST_PLAYERS = 20  # of a game, listed


@dataclass
class _Player:
    games: int = 0
    wins: float = 0.0  # shares of wins
    points: int = 0


@dataclass
class _Game:
    """The records of one game with its settings."""

    games: int = 0
    finished: int = 0
    shared: int = 0  # wins, draws included
    turns: list[int] = field(default_factory=list)  # of finished games
    seats: list[float] = field(default_factory=list)  # wins by seat
    players: dict[str, _Player] = field(default_factory=dict)  # in finished games

    def add(self, record: Record) -> None:
        self.games += 1
        outcome = record.outcome
        if not outcome.is_finished:
            return
        self.finished += 1
        self.shared += max(outcome.returns) < 1
        self.turns.append(outcome.turns)
        seats = self.seats or [0.0 for _ in outcome.returns]
        self.seats = [one + share for one, share in zip(seats, outcome.returns, strict=True)]
        for number, name in enumerate(record.names()):
            kind = record.seats[number].plays if record.seats else PERSON
            label = name if kind in (PERSON, name) else f"{name} ({kind})"
            player = self.players.setdefault(label, _Player())
            player.games += 1
            player.wins += outcome.returns[number]
            player.points += outcome.scores[number]

    def text(self) -> str:
        """Return some lines on the games and a table of the players."""
        unfinished = self.games - self.finished
        lines = [
            f"{quantity(self.games, 'game')}"
            + (f", {unfinished:,} of them unfinished" if unfinished else "")
            + (f", {self.shared:,} shared or drawn" if self.shared else "")
        ]
        if not self.finished:
            return lines[0]
        average = sum(self.turns) / len(self.turns)
        lines.append(f"{average:.1f} turns on average, {min(self.turns)} to {max(self.turns)}")
        seats = [
            f"seat {seat} {100 * one / self.finished:.1f}" for seat, one in enumerate(self.seats, 1)
        ]
        lines.append(f"wins in percent: {', '.join(seats)}")
        by_games = sorted(self.players.items(), key=lambda one: (-one[1].games, one[0]))
        rows = [["player", "games", "wins", "percent", "points"]]
        for name, player in by_games[:_MOST_PLAYERS]:
            percent = 100 * player.wins / player.games
            points = player.points / player.games
            wins = f"{player.wins:,.2f}".rstrip("0").rstrip(".")
            rows.append([name, f"{player.games:,}", wins, f"{percent:.1f}", f"{points:,.1f}"])
        lines.append(table(rows, left=1))
        if len(by_games) > _MOST_PLAYERS:
            lines.append(f"and {quantity(len(by_games) - _MOST_PLAYERS, 'more player')}")
        return "\n".join(lines)


class RecordsSummary:
    """Counts over records, game by game."""

    def __init__(self) -> None:
        self._games: dict[str, _Game] = {}
        self._dates: list[str] = []
        self._count = 0

    def add(self, record: Record) -> None:
        """Count a record."""
        self._count += 1
        self._games.setdefault(str(record.game), _Game()).add(record)
        if record.date:
            date = record.date.isoformat()
            self._dates = [min([date, *self._dates]), max([date, *self._dates])]

    def text(self, read: int, unread: int) -> str:
        """Return the summary; `read` games were read, others could not be."""
        total = quantity(self._count, "game")
        if self._count < read:
            total += f" of {read:,}"
        if unread:
            total += f"; {unread:,} could not be read"
        if self._dates:
            first, last = self._dates
            total += f"; {first}" if first == last else f"; {first} to {last}"
        blocks = [f"{game}\n{_indented(one.text())}" for game, one in sorted(self._games.items())]
        return "\n\n".join([total, *blocks])


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.split("\n"))
