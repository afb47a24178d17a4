"""Policy files and the player that needs nothing but NumPy. The files are made by hand here."""

import json
import subprocess
import sys
import tracemalloc
import zipfile

import numpy as np
import pytest

from alarife.__main__ import main
from alarife.engine.batch import Batch
from alarife.engine.errors import AlarifeError, FileError
from alarife.engine.registry import find_game
from alarife.players import ScriptedPlayer, Turns, find_player
from alarife.players.find import note_on
from alarife.players.policy import (
    CHECKSUM,
    MOST_CHECKPOINT,
    NetworkPlayer,
    Policy,
    add_checksum,
    read_policy,
    shapes_of,
    with_checksum,
)

VIVA = find_game("viva")


def card(**changes):
    about = {"format": "alarife policy", "format_version": 1, "game": "viva", "version": 1,
             "layout": VIVA.layout_digest, "hidden": [8], "steps": 0}  # fmt: skip
    return about | changes


def tensors(seed=0):
    random = np.random.default_rng(seed)
    return {name: random.normal(size=shape).astype(np.float32) for name, shape in shapes_of(VIVA, [8]).items()}


def content(arrays, about):
    """The bytes of a safetensors file, as its specification has them."""
    head, body = {"__metadata__": {"alarife": json.dumps(about)}}, b""
    for name, array in arrays.items():
        head[name] = {"dtype": "F32", "shape": list(array.shape), "data_offsets": [len(body), len(body) + array.nbytes]}
        body += array.tobytes()
    text = json.dumps(head).encode()
    return with_checksum(len(text).to_bytes(8, "little") + text + body)


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "policy.safetensors"
    file.write_bytes(content(tensors(), card()))
    return file


def test_a_path_is_a_player_and_its_actions_are_legal(path):
    player = find_player(str(path), 3)
    batch = Batch(VIVA, 50, 3, 1)
    for _ in range(30):
        actions = player.act(Turns.of_batch(batch, np.arange(50)))
        assert (batch.action_mask[np.arange(50), actions] == 1).all()
        batch.step(actions)


