"""The rules of the game: standard library only, readable and testable alone."""
