"""Errors, named by what the user does next; the doors catch `InferenceError` alone."""


class InferenceError(ValueError):
    """Report bad input in one plain sentence; the base of all errors that reach a user."""


class NotationError(InferenceError):
    """Say that a text cannot be read: retype it."""


class IllegalActionError(InferenceError):
    """Say that a readable action is not allowed now: choose another.

    `line` is the number of the rule in docs/rules.md, `legal` the texts of the legal actions.
    """

    def __init__(self, sentence: str, line: str = "", legal: tuple[str, ...] = ()) -> None:
        super().__init__(sentence)
        self.line = line
        self.legal = legal


class ContradictionError(InferenceError):
    """Say which established fact an entry contradicts: an earlier entry was wrong."""


class ModelError(InferenceError):
    """Say why a file of model parameters does not fit: refit it or pick another."""
