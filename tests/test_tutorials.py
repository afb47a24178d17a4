"""The tutorials and the notebook run as they stand, from top to bottom, each in a folder of its own."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from notebook_cells import run_cell

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "tutorials"
PAGES = sorted(FOLDER.glob("*.md"))
INTERPRETED = ("game",)  # here compiling would take longer than what is run
BLOCK = re.compile(r"^```(python|sh)(?: title=\"([^\"]+)\")?\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.fixture
def place(tmp_path):
    """A folder to work in, and an environment: `alarife` and `python` are these, `pip install` writes beside it.

    Python does not know of the folder by itself, as in a script that pip has written for the command.
    """
    tools, site, work = tmp_path / "bin", tmp_path / "site", tmp_path / "work"
    for folder in (tools, site, work):
        folder.mkdir()
    pip = f"-m pip install --quiet --target {site} --no-index --no-build-isolation"
    (tools / "entry.py").write_text(
        "import sys\nfrom alarife.__main__ import main\nif __name__ == '__main__':\n    sys.exit(main())\n"
    )
    tasks = {"python": '"$@"', "alarife": f'{tools / "entry.py"} "$@"', "pip": f'{pip} "${{@:2}}"'}
    for name, words in tasks.items():
        (tools / name).write_text(f"#!/bin/bash\nexec {sys.executable} {words}\n")
        (tools / name).chmod(0o755)
    paths = {"PATH": [tools, os.environ["PATH"]], "PYTHONPATH": [site]}
    return work, os.environ | {name: os.pathsep.join(map(str, places)) for name, places in paths.items()}


def run(words, place):
    work, environment = place
    done = subprocess.run(words, cwd=work, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{words[-1]}\n{done.stdout[-800:]}\n{done.stderr[-2000:]}"
    return done.stdout


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_a_tutorial_runs_from_top_to_bottom(page, place):
    if page.stem == "train":
        pytest.importorskip("sb3_contrib")
    if page.stem in INTERPRETED:
        place[1]["ALARIFE_INTERPRETED"] = "1"
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    assert blocks
    for kind, title, code in blocks:
        if title:
            (place[0] / title).write_text(code)
        elif kind == "python":
            run([sys.executable, "-c", code], place)
        else:
            for line in code.strip().splitlines():
                run(["bash", "-c", line], place)


def test_every_block_of_a_tutorial_is_of_a_kind_that_is_run():
    """No tutorial says `sh` or `python` in another spelling, which nobody would run."""
    for page in PAGES:
        fences = re.findall(r"^```(\S+)", page.read_text(encoding="utf-8"), re.MULTILINE)
        assert set(fences) <= {"python", "sh"}, page.name


def test_the_notebook_shows_something_in_every_cell(place):
    notebook = FOLDER / "notebook.ipynb"
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    assert all(cell["outputs"] == [] for cell in cells if cell["cell_type"] == "code")  # made where it runs
    told = json.loads(run([sys.executable, ROOT / "tests" / "notebook_cells.py", notebook], place))
    assert len(told) >= 5
    for cell in told:
        assert cell["printed"].strip() or cell["shown"].strip()
        assert not re.search("Traceback|Error:", cell["printed"] + cell["shown"])
    assert [cell["form"] for cell in told] == ["_repr_svg_", "", "", "", "", "_repr_html_"]
    table, choices, _, heard, batch, film = told
    assert ElementTree.fromstring(table["shown"]).tag == "{http://www.w3.org/2000/svg}svg"
    assert "play_type" in choices["printed"]
    assert "player_" in heard["printed"]
    assert re.fullmatch(r"[1-9]\d* games\n", batch["printed"])
    assert film["shown"].startswith("<iframe")
    assert len(film["shown"]) > 10_000


def test_a_cell_shows_its_last_value_as_a_notebook_does():
    class Drawn:
        def _repr_svg_(self):
            return "<svg/>"

    names = {"Drawn": Drawn}
    assert run_cell("x = 1", names) == {"printed": "", "form": "", "shown": ""}
    assert run_cell("print(x)\nDrawn()", names) == {"printed": "1\n", "form": "_repr_svg_", "shown": "<svg/>"}
    assert run_cell("[x]", names) == {"printed": "", "form": "__repr__", "shown": "[1]"}
    assert run_cell("print(2)", names)["shown"] == ""
