"""Policies fitted to layouts that have grown: they play on to the last bit, and what does not fit is refused."""

import json
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("safetensors")

import fit_agents
from alarife.engine.batch import Batch
from alarife.engine.errors import FileError
from alarife.engine.game import digest_of_layout
from alarife.engine.layout import Actions, Block, Choice, Features, Flags
from alarife.engine.registry import find_game, game_names
from alarife.players import Turns
from alarife.players.policy import AGENT, NetworkPlayer, Policy, inputs_of, read_policy, shapes_of, with_advice
from alarife_training.checkpoint import TrainerFacts, read_checkpoint, write_policy
from alarife_training.fit import fit, fit_file, words

VIVA = find_game("viva")
NEW = {"odd": (3, "in front"), "many": ((4, 25), "in the middle"), "last": (70, "at the end")}
AGENTS = [name for name in game_names() if (find_game(name).folder / AGENT).exists()]


def with_blocks(game, blocks):
    return replace(game, features=Features(**blocks))


def widened(game):
    """The game with new blocks before, between and behind its own."""
    own = list(game.features.blocks.items())
    middle, kind = len(own) // 2, Flags if game.features.is_whole else Block
    new = {name: kind(shape, meaning) for name, (shape, meaning) in NEW.items()}
    return with_blocks(game, {"odd": new["odd"], **dict(own[:middle]), "many": new["many"], **dict(own[middle:]),
                              "last": new["last"]})  # fmt: skip


def widely(observation, game, wide):
    """Observations of a game as the wider one has them, the new numbers anything but 0."""
    random = np.random.default_rng(1)
    there = random.normal(size=(len(observation), wide.features.size)).astype(np.float32)
    for name, values in game.features.describe(observation).items():
        there[:, wide.features.span(name)] = values.reshape(len(observation), -1)
    return there


def policy_for(game, hidden, advice, seed=0):
    random = np.random.default_rng(seed)
    arrays = {name: random.normal(size=shape).astype(np.float32)
              for name, shape in shapes_of(game, hidden, advice).items()}  # fmt: skip
    card = {"format": "alarife policy", "format_version": 1, "game": game.name, "version": game.version, "steps": 7,
            "layout": game.layout_digest, "layout_table": game.layout_table, "hidden": hidden, "advice": advice,
            "rules": game.digest}  # fmt: skip
    return Policy(game, card, arrays)


def fitted(policy, game):
    return Policy(game, *fit(policy.card, policy.tensors, game, "it"))


