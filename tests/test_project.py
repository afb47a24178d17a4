"""The project as a whole: what is shipped, imported and written on its pages."""

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import alarife
from alarife.adapters.picture import FONTS, pixels, png
from alarife.engine.registry import find_game, game_names, is_installed
from alarife.engine.svg import Picture
from alarife.engine.table import Table
from alarife.testing import CHECKS
from page_blocks import python_blocks

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("envs/alarife/games/*/README.md")), *sorted(ROOT.glob("docs/*.md"))]


def script(name, *words):
    return subprocess.run(
        [sys.executable, ROOT / "scripts" / name, *words], capture_output=True, text=True, check=False
    )


def test_importing_alarife_loads_no_heavy_package():
    code = "import alarife, sys; print([m for m in ('torch', 'ray', 'matplotlib', 'PIL', 'rich') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_importing_alarife_loads_no_game():
    """Processes of evaluations and runs load the one that they play; ids are known all the same."""
    code = """
import sys, alarife, gymnasium, pettingzoo
loaded = lambda: sorted({name.split(".")[2] for name in sys.modules if name.startswith("alarife.games.")})
assert {"viva_v1", "lisboa_v1"} <= set(alarife.game_ids())
assert "alarife/Viva-v1" in gymnasium.registry and "alarife/viva-v1" in pettingzoo.aec_registry
print(loaded(), hasattr(alarife.games, "nothing"), alarife.games.viva.GAME.name, loaded())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[] False viva ['viva']\n"


def test_the_front_page_tells_the_lower_bounds_and_the_citation_the_version():
    front = (ROOT / "README.md").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    bounds = dict(re.fullmatch(r"(\w+)>=([\d.]+),<.*", words).groups() for words in project["dependencies"])
    told = dict(re.findall(r"(PettingZoo|Gymnasium|NumPy|Numba) ([\d.]+)", front.partition("## ")[0]))
    assert {name.lower(): bound for name, bound in told.items()} == bounds
    assert f"Python {project['requires-python'].removeprefix('>=')} or newer" in front
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"version: {alarife.__version__}\n" in cited


def test_every_rule_has_a_test():
    done = script("rules_report.py")
    assert done.returncode == 0, done.stdout


def test_generated_parts_of_the_pages_are_up_to_date():
    done = script("update_pages.py", "--check")
    assert done.returncode == 0, done.stdout + done.stderr


def blocks():
    for page in PAGES:
        if page.stem in ("openspiel", "libraries"):
            continue  # run where those are installed, by the tests of their names
        for number, code in enumerate(python_blocks(page.read_text(encoding="utf-8")), 1):
            yield pytest.param(code, id=f"{page.parent.name}-{page.stem}-{number}")


@pytest.mark.parametrize("code", list(blocks()))
def test_the_examples_on_the_pages_run(code, tmp_path):
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-1500:]


def test_links_on_the_pages_lead_somewhere():
    for page in [*PAGES, *ROOT.glob("docs/tutorials/*.md"), ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]:
        text = page.read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#\s]+)", text) + re.findall(r'(?:href|src)="([^"#]+)"', text):
            if not target.startswith("http"):
                assert (page.parent / target).exists(), f"{page.relative_to(ROOT)} links to {target}"


def test_every_promise_names_what_keeps_it():
    """Each promise of the front page has a row, whose checks and tests exist; so do all tests that the page names."""
    front = (
        (ROOT / "README.md").read_text(encoding="utf-8").partition("## What you can rely on")[2].partition("\n## ")[0]
    )
    page = (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", page.partition("## Promises")[2], re.MULTILINE))
    promises = re.findall(r"^- \*\*(.+?)\*\*", front, re.MULTILINE)
    assert len(promises) >= 7
    assert set(promises) <= set(rows)
    checks = {check.__name__ for check in CHECKS}
    for promise, keepers in rows.items():
        if promise not in ("promise", "---"):
            named = re.findall(r"`([^`]+)`", keepers)
            assert named, promise
            assert {name for name in named if "/" not in name} <= checks, promise
    for name in re.findall(r"`(tests/[^`]+)`", page):
        file, _, test = name.partition("::")
        assert (ROOT / file).exists(), name
        assert not test or f"def {test}(" in (ROOT / file).read_text(encoding="utf-8"), name


def test_the_wheel_holds_exactly_the_two_packages(tmp_path):
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path]
    subprocess.run(build, cwd=ROOT, capture_output=True, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names if ".dist-info/" not in name}
    assert tops == {"alarife", "alarife_training"}
    assert "alarife/py.typed" in names
    assert {"alarife/web/static/index.html", "alarife/web/static/app.js", "alarife/engine/film_page.html"} <= {*names}
    assert "alarife/adapters/fonts/DejaVuSans.ttf" in names
    assert "alarife/evaluation/suites/alarife-five-v1.toml" in names
    assert not [name for name in names if name.endswith((".png", ".gif", ".pyc"))]


def picture(words):
    made = Picture(300, 80, "#ffffff")
    made.text(10, 50, words, 30, "#000000")
    return made.finish()


def test_text_is_drawn_with_the_shipped_font():
    assert sorted(path.name for path in FONTS.glob("*.ttf")) == ["DejaVuSans-Bold.ttf", "DejaVuSans.ttf"]
    with_text, without = pixels(picture("alarife"), 300), pixels(picture(""), 300)
    assert with_text.shape == without.shape == (80, 300, 3)
    assert (without == 255).all()
    assert (with_text < 128).sum() > 500
    assert png(picture("alarife")) == png(picture("alarife"))


@pytest.mark.parametrize("name", [name for name in game_names() if is_installed(name)])
def test_pictures_of_games_show_letters_of_the_shipped_font_only(name):
    from PIL import ImageFont

    font = ImageFont.truetype(str(FONTS / "DejaVuSans.ttf"), 20)
    missing = font.getmask("\uffff").getbbox(), bytes(font.getmask("\uffff"))
    svg = Table(find_game(name), max(find_game(name).seats), seed=1).svg()
    for words in re.findall(r"<text[^>]*>([^<]*)</text>", svg):
        for letter in words:
            drawn = font.getmask(letter).getbbox(), bytes(font.getmask(letter))
            assert letter == " " or drawn != missing, f"{name}: {letter!r} is not in the shipped font"
