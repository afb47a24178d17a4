"""A page of HTML that needs nothing else: for desk and phone, light and dark."""

from __future__ import annotations

import datetime
import os
import platform
import re
from collections.abc import Mapping, Sequence
from importlib import metadata

from alarife.engine.palette import PAINTS, style_sheet
from alarife.engine.printable import escape


def paint(number: int) -> str:
    """The colour of the n-th player or curve."""
    return f"var(--{PAINTS[number % len(PAINTS)]})"


_STYLE = """
* { box-sizing: border-box }
body { font: 16px/1.5 "DejaVu Sans", Verdana, system-ui, sans-serif; color: var(--ink); background: var(--card);
  margin: 0 auto; max-width: 980px; padding: 1em }
h1 { font-size: 1.6em; line-height: 1.2; margin: .4em 0 } h2 { font-size: 1.2em; margin: 2em 0 .4em }
h1, h2, p, code, .name { overflow-wrap: anywhere } p { max-width: 46em }
a { color: var(--p0) } .faint, figcaption { color: var(--quiet) }
table { border-collapse: collapse; font-size: .9em }
td, th { padding: .3em .7em; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap;
  vertical-align: top }
thead th { vertical-align: bottom }
td:first-child, th:first-child { text-align: left }
.name, .prose { white-space: normal; text-align: left; min-width: 9em; font-weight: normal }
.prose { min-width: 14em; overflow-wrap: anywhere } thead .name { white-space: nowrap }
.wide { overflow-x: auto } .wide:focus-visible, summary:focus-visible { outline: 2px solid var(--p0) }
figure { margin: 0 0 1em } svg { display: block; width: 100%; height: auto }
figure > svg { max-width: 640px }
figure > svg text { paint-order: stroke; stroke: var(--card); stroke-width: 4px; stroke-linejoin: round }
summary { cursor: pointer; color: var(--quiet); padding: .3em 0 }
code, pre { font-size: .9em } code { background: var(--line); padding: .1em .3em; border-radius: 4px }
pre { overflow-x: auto } dl { display: grid; grid-template-columns: max-content 1fr; gap: .2em 1em; margin: 0 }
dt { color: var(--quiet) } dd { margin: 0; overflow-wrap: anywhere }
@media (max-width: 40em) { .name { min-width: 5em } }
@media (max-width: 40em) { dl { grid-template-columns: 1fr } dd { margin-bottom: .5em } }
"""
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"/><meta name="viewport" content="width=device-width, initial-scale=1"/>
<title>{title}</title>
<style>{style}</style></head>
<body>
<main>
{body}
</main>
{script}</body></html>
"""


def page(title: str, body: Sequence[str], style: str = "", script: str = "") -> bytes:
    """The whole page, with its title as the heading."""
    parts = [f"<h1>{escape(title)}</h1>", *body]
    return _PAGE.format(title=escape(title), style=style_sheet() + _STYLE + style,
                        body="\n".join(filter(None, parts)), script=f"<script>{script}</script>" if script else "",
                        ).encode()  # fmt: skip


def section(title: str, body: str, about: str = "") -> str:
    """A part of a page; nothing where it has no body."""
    name = re.sub("[^a-z0-9]+", "-", title.lower()).strip("-")
    said = f"<p>{escape(about)}</p>" if about else ""
    return (
        f'<section aria-labelledby="{name}"><h2 id="{name}">{escape(title)}</h2>{said}{body}</section>' if body else ""
    )


def table(
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    caption: str = "",
    links: Mapping[str, str] | None = None,
    is_markup: bool = False,
) -> str:
    """A table whose first column names its rows. It scrolls within the page where it is too wide.

    `links` are addresses by the text of a row's name; with `is_markup` the other cells are HTML already.
    """
    if not rows:
        return ""
    top = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    lines = []
    for name, *cells in rows:
        shown = escape(name)
        if links and name in links:
            shown = f'<a href="{escape(links[name])}">{shown}</a>'
        rest = "".join(f"<td{_prose(cell)}>{cell if is_markup else escape(cell)}</td>" for cell in cells)
        lines.append(f'<tr><th scope="row" class="name">{shown}</th>{rest}</tr>')
    said = f"<caption>{escape(caption)}</caption>" if caption else ""
    label = escape(caption or f"table: {', '.join(filter(None, heads))}")
    body = f"<thead><tr>{top}</tr></thead><tbody>{''.join(lines)}</tbody>"
    return f'<div class="wide" tabindex="0" role="region" aria-label="{label}"><table>{said}{body}</table></div>'


def _prose(cell: str) -> str:
    """Words may break over lines, numbers may not."""
    return ' class="prose"' if len(re.findall(r"[^\W\d_]{2,}", cell)) > 3 else ""


def figure(title: str, picture: str, numbers: str, words: str = "the numbers of this chart") -> str:
    """A chart under its title, with the table of what it shows behind it."""
    if not picture:
        return ""
    behind = f"<details><summary>{escape(words)}</summary>{numbers}</details>" if numbers else ""
    return f"<figure><figcaption>{escape(title)}</figcaption>{picture}{behind}</figure>"


def facts(command: str = "", more: Mapping[str, str] | None = None) -> str:
    """When, with what and where something was made, and by which command."""
    now = datetime.datetime.now(datetime.UTC)
    told = {
        "date": now.strftime("%Y-%m-%d %H:%M UTC"),
        "version": f"alarife {_version()}, Python {platform.python_version()}, NumPy {metadata.version('numpy')}",
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count() or 1} processors",
        **(more or {}),
    }  # fmt: skip
    lines = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in told.items())
    asked = f"<dt>command</dt><dd><code>{escape(command)}</code></dd>" if command else ""
    return section("How this was made", f"<dl>{lines}{asked}</dl>")


def _version() -> str:
    import alarife

    return alarife.__version__
