"""Chance: hidden imperfections, noisy readings, jolts (sections [imperfection] and [tremor] of `components.toml`)."""

from __future__ import annotations

import numpy as np

from alarife.engine.jit import rule
from alarife.engine.random import below, happens
from alarife.games.villa_paletti.components import (
    CENTRE_SD,
    COLUMNS,
    FLOORS,
    MASS_SD,
    NORMAL,
    READING_CUTS,
    SLICES,
    Reading,
)

MOST_EXPONENT = 40  # beyond it nothing ever happens: e**-40 is less than one in 10**17
_POWERS = [1.0]
for _ in range(MOST_EXPONENT):
    _POWERS.append(_POWERS[-1] / 2.718281828459045)
POWER = np.array(_POWERS)  # of 1 / e
TERMS = 18  # of the series; the last one is below 10**-16


@rule
def normal(s):
    """A normal number, as one of 1,024 equally likely ones."""
    return NORMAL[below(s, SLICES)]


@rule
def exp_minus(x):
    """The power -x of e, for x not negative, by its series: the same on every machine."""
    if x > MOST_EXPONENT:
        return 0.0
    whole = int(x)
    rest = x - whole
    total = 1.0
    for i in range(TERMS, 0, -1):
        total = 1.0 - rest * total / i
    return total * POWER[whole]


# --- imperfections ----------------------------------------------------------------------------------


@rule
def draw_imperfections(s):
    """Once per game: where the weight of each floor acts, how heavy each column is (PAL-165)."""
    if not s.options.imperfection:
        return
    for f in range(FLOORS):
        for axis in range(2):
            s.centre[f, axis] = CENTRE_SD * normal(s)
    for c in range(COLUMNS):
        s.excess[c] = MASS_SD * normal(s)


# --- readings ---------------------------------------------------------------------------------------


@rule
def class_of(index):
    """The reading that stands for a tilt index."""
    reading = 0 + Reading.FALLS
    for i in range(READING_CUTS.size):
        if index >= READING_CUTS[i]:
            reading += 1
    return reading


@rule
def read(s, index):
    """What a building of that true tilt index feels like, with noise (PAL-060)."""
    if s.options.reading_noise > 0.0:
        index += s.options.reading_noise * normal(s)
    return class_of(index)


@rule
def slices_below(bound, index, noise):
    """How many of the normal numbers bring an index below a bound."""
    low = 0
    high = SLICES
    while low < high:
        middle = (low + high) // 2
        if index + noise * NORMAL[middle] < bound:
            low = middle + 1
        else:
            high = middle
    return low


@rule
def reading_chance(s, reading, index):
    """How likely a building of that true tilt index feels so."""
    noise = s.options.reading_noise
    if noise == 0.0:
        return 1.0 if class_of(index) == reading else 0.0
    first = 0
    last = SLICES
    if reading > Reading.FALLS:
        first = slices_below(READING_CUTS[reading - 2], index, noise)
    if reading < Reading.FIRM:
        last = slices_below(READING_CUTS[reading - 1], index, noise)
    return (last - first) / SLICES


# --- jolts ------------------------------------------------------------------------------------------


@rule
def fall_chance(index, scale):
    """How likely a jolt of that scale brings down a building of that tilt index (a Rayleigh tail)."""
    if index <= 0.0:
        return 1.0
    if scale == 0.0:
        return 0.0
    strength = index / scale
    return exp_minus(0.5 * strength * strength)


@rule
def jolt_fells(s, index, scale):
    """Whether a jolt brings the building down; what is certain is not drawn."""
    chance = fall_chance(index, scale)
    if chance == 0.0 or chance == 1.0:
        return chance == 1.0
    return happens(s, chance) == 1
