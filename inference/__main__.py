"""The command line as ``python -m inference``."""

import sys

from inference.cli import main

if __name__ == "__main__":
    sys.exit(main())
