"""A cluster of two nodes, a head and a worker, as processes of this machine."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("ray")

from alarife.engine.errors import AlarifeError
from alarife.engine.registry import find_game
from alarife.engine.table import Table
from alarife.players import Turns
from alarife.players.policy import NetworkPlayer
from alarife_training.config import make_config, write_config
from alarife_training.rllib.cluster import join
from two_nodes import HERE, free_port

pytestmark = pytest.mark.rllib


DRIVER = """
import json, os, sys
import numpy as np
import ray
from pathlib import Path
from alarife_training.config import read_config
from alarife_training.weights import tensors_of
from alarife_training.rllib.runners import everywhere
from alarife_training.rllib.trainer import ScaledTrainer

def where(runner):
    if runner.env is not None:
        return ray.get_runtime_context().get_node_id(), os.getpid()

def weights(runner):
    if runner.env is not None:
        return {name: array.numpy() for name, array in runner.module.state_dict().items()}

trainer = ScaledTrainer(read_config(sys.argv[1]), Path(sys.argv[2]))
trainer.start()
group = trainer.algorithm.env_runner_group
told = {"here": ray.get_runtime_context().get_node_id()}
told["nodes"] = {node["NodeID"]: node["Resources"] for node in ray.nodes() if node["Alive"]}
told["runners"] = [reply for reply in everywhere(group, where) if reply]
told["steps"] = [trainer.iterate()["steps"] for _ in range(3)]
(theirs,) = [reply for reply in everywhere(group, weights) if reply]
told["same"] = bool(np.array_equal(theirs["action_net.weight"], tensors_of(trainer.network)["policy.weight"]))
told["path"] = str(trainer.save())
trainer.close()
print(json.dumps(told))
"""


def test_a_runner_on_another_node_plays_and_the_driver_writes_what_it_learnt(cluster, tmp_path):
    config = make_config({
        "game": "viva", "options": {"match": "single_round"}, "steps": 4096, "games": 16, "hidden": [16],
        "longest": 50, "trainer": "rllib", "ppo": {"steps": 16, "minibatch": 128, "epochs": 1},
        "rllib": {"runners": 1, "address": cluster.address, "needs": {"place": 1}},
    })  # fmt: skip
    (tmp_path / "config.yaml").write_bytes(write_config(config))
    command = [sys.executable, "-c", DRIVER, tmp_path / "config.yaml", tmp_path / "run"]
    done = subprocess.run(
        command, env=cluster.environment, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=500
    )
    assert done.returncode == 0, done.stderr[-3000:]
    told = json.loads(done.stdout.splitlines()[-1])
    assert len(told["nodes"]) == 2
    ((where, _),) = told["runners"]
    assert "place" in told["nodes"][where]
    assert where != told["here"]  # the driver belongs to the head
    assert "place" not in told["nodes"][told["here"]]
    assert told["same"]
    assert told["steps"][-1] >= 3 * 256
    path = Path(told["path"])
    assert path.is_relative_to(tmp_path / "run")
    player, table = NetworkPlayer(path, 1), Table(find_game("viva"), 2, {"match": "single_round"}, 1)
    assert player.policy.card["steps"] == told["steps"][-1]
    for _ in range(30):
        table.play(int(player.act(Turns.of_table(table))[0]))
    assert table.state.decisions == 30


def test_a_cluster_that_is_not_there_is_one_sentence():
    with pytest.raises(AlarifeError, match=r"rllib\.address: cannot join the cluster 127.*refused"):
        join(f"{HERE}:{free_port()}", 1)
