"""Compiled kernels: cached by the code they came from, in a folder of one's own, and the ways around them."""

import hashlib
import os
import pickle
import pwd
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from alarife.engine import cache_folder
from alarife.engine.table import Table
from toy_games import KUHN as PLAIN_KUHN

TEACHING = Path(__file__).parent / "teaching_game"

TRACE = """
import sys
sys.path.insert(0, sys.argv[1])
from pebbles_copy import GAME
from alarife.engine.jit import INTERPRETED, RULE_SETTINGS
from alarife.engine.table import Table
from alarife.testing.kit import trace
print(INTERPRETED, "pipeline_class" in RULE_SETTINGS, trace(GAME, 3, GAME.make_options(), 5, INTERPRETED, 40),
      Table(GAME, 2, seed=1).state.piles[0])
"""


@pytest.fixture
def run(tmp_path):
    """Run the teaching game from a copy that a test may edit, with a cache of its own."""
    copy = tmp_path / "source" / "pebbles_copy"
    shutil.copytree(TEACHING, copy, ignore=shutil.ignore_patterns("__pycache__"))

    def go(**variables):
        settings = {"ALARIFE_CACHE_DIR": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1", "ALARIFE_QUIET": ""}
        done = subprocess.run(
            [sys.executable, "-c", TRACE, str(copy.parent)],
            env=os.environ | settings | variables, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        interpreted, link_only, digest, pile = done.stdout.split()
        return {"interpreted": interpreted, "link_only": link_only, "digest": digest, "pile": pile,
                "compiled": "compiling pebbles" in done.stderr, "stderr": done.stderr}  # fmt: skip

    def edit(old, new):
        source = copy / "components.py"
        assert old in source.read_text()
        source.write_text(source.read_text().replace(old, new))

    go.copy, go.cache, go.edit = copy, tmp_path / "cache", edit
    return go


def entries(run):
    return sorted(run.cache.rglob("*.bin"))


def test_a_second_process_loads_what_the_first_compiled(run):
    first = run()
    assert first["compiled"]
    assert first["stderr"].count("compiling") == 1
    written = {path: path.stat().st_ino for path in entries(run)}
    assert written
    second = run()
    assert not second["compiled"]
    assert second["digest"] == first["digest"]
    assert {path: path.stat().st_ino for path in entries(run)} == written


def test_an_edited_rule_in_another_file_is_compiled_anew(run):
    before = run()
    run.edit("[3, 4, 5]", "[2, 4, 5]")
    run.edit("PEBBLES = 12", "PEBBLES = 11")
    after = run()
    assert (before["pile"], after["pile"]) == ("3", "2")
    assert after["compiled"]
    assert after["digest"] != before["digest"]


# --- what was imported, not what lies on disk -----------------------------------------------------------

KUHN = """
import sys
sys.path.insert(0, sys.argv[1])
import dataclasses, os, signal
from pathlib import Path
from alarife.engine.table import Table
import kuhn_copy
before, during = sys.argv[2:4]
exec(before)
table = Table(kuhn_copy.KUHN, 2, seed=4)
exec(during)
while not table.over and "short" not in sys.argv:
    table.play(1)
print(*(table.state.card if "short" in sys.argv else table.scores()))
"""


PLAIN_SOURCE = TEACHING.parent / "toy_games" / "kuhn.py"
DEAL = " ".join(map(str, Table(PLAIN_KUHN, 2, seed=4, interpreted=True).state.card))


@pytest.fixture
def kuhn(tmp_path, compiled_once):
    """Deal Kuhn's poker, and play bets only if it is to be long, from a copy that a test may edit.

    Code may be run before or after the table is made. What is kept beforehand lies in the cache already.
    """
    folder = tmp_path / "source"
    folder.mkdir()
    source, cache = folder / "kuhn_copy.py", tmp_path / "cache"
    source.write_text(PLAIN_SOURCE.read_text())

    def start(before="", during="", length="short", **variables):
        settings = {"ALARIFE_CACHE_DIR": str(cache), "PYTHONDONTWRITEBYTECODE": "1", "ALARIFE_QUIET": ""}
        return subprocess.Popen(
            [sys.executable, "-c", KUHN, str(folder), before, during, length], env=os.environ | settings | variables,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def go(before="", during="", length="short", **variables):
        process = start(before, during, length, **variables)
        out, err = process.communicate(timeout=300)
        assert process.returncode == 0, err
        return out.strip(), [line for line in err.splitlines() if line.startswith("alarife: ")]

    def keep():
        shutil.copytree(compiled_once, cache)

    go.start, go.source, go.cache, go.folder, go.keep = start, source, cache, cache / "kuhn", keep
    return go


@pytest.fixture(scope="module")
def compiled_once(tmp_path_factory):
    """A cache that holds what dealing takes: a copy of it fits a copy of the source."""
    folder = tmp_path_factory.mktemp("once")
    (folder / "kuhn_copy.py").write_text(PLAIN_SOURCE.read_text())
    subprocess.run([sys.executable, "-c", KUHN, str(folder), "", "", "short"], check=True, stdout=subprocess.DEVNULL,
                   env=os.environ | {"ALARIFE_CACHE_DIR": str(folder / "cache")})  # fmt: skip
    return folder / "cache"


CALL, RAISE = "settle(s, 0 if s.card[0] > s.card[1] else 1, 2)", "settle(s, 0 if s.card[0] > s.card[1] else 1, 5)"
EDIT = f"source = Path(kuhn_copy.__file__); source.write_text(source.read_text().replace({CALL!r}, {RAISE!r}))"


def test_a_rule_edited_after_the_import_is_kept_as_what_it_was(kuhn):
    """The process that had imported the old rule plays and keeps the old one; later ones play what they import."""
    assert CALL in kuhn.source.read_text()
    assert kuhn(before=EDIT, length="long")[0] in ("2 -2", "-2 2")
    assert RAISE in kuhn.source.read_text()
    later, told = kuhn(length="long")
    assert later == kuhn(length="long", ALARIFE_INTERPRETED="1")[0]
    assert later in ("5 -5", "-5 5")
    assert "compiling kuhn" in told[0]
    assert not kuhn(length="long")[1]


def test_rules_changed_in_a_running_process_are_not_kept(kuhn):
    """Numba goes on with the rules that it has compiled: the mixture fits neither name."""
    change = "kuhn_copy.AT = kuhn_copy.AT._replace(seat=kuhn_copy.AT.card)"
    assert "rules of kuhn have changed since this process compiled them" in kuhn(during=change, length="long")[1][-1]
    assert {path.name.split("-")[0] for path in kuhn.folder.iterdir()} == {"begin", "look", "judge"}


def test_a_rule_of_another_package_counts(kuhn):
    helper = kuhn.source.parent / "theirs.py"
    use = "import theirs; kuhn_copy.KUHN = dataclasses.replace(kuhn_copy.KUHN, apply=theirs.apply)"
    for stake in "57":
        helper.write_text(kuhn.source.read_text().replace(CALL, CALL.replace("2)", f"{stake})")))
        assert kuhn(before=use, length="long")[0] in (f"{stake} -{stake}", f"-{stake} {stake}")


def test_rules_that_moved_to_a_module_of_another_name_are_compiled_anew(kuhn):
    """What was kept asks for the module that it was compiled from."""
    kuhn.keep()
    kuhn.source.rename(kuhn.source.with_name("kuhn_moved.py"))
    process = subprocess.run(
        [sys.executable, "-c", KUHN.replace("kuhn_copy", "kuhn_moved"), str(kuhn.source.parent), "", "", "short"],
        env=os.environ | {"ALARIFE_CACHE_DIR": str(kuhn.cache), "ALARIFE_QUIET": ""}, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert process.stdout.strip() == DEAL
    assert "compiling kuhn" in process.stderr


# --- faults -------------------------------------------------------------------------------------------------


def sealed(path):
    content = path.read_bytes()
    return hashlib.sha256(content[32:]).digest() == content[:32]


@pytest.mark.parametrize("fault", ["flipped", "cut off", "empty"])
def test_damaged_entries_are_compiled_anew(kuhn, fault):
    kuhn.keep()
    (path,) = kuhn.folder.glob("begin-*")
    content = bytearray(path.read_bytes())
    if fault == "flipped":
        content[len(content) // 2] ^= 1
    else:
        del content[len(content) // 2 if fault == "cut off" else 0 :]
    path.write_bytes(content)
    result, told = kuhn()
    assert (result, len(told)) == (DEAL, 1)
    assert "compiling kuhn" in told[0]
    assert kuhn() == (DEAL, [])


def test_a_cache_that_cannot_be_made_stops_nobody(kuhn):
    (kuhn.source.parent / "file").write_text("")
    below = kuhn.source.parent / "file" / "below"
    result, told = kuhn(ALARIFE_CACHE_DIR=str(below))
    assert result == DEAL
    assert told[1] == f"alarife: compiled kernels cannot be kept in {below}: Not a directory."


def test_entries_that_nobody_uses_are_pruned(kuhn):
    kuhn.keep()
    (kept,) = kuhn.folder.glob("begin-*")
    left = [kuhn.folder / "begin-0123456789abcdef01234567.bin", kuhn.folder / "act-0123.bin.4567.draft"]
    for path in left:
        path.write_bytes(b"")
        os.utime(path, (1, 1))
    new = kuhn.folder / "act-0123.bin.89ab.draft"
    new.write_bytes(b"")
    os.utime(kept, (1, 1))
    kuhn()  # which uses the old entry
    assert kept.stat().st_mtime > 1
    kuhn.source.write_text(kuhn.source.read_text().replace("s.card[0] = below(s, 3)", "s.card[0] = 2 - below(s, 3)"))
    kuhn()
    assert not any(path.exists() for path in left)
    assert kept.exists()
    assert new.exists()


def test_two_processes_may_compile_at_once(kuhn):
    wait = "print('ready', flush=True); sys.stdin.readline()"
    pair = [kuhn.start(before=wait) for _ in range(2)]
    for process in pair:
        assert process.stdout.readline() == "ready\n"
    for process in pair:
        process.stdin.write("go\n")
        process.stdin.flush()
    results = [process.communicate(timeout=300) for process in pair]
    assert [process.returncode for process in pair] == [0, 0], results
    assert results[0][0] == results[1][0] == DEAL + "\n"
    assert all("compiling kuhn" in err for _, err in results)
    assert {path.suffix for path in kuhn.folder.iterdir()} == {".bin"}
    assert all(sealed(path) for path in kuhn.folder.iterdir())
    assert not kuhn()[1]


@pytest.mark.parametrize("moment", ["replace", "write"])
def test_a_process_killed_while_it_writes_leaves_nothing_that_is_believed(kuhn, moment):
    kill = {
        "replace": "os.replace = lambda *names: os.kill(os.getpid(), signal.SIGKILL)",
        "write": "import resource; signal.signal(signal.SIGXFSZ, signal.SIG_DFL); "
                 "resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))",
    }[moment]  # fmt: skip
    process = kuhn.start(before=kill)
    process.communicate(timeout=300)
    assert process.returncode == -(signal.SIGKILL if moment == "replace" else signal.SIGXFSZ)
    assert {path.suffix for path in kuhn.folder.iterdir()} == {".draft"}
    first, told = kuhn()
    assert "compiling kuhn" in told[0]
    assert kuhn() == (first, [])


def test_a_full_disk_stops_nobody(kuhn):
    full = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))"
    result, told = kuhn(before=full)
    assert [line for line in told if "cannot be kept" in line] == [
        f"alarife: compiled kernels cannot be kept in {kuhn.cache}: File too large."
    ]
    assert not list(kuhn.folder.iterdir())
    assert kuhn()[0] == result


def test_a_folder_that_can_only_be_read_stops_nobody(kuhn):
    kuhn.cache.mkdir(mode=0o500)
    before = ""
    if os.geteuid() == 0:  # whom no mode keeps out
        for folder in (kuhn.cache, kuhn.cache.parent, kuhn.cache.parent.parent):
            os.chmod(folder, folder.stat().st_mode | 0o055)
        os.chown(kuhn.cache, 65534, 65534)
        before = "from numba.core.registry import cpu_target as cpu; cpu.target_context.refresh(); os.seteuid(65534)"
    result, told = kuhn(before=before)
    assert result == DEAL
    assert f"alarife: compiled kernels cannot be kept in {kuhn.cache}: Permission denied." in told
    os.chmod(kuhn.cache, 0o700)


# --- whose folder it is -------------------------------------------------------------------------------------

STRANGER = 65534


def to_strangers(path):
    """Put into somebody else's hands, as far as this user may: by owner, or by mode."""
    if os.geteuid() == 0:
        os.chown(path, STRANGER, STRANGER)
    else:
        os.chmod(path, 0o777)


@pytest.fixture
def trap(kuhn, tmp_path):
    """Entries of the right names, sealed, that run code when they are loaded."""
    kuhn.keep()
    mark = tmp_path / "mark"

    class Trap:
        def __reduce__(self):
            return Path.touch, (mark,)

    payload = pickle.dumps(Trap())
    for path in kuhn.folder.iterdir():
        path.write_bytes(hashlib.sha256(payload).digest() + payload)
    return mark


@pytest.mark.parametrize("what", ["cache", "folder", "link", "entries"])
def test_what_others_may_have_written_is_not_loaded(kuhn, trap, what):
    if what == "entries":
        for path in kuhn.folder.iterdir():
            to_strangers(path)
    elif what == "link":
        kuhn.cache.rename(kuhn.cache.with_name("elsewhere"))
        to_strangers(kuhn.cache.with_name("elsewhere"))
        kuhn.cache.symlink_to("elsewhere")
    else:
        to_strangers(kuhn.cache if what == "cache" else kuhn.folder)
    result, told = kuhn()
    assert result == DEAL
    assert not trap.exists()
    (refusal,) = {line for line in told if "neither loaded nor kept" in line} if what != "entries" else {told[0]}
    assert ("belongs to another user" if os.geteuid() == 0 else "can be written by others") in refusal
    assert any("compiling kuhn" in line for line in told)


@pytest.mark.parametrize("mode", [0o770, 0o702])
def test_a_folder_that_others_may_write_to_is_refused_and_said_how_to_mend(kuhn, trap, mode):
    os.chmod(kuhn.cache, mode)
    assert f"`chmod go-w {kuhn.cache}` would make it private" in kuhn()[1][0]
    assert not trap.exists()


def test_folders_and_entries_are_made_for_their_owner_only(kuhn):
    kuhn(before="os.umask(0)")
    assert {stat.S_IMODE(path.stat().st_mode) for path in (kuhn.cache, kuhn.folder)} == {0o700}
    assert {stat.S_IMODE(path.stat().st_mode) for path in kuhn.folder.iterdir()} == {0o600}


def test_a_pipe_in_place_of_an_entry_hangs_nobody(kuhn):
    kuhn.keep()
    for path in kuhn.folder.iterdir():
        path.unlink()
        os.mkfifo(path, 0o600)
    assert "compiling kuhn" in kuhn()[1][0]


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="these systems have folders of their own for caches")
@pytest.mark.parametrize("base", ["", "relative", None])
def test_the_cache_never_lies_in_the_working_directory(monkeypatch, tmp_path, capsys, base):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ALARIFE_QUIET", "")
    monkeypatch.delenv("ALARIFE_CACHE_DIR", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    if base is not None:
        monkeypatch.setenv("XDG_CACHE_HOME", base)
    monkeypatch.setenv("HOME", "/home/ada")
    assert cache_folder.cache_root() == Path("/home/ada/.cache/alarife")
    for home in (None, "", "relative"):
        monkeypatch.delenv("HOME", raising=False)
        if home is not None:
            monkeypatch.setenv("HOME", home)
        assert cache_folder.cache_root() == Path(pwd.getpwuid(os.geteuid()).pw_dir) / ".cache" / "alarife"
    cache_folder._say_once.cache_clear()
    monkeypatch.setattr(pwd, "getpwuid", lambda number: {}[number])
    monkeypatch.setattr(tempfile, "gettempdir", lambda: "/somewhere/tmp")
    assert cache_folder.cache_root() == Path(f"/somewhere/tmp/alarife-cache-{os.geteuid()}")
    assert "there is no home folder: kernels are kept in /somewhere/tmp/alarife-cache-" in capsys.readouterr().err
    monkeypatch.setattr(tempfile, "gettempdir", os.getcwd)  # as Python does where no other folder will do
    assert cache_folder.cache_root() is None
    assert "kernels are compiled and not kept" in capsys.readouterr().err
    monkeypatch.setenv("XDG_CACHE_HOME", "/var/caches")
    assert cache_folder.cache_root() == Path("/var/caches/alarife")


# --- ways around --------------------------------------------------------------------------------------------


def test_plain_compilation_gives_the_same_game(run):
    usual, plain = run(), run(ALARIFE_PLAIN_COMPILE="1")
    assert (usual["link_only"], plain["link_only"]) == ("True", "False")
    assert plain["compiled"]
    assert plain["digest"] == usual["digest"]


@pytest.mark.parametrize("variable", ["ALARIFE_INTERPRETED", "NUMBA_DISABLE_JIT"])
def test_without_compiling_the_game_is_the_same(run, variable):
    usual, python = run(), run(**{variable: "1"})
    assert (usual["interpreted"], python["interpreted"]) == ("False", "True")
    assert not python["compiled"]
    assert python["digest"] == usual["digest"]


@pytest.mark.parametrize(
    ("compiler", "name"),
    [("rule_compiler", "_finalize_dynamic_globals"), ("kernel_compiler", "_optimize_final_module")],
)
def test_a_missing_private_name_of_numba_falls_back_to_plain_compilation(monkeypatch, compiler, name):
    from numba.core import codegen

    from alarife.engine import link_only

    made = getattr(link_only, compiler)
    assert made() is not None
    monkeypatch.delattr(codegen.CPUCodeLibrary, name)
    made.cache_clear()
    try:
        assert made() is None
    finally:
        made.cache_clear()


def test_a_wrong_index_in_a_compiled_rule_is_an_index_error(pebbles):
    import dataclasses

    from alarife.engine.jit import rule
    from alarife.engine.table import Table

    @rule
    def beyond(s, r):
        r.score[0] = s.piles[s.seats + 5]

    broken = dataclasses.replace(pebbles, result=beyond)
    with pytest.raises(IndexError):
        Table(broken, 2, seed=1, interpreted=False).scores()


def test_a_rule_is_the_plain_function_when_python_calls_it():
    from alarife.engine.jit import rule

    def double(x):
        return 2 * x

    assert rule(double) is double
    assert double(4) == 8
