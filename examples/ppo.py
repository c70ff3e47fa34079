"""Train a net by self-play with PPO, on batches of games; needs PyTorch.

    python examples/ppo.py                         # Marrakech for two, on a GPU if there is one
    python examples/ppo.py --game "marrakech(players=3)" --minutes 5
    python examples/ppo.py --arena greedy expert   # let the trained net play the levels

One net plays all seats. For the player to move, it returns a probability of every action and
every seat's expected share of the win, that player's first. So at every decision, whoever makes it,
the value of the position is known for all seats: the advantage estimation runs along all decisions
of a game for each seat by itself, and a decision is credited with its own player's advantage.
"""

import argparse
import json
import time
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, silu

import souk
from souk.players import Player
from souk.train.trainer import Share

MOST_STEPS = 1000  # of a game in an evaluation; those of players that want to win end far earlier


def parse_arguments(given: list[str] | None = None) -> argparse.Namespace:
    gpu = torch.cuda.is_available()
    formatter = argparse.ArgumentDefaultsHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0], formatter_class=formatter)
    add = partial(parser.add_argument, type=int, metavar="N")
    add("--game", type=str, metavar="GAME", default="marrakech(players=2)", help="any game")
    add("--device", type=str, metavar="DEVICE", default="cuda" if gpu else "cpu", help="or cpu")
    add("--minutes", type=float, default=9.0, help="training ends after this time")
    add("--updates", default=10**9, help="or after this many updates")
    add("--rows", default=16384 if gpu else 512, help="games played side by side")
    add("--steps", default=32, help="steps of all games between two updates")
    add("--epochs", default=2, help="how often an update uses each decision")
    add("--minibatches", default=16, help="parts of an epoch")
    add("--width", default=512 if gpu else 256, help="units in a layer of the net")
    add("--blocks", default=3 if gpu else 1, help="residual blocks of the net")
    add("--rate", type=float, default=5e-4, help="learning rate at first; it falls to 0")
    add("--entropy", type=float, default=0.01, help="weight of the entropy at first; the same")
    add("--trace", type=float, default=0.8, help="lambda of the advantage estimation")
    add("--clip", type=float, default=0.2, help="limit of the change of a probability's ratio")
    add("--against", type=str, metavar="PLAYER", default="greedy", help="whom evaluations meet")
    add("--games", default=1000, help="games of an evaluation; four times as many at the end")
    add("--every", type=float, default=60.0, help="seconds of training between evaluations")
    add("--seed", default=1, help="of the games and the net")
    add("--folder", type=Path, metavar="FOLDER", default=Path("ppo"), help="for weights and curve")
    add("--arena", type=str, metavar="PLAYER", nargs="+", help="do not train: play these")
    return parser.parse_args(given)


# ---- the net -------------------------------------------------------------------------------------


class Block(nn.Module):
    """A residual block with gates: products find what depends on two things at once."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.both = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 2 * width))
        self.out = nn.Linear(width, width)

    def forward(self, x: Tensor) -> Tensor:
        value, gate = self.both(x).chunk(2, -1)
        return x + self.out(value * silu(gate))


class Net(nn.Module):
    """A residual net from observations to probabilities of actions and shares of the win."""

    def __init__(self, game: str, width: int, blocks: int) -> None:
        super().__init__()
        self.settings = {"game": game, "width": width, "blocks": blocks}
        self.game = souk.load_game(game)
        self.sizes = [self.game.num_distinct_actions(), self.game.num_players()]
        self.layers = nn.Sequential(
            nn.Linear(self.game.observation_tensor_shape()[0], width),
            *(Block(width) for _ in range(blocks)),
            nn.LayerNorm(width),
        )
        self.last = nn.Linear(width, sum(self.sizes))
        nn.init.orthogonal_(self.last.weight, 0.01)  # at first all is equally likely
        nn.init.zeros_(self.last.bias)

    def forward(self, seen: Tensor, legal: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logarithms of the actions' probabilities, and the shares' logits."""
        with torch.autocast(seen.device.type, torch.bfloat16, enabled=seen.is_cuda):
            x = self.layers(seen)
        actions, shares = self.last(x.float()).split(self.sizes, -1)
        return actions.masked_fill(~legal, -1e9).log_softmax(-1), shares

    def save(self, file: Path) -> None:
        torch.save({"settings": self.settings, "weights": self.state_dict()}, file)

    @classmethod
    def load(cls, file: Path) -> "Net":
        saved = torch.load(file, map_location="cpu")
        net = cls(**saved["settings"])
        net.load_state_dict(saved["weights"])
        return net