def test_playing_a_checkpoint_loads_no_torch(path):
    code = (
        "import sys, alarife; from alarife.players import find_player; "
        f"find_player({str(path)!r}); print('torch' in sys.modules, 'safetensors' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"


def small(scores):
    """A policy whose scores are its last biases, whatever it sees."""
    arrays = {name: np.zeros(shape, np.float32) for name, shape in shapes_of(VIVA, [8]).items()}
    arrays["policy.bias"][:] = scores
    return Policy(VIVA, card(), arrays)


def test_actions_are_drawn_by_their_probabilities_or_taken_greedily():
    batch = Batch(VIVA, 4000, 2, 1, {"match": "single_round"})
    turns = Turns.of_batch(batch, np.arange(4000))
    scores = np.zeros(VIVA.actions.size)
    draw = VIVA.actions.start.draw
    scores[draw] = np.log(3.0)  # drawing a card is three times as likely as any other legal action
    choices = turns.action_mask.sum(1)
    expected = np.mean(3 / (choices + 2))
    drawn = NetworkPlayer(small(scores), 1).act(turns) == draw
    assert (turns.action_mask[:, draw] == 1).all()
    assert drawn.mean() == pytest.approx(expected, abs=0.03)
    assert (NetworkPlayer(small(scores), 1, greedy=True).act(turns) == draw).all()
    told = small(scores)
    told.card["greedy"] = True
    assert (NetworkPlayer(told, 1).act(turns) == draw).all()
    assert not (NetworkPlayer(told, 1, greedy=False).act(turns) == draw).all()


def test_the_network_is_layers_with_relu():
    arrays = {name: np.zeros(shape, np.float32) for name, shape in shapes_of(VIVA, [8]).items()}
    arrays["trunk.0.weight"][0, 0], arrays["trunk.0.weight"][1, 0] = 2.0, -2.0
    arrays["policy.weight"][5, 0], arrays["policy.weight"][5, 1], arrays["policy.bias"][5] = 3.0, 100.0, 0.5
    seen = np.zeros((2, VIVA.features.size), np.float32)
    arrays["input.shift"][0], arrays["input.scale"][0] = 5.0, 0.5
    seen[0, 0], seen[1, 0] = 7.0, 3.0  # after shift and scale 1 and -1
    logits = NetworkPlayer(Policy(VIVA, card(), arrays)).logits(seen)
    assert logits[0, 5] == 2.0 * 3.0 + 0.5
    assert logits[1, 5] == 2.0 * 100.0 + 0.5
    assert logits[:, :5].sum() == 0


def test_the_same_seed_plays_the_same_actions(path):
    turns = Turns.of_batch(Batch(VIVA, 200, 3, 1), np.arange(200))
    player = NetworkPlayer(path, 5)
    first, second = player.act(turns), player.act(turns)
    player.reset(5)
    assert np.array_equal(player.act(turns), first)
    assert not np.array_equal(first, second)


def test_a_table_of_another_game_is_refused(path, pebbles):
    turns = Turns.of_batch(Batch(pebbles, 2, 2, 1), np.arange(2))
    with pytest.raises(AlarifeError, match="this checkpoint plays viva_v1, the table is pebbles_v0"):
        NetworkPlayer(path).act(turns)


def test_scores_that_are_not_finite_are_noticed():
    turns = Turns.of_batch(Batch(VIVA, 2, 2, 1), np.arange(2))
    with pytest.raises(AlarifeError, match="the network for viva_v1 gave scores that are not finite"):
        NetworkPlayer(small(np.inf)).act(turns)


def changed(name, index, value):
    arrays = tensors()
    arrays[name].flat[index] = value
    return content(arrays, card())


def without(name):
    arrays = tensors()
    del arrays[name]
    return content(arrays, card())


def headed(head, body=b""):
    return len(head).to_bytes(8, "little") + head + body


GOOD = content(tensors(), card())
NINE_WIDE = f"of shape (8, {VIVA.features.size}), expected float32 of shape (9, {VIVA.features.size})"
SIZE = f'"shape":[{VIVA.features.size}]'.encode()
UNSEALED = GOOD.replace(CHECKSUM.encode(), b"checksam")


@pytest.mark.parametrize(("file", "sentence"), [
    (b"", "is not a checkpoint"),
    (b"\x80\x04\x95 a pickle of somebody", "is not a checkpoint"),
    (b"PK\x03\x04 and so on", "is a zip archive"),
    (GOOD[:100], "is cut off: its head has"),
    (GOOD[:-1], "is cut off: its arrays end at byte"),
    ((2).to_bytes(8, "little") + b"{}", "is a safetensors file, but no checkpoint of alarife"),
    ((2).to_bytes(8, "little") + b"{]", "is a damaged checkpoint"),
    ((2**60).to_bytes(8, "little") + b"{}", "is not a checkpoint"),
    (GOOD.replace(b"[0,", b"[4,", 1), "is a damaged checkpoint: an array of shape"),
    (GOOD.replace(b'"F32"', b'"F99"', 1), "is a damaged checkpoint: arrays are of type F64, F32, I64, I32, U8, "),
    (GOOD.replace(SIZE, b'"shape":[1e9]', 1), "both are lists of whole numbers from 0"),
    (GOOD.replace(b'"shape":[8]', b'"shape":[Infinity]', 1)[7:], "is not a checkpoint"),
    (headed(b'{"a":{"dtype":"F32","shape":[Infinity],"data_offsets":[0,8]}}'), "numbers are finite, got Infinity"),
    (headed(b'{"a":{"dtype":"F32","shape":[' + b"9" * 30 + b'],"data_offsets":[0,8]}}'), "have at most 64 bits"),
    (headed(b'{"a":{"dtype":"F32","shape":[' + b"9" * 5000 + b'],"data_offsets":[0,8]}}'), "at most 100 digits"),
    (headed(b'{"a":' + b"[" * 100_000 + b"}"), "at most 32 deep"),
    (headed(b'{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],'
            b'"data_offsets":[0,4]}}', b"abcd"), "arrays lie one behind the other, b begins at byte 0, not 4"),
    (headed(b'{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}', b"abcdefgh"), "a begins at byte 4, not 0"),
    (headed(b'{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}', b"abcdefgh"), "end at byte 4, it goes on to 8"),
    (headed(b'{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"a":{"dtype":"F32","shape":[1],'
            b'"data_offsets":[0,4]}}', b"abcd"), "'a' stands twice in one table"),
    (content(tensors() | {"more": np.zeros(3, np.float32)}, card()), "a network for viva_v1 has no array 'more'"),
    (UNSEALED, "has no checksum, so that nobody can tell whether its numbers are whole; if you trust it, add one: "),
    (GOOD.replace(b"steps", b"stups"), "its numbers or its texts are not those of its checksum"),
    (GOOD[:-1] + bytes([GOOD[-1] ^ 1]), "its numbers or its texts are not those of its checksum"),
    (content(tensors(), card(format="else")), "is 'else' of format 1, this alarife reads 'alarife policy' of format 1"),
    (content(tensors(), card(format_version=2)), "of format 2"),
    (content(tensors(), card(game="ludo")), "cannot be used: no game called 'ludo'"),
    (content(tensors(), card(version=7)), "was trained on viva_v7, installed is viva_v1"),
    (content(tensors(), card(layout="0" * 16)), "was trained with layout 0000000000000000 of viva_v1, installed is"),
    (content(tensors(), card(hidden=[9])), NINE_WIDE),
    (content(tensors(), card(hidden="[8]")), "hidden is a list of at most 64 layers of 1 to 65,536 numbers, got '[8]'"),
    (content(tensors(), {"format": "alarife policy"}), "its card lacks 'format_version'"),
    (content(tensors(), [1, 2]), "is a damaged checkpoint: its card"),
    (without("value.bias"), "it has no array value.bias"),
    (changed("policy.weight", 7, np.nan), "policy.weight holds numbers that are not finite"),
    (changed("trunk.0.bias", 0, np.inf), "trunk.0.bias holds numbers that are not finite"),
])  # fmt: skip
def test_what_does_not_fit_is_refused_in_one_sentence(file, sentence, tmp_path):
    path = tmp_path / "policy.safetensors"
    path.write_bytes(file)
    with pytest.raises(FileError) as caught:
        find_player(str(path))
    assert sentence in str(caught.value)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_flipped_bit_is_refused_wherever_it_is(path, tmp_path):
    """All bits of the head's first and last bytes, and some of all others."""
    random = np.random.default_rng(3)
    head = 8 + int.from_bytes(GOOD[:8], "little")
    bits = {*range(8 * 16), *range(8 * (head - 16), 8 * (head + 16)), *random.integers(0, 8 * len(GOOD), 400).tolist()}
    read_policy(path)
    for bit in bits:
        damaged = bytearray(GOOD)
        damaged[bit // 8] ^= 1 << bit % 8
        path.write_bytes(damaged)
        with pytest.raises(FileError):
            read_policy(path)


def test_a_wrong_checksum_is_not_made_right(path):
    path.write_bytes(GOOD[:-1] + bytes([GOOD[-1] ^ 1]))
    before = path.read_bytes()
    with pytest.raises(FileError, match="are not those of its checksum"):
        add_checksum(path)
    assert path.read_bytes() == before


def test_a_file_that_is_too_large_is_not_read(tmp_path):
    path = tmp_path / "sparse.safetensors"
    with open(path, "wb") as file:
        file.truncate(10 * MOST_CHECKPOINT)
    with pytest.raises(FileError, match="is too large for a checkpoint: it has 10,737,418,240 bytes, at most 1,073,7"):
        read_policy(path)


def test_arrays_of_another_size_are_refused_before_they_are_read(tmp_path):
    """A head that tells of half a gigabyte of numbers in a sparse file."""
    path, floats = tmp_path / "large.safetensors", 1 << 27
    about = {"__metadata__": {"alarife": json.dumps(card())},
             "value.bias": {"dtype": "F32", "shape": [floats], "data_offsets": [0, 4 * floats]}}  # fmt: skip
    with open(path, "wb") as file:
        file.write(headed(json.dumps(about).encode()))
        file.truncate(file.tell() + 4 * floats)
    tracemalloc.start()
    with pytest.raises(FileError, match=r"has no array input\.shift"):
        read_policy(path)
    assert tracemalloc.get_traced_memory()[1] < 20_000_000
    tracemalloc.stop()


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(AlarifeError, match=r"no checkpoint .*gone\.safetensors"):
        find_player(str(tmp_path / "gone.safetensors"))


class Trap:
    """Unpickling one runs a command, here one that makes a file."""

    def __init__(self, mark):
        self.mark = mark

    def __reduce__(self):
        return open, (str(self.mark), "w")


def test_a_booby_trapped_archive_does_not_run(tmp_path):
    import pickle

    mark, path = tmp_path / "it_ran", tmp_path / "agent.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("data", pickle.dumps(Trap(mark)))
    pickle.loads(pickle.dumps(Trap(mark))).close()
    assert mark.exists()  # the trap is live
    mark.unlink()
    for name in (path, path.rename(tmp_path / "agent.safetensors")):
        if name.exists():
            with pytest.raises(FileError, match="is a zip archive"):
                find_player(str(name))
    assert not mark.exists()


def test_files_of_the_safetensors_package_are_read_alike(tmp_path):
    numpy_files = pytest.importorskip("safetensors.numpy")
    path, arrays = tmp_path / "theirs.safetensors", tensors(seed=4)
    path.write_bytes(numpy_files.save(arrays, {"alarife": json.dumps(card())}))
    assert add_checksum(path)
    assert not add_checksum(path)
    read = read_policy(path)
    theirs = numpy_files.load_file(path)
    assert sorted(read.tensors) == sorted(theirs)
    assert all(np.array_equal(read.tensors[name], theirs[name]) for name in theirs)


def adviser(weight):
    """A policy that knows nothing but the scripted player's action."""
    arrays = {name: np.zeros(shape, np.float32) for name, shape in shapes_of(VIVA, [VIVA.actions.size], True).items()}
    arrays["input.scale"][:] = 1
    arrays["trunk.0.weight"][:, VIVA.features.size :] = np.eye(VIVA.actions.size)
    arrays["policy.weight"][:] = weight * np.eye(VIVA.actions.size)
    return Policy(VIVA, card() | {"hidden": [VIVA.actions.size], "advice": True}, arrays)


def test_a_network_that_is_advised_sees_the_scripted_players_action():
    turns = Turns.of_batch(Batch(VIVA, 500, 3, 1), np.arange(500))
    advice = ScriptedPlayer(1).act(turns)
    assert (turns.action_mask.sum(1) > 1).any()
    assert np.array_equal(NetworkPlayer(adviser(1.0), greedy=True).act(turns), advice)
    contrary = NetworkPlayer(adviser(-1.0), greedy=True).act(turns)
    assert (contrary[turns.action_mask.sum(1) > 1] != advice[turns.action_mask.sum(1) > 1]).all()
    seen = NetworkPlayer(adviser(1.0)).seen(turns)
    assert np.array_equal(seen[:, : VIVA.features.size], turns.observation)
    assert np.array_equal(np.argwhere(seen[:, VIVA.features.size :] == 1)[:, 1], advice)


def test_a_network_without_advice_needs_no_forks():
    assert not NetworkPlayer(small(np.zeros(VIVA.actions.size))).forks
    assert NetworkPlayer(adviser(1.0)).forks


def test_a_policy_says_for_which_tables_it_was_trained(tmp_path):
    file = tmp_path / "policy.safetensors"
    file.write_bytes(content(tensors(), card(players=[4, 2, 3])))
    for name in (str(file), f"guided:{file}:50"):
        assert [note_on(name, VIVA, players) for players in (2, 3, 4)] == ["", "", ""]
        assert note_on(name, VIVA, 6) == (
            f"{name} was trained at tables for 2, 3 and 4; this one is for 6, where it may play worse"
        )
    assert [note_on(name, VIVA, 6) for name in ("random", "mc:20", "scripted", "guided:elsewhere")] == [""] * 4


def test_a_card_that_says_nothing_of_tables_is_no_reason_to_speak(path):
    assert note_on(str(path), VIVA, 6) == ""


@pytest.mark.parametrize("players", [0, "two", [2, 0], [2.0], [True]])
def test_tables_on_a_card_are_player_counts(tmp_path, players):
    file = tmp_path / "policy.safetensors"
    file.write_bytes(content(tensors(), card(players=players)))
    with pytest.raises(FileError, match="players is a list of sizes of tables, got"):
        read_policy(file)


def test_watching_tells_that_a_policy_sits_at_a_strange_table(tmp_path, capsys):
    file = tmp_path / "policy.safetensors"
    file.write_bytes(content(tensors(), card(players=[2])))
    for players, told in ((2, ""), (3, f"note: {file} was trained at tables for 2; this one is for 3")):
        assert main(["watch", "viva", "--with", f"{file},scripted", "--players", str(players), "--brief",
                     "-o", "match=single_round"]) == 0  # fmt: skip
        heard = capsys.readouterr().err
        assert told in heard
        assert bool(told) == ("note:" in heard)


def test_a_game_without_an_agent_says_so(pebbles):
    turns = Turns.of_batch(Batch(pebbles, 2, 2, 1), np.arange(2))
    with pytest.raises(AlarifeError, match="pebbles_v0 comes without a trained agent"):
        find_player("trained", 1).act(turns)
