"""Policies of others: found in an installed package, a folder or at an address, and checked before use.

alarife.hub.policies()                                        # what is here
alarife.hub.install("https://example.org/policies.json")      # what a folder or an address offers, kept for later
alarife.hub.load("strong", game="viva")                       # a policy; `--with hub:strong` lets it play

A place offers what its ``policies.json`` tells: `write_index` makes one. How files are found and checked is told in
`alarife.players.policy_store`.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urljoin, urlsplit
from urllib.request import url2pathname

from alarife.engine.errors import AlarifeError, FileError
from alarife.engine.files import write_whole
from alarife.engine.numbers import short
from alarife.engine.reading import read_bytes
from alarife.players.download import SECONDS, check_address, fetch
from alarife.players.policy import Policy, card_of, read_policy, read_tensors
from alarife.players.policy_store import (
    INDEX,
    MOST_INDEX,
    MOST_POLICY,
    Offer,
    checked_file,
    find_offer,
    index_in,
    index_text,
    installed,
    keep,
    kept,
    offers_in,
    offers_of,
    remove,
    require_digest,
    store,
)

Source = str | os.PathLike[str]


def policies() -> list[Offer]:
    """All policies that are here: those that were installed, and those of packages."""
    return installed()


def find(name: str, game: str | None = None, version: int | None = None, digest: str | None = None) -> Offer:
    """The newest policy of that name for that game; a version or the beginning of a digest may be asked for."""
    return find_offer(name, game, version, digest)


def load(name: str, game: str | None = None, version: int | None = None, digest: str | None = None) -> Policy:
    """A policy, checked: its file is that of the index, and it fits the game that is installed."""
    return read_policy(checked_file(find(name, game, version, digest)))


def offered(source: Source, seconds: float = SECONDS) -> list[Offer]:
    """What a folder offers, or what an index does that is named by its address."""
    address = _address(source)
    if address is None:
        return index_in(_folder(source))
    return offers_in(fetch(address, MOST_INDEX, seconds), address)


def install(
    source: Source,
    names: Sequence[str] = (),
    game: str | None = None,
    version: int | None = None,
    digest: str | None = None,
    seconds: float = SECONDS,
) -> list[Offer]:
    """Keep policies of a folder or an address: those of these names, for this game, or all. Returns what is kept.

    Each is checked before it is kept: size and digest by the index, then its own checksum. `digest`, where one policy
    is meant, is what you were told by somebody you trust: then not even the index can hand over another.
    """
    offers = offered(source, seconds)
    if names:
        wished = [find_offer(name, game, version, digest, offers) for name in names]
        chosen = [offer for offer in offers if any((offer.name, offer.version) == (w.name, w.version) for w in wished)]
    else:
        chosen = offers
    chosen = [offer for offer in chosen if offer.fits(None, game, version, digest)]
    if not chosen:
        raise AlarifeError(f"{source} offers no such policy; it has {', '.join(map(str, offers)) or 'none'}")
    return [_taken(offer, seconds) for offer in chosen]


def _taken(offer: Offer, seconds: float) -> Offer:
    """Fetch a policy, look whether it is one, and keep it."""
    address = _address(offer.place)
    if address is None:
        content = read_bytes(offer.path, "policy", MOST_POLICY)
    else:
        content = fetch(urljoin(address, offer.file), offer.size, seconds)
    require_digest(offer, content)
    draft = store() / f".{offer.digest}.{os.getpid()}.safetensors"
    write_whole(draft, content)
    try:
        card = card_of(read_tensors(draft)[1], offer.file)
    finally:
        draft.unlink(missing_ok=True)
    if f"{card['game']}_v{card['version']}" != offer.game:
        raise FileError(
            f"{offer.file} plays {short(card['game'])}_v{short(card['version'])}, its index says {offer.game}"
        )
    return keep(offer, content)


def uninstall(name: str, game: str | None = None, version: int | None = None) -> list[Offer]:
    """Forget policies that were installed; those of packages go with their package."""
    chosen = [offer for offer in installed() if kept(offer) and offer.fits(name, game, version, None)]
    if not chosen:
        raise AlarifeError(f"no policy called {short(name)} was installed by `alarife hub install`")
    remove(chosen)
    return chosen


def write_index(folder: Source, name: str, version: int, about: str = "") -> list[Offer]:
    """Write the index of a folder: every policy in it, one for each game, under one name and version."""
    place = _folder(folder)
    offers = []
    for path in sorted(place.glob("*.safetensors")):
        content = read_bytes(path, "policy", MOST_POLICY)
        card = card_of(read_tensors(path)[1], path)
        offers.append(Offer(name, f"{card['game']}_v{card['version']}", version, hashlib.sha256(content).hexdigest(),
                            len(content), path.name, about, str(place)))  # fmt: skip
    if not offers:
        raise FileError(f"{place} holds no .safetensors file")
    checked = offers_of({"format": "alarife policies", "format_version": 1,
                         "policies": [offer.entry() for offer in offers]}, str(place), str(place / INDEX))  # fmt: skip
    write_whole(place / INDEX, index_text(checked).encode())
    return checked


def _address(source: Source) -> str | None:
    """The address of an index; None where a folder is meant. ``file://`` is a folder, too."""
    text = os.fspath(source)
    if "://" not in text or text.startswith("file://"):
        return None
    check_address(text)
    return text if urlsplit(text).path.endswith(".json") else f"{text.rstrip('/')}/{INDEX}"


def _folder(source: Source) -> Path:
    text = os.fspath(source)
    path = Path(url2pathname(urlsplit(text).path)) if text.startswith("file://") else Path(text)
    return path.parent if path.name == INDEX else path


__all__ = ["Offer", "find", "install", "load", "offered", "policies", "uninstall", "write_index"]
