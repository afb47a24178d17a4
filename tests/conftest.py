"""Everything that all tests share."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

import alarife
from alarife.engine import registry
from teaching_game import GAME as PEBBLES
from two_nodes import Cluster

os.environ.setdefault("ALARIFE_QUIET", "1")

if "pebbles" not in registry.game_names():
    alarife.register(PEBBLES)

ENVIRONMENT = dict(os.environ)


def left_behind() -> set[str]:
    """Variables that decide how alarife runs, and that tests have changed and not put back."""
    changed = dict(os.environ).items() ^ ENVIRONMENT.items()
    return {
        name
        for name, _ in changed
        if name.startswith(("ALARIFE_", "NUMBA_", "PYTHONPATH", "PYTHONHASHSEED", "HOME", "XDG_"))
    }


def pytest_collection_finish() -> None:
    """Importing a test changes nothing for the others, nor for the processes that they start."""
    assert not left_behind(), f"importing the tests changed {left_behind()}"


@pytest.fixture(autouse=True)
def environment_is_put_back() -> Iterator[None]:
    """A test that changes a variable for good changes the tests after it."""
    yield
    left = left_behind()
    for name in left:
        os.environ.pop(name, None)
        os.environ |= {name: ENVIRONMENT[name]} if name in ENVIRONMENT else {}
    assert not left, f"this test changed {left}"


@pytest.fixture
def pebbles():
    return PEBBLES


@pytest.fixture
def installed_pebbles(tmp_path, monkeypatch):
    """Pebbles as a package that other processes find, too."""
    info = tmp_path / "site" / "pebbles-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pebbles\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[alarife.games]\npebbles = teaching_game:GAME\n")
    monkeypatch.syspath_prepend(tmp_path / "site")
    registry._plugins.cache_clear()
    yield
    monkeypatch.undo()
    registry._plugins.cache_clear()


@pytest.fixture
def cluster():
    """Two nodes of Ray, for one test; nothing of them may stay behind."""
    made = Cluster()
    try:
        made.start()
        yield made
    finally:
        left = made.end()
    assert not left
