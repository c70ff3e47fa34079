import argparse
from dataclasses import replace
from pathlib import Path
from souk.games import load_game
from souk.train.machines import machine
from souk.train.training import Plan, rounds_within, save, train

p = argparse.ArgumentParser()
p.add_argument("game")
p.add_argument("--rounds", type=int, default=200)
p.add_argument("--games", type=int, default=16384)
p.add_argument("--batch", type=int, default=8192)
p.add_argument("--seconds", type=float)
p.add_argument("--against-hand", type=float, default=0.0)
p.add_argument("--seed", type=int, default=1)
p.add_argument("--on", default="cpu")
p.add_argument("--out", default="net.npz")
p.add_argument("--rate", type=float, default=1e-3)
a = p.parse_args()
plan = Plan(
    game=a.game,
    rounds=a.rounds,
    games=a.games,
    batch=a.batch,
    against_hand=a.against_hand,
    seed=a.seed,
    rate=a.rate,
)
m = machine(a.on)
if a.seconds:
    plan = replace(plan, rounds=rounds_within(plan, m, a.seconds))
    print(plan, flush=True)


def tell(net, reports):
    print(reports[-1], flush=True)
    save(Path(a.out), load_game(a.game), net, plan, reports)


train(plan, m, tell)
