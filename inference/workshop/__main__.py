"""Fit in a process of its own: the optimiser takes half a second to load, which only this needs."""

import argparse
import json

from inference.workshop.ship import fit_styles

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m inference.workshop")
    for name in ("deals", "styles", "seed", "jobs"):
        parser.add_argument(name, type=int)
    given = parser.parse_args()
    print(json.dumps(fit_styles(given.deals, given.styles, given.seed, given.jobs), indent=2))
