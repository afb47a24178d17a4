"""Policies of packages, folders and addresses: which is meant, what is refused, and what is kept."""

import hashlib
import http.server
import json
import subprocess
import sys
import threading
import time
import zipfile
from pathlib import Path

import numpy as np
import pytest

import alarife
from alarife import hub
from alarife.__main__ import main
from alarife.engine.errors import AlarifeError, FileError
from alarife.engine.registry import find_game
from alarife.players import download, find_player, play_out, policy, policy_store
from alarife.players.download import check_address, fetch
from alarife.players.policy import shapes_of, with_checksum
from teaching_game import GAME as PEBBLES

ROOT = Path(__file__).resolve().parent.parent


def weights(favourite):
    """The bytes of a policy for pebbles that likes one action best, whatever it sees."""
    card = {"format": "alarife policy", "format_version": 1, "game": "pebbles", "version": 0, "greedy": True,
            "layout": PEBBLES.layout_digest, "hidden": [2], "steps": 0}  # fmt: skip
    head, body = {"__metadata__": {"alarife": json.dumps(card)}}, b""
    for name, shape in shapes_of(PEBBLES, [2]).items():
        array = np.zeros(shape, np.float32)
        if name == "policy.bias":
            array[favourite] = 1
        head[name] = {"dtype": "F32", "shape": list(shape), "data_offsets": [len(body), len(body) + array.nbytes]}
        body += array.tobytes()
    text = json.dumps(head).encode()
    return with_checksum(len(text).to_bytes(8, "little") + text + body)


@pytest.fixture(autouse=True)
def own_store(tmp_path, monkeypatch):
    monkeypatch.setenv("ALARIFE_CACHE_DIR", str(tmp_path / "cache"))
    yield tmp_path / "cache" / "policies"
    monkeypatch.undo()


@pytest.fixture
def shelf(tmp_path):
    """A folder that offers two versions of one policy."""
    folder = tmp_path / "shelf"
    entries = []
    for version, favourite in ((1, 0), (2, 4)):
        (folder / str(version)).mkdir(parents=True)
        (folder / str(version) / "strong.safetensors").write_bytes(weights(favourite))
        hub.write_index(folder / str(version), "strong", version, "likes one pile")
        index = json.loads((folder / str(version) / "policies.json").read_text())
        entries += [entry | {"file": f"strong-{version}.safetensors"} for entry in index["policies"]]
        (folder / f"strong-{version}.safetensors").write_bytes(weights(favourite))
    (folder / "policies.json").write_text(json.dumps(index | {"policies": entries}))
    return folder


def spoilt(shelf, change):
    index = json.loads((shelf / "policies.json").read_text())
    change(index)
    (shelf / "policies.json").write_text(json.dumps(index))
    return shelf


# --- folders ------------------------------------------------------------------------------------------


def test_a_folder_is_installed_and_its_newest_policy_plays(shelf, own_store):
    offers = hub.install(shelf)
    assert [(o.name, o.version, o.game) for o in offers] == [("strong", 1, "pebbles_v0"), ("strong", 2, "pebbles_v0")]
    assert hub.find("strong", game="pebbles").version == 2
    assert {path.name for path in own_store.iterdir()} == {
        "policies.json", *(f"{offer.digest}.safetensors" for offer in offers)
    }  # fmt: skip
    table = alarife.table(PEBBLES, players=2, seed=1)
    players = [find_player("hub:strong", 1), find_player("hub:strong@1", 1)]
    play_out(table, players, most=2)
    assert table.history == [4, 0]  # each likes one action best, by its bias
    digest = hashlib.sha256(weights(0)).hexdigest()
    assert hub.find("strong", digest=digest[:8]).version == 1
    assert hub.load("strong", version=1).tensors["policy.bias"][0] == 1


def test_one_of_several_may_be_asked_for(shelf):
    (offer,) = hub.install(shelf, ["strong"], version=1)
    assert offer.version == 1
    assert [o.version for o in hub.policies()] == [1]
    with pytest.raises(AlarifeError, match="no policy called 'strong@2' for pebbles is here"):
        hub.find("strong", "pebbles", 2)
    with pytest.raises(AlarifeError, match=r"no policy called 'strng' for pebbles is here.*strong"):
        hub.find("strng", "pebbles")


