"""`app`: serves on the loopback address only, or on the network with a token; ends cleanly."""

import argparse
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from inference import paths
from inference.cli import launch
from inference.errors import InferenceError

ROOT = Path(__file__).resolve().parent.parent


class Server:
    """Stand in for the dashboard: note how it is started and end at once with a status."""

    started: dict[str, Any]

    def __init__(self, command: list[str], **options: Any) -> None:
        Server.started = {"command": command, **options}

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *error: object) -> None:
        return None

    def wait(self) -> int:
        return 0

    def terminate(self) -> None:
        return None


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Start nothing; return the addresses that the browser is sent to."""
    addresses: list[str] = []
    monkeypatch.setattr(subprocess, "Popen", Server)
    monkeypatch.setattr(launch, "wait_for", lambda *server: None)
    monkeypatch.setattr("webbrowser.open", addresses.append)
    monkeypatch.setattr(signal, "signal", lambda *handler: None)
    monkeypatch.setenv("SIXTYSIX_DB", str(tmp_path / "deals.db"))
    monkeypatch.setenv("SIXTYSIX_TOKEN", "left over")
    return addresses


def given(**options: Any) -> argparse.Namespace:
    usual = {"lan": False, "port": None, "db": None, "no_browser": False}
    return argparse.Namespace(**usual | options)


def settings() -> dict[str, str]:
    return dict(one[2:].split("=") for one in Server.started["command"] if one.startswith("--"))


def test_it_is_for_this_machine_only(opened: list[str], tmp_path: Path) -> None:
    assert launch.run(given(db=str(tmp_path / "my.db"))) == 0
    assert settings()["server.address"] == "127.0.0.1"
    assert opened == [f"http://127.0.0.1:{settings()['server.port']}/"]
    hosts = [one for one in Server.started["command"] if "allowedHosts" in one]
    assert [one.partition("=")[2] for one in hosts] == ["127.0.0.1", "localhost"]
    assert Server.started["env"]["SIXTYSIX_TOKEN"] == ""
    assert Server.started["env"]["SIXTYSIX_DB"] == str(tmp_path / "my.db")


def test_it_runs_where_its_configuration_lies(opened: list[str]) -> None:
    launch.run(given())
    assert (Server.started["cwd"] / ".streamlit" / "config.toml").is_file()
    assert str(paths.app_file()) in Server.started["command"]


def test_on_the_network_it_demands_a_new_token_each_time(
    opened: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(launch, "lan_address", lambda: "127.0.0.2")
    tokens = []
    for _ in range(2):
        launch.run(given(lan=True, no_browser=True))
        tokens.append(Server.started["env"]["SIXTYSIX_TOKEN"])
        assert settings()["server.address"] == "127.0.0.2"
        assert settings()["server.allowedHosts"] == "127.0.0.2"
        assert f"/?t={tokens[-1]}\n" in capsys.readouterr().out
        assert tokens[-1] not in " ".join(Server.started["command"])  # all users see that line
    assert len(set(tokens)) == 2
    assert min(map(len, tokens)) >= 20
    assert opened == []


def test_the_address_is_found_without_a_packet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Connecting a datagram socket only looks into the routing table; nothing is written to it."""
    used: list[str] = []

    class Probe(socket.socket):
        def __getattribute__(self, name: str) -> Any:
            used.append(name)
            return super().__getattribute__(name)

    monkeypatch.setattr(socket, "socket", Probe)
    with suppress(InferenceError):  # a machine without a network has no such address
        assert launch.lan_address().count(".") == 3
    assert "connect" in used
    assert not {name for name in used if name.startswith("send")}


def test_a_port_that_is_taken_is_named_or_passed_over() -> None:
    with socket.socket() as taken:
        taken.bind((launch.LOOPBACK, 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(InferenceError, match=f"port {port} of 127.0.0.1 cannot be used"):
            launch.free_port(launch.LOOPBACK, port)
    assert launch.free_port(launch.LOOPBACK, port) == port
    assert launch.free_port(launch.LOOPBACK, None) >= launch.FIRST_PORT


@contextmanager
def app(*options: str) -> Iterator[subprocess.Popen[str]]:
    """Run the real dashboard; Ctrl-C reaches it even if the tests run in the background."""
    line = [sys.executable, "-m", "inference", "app", "--no-browser", *options]
    with subprocess.Popen(
        line,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    ) as process:
        try:
            yield process
        finally:
            process.terminate()


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_the_real_server_answers_and_ends_with_the_command(
    end: signal.Signals, free_port: int, tmp_path: Path
) -> None:
    db = tmp_path / "deals.db"
    with app("--port", str(free_port), "--db", str(db)) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == f"Sixtysix is at http://127.0.0.1:{free_port}/\n"
        assert process.stdout.readline() == "Ctrl-C stops it.\n"
        health = f"http://127.0.0.1:{free_port}/_stcore/health"
        with urllib.request.urlopen(health) as answer:
            assert answer.status == 200
        process.send_signal(end)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (0, "", "")
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", free_port)) != 0


def test_a_busy_port_is_one_line_and_status_2(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind((launch.LOOPBACK, 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        with app("--port", port, "--db", str(tmp_path / "deals.db")) as process:
            out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err.count("\n")) == (2, "", 1)
