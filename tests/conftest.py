"""Everything that all tests share."""

from __future__ import annotations

import os

import pytest

import alarife
from alarife.engine import registry
from teaching_game import GAME as PEBBLES

os.environ.setdefault("ALARIFE_QUIET", "1")

if "pebbles" not in registry.game_names():
    alarife.register(PEBBLES)


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