def test_where_nothing_is_installed_no_names_are_told(shelf):
    with pytest.raises(AlarifeError) as told:
        hub.find("strong", "pebbles")
    assert str(told.value) == "no policy called 'strong' for pebbles is here, nor any other for pebbles"


def test_installing_again_changes_nothing_and_removing_takes_all(shelf, own_store):
    hub.install(shelf)
    before = {path.name: path.read_bytes() for path in own_store.iterdir()}
    hub.install(shelf)
    assert {path.name: path.read_bytes() for path in own_store.iterdir()} == before
    hub.uninstall("strong", version=1)
    assert [o.version for o in hub.policies()] == [2]
    hub.uninstall("strong")
    assert [path.name for path in own_store.iterdir()] == ["policies.json"]
    with pytest.raises(AlarifeError, match="was installed by"):
        hub.uninstall("strong")


def test_a_file_is_that_of_its_index_each_time_it_is_used(shelf, own_store):
    (offer,) = hub.install(shelf, ["strong"])
    content = bytearray(offer.path.read_bytes())
    content[-1] ^= 1
    time.sleep(0.01)
    offer.path.write_bytes(content)
    with pytest.raises(FileError, match=r"is not the policy that policies.json tells of"):
        hub.load("strong")


def test_a_policy_that_is_not_what_its_index_says_is_not_kept(shelf, own_store):
    (shelf / "strong-2.safetensors").write_bytes(weights(3))
    with pytest.raises(FileError, match="its size or digest is another"):
        hub.install(shelf, ["strong"])
    assert hub.policies() == []


def test_a_trusted_digest_is_stronger_than_an_index(shelf):
    with pytest.raises(AlarifeError, match="no policy called 'strong#00000000'"):
        hub.install(shelf, ["strong"], digest="00000000")
    with pytest.raises(AlarifeError, match="8 to 64 hexadecimal digits, got '00'"):
        hub.install(shelf, ["strong"], digest="00")


def test_a_damaged_policy_with_a_right_digest_is_refused(shelf, own_store):
    content = bytearray(weights(4))
    content[-1] ^= 1
    (shelf / "strong-2.safetensors").write_bytes(content)

    def right(index):
        index["policies"][1]["sha256"] = hashlib.sha256(content).hexdigest()

    with pytest.raises(FileError, match="damaged checkpoint"):
        hub.install(spoilt(shelf, right), ["strong"])
    assert list(own_store.iterdir()) == []


def test_pickles_are_never_read(shelf):
    (shelf / "strong-2.safetensors").write_bytes(b"PK\x03\x04" + b"\x80\x04cos\nsystem\n")

    def right(index):
        content = (shelf / "strong-2.safetensors").read_bytes()
        index["policies"][1] |= {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}

    with pytest.raises(FileError, match="loading one can run code"):
        hub.install(spoilt(shelf, right), ["strong"])


@pytest.mark.parametrize(("change", "sentence"), [
    ({"format": "x"}, "is not an index of policies"), ({"policies": {}}, "policies is a list"),
    ({"file": "../strong.safetensors"}, "file is a plain name"), ({"file": "/etc/x.safetensors"}, "plain name"),
    ({"file": "strong.pkl"}, "plain name"), ({"name": "a/b"}, "name is letters"), ({"sha256": "00"}, "64 hexadecimal"),
    ({"bytes": -1}, "bytes is a whole number"), ({"bytes": 2**40}, "bytes is a whole number"),
    ({"version": "2"}, "version is a whole number"), ({"game": "pebbles"}, "a game's id"),
    ({"run": "x"}, "a policy has"),
    ({"about": "x" * 501}, "about is a text"), ({"version": 2}, "offers strong@2 for 'pebbles_v0' twice"),
])  # fmt: skip
def test_an_index_that_is_none_is_refused(shelf, change, sentence):
    def spoil(index):
        for name, value in change.items():
            (index if name in index else index["policies"][0])[name] = value

    with pytest.raises(FileError, match=sentence):
        hub.offered(spoilt(shelf, spoil))


def test_a_folder_without_an_index_says_so(tmp_path):
    with pytest.raises(FileError, match=r"cannot read the index of policies"):
        hub.install(tmp_path)
    with pytest.raises(FileError, match=r"holds no .safetensors file"):
        hub.write_index(tmp_path, "strong", 1)


