"""The floors of the house: who may know whom, and that a name stands for one thing."""

import ast
from collections import defaultdict
from importlib.util import resolve_name
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCES = {"alarife": ROOT / "envs" / "alarife", "alarife_training": ROOT / "training" / "alarife_training"}
#: From the ground up. A floor knows itself and those below it.
FLOORS = (
    "engine", "games", "search", "players", "hub", "selfplay", "adapters", "text", "evaluation", "testing",
    "training", "web", "commands",
)  # fmt: skip
#: Names that files on several floors may share, for they are of one kind there.
SAME_KIND = {"__init__.py"}

#: Private names of Python, RLlib and Stable-Baselines3 that there is no public way to.
PRIVATE_ELSEWHERE = {"_exit", "_optimizer_lr_schedules", "_current_progress_remaining", "_last_obs",
                     "_last_episode_starts", "_n_updates", "_setup_learn"}  # fmt: skip


def modules():
    for top, folder in SOURCES.items():
        for path in sorted(folder.rglob("*.py")):
            yield ".".join((top, *path.relative_to(folder).with_suffix("").parts)), path


def imported(module, path):
    """Every module that a file imports, wherever it does so."""
    package = module.removesuffix(".__init__") if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), package) if node.level else node.module
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def floor_of(module):
    """The number of a module's floor; the highest for what stands on the roof."""
    top, _, rest = module.partition(".")
    if top not in SOURCES:
        return None
    if top == "alarife_training":
        return FLOORS.index("training")
    first = rest.partition(".")[0]
    if top == "alarife" and first in FLOORS:
        return FLOORS.index(first)
    return len(FLOORS)


def test_arrows_point_down():
    wrong = []
    for module, path in modules():
        here = floor_of(module)
        wrong += [f"{module} knows {other}" for other in imported(module, path)
                  if floor_of(other) is not None and floor_of(other) > here and other != "alarife"]  # fmt: skip
    assert not wrong, "\n".join(wrong)


def test_the_engine_and_the_games_know_each_other_by_name_only():
    for module, path in modules():
        names = [other for other in imported(module, path) if other.startswith("alarife.")]
        if module.startswith("alarife.engine."):
            assert not [name for name in names if name.startswith("alarife.games")], module
        if module.startswith("alarife.games."):
            own = ".".join(module.split(".")[:3])
            assert all(name.startswith(("alarife.engine", own)) for name in names), module


def test_a_file_name_stands_for_one_thing():
    """Games have the same rooms; elsewhere a name that occurs twice would have to be told apart by its folder."""
    places = defaultdict(list)
    for module, path in modules():
        if not module.startswith("alarife.games.") and path.name not in SAME_KIND:
            places[path.name].append(module)
    assert not {name: found for name, found in places.items() if len(found) > 1}


def names_of_its_own(tree):
    """The private names that a module itself gives to something, and those that it imports."""
    own = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            own.add(node.name)
        elif isinstance(node, (ast.Attribute, ast.Name)) and isinstance(node.ctx, ast.Store):
            is_own = isinstance(node, ast.Name) or (
                isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
            )
            own |= {node.attr if isinstance(node, ast.Attribute) else node.id} if is_own else set()
    return own


def foreign_names(source):
    """Private attributes that a module reads or writes, though it has not made them: line and name."""
    tree = ast.parse(source)
    own = names_of_its_own(tree)
    return [(node.lineno, node.attr) for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.endswith("__")
            and node.attr not in own and not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"))
            ]  # fmt: skip


def beside_the_engine():
    yield from ((name, path) for name, path in modules()
                if not name.startswith(("alarife.engine.", "alarife.search.")))  # fmt: skip
    yield from ((f"scripts.{path.stem}", path) for path in sorted((ROOT / "scripts").glob("*.py")))


def test_what_is_private_stays_where_it_was_made():
    """Outside engine and search nobody touches a private array, kernel or note of another module's object."""
    wrong = [f"{name}, line {line}: {private}" for name, path in beside_the_engine()
             for line, private in foreign_names(path.read_text(encoding="utf-8"))
             if private not in PRIVATE_ELSEWHERE]  # fmt: skip
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(("source", "found"), [
    ("batch._states", ["_states"]),
    ("self.batch._run.step()", ["_run"]),
    ("def f(table):\n    table._seat = 1", ["_seat"]),
    ("class A:\n    def f(self, other):\n        self._x = other._x", []),
    ("self._made.public", []),
    ("thing.__class__.__name__", []),
])  # fmt: skip
def test_a_look_into_the_private_is_seen(source, found):
    assert [name for _, name in foreign_names(source)] == found


def test_kernels_are_called_by_engine_and_search_alone():
    """Others get arrays that are bound to them: `alarife.engine.arrays`."""
    for name, path in beside_the_engine():
        assert "alarife.engine.kernels" not in imported(name, path), name


@pytest.mark.parametrize("floor", [floor for floor in FLOORS if floor != "training"])
def test_each_floor_is_there(floor):
    assert (SOURCES["alarife"] / floor / "__init__.py").exists()
