"""The machines of a run: a cluster that is there, or one that is started here for as long as the run lasts."""

from __future__ import annotations

import logging
import os
import signal
import socket
from contextlib import suppress

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")

import ray

from alarife.engine.errors import AlarifeError
from alarife_training.config import Config


def join(address: str | None, runners: int) -> bool:
    """Join a cluster, or start one on this machine that has room for the runners; False where this process has one."""
    if ray.is_initialized():
        return False
    here = {"num_cpus": max(1, runners), "include_dashboard": False}
    before = signal.getsignal(signal.SIGTERM)
    _knock(address)
    hush()
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, **({} if address else here))
    except (ConnectionError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
        raise _not_joined(address, error) from None
    finally:
        with suppress(ValueError):  # only the main thread may
            signal.signal(signal.SIGTERM, before)  # Ray puts a handler of its own there
    return True


def leave() -> None:
    """Leave the cluster; one that was started here ends."""
    ray.shutdown()


def hush() -> None:
    """Leave Ray's news to its own files; it sets levels anew whenever it starts something."""
    for name in ("ray", "ray.rllib", "ray.tune"):
        logging.getLogger(name).setLevel(logging.ERROR)


def _knock(address: str | None) -> None:
    """Fail at once where nobody listens; Ray would try for minutes."""
    host, _, port = (address or "").rpartition(":")
    if host and port.isdigit():
        try:
            socket.create_connection((host, int(port)), timeout=10).close()
        except OSError as error:
            raise _not_joined(address, error) from None


def _not_joined(address: str | None, error: Exception) -> AlarifeError:
    return AlarifeError(f"rllib.address: cannot join the cluster {address}: {' '.join(str(error).split())}")


def check_room(config: Config) -> None:
    """Refuse what the cluster can never place; Ray would wait for it for ever."""
    about, there = config.rllib, ray.cluster_resources()
    for name, each in ({"CPU": 1.0} | about.needs).items():
        if about.runners * each > there.get(name, 0):
            raise AlarifeError(f"rllib.runners: {about.runners} runners ask for {about.runners * each:g} {name}, "
                               f"the cluster has {there.get(name, 0):g}")  # fmt: skip
