"""Where policies lie that come in packages or were installed, and which one is meant by a name.

A folder of policies holds files in the safetensors format and ``policies.json``, which tells of each its name, version,
game, size and digest (SHA-256 of the file). Such folders come with installed packages, by the entry-point group
``alarife.policies``, whose entries name a package; nothing of it is imported. What a user installs is kept below the
cache folder. A file is used only if its size and digest are those of the index; its own checksum, game and layout are
checked by whoever reads it.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import Any

from alarife.engine.cache_folder import cache_root
from alarife.engine.errors import AlarifeError, FileError, nearest
from alarife.engine.files import write_whole
from alarife.engine.numbers import is_whole, short
from alarife.engine.reading import opened, parse_json, read_json

INDEX, GROUP = "policies.json", "alarife.policies"
FORMAT, FORMAT_VERSION = "alarife policies", 1
MOST_POLICY = 256 << 20  # bytes of a file
MOST_INDEX = 1 << 20
MOST_POLICIES = 10_000
LEAST_DIGEST = 8  # digits that name a digest
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_FILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,120}\.safetensors")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_WISH = re.compile(r"(?P<name>[^@#]+)(?:@(?P<version>\d{1,9}))?(?:#(?P<digest>[0-9a-f]+))?")


@dataclass(frozen=True, order=True)
class Offer:
    """A policy as an index tells of it, and where that index lies: a folder, or the address of the index."""

    name: str
    game: str
    version: int
    digest: str
    size: int
    file: str
    about: str = ""
    place: str = ""

    def __str__(self) -> str:
        return f"{self.name}@{self.version} for {self.game}, {self.size:,} bytes, digest {self.digest[:12]}"

    def entry(self) -> dict[str, Any]:
        """What an index says of it."""
        told = {"name": self.name, "version": self.version, "game": self.game, "file": self.file, "bytes": self.size,
                "sha256": self.digest}  # fmt: skip
        return told | ({"about": self.about} if self.about else {})

    @property
    def path(self) -> Path:
        """Its file, where it lies in a folder."""
        return Path(self.place) / self.file

    def fits(self, name: str | None, game: str | None, version: int | None, digest: str | None) -> bool:
        """Whether it is one that is wished for."""
        return (
            (name is None or name == self.name)
            and (game is None or game in (self.game, self.game.rpartition("_v")[0]))
            and (version is None or version == self.version)
            and (digest is None or self.digest.startswith(digest))
        )


# --- indexes ------------------------------------------------------------------------------------------


def offers_of(told: Any, place: str, path: str) -> list[Offer]:
    """What an index offers; checked, wherever it comes from."""
    if not isinstance(told, dict) or [told.get("format"), told.get("format_version")] != [FORMAT, FORMAT_VERSION]:
        raise FileError(f"{path} is not an index of policies: it says format {FORMAT!r}, version {FORMAT_VERSION}")
    entries = told.get("policies")
    if not isinstance(entries, list) or len(entries) > MOST_POLICIES:
        raise FileError(f"{path}: policies is a list of at most {MOST_POLICIES:,}, got {short(entries)}")
    offers = [_offer(entry, place, path) for entry in entries]
    names = [(offer.name, offer.game, offer.version) for offer in offers]
    if twice := [name for name in names if names.count(name) > 1]:
        raise FileError(f"{path} offers {twice[0][0]}@{twice[0][2]} for {short(twice[0][1])} twice")
    return offers


def _offer(entry: Any, place: str, path: str) -> Offer:
    wants = {"name", "version", "game", "file", "bytes", "sha256"}
    if not isinstance(entry, dict) or not wants <= {*entry} <= wants | {"about"}:
        raise FileError(f"{path}: a policy has {', '.join(sorted(wants))}, and about if you like; got {short(entry)}")
    for name, fits, words in (
        ("name", _NAME, "letters, digits, _ and -"), ("file", _FILE, "a plain name that ends in .safetensors"),
        ("sha256", _DIGEST, "64 hexadecimal digits"), ("game", re.compile(r"[a-z0-9_]{1,80}_v\d{1,6}"), "a game's id"),
    ):  # fmt: skip
        if not isinstance(entry[name], str) or not fits.fullmatch(entry[name]):
            raise FileError(f"{path}: {name} is {words}, got {short(entry[name])}")
    for name, most in (("version", 10**9), ("bytes", MOST_POLICY)):
        if not is_whole(entry[name]) or not 0 < entry[name] <= most:
            raise FileError(f"{path}: {name} is a whole number from 1 to {most:,}, got {short(entry[name])}")
    about = entry.get("about", "")
    if not isinstance(about, str) or len(about) > 500:
        raise FileError(f"{path}: about is a text of at most 500 letters, got {short(about)}")
    return Offer(entry["name"], entry["game"], int(entry["version"]), entry["sha256"], int(entry["bytes"]),
                 entry["file"], about, place)  # fmt: skip


def index_text(offers: Sequence[Offer]) -> str:
    """An index of these policies."""
    entries = [offer.entry() for offer in sorted(offers)]
    return json.dumps({"format": FORMAT, "format_version": FORMAT_VERSION, "policies": entries}, indent=1) + "\n"


def index_in(folder: Path) -> list[Offer]:
    """What a folder offers."""
    path = folder / INDEX
    return offers_of(read_json(path, "index of policies", MOST_INDEX), str(folder), str(path))


def offers_in(content: bytes, address: str) -> list[Offer]:
    """What an index offers that was fetched from an address."""
    try:
        return offers_of(parse_json(content.decode()), address, address)
    except UnicodeDecodeError:
        raise FileError(f"{address} is not an index of policies: it holds no text") from None


# --- what is here -------------------------------------------------------------------------------------


def store() -> Path:
    """The folder of what the user has installed."""
    root = cache_root()
    if root is None:
        raise AlarifeError("there is no folder to keep policies in: set ALARIFE_CACHE_DIR to one of your own")
    return root / "policies"


def _package_folders() -> list[Path]:
    return [Path(folder) for folder in _package_folders_on(tuple(sys.path))]


@lru_cache(maxsize=8)
def _package_folders_on(path: tuple[str, ...]) -> tuple[str, ...]:
    """The folders of packages that bring policies, found without importing any of them."""
    folders = []
    for point in sorted(metadata.entry_points(group=GROUP), key=lambda point: point.name):
        top, _, rest = point.value.partition(".")
        spec = importlib.util.find_spec(top) if top.isidentifier() else None
        folders += [os.path.join(base, *rest.split(".")) if rest else base
                    for base in (spec.submodule_search_locations or () if spec else ())]  # fmt: skip
    return tuple(folder for folder in folders if os.path.isfile(os.path.join(folder, INDEX)))


def installed() -> list[Offer]:
    """All policies that are here: those of the user's own first, then those of packages; newest versions first."""
    folders = _package_folders()
    root = cache_root()
    if root is not None and (root / "policies" / INDEX).is_file():
        folders = [root / "policies", *folders]
    offers = [offer for folder in folders for offer in index_in(folder)]
    return sorted(offers, key=lambda offer: (offer.name, offer.game, -offer.version))


