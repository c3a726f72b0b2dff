"""The fast twins of the rules: vectorised legality, the compiled kernels, the exact solver.

Compiled code is kept in a folder named after the sources it was made of: numba renews a cached
function when its own file changes, but not when a function or constant of another file does.
"""

import hashlib
import sys
from pathlib import Path

import numba

from inference.paths import compiled_folder

_CONSTANTS = ("cards.py", "encode.py", "layout.py")


def _made_of() -> bytes:
    """Return the text of all files with compiled functions or their constants."""
    files = sorted(Path(__file__).resolve().parent.parent.rglob("*.py"))
    texts = {path: path.read_bytes() for path in files}
    return b"".join(t for path, t in texts.items() if b"njit" in t or path.name in _CONSTANTS)


def _keep(folder: Path) -> str:
    """Return the folder's name; where nobody is to wonder, say that it will take a while."""
    if not folder.is_dir() and sys.stderr.isatty():
        print("Compiling the inner loops, once: about two minutes …", file=sys.stderr)
    return str(folder)


_config = vars(numba.config)
if not _config["CACHE_DIR"]:
    _digest = hashlib.sha256(_made_of()).hexdigest()[:16]
    _config["CACHE_DIR"] = _keep(compiled_folder(_digest))
