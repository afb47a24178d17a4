"""The site is put together of the repository's pages: where things stand, where links lead, and what is refused."""

import ast
import inspect
import pkgutil
import re

import pytest

import alarife
import build_site
from alarife import hub, text
from alarife.adapters.aec import AlarifeAEC
from alarife.adapters.gym import NativeVectorEnv, OneSeatEnv
from alarife.engine.errors import AlarifeError
from build_site import ARGUMENTS, NAV, REFERENCE, ROOT, arguments, linked, notebook_page, require_offline, site_places

PLACES = site_places()


def test_every_page_has_a_place_and_no_two_have_one():
    pages = [*ROOT.glob("docs/**/*.md"), *ROOT.glob("envs/alarife/games/*/README.md"), ROOT / "README.md"]
    assert set(pages) <= set(PLACES)
    assert len(set(PLACES.values())) == len(PLACES)
    named = {page for section in NAV.values() for page in section}
    assert {"start.md", "engine.md", "glossary.md", "tutorials/notebook.md"} <= named & {*PLACES.values()}


def test_links_lead_to_where_things_stand(tmp_path, monkeypatch):
    page = ROOT / "docs" / "somewhere.md"
    words = (
        "[the game](../envs/alarife/games/viva/README.md#actions) ![it](../envs/alarife/games/viva/made/picture.svg)\n"
        '<a href="players.md">players</a> [out](https://example.org/a.md) [here](#top) `[code](nothing.md)`\n'
        "[a config](../configs/smoke.yaml)\n```\n[more code](nothing.md)\n```\n"
    )
    monkeypatch.setattr(type(page), "read_text", lambda self, **how: words)
    told = linked(page, PLACES | {page: "deep/somewhere.md"})
    assert "[the game](../games/viva.md#actions) ![it](../games/made/viva/picture.svg)" in told
    assert '<a href="../players.html">' in told
    assert "[out](https://example.org/a.md) [here](#top) `[code](nothing.md)`" in told
    assert "a config (`configs/smoke.yaml`)" in told
    assert "[more code](nothing.md)" in told


def test_a_link_to_nowhere_is_an_error(monkeypatch):
    page = ROOT / "docs" / "somewhere.md"
    monkeypatch.setattr(type(page), "read_text", lambda self, **how: "[gone](nothing.md)")
    with pytest.raises(SystemExit, match=r"docs/somewhere.md links to nothing.md, which is not on the site"):
        linked(page, PLACES | {page: "somewhere.md"})


@pytest.mark.parametrize(("name", "content"), [
    ("index.html", '<link href="https://fonts.example.org/x.css" rel="stylesheet">'),
    ("a/b.html", '<script defer src=https://cdn.example.org/x.js></script>'),
    ("c.css", "@font-face { src: url(https://fonts.example.org/x.woff2) }"),
])  # fmt: skip
def test_a_site_that_loads_from_elsewhere_is_refused(tmp_path, name, content):
    (tmp_path / "index.html").write_text('<script src="own.js"></script><a href="https://example.org">a link</a>')
    require_offline(tmp_path)
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(content)
    with pytest.raises(SystemExit, match=r"loads https://\w+\.example\.org"):
        require_offline(tmp_path)


def test_a_site_has_pages(tmp_path):
    with pytest.raises(SystemExit, match=r"no index\.html"):
        require_offline(tmp_path)


def test_a_notebook_becomes_a_page():
    page = notebook_page(ROOT / "docs" / "tutorials" / "notebook.ipynb")
    assert page.startswith("# A notebook\n")
    assert page.count("```python\n") == 6
    assert build_site.FRAMES > 1


# --- the reference ------------------------------------------------------------------------------------

STABLE = (ROOT / "docs" / "stability.md").read_text(encoding="utf-8").partition("## Public")[2].partition("\n## ")[0]
WHERE = "alarife.", "alarife.engine.", ""
NO_NAMES = {"__all__", "policies.json", "alarife.viva_v1", "viva_v1", "alarife.engine", "_"}  # words of the same shape


def names_in(path):
    """What a module defines, assigns or imports at its top."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.ImportFrom):
            yield from (alias.asname or alias.name for alias in node.names)


def module_file(name):
    places = [home / name.replace(".", "/") for home in (ROOT / "envs", ROOT / "training")]
    return next((file for place in places for file in (place.with_suffix(".py"), place / "__init__.py")
                 if file.exists()), None)  # fmt: skip


@pytest.mark.parametrize("name", [name for names in REFERENCE.values() for name in names])
def test_the_reference_names_what_there_is(name):
    """Looked up in the sources: some of it needs extras that are not installed here."""
    home, _, last = name.rpartition(".")
    assert module_file(name) or last in names_in(module_file(home)), name


def told():
    """All objects of the reference, with what its modules define."""
    found = []
    for name in (name for names in REFERENCE.values() for name in names):
        try:
            thing = pkgutil.resolve_name(name)
        except (ImportError, AlarifeError):
            continue
        found.append(thing)
        if inspect.ismodule(thing):
            own = getattr(thing, "__all__", [n for n, v in vars(thing).items()
                                             if getattr(v, "__module__", None) == name])  # fmt: skip
            found += [getattr(thing, each) for each in own]
    return found


def resolved(name):
    for home in WHERE:
        try:
            return pkgutil.resolve_name(home + name)
        except (ImportError, AttributeError):
            continue
    raise AssertionError(f"docs/stability.md calls {name} public, and there is no such name")


def test_all_that_is_called_public_stands_in_the_reference():
    names = {name.removesuffix(":") for name in re.findall(r"`([\w.]+)`", STABLE)} - NO_NAMES
    assert {"make", "alarife.adapters.sb3.NativeVecEnv", "jit.rule", "memory", "alarife.testing.check_game"} <= names
    names -= {"alarife.text", "alarife.hub"}  # of these, what their __all__ lists
    public = [resolved(name) for name in sorted(names)]
    public += [getattr(package, name) for package in (text, hub) for name in package.__all__]
    public += [getattr(alarife, name) for name in alarife.__all__ if not inspect.ismodule(getattr(alarife, name))]
    shown = told()
    missing = [thing for thing in public if not any(thing is one or thing == one for one in shown)]
    assert not missing


def test_every_argument_of_the_environments_is_told():
    taken = {name for kind in (AlarifeAEC, OneSeatEnv, NativeVectorEnv) for name in inspect.signature(kind).parameters}
    assert set(ARGUMENTS) == taken - {"game", "options"}
    table = arguments()
    assert "| `seat` |  | `0` | `0` | the learner's seat, or `random` |" in table
    assert "| `autoreset_mode` |  |  | `NextStep` |" in table
    assert "| `reward` | `outcome` | `outcome` | `outcome` |" in table
