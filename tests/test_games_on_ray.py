"""Games and exploiters as tasks of a cluster of two nodes: the results of one machine, none lost, none twice."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("ray")

from alarife.engine.errors import AlarifeError
from alarife.engine.registry import find_game
from alarife.evaluation.benchmark import contender, run_benchmark
from alarife.evaluation.entry_file import read_entry
from alarife.evaluation.on_ray import Cluster as Games
from alarife.evaluation.results import read_results
from alarife.evaluation.suite import read_suite
from alarife.players.policy import AGENT, read_policy
from alarife_training.config import read_config
from alarife_training.log import read_evaluations
from two_nodes import HERE, free_port

pytestmark = pytest.mark.rllib
ROOT = Path(__file__).resolve().parent.parent
SUITE = """
format = "alarife suite"
format_version = 1
name = "on-ray-v1"
about = "Single rounds of VIVA, on a cluster."
apart = 0.6
[seeds]
training = [0, 9]
tuning = [10, 19]
testing = [20, 29]
[[tables]]
name = "two"
game = "viva_v1"
players = 2
options = { match = "single_round" }
reference = "scripted"
seed = 20
deals = 12
shares = [0.0, 0.5]
"""


DRIVER = """
import json, sys
from pathlib import Path
import ray
from alarife.engine.registry import find_game
from alarife.evaluation.benchmark import contender, run_benchmark
from alarife.evaluation.entry_file import read_entry
from alarife.evaluation.on_ray import Cluster
from alarife.evaluation.suite import read_suite

if __name__ == "__main__":
    suite, policy, address = read_suite(sys.argv[1]), sys.argv[2], sys.argv[3]
    with Cluster(address) as cluster:
        alive = [node["NodeID"] for node in ray.nodes() if node["Alive"]]
        run_benchmark(suite, contender(suite, policy, name="agent"), Path("far"), None, hire=cluster.hire)
        print(json.dumps({"alive": alive, "played": cluster.played}))
"""


LADDER = """
import sys
from pathlib import Path
import update_ladder as ladder

class Watched(ladder.Cluster):
    def __exit__(self, *error):
        print("on the cluster:", sum(self.played.values()))
        super().__exit__(*error)

if __name__ == "__main__":
    place, policy, *where = sys.argv[1:]
    ladder.Cluster, ladder.folder_of = Watched, lambda game: Path(place)
    ladder.PLAYERS["viva"] = "random", "scripted", policy
    words = ["viva", "--players", "2", "--games-each", "4", "--out", place + "/runs"]
    sys.exit(ladder.main([*words, *where]))
