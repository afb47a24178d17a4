"""Processes that tests start and whose children they have to find again: all of them inherit a mark."""

from __future__ import annotations

import os
import signal
import time

MARK = "ALARIFE_TEST_MARK"


def marked(mark: str) -> list[int]:
    """The processes that carry a mark in their environment."""
    found = []
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{number}/environ", "rb") as file:
                if f"{MARK}={mark}".encode() in file.read().split(b"\0"):
                    found.append(int(number))
        except OSError:
            continue
    return found


def end_marked(mark: str, patience: float = 5) -> list[int]:
    """End them, in a friendly way first; returns those that would not go."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        for process in marked(mark):
            try:
                os.kill(process, number)
            except ProcessLookupError:
                continue
        end = time.monotonic() + patience
        while marked(mark) and time.monotonic() < end:
            time.sleep(0.1)
    return marked(mark)
