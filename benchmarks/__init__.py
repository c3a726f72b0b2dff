"""Counts and ratios, not promises: how fast the program is beside its slow twins, in one run."""
