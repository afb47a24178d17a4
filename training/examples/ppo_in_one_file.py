"""PPO with masks, in one file to be read from top to bottom: one network against itself and against the script.

    python training/examples/ppo_in_one_file.py                                    # Palace of Viana for two
    python training/examples/ppo_in_one_file.py --game viva --players 3 --minutes 5 --option match=single_round
    python training/examples/ppo_in_one_file.py --evaluate policy.pt               # judge a network that was saved

It needs alarife and torch and nothing else. For pools of opponents, runs that can be resumed, reports and policies that
sit down at any table there is ``alarife train``; this file is for reading, and for changing what no setting reaches.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from torch import nn

import alarife


@dataclass
class Settings:
    """Everything that can be said on the command line."""

    game: str = "viana"
    players: int = 2
    options: dict[str, str] = field(default_factory=dict)
    reward: str = "margin"  # points ahead of the best other seat, paid as they change; outcome is 1 or less at the end
    reward_scale: float = 0.05  # returns should lie near 1
    scripted: float = 0.5  # share of the games in which the scripted player has all other seats
    minutes: float = 2.0  # of one core, for training; the learning rate falls to 0 with them
    updates: int = 10**9  # at most
    games: int = 256  # side by side
    steps: int = 64  # decisions of each game between two updates
    hidden: int = 192
    learning_rate: float = 1e-3
    minibatch: int = 2048
    epochs: int = 2
    gamma: float = 0.998  # what a reward is worth one own decision earlier
    gae_lambda: float = 0.95  # 0 trusts the value estimate, 1 the outcome
    clip: float = 0.2
    entropy: float = 0.01
    value: float = 0.5
    judged: int = 2000  # games against each opponent at the end
    seed: int = 1
    save: str = ""


# --- the network --------------------------------------------------------------------------------------


class Network(nn.Module):
    """Scores of all actions, and the value for the seat that looks, from one trunk."""

    def __init__(self, game: alarife.Game, hidden: int) -> None:
        super().__init__()
        # The batch shows whole numbers, a byte each; the scale says what they stand for, mostly from 0 to 1.
        self.register_buffer("scale", torch.tensor(game.features.scale))
        self.trunk = nn.Sequential(
            nn.Linear(game.features.size, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU()
        )
        self.policy, self.worth = nn.Linear(hidden, game.actions.size), nn.Linear(hidden, 1)
        for layer, gain in ((self.trunk[0], 2**0.5), (self.trunk[2], 2**0.5), (self.policy, 0.01), (self.worth, 1.0)):
            nn.init.orthogonal_(layer.weight, gain)
            nn.init.zeros_(layer.bias)

    @property
    def layers(self) -> list[nn.Linear]:
        """From what is seen to the scores."""
        return [self.trunk[0], self.trunk[2], self.policy]

    def forward(self, seen: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The logarithms of the probabilities, of legal actions only, and the value."""
        trunk = self.trunk(seen.float() * self.scale)
        scores = self.policy(trunk).masked_fill(mask == 0, -1e9)
        return torch.log_softmax(scores, -1), self.worth(trunk).squeeze(-1)


