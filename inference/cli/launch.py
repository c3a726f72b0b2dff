"""`app`: start the dashboard and open it in the browser."""

from __future__ import annotations

import argparse
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import webbrowser
from typing import Any

from inference import advice, paths
from inference.cli.options import Commands, whole
from inference.errors import InferenceError
from inference.store import Store

LOOPBACK, FIRST_PORT, N_PORTS = "127.0.0.1", 8501, 100
ELSEWHERE = ("192.0.2.1", 9)
"""An address for examples in texts: nobody has it, and no packet is sent to it."""
PATIENCE = 60.0


def add_to(commands: Commands[Any]) -> None:
    """Add the command."""
    told = "open the dashboard in your browser"
    command = commands.add_parser("app", help=told, description=told, allow_abbrev=False)
    command.add_argument(
        "--lan", action="store_true", help="let phones on your network in, by token"
    )
    command.add_argument("--port", type=whole(1), metavar="N", help="the first free one from 8501")
    command.add_argument("--db", metavar="PATH", help="where your deals are kept")
    command.add_argument("--no-browser", action="store_true", help="only print the address")
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Serve the dashboard until Ctrl-C; raise InferenceError if it cannot start."""
    host = lan_address() if given.lan else LOOPBACK
    port = free_port(host, given.port)
    token = secrets.token_urlsafe(16) if given.lan else ""
    address = f"http://{host}:{port}/" + (f"?t={token}" if token else "")
    store = str(Store(paths.store_file(given.db)).path)
    advice.warm_up()
    environment = os.environ | {"SIXTYSIX_DB": store, "SIXTYSIX_TOKEN": token}
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    # Its own folder, so that its .streamlit counts; its greeting names an address without token.
    with subprocess.Popen(
        command(host, port), cwd=paths.share(), env=environment, stdout=subprocess.DEVNULL
    ) as server:
        try:
            wait_for(server, host, port)
            print(f"Sixtysix is at {address}\nCtrl-C stops it.", flush=True)
            if not given.no_browser:
                webbrowser.open(address)
            status = server.wait()
        except KeyboardInterrupt:
            status = 0
        finally:
            server.terminate()
    if status:
        raise InferenceError(f"the dashboard stopped with status {status}.")
    return 0


def command(host: str, port: int) -> list[str]:
    """Return the command that serves the dashboard."""
    hosts = [host, "localhost"] if host == LOOPBACK else [host]
    options = [f"--server.address={host}", f"--server.port={port}", "--logger.level=warning"]
    options += [f"--server.allowedHosts={name}" for name in hosts]
    return [sys.executable, "-m", "streamlit", "run", str(paths.app_file()), *options]


def lan_address() -> str:
    """Return this machine's address on the network, without sending anything."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
        except OSError as error:
            raise InferenceError("this machine is on no network: --lan needs one.") from error
        host: str = probe.getsockname()[0]
        return host


def free_port(host: str, wanted: int | None) -> int:
    """Return the wanted port, else the first free one; raise InferenceError if it is taken."""
    for port in (wanted,) if wanted else range(FIRST_PORT, FIRST_PORT + N_PORTS):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except (OSError, OverflowError):
                continue
            return port
    raise InferenceError(
        f"port {wanted or FIRST_PORT} of {host} cannot be used: try another --port."
    )


def wait_for(server: subprocess.Popen[bytes], host: str, port: int) -> None:
    """Wait until the server listens; raise InferenceError if it ends or takes too long."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and server.poll() is None:
        try:
            socket.create_connection((host, port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise InferenceError("the dashboard did not start; its complaint stands above.")
