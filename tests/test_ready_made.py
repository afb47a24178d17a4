"""The configs that come along, by name, from a clone and from a wheel."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from alarife.__main__ import main
from alarife.engine.errors import FileError
from alarife_training.ready_made import config_names, config_path

ROOT = Path(__file__).resolve().parent.parent


def test_each_config_says_what_it_trains(capsys):
    files = {path.stem for path in (ROOT / "configs").glob("*.yaml")}
    assert set(config_names()) == files
    assert all(len(about) > 10 for about in config_names().values())
    assert main(["train", "--list"]) == 0
    told = capsys.readouterr().out
    assert all(f"\n{name} " in told for name in files)


def test_a_config_is_named_or_a_file(tmp_path, monkeypatch, capsys):
    assert config_path("viva-ppo") == ROOT / "configs" / "viva-ppo.yaml"
    assert config_path("configs/viva-ppo.yaml") == Path("configs/viva-ppo.yaml")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "viva-ppo").write_text("game: viana\n")
    assert config_path("viva-ppo") == Path("viva-ppo")
    with pytest.raises(FileError, match=r"no config called 'viva-pp'. Did you mean 'viva-ppo'\?"):
        config_path("viva-pp")
    assert main(["train", "--config", "smoke", "--show"]) == 0
    assert capsys.readouterr().out == (ROOT / "configs" / "smoke.yaml").read_text(encoding="utf-8")
    assert main(["train", "--show"]) == 1
    assert "name one with --config" in capsys.readouterr().err


def test_a_wheel_brings_the_configs(tmp_path):
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path]
    subprocess.run(build, cwd=ROOT, capture_output=True, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    words = [sys.executable, "-m", "alarife", "train", "--list"]
    environment = {"PYTHONPATH": str(tmp_path / "site"), "PATH": "/usr/bin:/bin"}
    listed = subprocess.run(words, env=environment, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert [line.split()[0] for line in listed.splitlines()[1:]] == sorted(config_names())
    assert (tmp_path / "site" / "alarife_training" / "configs" / "smoke.yaml").is_file()
    assert (tmp_path / "site" / "alarife" / "templates" / "game" / "pyproject.toml.txt").is_file()