@torch.no_grad()
def act(network: Network, seen: np.ndarray, mask: np.ndarray) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Actions drawn from the policy, the logarithms of their probabilities, and the values."""
    logs, values = network(torch.from_numpy(seen), torch.from_numpy(mask))
    actions = torch.multinomial(logs.exp(), 1)
    return actions.squeeze(-1), logs.gather(-1, actions).squeeze(-1), values


# --- playing ------------------------------------------------------------------------------------------


@dataclass
class Played:
    """The decisions of a roll-out, ``[steps, games, ...]``."""

    seen: np.ndarray
    mask: np.ndarray
    seat: np.ndarray  # who decided
    own: np.ndarray  # whether the network did, and not the scripted player
    action: torch.Tensor
    log: torch.Tensor
    value: torch.Tensor
    reward: np.ndarray  # what the action brought to each seat, the others included
    finished: np.ndarray  # whether it ended the game; a new one has begun then
    last_value: np.ndarray  # [games, seats] what the games that go on are worth to each seat


def play(network: Network, batch: alarife.Batch, steps: int, learning: np.ndarray, scale: float = 1.0) -> Played:
    """Play on; `learning` says for each game which seats are the network's.

    The arrays of a batch show the present moment, so what has to last is copied.
    """
    n, seats = batch.games, int(batch.players.max())
    seen = np.zeros((steps, *batch.observation.shape), batch.observation.dtype)
    mask = np.zeros((steps, *batch.action_mask.shape), np.int8)
    seat, finished, own = np.zeros((steps, n), np.int64), np.zeros((steps, n), np.bool_), np.zeros((steps, n), np.bool_)
    reward = np.zeros((steps, n, seats), np.float32)
    action, log, value = torch.zeros(steps, n, dtype=torch.long), torch.zeros(steps, n), torch.zeros(steps, n)
    for t in range(steps):
        seen[t], mask[t], seat[t] = batch.observation, batch.action_mask, batch.seat
        action[t], log[t], value[t] = act(network, seen[t], mask[t])
        own[t] = learning[np.arange(n), seat[t]]
        if len(others := np.flatnonzero(~own[t])):
            action[t, others] = torch.from_numpy(batch.script(others)[others])
        batch.step(action[t].numpy())
        reward[t], finished[t] = batch.reward[:, :seats] * scale, batch.finished
    last_value = np.zeros((n, seats), np.float32)
    for looking in range(seats):
        rows = np.flatnonzero(batch.players > looking)  # tables may differ in size
        view = batch.view(rows, np.full(len(rows), looking))
        last_value[rows, looking] = act(network, view, np.ones_like(batch.action_mask[rows]))[2].numpy()
    return Played(seen, mask, seat, own, action, log, value, reward, finished, last_value)


def advantages(played: Played, gamma: float, gae_lambda: float) -> torch.Tensor:
    """Generalised advantages, backwards in time, for each seat along its own decisions.

    From one own decision to the next everybody else may play; what that brings to the seat is `coming`.
    """
    steps, n, _ = played.reward.shape
    rows, values = np.arange(n), played.value.numpy()
    next_value, next_advantage = played.last_value.copy(), np.zeros_like(played.last_value)
    coming = np.zeros_like(next_value)
    found = np.zeros((steps, n), np.float32)
    for t in reversed(range(steps)):
        over = played.finished[t]
        next_value[over], next_advantage[over], coming[over] = 0, 0, 0
        coming += played.reward[t]
        own = rows, played.seat[t]
        surprise = coming[own] + gamma * next_value[own] - values[t]
        found[t] = surprise + gamma * gae_lambda * next_advantage[own]
        next_value[own], next_advantage[own], coming[own] = values[t], found[t], 0
    return torch.from_numpy(found)


# --- learning -----------------------------------------------------------------------------------------


def learn(network: Network, optimizer: torch.optim.Optimizer, played: Played, settings: Settings) -> dict[str, float]:
    """Some passes of clipped policy gradients over what was played."""
    gained = advantages(played, settings.gamma, settings.gae_lambda)
    returns = gained + played.value
    choices = np.flatnonzero(played.own & (played.mask.sum(-1, dtype=np.int64) > 1))
    seen = torch.from_numpy(played.seen).flatten(0, 1)
    mask = torch.from_numpy(played.mask).flatten(0, 1)
    action, log, gained, returns = (part.flatten() for part in (played.action, played.log, gained, returns))
    told = {"entropy": [], "moved": [], "error": []}
    for _ in range(settings.epochs):
        for rows in torch.from_numpy(np.random.permutation(choices)).split(settings.minibatch):
            logs, values = network(seen[rows], mask[rows])
            ratio = (logs.gather(-1, action[rows, None]).squeeze(-1) - log[rows]).exp()
            gain = (gained[rows] - gained[rows].mean()) / (gained[rows].std() + 1e-8)
            clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
            entropy = -(logs.exp() * logs).sum(-1).mean()
            error = (values - returns[rows]).square().mean()
            policy = -torch.minimum(ratio * gain, clipped * gain).mean()
            optimizer.zero_grad()
            (policy + settings.value * error - settings.entropy * entropy).backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()
            told["entropy"].append(entropy.item())
            told["error"].append(error.item())
            told["moved"].append((ratio - 1).abs().mean().item())
    return {name: float(np.mean(found)) for name, found in told.items()}


def train(settings: Settings) -> Network:
    """Play and learn until the time is up."""
    torch.manual_seed(settings.seed)
    np.random.seed(settings.seed)
    batch = alarife.make_batch(settings.game, settings.games, settings.players, settings.seed, reward=settings.reward,
                               **settings.options)  # fmt: skip
    rows = np.arange(settings.games)
    learning = np.arange(settings.players)[None] == (rows % settings.players)[:, None]
    learning[rows >= settings.scripted * settings.games] = True
    network = Network(batch.game, settings.hidden)
    optimizer = torch.optim.Adam(network.parameters(), settings.learning_rate, eps=1e-5)
    start, ended = time.process_time(), 0
    for update in range(1, settings.updates + 1):
        share = (time.process_time() - start) / (60 * settings.minutes)
        if share >= 1:
            break
        for group in optimizer.param_groups:
            group["lr"] = settings.learning_rate * (1 - share)
        played = play(network, batch, settings.steps, learning, settings.reward_scale)
        told = learn(network, optimizer, played, settings)
        ended += int(played.finished.sum())
        if update % 20 == 1:
            decisions, seconds = update * settings.games * settings.steps, time.process_time() - start
            print(f"{seconds:4.0f} s  {decisions:9,} decisions  {ended:7,} games  "
                  + "  ".join(f"{name} {value:.3f}" for name, value in told.items()), flush=True)  # fmt: skip
    return network


# --- judging ------------------------------------------------------------------------------------------


def judge(network: Network, settings: Settings, opponent: str) -> tuple[float, float, float]:
    """The share of new games won against ``random`` or ``scripted`` on all other seats, with its 95 % interval.

    The network sits on each seat in turn, and plays the likeliest action. A first place that is shared counts in part.
    """
    n = settings.judged
    batch = alarife.make_batch(settings.game, n, settings.players, settings.seed + 10_000, restart=False,
                               **settings.options)  # fmt: skip
    own, rows = np.arange(n) % settings.players, np.arange(n)
    while len(going := rows[batch.over == 0]):
        actions = batch.script() if opponent == "scripted" else batch.sample()
        mine = going[batch.seat[going] == own[going]]
        if len(mine):
            with torch.no_grad():
                logs, _ = network(torch.from_numpy(batch.observation[mine]), torch.from_numpy(batch.action_mask[mine]))
            actions[mine] = logs.argmax(-1).numpy()
        batch.step(actions, going)
    first = batch.final_place[:, : settings.players] == 1
    won = np.where(first[rows, own], 1 / first.sum(1), 0.0)
    return interval(float(won.mean()), n)


def interval(share: float, n: int, z: float = 1.96) -> tuple[float, float, float]:
    """A share of n games with Wilson's interval."""
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * (share * (1 - share) / n + z * z / (4 * n * n)) ** 0.5
    return share, middle - half, middle + half


