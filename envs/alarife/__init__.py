"""Reinforcement-learning environments for modern tabletop games about building."""

from __future__ import annotations

__version__ = "0.1.0"
