"""The wheel, installed elsewhere: it runs there and carries the app, the models and the data."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ("build", "hatchling", "pip")
MISSING = [name for name in TOOLS if importlib.util.find_spec(name) is None]

pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"to build offline needs {MISSING}")


def python(*arguments: str, folder: Path, **environment: str) -> str:
    """Run this interpreter in a folder and return what it prints; fail with its complaint."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel without the network and install it into an empty folder."""
    wheels, installed = tmp_path_factory.mktemp("wheels"), tmp_path_factory.mktemp("installed")
    python("-m", "build", "--wheel", "--no-isolation", "--outdir", str(wheels), folder=ROOT)
    (wheel,) = wheels.glob("sixtysix-*.whl")
    pip = ("-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target")
    python(*pip, str(installed), str(wheel), folder=ROOT)
    return installed


def test_the_command_line_answers(target: Path, tmp_path: Path) -> None:
    elsewhere = {"PYTHONPATH": str(target), "NUMBA_DISABLE_JIT": "1"}
    told = python("-m", "inference", "--help", folder=tmp_path, **elsewhere)
    assert "advise" in told
    assert "belief" in told


def test_it_carries_what_it_needs(target: Path, tmp_path: Path) -> None:
    ask = "from inference import paths; print(paths.share())"
    elsewhere = {"PYTHONPATH": str(target), "NUMBA_DISABLE_JIT": "1"}
    share = Path(python("-c", ask, folder=tmp_path, **elsewhere).strip())
    assert share == target / "inference" / "_share"
    for name in ("app.py", ".streamlit/config.toml"):
        assert (share / name).read_bytes() == (ROOT / name).read_bytes()
    for folder in ("models", "data"):
        ours = {path.name for path in (ROOT / folder).iterdir()}
        assert {path.name for path in (share / folder).iterdir()} == ours != set()


def test_it_is_marked_as_typed(target: Path) -> None:
    assert (target / "inference" / "py.typed").is_file()
