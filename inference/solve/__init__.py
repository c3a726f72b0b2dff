"""The fast twins of the rules: vectorised legality, the compiled kernels, the exact solver.

Compiled code is kept in a folder named after the sources it was made of: numba renews a cached
function when its own file changes, but not when a function or constant of another file does.
"""

import hashlib
from pathlib import Path

import numba

from inference.paths import compiled_folder

_CONSTANTS = ("cards.py", "encode.py", "layout.py")


def _made_of() -> bytes:
    """Return the text of all files with compiled functions or their constants."""
    files = sorted(Path(__file__).resolve().parent.parent.rglob("*.py"))
    texts = {path: path.read_bytes() for path in files}
    return b"".join(t for path, t in texts.items() if b"njit" in t or path.name in _CONSTANTS)


_config = vars(numba.config)
if not _config["CACHE_DIR"]:
    _config["CACHE_DIR"] = str(compiled_folder(hashlib.sha256(_made_of()).hexdigest()[:16]))
