"""Attack servers under play, and compare every acknowledgement with what is stored.

    python -m bench.chaos [--minutes 10] [--database both] [--seed 1] [--folder FOLDER]

People play at many tables while processes, database and disk are killed, stopped and starved at
random. Half of the time one process runs on SQLite, half of the time two run on PostgreSQL. At the
end every acknowledgement and every event that any client received is compared with the database.
The exit code is 1 if one is lost, doubled or changed, if a table is stuck, if a finished game is
not proven, or if a server logged an error of its own. The logs stay in the folder.
"""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from bench.chaos.campaign import run_campaign
from bench.chaos.deployments import PostgresDeployment, SqliteDeployment

KINDS = {"sqlite": SqliteDeployment, "postgres": PostgresDeployment}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=10.0, help="of attacks, in all")
    parser.add_argument("--database", choices=["both", *KINDS], default="both")
    parser.add_argument("--tables", type=int, default=8, help="at a time")
    parser.add_argument("--seed", type=int, default=1, help="of the choice of attacks")
    parser.add_argument("--folder", type=Path, help="for databases and logs; must be empty")
    given = parser.parse_args()
    kinds = list(KINDS) if given.database == "both" else [given.database]
    folder = given.folder or Path(tempfile.mkdtemp(prefix="souk-chaos-"))
    is_good = True
    for kind in kinds:
        place = folder / kind
        place.mkdir(parents=True)
        with KINDS[kind](place) as deployment:
            seconds = 60 * given.minutes / len(kinds)
            campaign = run_campaign(deployment, seconds, given.tables, given.seed)
            report = asyncio.run(campaign)
        print(
            f"{kind}, {seconds / 60:g} minutes, {given.tables} tables at a time, seed {given.seed}"
        )
        print(report.text(), flush=True)
        is_good = is_good and report.is_good
    print(f"logs: {folder}")
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
