"""The contest on a Dask cluster: the same result, crashes told, clear words if it is missing."""

from collections.abc import Iterator
from urllib.parse import urlsplit

import numpy as np
import pytest
from distributed import LocalCluster

from inference import spread
from inference.cli import main
from inference.errors import InferenceError
from inference.game.rules import PRESETS
from inference.tracker import Tracker
from inference.workshop import players
from inference.workshop.contest import contest
from inference.workshop.players import REGISTRY, Player

RULES = PRESETS["schnapsen"]


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """Start a scheduler and two workers on loopback, as threads of this process."""
    with LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=False,
        protocol="tcp://",
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
    ) as local:
        yield local.scheduler_address


def test_a_cluster_gives_the_same_result(cluster: str) -> None:
    one = contest(RULES, ("club", "random"), 6, 3)
    assert one == contest(RULES, ("club", "random"), 6, 3, cluster=cluster)
    assert one.n_pairs == 6


def test_the_command_prints_the_same(cluster: str, capsys: pytest.CaptureFixture[str]) -> None:
    ask = ["evaluate", "--play", "greedy", "random", "--deals", "3", "--rules", "schnapsen"]
    assert main([*ask, "--jobs", "1"]) == 0
    alone = capsys.readouterr()
    assert main([*ask, "--cluster", cluster]) == 0
    assert capsys.readouterr() == alone
    assert "3 duplicate deals" in alone.out


def fails_at_times(tracker: Tracker, rng: np.random.Generator) -> object:
    if tracker.view.hand % 29 == 0:
        raise KeyError("lost my notes")
    return players.pick_random(tracker, rng)


def test_a_crash_on_a_worker_leaves_out_its_pair_only(
    cluster: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(REGISTRY, "broken", Player("counting", fails_at_times))
    found = contest(RULES, ("club", "broken"), 8, 1, cluster=cluster)
    assert found.n_pairs + len(found.crashes) == 8
    assert 0 < found.n_pairs < 8
    assert all("lost my notes" in crash for crash in found.crashes)
    assert found == contest(RULES, ("club", "broken"), 8, 1)


def test_a_missing_dask_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spread, "find_spec", lambda name: None)
    with pytest.raises(InferenceError, match=r"pip install 'sixtysix\[cluster\]'"):
        contest(RULES, ("club", "random"), 2, 1, cluster="tcp://127.0.0.1:8786")


def test_a_missing_scheduler_is_told(free_port: int, capsys: pytest.CaptureFixture[str]) -> None:
    address = f"tcp://127.0.0.1:{free_port}"
    assert main(["evaluate", "--play", "club", "random", "--cluster", address]) == 2
    told = capsys.readouterr().err
    assert f"no Dask scheduler answers at {address}" in told
    assert told.count("\n") == 1


def test_a_cluster_without_workers_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spread, "PATIENCE", 0.1)
    with LocalCluster(
        n_workers=0,
        processes=False,
        protocol="tcp://",
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
    ) as local:
        address = local.scheduler_address
        assert urlsplit(address).port
        with pytest.raises(InferenceError, match="no workers"):
            contest(RULES, ("club", "random"), 2, 1, cluster=address)


def test_an_address_must_be_one(capsys: pytest.CaptureFixture[str]) -> None:
    for text in ("localhost", "tcp://host", "http://host:80", "tcp://host:port", "tcp://h:1/x"):
        assert main(["evaluate", "--play", "club", "random", "--cluster", text]) == 2
        assert "is no address like tcp://HOST:8786" in capsys.readouterr().err
    assert main(["evaluate", "--cluster", "tcp://127.0.0.1:8786"]) == 2
    assert "--play only" in capsys.readouterr().err
