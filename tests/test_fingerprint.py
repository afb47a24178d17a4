"""The digest that compiled kernels are kept by: of the code in memory, all of it, and nothing else."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from alarife.engine.fingerprint import Survey
from alarife.engine.jit import rule

TESTS = Path(__file__).parent

HELPERS = """
import enum
from collections import namedtuple
import numba, numpy as np
from numba.extending import intrinsic, overload, register_jitable
class Colour(enum.IntEnum):
    RED = 1
    BLUE = 2
Start = namedtuple("Start", "hand pile")
AT = Start(3, 5)
TABLE = np.array([1, 2, 3], np.int8)
LIMIT = 7
WORDS = frozenset({"oak", "ash", "elm", "fir"})
BY_NAME = {"a": 1, "b": (2, 3)}
class Prices:
    HOUSE = 12
@register_jitable
def deepest(x):
    '''Said of it.'''
    return x + LIMIT
@register_jitable(boundscheck=True)
def helper(x, step=2):
    return deepest(x) * step if x in (4, 5) else max(x, 1)
@numba.njit
def theirs(x):
    return x - 3
def shown(x):
    raise NotImplementedError
@overload(shown)
def _shown(x):
    return lambda x: x + 11
def factory(bonus):
    def made(x):
        return x + bonus
    return made
made = factory(100)
"""
KERNEL = """
import helpers
from helpers import AT, BY_NAME, Colour, TABLE, WORDS, helper, made, shown, theirs
def kernel(x):
    total = helper(x) + theirs(x) + shown(x) + made(x) + TABLE[0] + AT.pile + Colour.BLUE + helpers.Prices.HOUSE
    numbers = [helpers.LIMIT * i for i in range(x)]
    assert x in WORDS or BY_NAME, "no such word"
    return total + len(numbers)
"""


def digest(helpers=HELPERS, kernel=KERNEL, monkeypatch=None):
    """The digest of the kernel above, made of these sources."""
    module = SimpleNamespace()
    names = {"__name__": "helpers"}
    exec(compile(helpers, "helpers.py", "exec"), names)
    module = type(sys)("helpers")
    vars(module).update(names)
    monkeypatch.setitem(sys.modules, "helpers", module)
    names = {"__name__": "kernel_of_theirs"}
    exec(compile(kernel, "kernel.py", "exec"), names)
    return Survey().digest(names["kernel"])


CHANGES = {
    "a constant of a function two calls away": ("LIMIT = 7", "LIMIT = 8"),
    "a table": ("[1, 2, 3], np.int8", "[1, 2, 4], np.int8"),
    "the type of a table": ("[1, 2, 3], np.int8", "[1, 2, 3], np.int16"),
    "the shape of a table": ("[1, 2, 3], np.int8", "[[1, 2, 3]], np.int8"),
    "a layout": ("Start(3, 5)", "Start(3, 6)"),
    "a name's number": ("BLUE = 2", "BLUE = 3"),
    "a set": ('"oak"', '"yew"'),
    "a dictionary": ("(2, 3)", "(2, 4)"),
    "a constant of a class": ("HOUSE = 12", "HOUSE = 13"),
    "an operator": ("deepest(x) * step", "deepest(x) + step"),
    "a set of numbers in the code": ("(4, 5)", "(4, 6)"),
    "a default": ("step=2", "step=3"),
    "what a closure holds": ("factory(100)", "factory(101)"),
    "what stands in for a function": ("x + 11", "x + 12"),
    "a function compiled by somebody else": ("x - 3", "x - 4"),
    "settings of the compiler": ("boundscheck=True", "boundscheck=False"),
    "a function called": ("max(x, 1)", "min(x, 1)"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_whatever_a_kernel_may_call_or_read_counts(what, monkeypatch):
    changed = HELPERS.replace(*CHANGES[what])
    assert changed != HELPERS
    assert digest(changed, monkeypatch=monkeypatch) != digest(monkeypatch=monkeypatch)


@pytest.mark.parametrize(("old", "new"), [
    ("'''Said of it.'''", "'''Said better.'''"),
    ("LIMIT = 7", "\n\n# a remark\nLIMIT = 7"),
    ("class Prices:", "UNUSED = 5\nclass Prices:"),
    ('{"oak", "ash", "elm", "fir"}', '{"fir", "elm", "ash", "oak"}'),
])  # fmt: skip
def test_what_changes_no_code_does_not_count(old, new, monkeypatch):
    assert old in HELPERS
    assert digest(HELPERS.replace(old, new), monkeypatch=monkeypatch) == digest(monkeypatch=monkeypatch)


def test_an_assertion_in_the_kernel_itself_counts(monkeypatch):
    changed = KERNEL.replace('"no such word"', '"no such tree"')
    assert digest(kernel=changed, monkeypatch=monkeypatch) != digest(monkeypatch=monkeypatch)


def test_rules_that_stand_in_a_circle_of_names_come_to_an_end():
    names = {"rule": rule}
    exec("@rule\ndef first(x): return second(x) if x > 9 else x\n@rule\ndef second(x): return first(x) + 1", names)
    assert Survey().digest(names["first"]) != Survey().digest(names["second"])
    assert len(Survey().parts_of(names["first"])) == 2


def test_a_survey_sees_a_table_as_it_was_and_a_new_one_as_it_is():
    prices = np.zeros(3)

    def read(i):
        return prices[i]

    survey = Survey()
    before = survey.digest(read)
    prices[1] = 5
    assert survey.digest(read) == before != Survey().digest(read)


FINGERPRINTS = """
from alarife.engine import kernels
from alarife.search import guided
from alarife.search import ismcts
from alarife.engine.fingerprint import Survey, toolchain
from alarife.engine.registry import find_game
from teaching_game import GAME
for game in (find_game("viva"), find_game("lisboa"), GAME):
    survey = Survey()
    print(toolchain(survey))
    for module in (kernels, ismcts, guided):
        module._define(game, lambda function: print(survey.digest(function)) or function)
"""


def test_every_process_finds_the_same_digests():
    def told(seed, *flags):
        done = subprocess.run([sys.executable, *flags, "-c", FINGERPRINTS], capture_output=True, text=True, check=True,
                              env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(TESTS)})  # fmt: skip
        return done.stdout

    first = told("1")
    assert first == told("2")
    lines = first.splitlines()
    assert len(lines) % 3 == 0 and len(set(lines)) > len(lines) // 2  # a toolchain and many kernels for each game
    assert first != told("1", "-O")  # which drops the assertions in rules
