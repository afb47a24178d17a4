"""Everything that all tests share."""

from __future__ import annotations

import os

import pytest

import alarife
from alarife.engine.registry import game_names
from teaching_game import GAME as PEBBLES

os.environ.setdefault("ALARIFE_QUIET", "1")

if "pebbles" not in game_names():
    alarife.register(PEBBLES)


@pytest.fixture
def pebbles():
    return PEBBLES