def seen(game, decisions, advice, seed=3):
    """What a network sees in random games, and the masks."""
    batch = Batch(game, decisions // 10, game.default_players, seed)
    views, masks, advised = [], [], []
    for _ in range(10):
        views.append(batch.observation.copy())
        masks.append(batch.action_mask.copy())
        advised.append(batch.script().copy() if advice else np.zeros(batch.games, np.int64))
        batch.step(batch.sample())
    return np.concatenate(views), np.concatenate(masks), np.concatenate(advised)


@pytest.mark.parametrize("hidden", [[8], [16, 8], []])
@pytest.mark.parametrize("advice", [False, True])
def test_a_policy_on_a_wider_layout_gives_the_same_scores_to_the_bit(pebbles, hidden, advice):
    wide, old = widened(pebbles), policy_for(pebbles, hidden, advice)
    new = fitted(old, wide)
    assert {name: array.shape for name, array in new.tensors.items()} == shapes_of(wide, hidden, advice)
    views, _, advised = seen(pebbles, 200, advice)
    theirs = widely(views, pebbles, wide)
    if advice:
        views, theirs = with_advice(views, advised, pebbles), with_advice(theirs, advised, wide)
    assert np.array_equal(NetworkPlayer(new).logits(theirs), NetworkPlayer(old).logits(views))


@pytest.mark.parametrize("name", AGENTS)
def test_shipped_agents_would_play_the_same_on_a_wider_layout(name):
    """Some hundred decisions of each: the same scores, so the same actions whatever is drawn."""
    game = find_game(name)
    old, wide = read_policy(game.folder / AGENT), widened(game)
    new = fitted(old, wide)
    views, masks, advised = seen(game, 300, old.advised)
    theirs = widely(views, game, wide)
    if old.advised:
        views, theirs = with_advice(views, advised, game), with_advice(theirs, advised, wide)
    before, after = NetworkPlayer(old).logits(views), NetworkPlayer(new).logits(theirs)
    assert np.array_equal(before, after)
    assert len(np.unique(np.where(masks != 0, before, -np.inf).argmax(1))) > 5  # they were real decisions


def test_a_whole_game_goes_the_same(pebbles):
    """With the wider observation in the rules, at the table, drawing from probabilities, advised."""
    wide = widened(pebbles)
    starts = {name: (pebbles.features.span(name).start, wide.features.span(name)) for name in pebbles.features.shapes}

    def observe(s, seat, view):
        plain = np.zeros(pebbles.features.size, np.float32)
        pebbles.observe(s, seat, plain)
        view[:] = 1  # what the fitted network has no weights for
        for start, span in starts.values():
            view[span] = plain[start : start + span.stop - span.start]

    wide = replace(wide, observe=observe)
    old = policy_for(pebbles, [16], True)
    games = [Batch(game, 30, 3, 5, interpreted=True) for game in (pebbles, wide)]
    players = [NetworkPlayer(old, 9), NetworkPlayer(fitted(old, wide), 9)]
    for _ in range(12):
        actions = [player.act(Turns.of_batch(batch, np.arange(30), player))
                   for player, batch in zip(players, games, strict=True)]  # fmt: skip
        assert np.array_equal(*actions)
        for batch in games:
            batch.step(actions[0])


def older(game, missing):
    """The game as it was before these blocks came."""
    return with_blocks(game, {name: block for name, block in game.features.blocks.items() if name not in missing})


def test_a_file_is_fitted_in_place_and_says_so(tmp_path, capsys, monkeypatch):
    was = older(VIVA, ["hand"])
    policy = policy_for(was, [8], True)
    path = write_policy(tmp_path / "run" / "best.safetensors", policy)
    with pytest.raises(FileError, match=rf"was trained with layout {was.layout_digest} of viva_v{VIVA.version}"):
        read_policy(path)
    monkeypatch.setattr("sys.argv", ["fit_agents.py", str(tmp_path / "run")])
    assert fit_agents.main() == 0
    told = f"trained on layout {was.layout_digest} of {VIVA.id}, fitted to layout {VIVA.layout_digest} of {VIVA.id}"
    assert capsys.readouterr().out == f"{path}: {told}\n"
    now = read_policy(path)
    assert words(now.card) == told
    assert digest_of_layout(now.card["layout_table"]) == now.card["layout"] == VIVA.layout_digest
    assert now.card["rules"] == policy.card["rules"]
    assert not now.tensors["trunk.0.weight"][:, VIVA.features.span("hand")].any()
    content = path.read_bytes()
    assert fit_agents.main() == 0  # what fits is left alone
    assert path.read_bytes() == content
    views, _, advised = seen(VIVA, 100, True)
    plain = np.concatenate([values.reshape(len(views), -1) for name, values in VIVA.features.describe(views).items()
                            if name != "hand"], 1)  # fmt: skip
    assert np.array_equal(NetworkPlayer(now).logits(with_advice(views, advised, VIVA)),
                          NetworkPlayer(policy).logits(with_advice(plain, advised, was)))  # fmt: skip


def test_a_checkpoint_keeps_the_state_of_adam_and_of_the_run(tmp_path):
    was = older(VIVA, ["hand"])
    policy = policy_for(was, [8], False)
    learnt = [name for name in policy.tensors if not name.startswith("input.")]
    moments = {
        f"adam.{moment}.{name}": policy.tensors[name] * 2 for name in learnt for moment in ("exp_avg", "exp_avg_sq")
    }
    facts = TrainerFacts(steps=7, updates=1, adam_step=3.0, best=0.5, judged_at=1, taught=0, seconds=2.0, pool=[])
    path = write_policy(tmp_path / "step.safetensors", Policy(was, policy.card, policy.tensors | moments), facts)
    fit_file(path)
    now, told = read_checkpoint(path)
    assert told == facts
    for name, array in now.tensors.items():
        if name.startswith("adam."):
            assert np.array_equal(array, now.tensors[name.split(".", 2)[2]] * 2)


def test_a_card_without_a_table_takes_it_from_a_file(tmp_path, capsys, monkeypatch):
    was = older(VIVA, ["hand"])
    policy = policy_for(was, [8], False)
    del policy.card["layout_table"]
    path, table = write_policy(tmp_path / "policy.safetensors", policy), tmp_path / "table.json"
    with pytest.raises(FileError, match="its card does not hold the table of layout"):
        fit_file(path)
    table.write_text(json.dumps(was.layout_table))
    fit_file(path, table)
    assert read_policy(path).card["layout_table"] == VIVA.layout_table
    monkeypatch.setattr("sys.argv", ["fit_agents.py", "--table", "viva"])
    assert fit_agents.main() == 0
    assert json.loads(capsys.readouterr().out) == VIVA.layout_table


def changed(game, **blocks):
    return with_blocks(game, {**game.features.blocks, **blocks})


@pytest.mark.parametrize(("now", "sentence"), [
    (older(VIVA, ["hand"]), "the block hand is gone from the observation"),
    (changed(VIVA, hand=Flags(2, "two")), r"the block hand was of shape \[21\] .* it is of shape \[2\] from 0.0"),
    (changed(VIVA, hand=Block(21, "wider", high=3.5, scale=1 / 2)), r"the block hand was .* \[21\] from 0.0 to 3.5"),
    (replace(VIVA, actions=Actions(**VIVA.actions.families, wave=Choice("waves"))), r"the actions .* \(wave\)"),
])  # fmt: skip
def test_what_is_no_wider_layout_is_refused(now, sentence):
    policy = policy_for(VIVA, [8], False)
    with pytest.raises(FileError, match=rf"it cannot be fitted to viva_v\d+: {sentence}"):
        fit(policy.card, policy.tensors, now, "it")


@pytest.mark.parametrize(("table", "sentence"), [
    (older(VIVA, ["seat"]).layout_table, "it was trained on layout .*, the table is of"),
    ({"blocks": {"hand": 7}}, "no table of game, actions and blocks"),
    ([], "no table of game, actions and blocks"),
])  # fmt: skip
def test_a_foreign_table_is_refused(table, sentence):
    policy = policy_for(VIVA, [8], False)
    with pytest.raises(FileError, match=sentence):
        fit(policy.card | {"layout_table": table}, policy.tensors, VIVA, "it")


def test_numbers_written_in_parts_play_on_as_before():
    """Winner's cards in twelfths, 0 to 12, become twos and the rest: 5 cards are 2 x 2 and 1."""
    halved = changed(VIVA, wins=Block((6, 2), "twos, and what is left", high=(1.0, 1 / 12), scale=(1 / 6, 1 / 12)))
    for advice, hidden in ((False, [8]), (True, [])):
        old = policy_for(VIVA, hidden, advice)
        new = fitted(old, halved)
        span = VIVA.features.span("wins")
        whole = np.zeros((13, inputs_of(VIVA, advice)), VIVA.features.dtype)
        whole[:, span] = np.arange(13)[:, None]
        parts = np.zeros((13, inputs_of(halved, advice)), halved.features.dtype)
        parts[:, halved.features.span("wins")] = np.tile(np.stack([np.arange(13) // 2, np.arange(13) % 2], 1), 6)
        assert NetworkPlayer(new).logits(parts) == pytest.approx(NetworkPlayer(old).logits(whole), abs=1e-4)


def test_bounds_may_become_narrower_and_not_wider():
    narrow = changed(VIVA, height=Block(3, "no more than sixty", high=6.0, scale=1 / 10))
    policy = policy_for(VIVA, [8], False)
    assert np.array_equal(fitted(policy, narrow).tensors["trunk.0.weight"], policy.tensors["trunk.0.weight"])


def test_bounds_are_plain_numbers():
    """A table has to read back from JSON as it was."""
    block = Block(2, "of NumPy's numbers", low=np.float32(-1), high=np.int64(3), scale=np.float32(1))
    assert (type(block.low), type(block.high)) == (float, int)
    game = changed(VIVA, odd=block)
    assert digest_of_layout(json.loads(json.dumps(game.layout_table))) == game.layout_digest
