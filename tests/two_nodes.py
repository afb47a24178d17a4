"""A cluster of two nodes, a head and a worker, as processes of this machine."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

from marked_processes import MARK, end_marked

HERE = "127.0.0.1"


def free_port():
    with socket.socket() as asked:
        asked.bind((HERE, 0))
        return asked.getsockname()[1]


class Cluster:
    """`ray start` for a head with one CPU and for a worker with one CPU and a place for a runner."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="ray-", dir="/tmp"))  # short: sockets have short names
        self.mark, self.address = str(self.folder), f"{HERE}:{free_port()}"
        self.environment = os.environ | {
            MARK: self.mark, "RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN": secrets.token_hex(32),  # without it nobody can join: Ray listens to the network
        }  # fmt: skip

    def start(self):
        memory = "--object-store-memory=100000000"
        self.node("--head", f"--port={self.address.split(':')[1]}", f"--temp-dir={self.folder}", memory,
                  "--include-dashboard=false", f"--ray-client-server-port={free_port()}")  # fmt: skip
        self.node(f"--address={self.address}", '--resources={"place": 1}', memory)

    def node(self, *words):
        command = [Path(sys.executable).parent / "ray", "start", "--num-cpus=1", *words]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr

    def end(self):
        left = end_marked(self.mark)
        shutil.rmtree(self.folder, ignore_errors=True)
        return left