# --- addresses ----------------------------------------------------------------------------------------


@pytest.fixture
def served(shelf):
    """The folder at an address of this machine, with some places that misbehave."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *args):
            super().__init__(*args, directory=str(shelf))

        def do_GET(self):
            if self.path == "/away/policies.json":
                self.send_response(302)
                self.send_header("Location", "http://example.org/policies.json")
                self.end_headers()
            elif self.path == "/endless":
                self.send_response(200)
                self.end_headers()
                try:
                    for _ in range(200):
                        self.wfile.write(b"x" * 1000)
                        time.sleep(0.01)
                except OSError:
                    pass
            elif self.path == "/cut":
                self.send_response(200)
                self.send_header("Content-Length", "100")
                self.end_headers()
                self.wfile.write(b"x" * 10)
            else:
                super().do_GET()

        def log_message(self, *args):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join(10)


def test_an_address_is_a_source(served):
    assert [o.version for o in hub.offered(served)] == [1, 2]
    (offer,) = hub.install(f"{served}/policies.json", ["strong"])
    assert offer.version == 2
    assert hub.load("strong").tensors["policy.bias"][4] == 1


def test_a_file_address_is_a_folder(shelf):
    assert [o.version for o in hub.offered(shelf.as_uri())] == [1, 2]


def test_what_comes_from_an_address_is_checked(served, shelf):
    (shelf / "strong-2.safetensors").write_bytes(weights(3))
    with pytest.raises(FileError, match="its size or digest is another"):
        hub.install(served, ["strong"])
    (shelf / "strong-2.safetensors").write_bytes(weights(4) + b" " * 100)
    with pytest.raises(FileError, match="is too large"):
        hub.install(served, ["strong"])
    assert hub.policies() == []


@pytest.mark.parametrize(("place", "most", "seconds", "sentence"), [
    ("/none.json", 100, 5, "404"), ("/cut", 1000, 5, "cannot fetch|cut off"), ("/endless", 5000, 20, "at most 5,000"),
    ("/endless", 10**9, 0.3, "took longer than 0.3 seconds"), ("/away/policies.json", 100, 5, "fetched by https"),
])  # fmt: skip
def test_downloads_have_limits(served, place, most, seconds, sentence):
    with pytest.raises(AlarifeError, match=sentence):
        fetch(f"{served}{place}", most, seconds)


@pytest.mark.parametrize("address", [
    "http://example.org/policies.json", "ftp://example.org/x", "https://", "http://127.0.0.1.example.org/x",
    "http://localhost@example.org/x", "data://x", "http://[::1",
])  # fmt: skip
def test_only_safe_addresses_are_read(address):
    with pytest.raises(AlarifeError, match=r"by https|is no address"):
        check_address(address)
    with pytest.raises(AlarifeError):
        hub.offered(address)


def test_nobody_there_is_one_sentence():
    with pytest.raises(FileError, match=r"cannot fetch http://127.0.0.1:1/policies.json"):
        hub.offered("http://127.0.0.1:1")
    assert download.PATIENCE < download.SECONDS


# --- packages -----------------------------------------------------------------------------------------


@pytest.fixture
def packaged(shelf, tmp_path, monkeypatch):
    """A package with policies, whose import would fail."""
    site = tmp_path / "site"
    (site / "strong_agents").mkdir(parents=True)
    (site / "strong_agents" / "__init__.py").write_text("raise SystemExit('this is never imported')\n")
    (site / "strong_agents" / "any.safetensors").write_bytes(weights(4))
    hub.write_index(site / "strong_agents", "trained", 1)
    info = site / "strong_agents-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: strong-agents\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[alarife.policies]\nagents = strong_agents\nnone = nowhere_at_all\n")
    monkeypatch.syspath_prepend(site)
    return site


def test_a_package_brings_policies_and_is_not_imported(packaged):
    (offer,) = hub.policies()
    assert offer.place == str(packaged / "strong_agents")
    table = alarife.table(PEBBLES, players=2, seed=1)
    play_out(table, [find_player("trained", 1)] * 2, most=1)
    assert table.history == [4]
    assert "strong_agents" not in sys.modules
    with pytest.raises(AlarifeError, match="was installed by"):
        hub.uninstall("trained")


def test_the_agent_beside_the_rules_comes_first(monkeypatch):
    viva = find_game("viva")
    assert policy.agent_file(viva) == viva.folder / "made" / "agent.safetensors"
    monkeypatch.setattr(policy, "AGENT", "made/elsewhere.safetensors")
    assert policy.agent_file(viva) is None
    with pytest.raises(AlarifeError, match=r"viva_v1 is not here.*`pip install ./training/agents`"):
        find_player("trained").agent_of(viva)
    with pytest.raises(AlarifeError, match="pebbles_v0 comes without a trained agent"):
        find_player("trained").agent_of(PEBBLES)


def test_the_index_of_our_agents_is_that_of_their_files():
    offers = policy_store.index_in(ROOT / "training" / "agents" / "alarife_agents")
    packaging = (ROOT / "training" / "agents" / "pyproject.toml").read_text(encoding="utf-8")
    assert len(offers) == 5
    for offer in offers:
        file = find_game(offer.game).folder / policy.AGENT
        assert hashlib.sha256(file.read_bytes()).hexdigest() == offer.digest
        assert f'made/agent.safetensors" = "alarife_agents/{offer.file}"' in packaging
        assert f"games/{offer.file.removesuffix('.safetensors')}/made" in packaging


# --- the terminal, and the wheels ---------------------------------------------------------------------


def test_the_terminal_installs_lists_and_removes(shelf, capsys):
    assert main(["hub"]) == 0
    assert main(["hub", "list", str(shelf)]) == 0
    assert "strong@2" in capsys.readouterr().out
    assert main(["hub", "install", str(shelf), "strong@1"]) == 0
    assert "installed strong@1 for pebbles_v0" in capsys.readouterr().out
    assert main(["hub", "list"]) == 0
    assert "strong@1" in capsys.readouterr().out
    assert main(["hub", "remove", "strong"]) == 0
    assert main(["hub", "remove", "strong"]) == 1
    assert main(["hub", "index", str(shelf / "1"), "other@3", "--about", "a test"]) == 0
    assert "other@3 for pebbles_v0" in capsys.readouterr().out
    assert main(["hub", "install", str(shelf), "strong@"]) == 1
    assert "name@version" in capsys.readouterr().err


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheels")
    for place in (ROOT, ROOT / "training" / "agents"):
        build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
        subprocess.run(build, cwd=place, capture_output=True, check=True)
    return folder


def test_the_agents_are_a_package_of_their_own(wheels):
    (ours,), (agents,) = wheels.glob("alarife-*.whl"), wheels.glob("alarife_agents-*.whl")
    assert ours.stat().st_size < 1_500_000
    assert not [name for name in zipfile.ZipFile(ours).namelist() if name.endswith(".safetensors")]
    names = {name for name in zipfile.ZipFile(agents).namelist() if ".dist-info/" not in name}
    games = ("lisboa", "patios", "viana", "villa_paletti", "viva")
    assert names == {"alarife_agents/__init__.py", "alarife_agents/policies.json",
                     *(f"alarife_agents/{game}.safetensors" for game in games)}  # fmt: skip


def test_trained_plays_from_the_wheels_alone(wheels, tmp_path):
    """Outside of the source tree: first a sentence that says what to run, then that is run, then it plays."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", tmp_path / "site"]
    environment = {"PYTHONPATH": str(tmp_path / "site"), "ALARIFE_INTERPRETED": "1", "PATH": "/usr/bin:/bin",
                   "ALARIFE_CACHE_DIR": str(tmp_path / "cache"), "ALARIFE_QUIET": "1"}  # fmt: skip
    watch = [sys.executable, "-m", "alarife", "watch", "viva", "--with", "trained,random", "--players", "2", "--brief",
             "--seed", "1", "-o", "match=single_round", "-o", "max_turns_per_round=20"]  # fmt: skip

    def run():
        return subprocess.run(watch, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)

    subprocess.run([*pip, *wheels.glob("alarife-*.whl")], check=True, capture_output=True)
    told = run()
    assert told.returncode == 1
    assert told.stderr.count("\n") == 1
    assert "`pip install ./training/agents`" in told.stderr
    subprocess.run([*pip, *wheels.glob("alarife_agents-*.whl")], check=True, capture_output=True)
    told = run()
    assert told.returncode == 0, told.stderr
    assert "place 1" in told.stdout