# --- the command line ---------------------------------------------------------------------------------


def settings_of(words: list[str] | None = None) -> tuple[Settings, str]:
    """The settings, and the file of a network to judge, if one is named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in vars(Settings()).items():
        if name != "options":
            parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value, help=f"({value})")
    parser.add_argument("--option", action="append", default=[], help="of the game, such as match=single_round")
    parser.add_argument("--evaluate", default="", help="a network that was saved; nothing is trained")
    given = vars(parser.parse_args(words))
    options = dict(word.split("=", 1) for word in given.pop("option"))
    file = given.pop("evaluate")
    return Settings(options=options, **given), file


def main(words: list[str] | None = None) -> dict[str, tuple[float, float, float]]:
    """Train, save, judge."""
    torch.set_num_threads(1)
    settings, file = settings_of(words)
    if file:
        network = Network(alarife.find_game(settings.game), settings.hidden)
        network.load_state_dict(torch.load(file, weights_only=True))
    else:
        network = train(settings)
    if settings.save:
        torch.save(network.state_dict(), Path(settings.save))
    results = {name: judge(network, settings, name) for name in ("random", "scripted")}
    for name, (share, low, high) in results.items():
        print(f"wins against {name}: {share:.1%} [{100 * low:.1f}, {100 * high:.1f}] of {settings.judged:,} games")
    return results


if __name__ == "__main__":
    main()
