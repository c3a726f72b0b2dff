"""Past deals: what was believed when, what each decision cost, luck, habits, and a report."""

from inference.study.judge import FULL, QUICK, Effort, Judged, decisions, judge, judge_one
from inference.study.ledger import Ledger, ledger
from inference.study.replay import Picture, Replay, Step, follow

__all__ = [
    "FULL",
    "QUICK",
    "Effort",
    "Judged",
    "Ledger",
    "Picture",
    "Replay",
    "Step",
    "decisions",
    "follow",
    "judge",
    "judge_one",
    "ledger",
]
