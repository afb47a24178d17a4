"""The lists of changes to the rules: each can still be made, breaks a rule that a test carries, and is told apart."""

import builtins
import dis
import importlib.util
import re
import sys
from pathlib import Path

import pytest

from alarife.engine.registry import game_names, is_installed

ROOT = Path(__file__).resolve().parent.parent
GAMES = [name for name in game_names() if is_installed(name)]
FEWEST = 50  # changes of a game; below, a share found says little

#: Changes that the tests of before had let pass: each game's list goes on holding them.
FIRST = {
    "viva": ["VIV-076"],
    "viana": ["VIA-174", "VIA-074"],
    "patios": ["PAT-100", "PAT-125", "PAT-147", "PAT-140", "PAT-105"],
    "villa_paletti": ["PAL-110", "PAL-062", "PAL-137"],
    "lisboa": [],
}


@pytest.fixture(scope="module")
def mutate():
    """scripts/mutate.py as a module."""
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        spec = importlib.util.spec_from_file_location("mutate", ROOT / "scripts" / "mutate.py")
        module = importlib.util.module_from_spec(spec)
        sys.modules["mutate"] = module
        spec.loader.exec_module(module)
        yield module
    finally:
        sys.path.remove(str(ROOT / "scripts"))
        sys.modules.pop("mutate", None)


@pytest.mark.parametrize("name", GAMES)
def test_every_change_can_be_made_and_a_test_carries_its_rule(mutate, name):
    changes, folder = mutate.changes_of(name), ROOT / "envs" / "alarife" / "games" / name
    tested = mutate.tested_rules(ROOT / "tests")
    assert len(changes) >= FEWEST
    for change in changes:
        text = change.file_in(folder).read_text(encoding="utf-8")
        assert change.made_in(text) != text, change
        assert change.rules
        if not change.same:
            assert any(rule in tested for rule in change.rules), change
    broken = {rule for change in changes for rule in change.rules}
    assert set(FIRST[name]) <= broken


def codes_of(code):
    """A piece of code and all that is defined in it."""
    yield code
    for inner in code.co_consts:
        if hasattr(inner, "co_code"):
            yield from codes_of(inner)


def unknown_names(text):
    """Names that a module's functions read, and that neither the module nor Python knows."""
    codes = list(codes_of(compile(text, "rules.py", "exec")))
    known = {i.argval for i in dis.get_instructions(codes[0]) if i.opname == "STORE_NAME"} | set(dir(builtins))
    read = {i.argval for code in codes for i in dis.get_instructions(code) if i.opname == "LOAD_GLOBAL"}
    return read - known - {"__name__", "__file__"}


@pytest.mark.parametrize("name", GAMES)
def test_no_change_is_found_because_a_name_is_unknown(mutate, name):
    folder = ROOT / "envs" / "alarife" / "games" / name
    for change in mutate.changes_of(name):
        path = change.file_in(folder)
        if path.suffix != ".py":  # data
            continue
        text = path.read_text(encoding="utf-8")
        assert unknown_names(change.made_in(text)) == set(), change
    assert unknown_names("import math\ndef f(x):\n    return math.sin(x) + cos(x)") == {"cos"}


def test_the_page_tells_how_many_changes_there_are(mutate):
    page = (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8")
    told = {int(number) for number in re.findall(r"\b(\d{2,3})\b", page.partition("## Tests")[2])}
    for name in GAMES:
        assert len(mutate.changes_of(name)) in told, name


def test_a_rule_that_no_change_breaks_is_told(mutate, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["mutate.py", "patios", "--only", "PAT-145", "PAT-999"])
    with pytest.raises(SystemExit, match="no change that is listed for patios breaks PAT-999"):
        mutate.main()


def test_a_change_that_stands_nowhere_or_twice_is_told(mutate, tmp_path):
    (tmp_path / "rules.py").write_text("a = 1\nb = 1\n")
    with pytest.raises(ValueError, match="'c = 1' stands in no file"):
        mutate.Change(["X-001"], "", "c = 1", "c = 2").file_in(tmp_path)
    with pytest.raises(ValueError, match="stands 2 times in its file"):
        mutate.Change(["X-001"], "", "= 1", "= 2").made_in("a = 1\nb = 1\n")
    assert mutate.Change(["X-001"], "", "= 1", "= 2", line=2).made_in("a = 1\nb = 1\n") == "a = 1\nb = 2\n"