"""


def test_games_are_played_on_both_nodes_and_are_those_of_one_machine(cluster, tmp_path):
    """The policy's file is nowhere but here: it travels with the tasks."""
    (tmp_path / "suite.toml").write_text(SUITE)
    (tmp_path / "driver.py").write_text(DRIVER)
    suite = read_suite(tmp_path / "suite.toml")
    policy = str(shutil.copy(find_game("viva").folder / AGENT, tmp_path / "policy.safetensors"))
    done = subprocess.run(
        [sys.executable, "driver.py", "suite.toml", policy, cluster.address], env=cluster.environment, cwd=tmp_path,
        capture_output=True, text=True, check=False, timeout=500,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    nodes = json.loads(done.stdout.splitlines()[-1])
    assert len(nodes["alive"]) == 2
    assert set(nodes["played"]) == set(nodes["alive"])
    assert sum(nodes["played"].values()) == 24
    results = read_results(tmp_path / "far/games/two/seed-0/results.jsonl")
    assert len({(result["deal"], tuple(result["seats"])) for result in results}) == len(results) == 24
    near = run_benchmark(suite, contender(suite, policy, name="agent"), tmp_path / "near", None)
    far = read_entry(tmp_path / "far")
    (one,), (other,) = (entry.runs(suite.tables[0]) for entry in (far, near))
    assert one["results"] == other["results"]
    assert one["forfeits"] == 0


def test_exploiters_are_trained_on_both_nodes_and_are_those_of_one_machine(cluster, tmp_path):
    """The policy's file is nowhere but here, and the runs come back."""
    policy = shutil.copy(find_game("viva").folder / AGENT, tmp_path / "policy.safetensors")
    words = [sys.executable, "-m", "alarife", "exploit", policy, "--seeds", "1,2", "steps=512", "minutes=null",
             "games=8", "ppo.steps=32", "ppo.minibatch=64", "evaluation.games=8",
             "evaluation.final_games=8"]  # fmt: skip
    told = {}
    for where in (["--run", "far", "--ray", cluster.address], ["--run", "near"]):
        done = subprocess.run([*words, *where], env=cluster.environment, cwd=tmp_path, capture_output=True, text=True,
                              check=False, timeout=500)  # fmt: skip
        assert done.returncode == 0, done.stderr[-3000:]
        told[where[1]] = done.stdout
    nodes = [line.split()[-1] for line in told["far"].splitlines() if "has ended, on the node" in line]
    assert len(set(nodes)) == 2
    for seed in (1, 2):
        far, near = (tmp_path / place / f"seed-{seed}" for place in ("far", "near"))
        assert json.loads((far / "exploiter.json").read_text()) == json.loads((near / "exploiter.json").read_text())
        assert json.loads((far / "result.json").read_text()) == json.loads((near / "result.json").read_text())
        assert read_config(far / "config.yaml") == read_config(near / "config.yaml")
        assert {line["verdicts"][0]["against"] for line in read_evaluations(far)} == {str(policy)}
        tensors = [read_policy(run / "best.safetensors").tensors for run in (far, near)]
        assert all((tensors[0][name] == tensors[1][name]).all() for name in tensors[0])


def test_lessons_are_given_on_both_nodes_and_are_those_of_two_processes(cluster, tmp_path):
    """The teacher is a policy that looks ahead; its file is nowhere but here. The runs end with the same weights."""
    policy = shutil.copy(find_game("viva").folder / AGENT, tmp_path / "policy.safetensors")
    words = [sys.executable, "-m", "alarife", "train", "--config", "smoke", "steps=256", "games=8", "ppo.steps=32",
             "ppo.minibatch=64", "refinement.decisions=1024", f"refinement.player=guided:{policy}:4:cut=5",
             "refinement.lesson=512", "refinement.parts=2", "threads=1"]  # fmt: skip
    told = {}
    for where in (["--run", "far", f"refinement.address={cluster.address}"], ["--run", "near"]):
        done = subprocess.run([*words, *where], env=cluster.environment, cwd=tmp_path, capture_output=True, text=True,
                              check=False, timeout=500)  # fmt: skip
        assert done.returncode == 0, done.stderr[-3000:]
        told[where[1]] = done.stdout
    assert "1,024 in all, given on 2 nodes of the cluster; asked again," in told["far"]
    assert "1,024 in all; asked again," in told["near"]
    lines = [read_evaluations(tmp_path / run) for run in ("far", "near")]
    shares = [[(line["taught"], line.get("agreed"), line.get("repeated")) for line in run] for run in lines]
    assert shares[0] == shares[1]
    assert shares[0][-2][2] is not None
    tensors = [read_policy(tmp_path / run / "last.safetensors").tensors for run in ("far", "near")]
    assert all((tensors[0][name] == tensors[1][name]).all() for name in tensors[0])


def test_a_ladder_is_played_on_the_cluster_and_is_that_of_one_machine(cluster, tmp_path):
    """By the script for ladders; one of the players is a policy, whose file is nowhere but here."""
    (tmp_path / "driver.py").write_text(LADDER)
    policy = str(shutil.copy(find_game("viva").folder / AGENT, tmp_path / "policy.safetensors"))
    environment = cluster.environment | {"PYTHONPATH": str(ROOT / "scripts")}
    told = {}
    for where in (["far", policy, "--ray", cluster.address], ["near", policy, "--processes", "1"]):
        done = subprocess.run([sys.executable, "driver.py", *where], env=environment, cwd=tmp_path,
                              capture_output=True, text=True, check=False, timeout=500)  # fmt: skip
        assert done.returncode == 0, done.stderr[-3000:]
        told[where[0]] = done.stdout.splitlines()
    assert "on the cluster: 12" in told["far"]  # four games of each pair of three players
    far, near = ((tmp_path / place / "made" / "ladder.json").read_text() for place in ("far", "near"))
    assert far == near
    (table,) = json.loads(far)["tables"]
    assert table["games"] == 12
    assert {step["forfeits"] for step in table["steps"]} == {0}


def test_a_cluster_that_is_not_there_is_one_sentence():
    with pytest.raises(AlarifeError, match=r"cannot join the cluster 127.*refused"), Games(f"{HERE}:{free_port()}"):
        pass
