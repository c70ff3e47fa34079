"""Playthroughs: text files with everything that the API returns at every step of one game.

A file in tests/games/<game>/playthroughs/ starts with the game's string and a seed, which decide
the rest. A change of behaviour changes these files.

    python -m tests.playthrough                 list the files that differ from current behaviour
    python -m tests.playthrough --write         write them again; read the diff before you commit
    python -m tests.playthrough --write FILE "marrakech(players=2)" --seed 5    add a file
"""

import argparse
import json
import sys
import zlib
from fractions import Fraction
from pathlib import Path
from random import Random

import souk

FOLDER = Path(__file__).parent / "games"
MANY = 40  # longer lists of legal actions are abbreviated


def files():
    """Return the playthroughs of all games."""
    return sorted(FOLDER.glob("*/playthroughs/*.txt"))


def read_heading(path):
    """Return the game string and the seed of a file."""
    first, second = path.read_text("utf-8").splitlines()[:2]
    return first.removeprefix("game: "), int(second.removeprefix("seed: "))


def playthrough(text, seed):
    """Return the text of a playthrough."""
    game = souk.load_game(text)
    rng = Random(f"playthrough {seed}")
    state = game.new_initial_state(seed=seed)
    lines = [
        f"game: {game}",
        f"seed: {seed}",
        f"players: {game.num_players()}, {', '.join(game.seat_names)}",
        f"actions: {len(game.action_texts)}",
    ]
    turn = None
    while True:
        if turn != game.turn_number(state.buffer) or state.is_terminal():
            turn = game.turn_number(state.buffer)
            lines += ["", f"==== turn {turn}", *_lines_of(str(state)), _json(state.to_dict())]
        lines += _facts(state)
        if state.is_terminal():
            break
        action = _choice(state, rng)
        lines.append(f"> {action} {state.action_to_string(action)}")
        state.apply_action(action)
        for event in state.events():
            note = f"  # {event.note()}" if event.note() else ""
            lines.append(f"  {event.sentence(game.seat_names)}{note}")
            lines.append(f"  {_json(event.to_dict())}")
    lines.append(f"history: {_json(state.history())}")
    return "\n".join(lines) + "\n"


def _facts(state):
    """Return lines with what the API returns for a state."""
    player = state.current_player()
    who = {souk.CHANCE: "chance", souk.TERMINAL: "over"}.get(player, f"seat {player + 1}")
    standing = f"scores {_json(state.scores())} ranking {_json(state.ranking())}"
    lines = [f"{who} | {standing} | returns {_json(state.returns())}"]
    if state.is_chance_node():
        odds = [
            f"{action} {state.action_to_string(action)} "
            f"{Fraction(probability).limit_denominator(10_000)}"
            for action, probability in state.chance_outcomes()
        ]
        lines.append(f"chance: {', '.join(odds)}")
    elif not state.is_terminal():
        actions = state.legal_actions()
        legal = [f"{action} {state.action_to_string(action)}" for action in actions]
        if len(legal) > MANY:  # long lists are bids: both ends and a checksum identify them
            legal[MANY // 4 : -MANY // 8] = [f"… {zlib.crc32(_json(actions).encode()):08x}"]
        lines.append(f"legal {len(actions)}: {', '.join(legal)}")
    return lines


def _choice(state, rng):
    if state.is_chance_node():
        actions, weights = zip(*state.chance_outcomes(), strict=True)
        return rng.choices(actions, weights)[0]
    actions = state.legal_actions()
    # Of very many actions, one of the first: uniformly random bids ruin a player at once.
    return rng.choice(actions if len(actions) <= MANY else actions[: MANY // 8])


def _json(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _lines_of(text):
    return [line.rstrip() for line in text.splitlines()]


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.playthrough")
    parser.add_argument("--write", action="store_true", help="write the files again")
    parser.add_argument("file", nargs="?", type=Path, help="one file; all of them if left out")
    parser.add_argument("game", nargs="?", help="the game string of a new file")
    parser.add_argument("--seed", type=int, default=1, help="the seed of a new file")
    given = parser.parse_args()
    different = 0
    for path in [given.file] if given.file else files():
        text, seed = (given.game, given.seed) if given.game else read_heading(path)
        now = playthrough(text, seed)
        if path.exists() and path.read_text("utf-8") == now:
            continue
        different += 1
        print(f"{path}: {'written' if given.write else 'differs'}, {len(now.encode())} bytes")
        if given.write:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(now, "utf-8")
    sys.exit(different and not given.write)


if __name__ == "__main__":
    main()
