"""Where things lie: the files that travel with the program, and the store of the user's deals.

In a checkout the files stand beside the package; an installed wheel carries them in `_share`.
"""

import os
from contextlib import suppress
from importlib import metadata
from pathlib import Path

from platformdirs import user_cache_path, user_data_path

_PACKAGE = Path(__file__).resolve().parent


def share() -> Path:
    """Return the folder that holds app.py, .streamlit, models and data."""
    carried = _PACKAGE / "_share"
    return carried if carried.is_dir() else _PACKAGE.parent


def app_file() -> Path:
    """Return the Streamlit entry."""
    return share() / "app.py"


def model_file(name: str) -> Path:
    """Return the path of a file of fitted parameters.

    >>> model_file("logit.json").parent.name
    'models'
    """
    return share() / "models" / name


def data_file(name: str) -> Path:
    """Return the path of a file of sample deals."""
    return share() / "data" / name


def store_file(given: str | None = None) -> Path:
    """Return the path of the store and create its folder; raise OSError if that cannot be done.

    It is the one given, else the environment's `SIXTYSIX_DB`, else `deals.db` in the user's data
    folder.
    """
    named = given or os.environ.get("SIXTYSIX_DB")
    path = (
        Path(named).expanduser().absolute()
        if named
        else user_data_path("sixtysix", appauthor=False) / "deals.db"
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def version() -> str:
    """Return the version of the program as it was installed."""
    with suppress(metadata.PackageNotFoundError):
        return metadata.version("sixtysix")
    return "(not installed)"


def studies_file(engine: str) -> Path:
    """Return the file that keeps the studies of past deals made by one version of the program."""
    return user_cache_path("sixtysix", appauthor=False) / "studies" / f"{engine}.jsonl"


def compiled_folder(version: str) -> Path:
    """Return the folder that keeps one version of the compiled kernels between runs."""
    return user_cache_path("sixtysix", appauthor=False) / "compiled" / version