class PpoPlayer(Player):
    """A computer player that takes the net's most likely action."""

    name = "ppo"

    def __init__(self, game: souk.Game, *, weights: Path, **limits: Any) -> None:
        super().__init__(game, **limits)
        torch.set_num_threads(1)  # the arena uses all cores by itself
        self.net = Net.load(weights)

    def think(self, state: souk.State, actions: list[int]) -> int:
        arrays = (state.observation_tensor(), state.legal_actions_mask())
        with torch.no_grad():
            log_chances, _ = self.net(*(torch.from_numpy(one)[None] for one in arrays))
        return max(actions, key=lambda action: float(log_chances[0, action]))


# ---- self-play -----------------------------------------------------------------------------------


class Games:
    """A batch of games whose arrays are PyTorch's, in the same memory: a step overwrites them."""

    def __init__(self, game: souk.Game, rows: int, seed: int, device: str, autoreset: bool) -> None:
        self.batch = souk.batch(game, rows, seed, device, autoreset=autoreset)
        self.mover = torch.from_dlpack(self.batch.current_player)
        self.seen = torch.from_dlpack(self.batch.observation)
        self.legal = torch.from_dlpack(self.batch.legal_actions_mask)
        self.rewards = torch.from_dlpack(self.batch.rewards)
        self.is_over = torch.from_dlpack(self.batch.terminated)

    def scatter(self, steps: int = 100) -> None:
        """Play at random until the rows are at different stages of their games."""
        for step in range(steps):
            self.batch.step(self.batch.sample_actions())
            self.batch.reset(list(range(step, self.batch.rows, steps)))


def advantages(values: Any, rewards: Any, goes_on: Any, trace: float) -> Any:
    """Return each seat's advantage at every step, by generalised advantage estimation.

    All arrays are by step, row and seat; `values` has one step more than the others. `goes_on` is 0
    where a step ended a game, else 1. There is no discount: all that counts is who wins.
    """
    found = 0 * rewards
    later = found[0]
    for step in reversed(range(len(rewards))):
        later = rewards[step] - values[step] + goes_on[step] * (values[step + 1] + trace * later)
        found[step] = later
    return found


def play(net: Net, games: Games, steps: int, trace: float) -> tuple[Tensor, ...]:
    """Play some steps in all rows; return what `learn` needs, by decision."""
    players, seats = net.sizes[1], torch.arange(net.sizes[1], device=games.seen.device)
    seen, legal, mover, action, log_chance, value, reward, goes_on = ([] for _ in range(8))
    for _ in range(steps):
        log_chances, shares = net(games.seen, games.legal)
        chosen = log_chances.exp().multinomial(1)[:, 0]
        seen.append(games.seen.clone(memory_format=torch.contiguous_format))
        legal.append(games.legal.clone(memory_format=torch.contiguous_format))
        mover.append(games.mover.long())
        action.append(chosen)
        log_chance.append(log_chances.gather(-1, chosen[:, None])[:, 0])
        value.append(shares.softmax(-1).gather(-1, (seats - mover[-1][:, None]) % players))
        games.batch.step(chosen)
        reward.append(games.rewards.clone())
        goes_on.append(1 - games.is_over.float()[:, None])
    _, shares = net(games.seen, games.legal)
    value.append(shares.softmax(-1).gather(-1, (seats - games.mover[:, None]) % players))
    values, movers = torch.stack(value), torch.stack(mover)
    gains = advantages(values, torch.stack(reward), torch.stack(goes_on), trace)
    gain = gains.gather(-1, movers.clamp(0)[..., None])[..., 0]
    target = (values[:-1] + gains).gather(-1, (movers[..., None] + seats) % players)
    made = movers.flatten() >= 0  # where a game was over, the step only started the next one
    kept = (torch.stack(one) for one in (seen, legal, action, log_chance))
    return tuple(one.flatten(0, 1)[made] for one in (*kept, gain, target))


# ---- learning ------------------------------------------------------------------------------------


