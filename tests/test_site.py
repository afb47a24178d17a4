"""The site is put together of the repository's pages: where things stand, where links lead, and what is refused."""

import pytest

import build_site
from build_site import NAV, ROOT, linked, notebook_page, require_offline, site_places

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