def find_offer(
    name: str, game: str | None = None, version: int | None = None, digest: str | None = None,
    among: Sequence[Offer] | None = None,
) -> Offer:  # fmt: skip
    """The newest policy of that name for that game; a version or the beginning of a digest may be asked for."""
    if digest is not None and not re.fullmatch(f"[0-9a-f]{{{LEAST_DIGEST},64}}", digest):
        raise AlarifeError(f"a digest is named by {LEAST_DIGEST} to 64 hexadecimal digits, got {short(digest)}")
    offers = installed() if among is None else list(among)
    found = [offer for offer in offers if offer.fits(name, game, version, digest)]
    if not found:
        wish = name + ("" if version is None else f"@{version}") + ("" if digest is None else f"#{digest}")
        for_game = "" if game is None else f" for {game}"
        known = sorted({offer.name for offer in offers if offer.fits(None, game, None, None)})
        others = nearest(name, known) if known else f", nor any other{for_game}"
        raise AlarifeError(f"no policy called {short(wish)}{for_game} is here{others}")
    return max(found, key=lambda offer: offer.version)


def parse_wish(text: str) -> tuple[str, int | None, str | None]:
    """Name, version and digest out of ``name``, ``name@2`` or ``name@2#0123abcd``."""
    wish = _WISH.fullmatch(text)
    if wish is None:
        raise AlarifeError(f"a policy is named as name, name@version or name@version#digest, got {short(text)}")
    return wish["name"], None if wish["version"] is None else int(wish["version"]), wish["digest"]


def checked_file(offer: Offer) -> Path:
    """The file of a policy in a folder, whose size and digest are those of the index."""
    with opened(offer.path, "policy", MOST_POLICY) as (file, size):
        told = os.fstat(file.fileno())
        if (size, _digest_of(str(offer.path), told.st_size, told.st_mtime_ns)) != (offer.size, offer.digest):
            raise FileError(f"{offer.path} is not the policy that {INDEX} tells of: its size or digest is another")
    return offer.path


@lru_cache(maxsize=256)
def _digest_of(path: str, size: int, changed: int) -> str:
    with opened(path, "policy", MOST_POLICY) as (file, _):
        return hashlib.file_digest(file, "sha256").hexdigest()


# --- keeping ------------------------------------------------------------------------------------------


def require_digest(offer: Offer, content: bytes) -> None:
    """Refuse what is not the policy that the index tells of."""
    if len(content) != offer.size or hashlib.sha256(content).hexdigest() != offer.digest:
        raise FileError(f"{offer.file} from {offer.place} is not the policy that its index tells of: its size or "
                        "digest is another")  # fmt: skip


def keep(offer: Offer, content: bytes) -> Offer:
    """Put a policy into the store: first its file, under its digest, then the index that tells of it."""
    require_digest(offer, content)
    folder = store()
    kept = replace(offer, file=f"{offer.digest}.safetensors", place=str(folder))
    write_whole(kept.path, content)
    others = [
        other for other in _kept() if (other.name, other.game, other.version) != (kept.name, kept.game, kept.version)
    ]
    write_whole(folder / INDEX, index_text([*others, kept]).encode())
    return kept


def remove(offers: Sequence[Offer]) -> None:
    """Take policies out of the store: first the index forgets them, then files that nothing speaks of go."""
    gone = set(offers)
    others = [offer for offer in _kept() if offer not in gone]
    write_whole(store() / INDEX, index_text(others).encode())
    for offer in gone:
        if offer.file not in {other.file for other in others}:
            offer.path.unlink(missing_ok=True)


def _kept() -> list[Offer]:
    return index_in(store()) if (store() / INDEX).is_file() else []


def kept(offer: Offer) -> bool:
    """Whether a policy lies in the user's own store."""
    return Path(offer.place) == store()
