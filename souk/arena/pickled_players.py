"""Send classes of players to worker processes.

A class in a notebook, an interpreter or a script has no module that a worker could import.
cloudpickle sends such a class with its code, as Ray, Dask and joblib do, and others by name. So a
player that hangs or crashes still harms only a process of its own. The alternatives are worse: a
fork of a notebook's process copies its locks and sockets without their threads, and a thread cannot
be stopped.
"""

import base64
import pickle
from collections.abc import Iterable, Mapping
from dataclasses import replace

from souk.arena.entrants import Entrant
from souk.arena.game_runner import PlayerFailed
from souk.engine.errors import SoukError

Pickles = Mapping[str, str]  # by the text of the entrant; base64, which JSON can hold


def pickle_players(entrants: Iterable[Entrant]) -> Pickles:
    """Return the pickles of all entrants that are not made by their name."""
    return {str(entrant): _pickle(entrant) for entrant in entrants if entrant.make is not None}


def _pickle(entrant: Entrant) -> str:
    import cloudpickle  # takes 20 ms

    try:
        return base64.b64encode(cloudpickle.dumps(entrant.make)).decode()
    except Exception as error:
        raise SoukError(
            f"the player {entrant.name!r} cannot be sent to a worker process: "
            f"{type(error).__name__}: {error}; create what cannot be pickled in its __init__"
        ) from None


class PickledPlayers:
    """The players that a worker process received; each is unpickled when it is first needed."""

    def __init__(self, pickles: Pickles) -> None:
        self._pickles = pickles
        self._entrants: dict[str, Entrant] = {}

    def entrant(self, text: str) -> Entrant:
        """Return an entrant that can make its players."""
        if text not in self._entrants:
            entrant = Entrant.parse(text)
            if text in self._pickles:
                try:
                    make = pickle.loads(base64.b64decode(self._pickles[text]))
                except Exception as error:
                    reason = f"{type(error).__name__}: {error}"
                    raise PlayerFailed(text, f"a worker cannot load it: {reason}") from error
                entrant = replace(entrant, make=make)
            self._entrants[text] = entrant
        return self._entrants[text]