def learn(
    net: Net, optimizer: Any, decisions: tuple[Tensor, ...], entropy_weight: float, args: Any
) -> dict[str, Tensor]:
    """Improve the net by decisions that it made."""
    count = len(decisions[0])
    for _ in range(args.epochs):
        order = torch.randperm(count, device=decisions[0].device)
        for part in order.chunk(args.minibatches):
            seen, legal, action, log_chance, gain, target = (one[part] for one in decisions)
            log_chances, shares = net(seen, legal)
            log_ratio = log_chances.gather(-1, action[:, None])[:, 0] - log_chance
            ratio, gain = log_ratio.exp(), (gain - gain.mean()) / (gain.std() + 1e-6)
            clipped = ratio.clamp(1 - args.clip, 1 + args.clip)
            policy_loss = -torch.minimum(gain * ratio, gain * clipped).mean()
            value_loss = cross_entropy(shares, target)
            entropy = -(log_chances.exp() * log_chances).sum(-1).mean()
            optimizer.zero_grad(set_to_none=True)
            (policy_loss + value_loss - entropy_weight * entropy).backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
    change = (ratio - 1 - log_ratio).mean()  # estimates the KL divergence
    return {"value_loss": value_loss.detach(), "entropy": entropy.detach(), "kl": change.detach()}


def train(args: argparse.Namespace) -> None:
    torch.manual_seed(args.seed)
    torch.set_float32_matmul_precision("high")
    net = Net(args.game, args.width, args.blocks).to(args.device)
    optimizer = torch.optim.Adam(net.parameters(), eps=1e-5, fused=True)
    games = Games(net.game, args.rows, args.seed, args.device, autoreset=True)
    games.scatter()
    args.folder.mkdir(parents=True, exist_ok=True)
    began = evaluated = time.monotonic()
    made = update = 0
    done = 0.0  # the part of the training that is over
    with (args.folder / "curve.jsonl").open("w") as curve:
        while done < 1:
            for group in optimizer.param_groups:
                group["lr"] = args.rate * (1 - done)
            with torch.no_grad():
                decisions = play(net, games, args.steps, args.trace)
            losses = learn(net, optimizer, decisions, args.entropy * (1 - done), args)
            made, update = made + len(decisions[0]), update + 1
            line = {name: round(float(one), 4) for name, one in losses.items()}  # waits for the GPU
            now = time.monotonic()
            done = max((now - began) / (60 * args.minutes), update / args.updates)
            if now - evaluated >= args.every or done >= 1:
                count = args.games * (4 if done >= 1 else 1)
                result = evaluate(net, args.against, count, args.device, args.seed + update)
                line = {"update": update, "seconds": round(now - began), "decisions": made} | line
                share = {name: round(one, 4) for name, one in asdict(result).items()}
                line[f"against_{args.against}"] = share
                print(json.dumps(line), file=curve, flush=True)
                print(json.dumps(line), flush=True)
                net.save(args.folder / "weights.pt")
                evaluated = time.monotonic()
    verdict = "beats" if result.low > 1 / net.sizes[1] else "does not beat"
    print(f"{verdict} {args.against}: {result} of the win in {count} games")


@torch.no_grad()
def evaluate(net: Net, opponent: str, count: int, device: str, seed: int) -> Share:
    """Return the net's share of the win.

    It has each seat in turn; the opponent has all others. A game that does not end counts as lost:
    the rules of MarraCash set no limit, and a net may go round in circles.
    """
    games = Games(net.game, count, seed, device, autoreset=False)
    seat = torch.arange(count, device=device) % net.sizes[1]
    player = souk.player(opponent, net.game, seed=seed)
    won = torch.zeros(count, device=device)
    for _ in range(min(net.game.max_game_length(), MOST_STEPS)):
        if games.is_over.all():
            break
        actions = net(games.seen, games.legal)[0].argmax(-1)
        theirs = (~games.is_over & (games.mover != seat)).nonzero()[:, 0]
        answers = [player.choose(games.batch.state(row)) for row in theirs.tolist()]
        actions[theirs] = torch.tensor(answers, dtype=actions.dtype, device=device)
        games.batch.step(actions)
        won += games.rewards.gather(-1, seat[:, None])[:, 0]
    return Share.of(won)


def main() -> None:
    args = parse_arguments()
    if args.arena:
        weights = args.folder.resolve() / "weights.pt"
        entrant = ("ppo", partial(PpoPlayer, weights=weights))
        print(souk.arena(Net.load(weights).game, entrant, *args.arena, games=args.games))
    else:
        train(args)


if __name__ == "__main__":
    main()
