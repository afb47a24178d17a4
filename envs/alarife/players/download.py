"""Bytes from an address that the user has named, within limits of size and time. Nothing is run, nothing unpacked."""

from __future__ import annotations

import time
import urllib.error
import urllib.request
from http.client import HTTPException
from typing import Any
from urllib.parse import urlsplit

from alarife.engine.errors import AlarifeError, FileError
from alarife.engine.numbers import short

SECONDS = 60.0  # for one file
PATIENCE = 15.0  # seconds without a byte
CHUNK = 1 << 16
HERE = "localhost", "127.0.0.1", "::1"


def check_address(address: str) -> str:
    """An address that may be read: https; or http on this machine, where nobody can listen in."""
    parts = _parts(address)
    if parts.scheme == "https" and parts.hostname:
        return address
    if parts.scheme == "http" and parts.hostname in HERE:
        return address
    raise AlarifeError(f"policies are fetched by https (http from this machine only), got {short(address)}")


def _parts(address: str) -> Any:
    try:
        return urlsplit(address)
    except ValueError:
        raise AlarifeError(f"{short(address)} is no address") from None


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows only to where one may go."""

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Any:
        return super().redirect_request(req, fp, code, msg, headers, check_address(newurl))


def fetch(address: str, most: int, seconds: float = SECONDS) -> bytes:
    """The content at an address; refused if it is larger than `most` bytes or takes longer."""
    deadline = time.monotonic() + seconds
    opener = urllib.request.build_opener(_Redirects)
    try:
        with opener.open(check_address(address), timeout=min(PATIENCE, seconds)) as answer:
            content = bytearray()
            while chunk := answer.read1(CHUNK):
                content += chunk
                if len(content) > most:
                    raise FileError(f"{address} is too large: at most {most:,} bytes are read")
                if time.monotonic() > deadline:
                    raise FileError(f"{address} took longer than {seconds:g} seconds")
            told = answer.headers.get("Content-Length", "")
            if told.isdigit() and int(told) != len(content):
                raise FileError(f"{address} was cut off: {len(content):,} bytes of {int(told):,} came")
    except AlarifeError:
        raise
    except urllib.error.HTTPError as error:
        raise FileError(f"cannot fetch {address}: {error.code} {error.reason}") from None
    except (OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise FileError(f"cannot fetch {address}: {reason or type(error).__name__}") from None
    return bytes(content)
