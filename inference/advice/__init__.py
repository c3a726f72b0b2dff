"""What to play: a view and a belief become ranked actions with value, margin and reason."""

from inference.advice.advisor import advise, improve, warm_up
from inference.advice.option import Advice, Option
from inference.advice.worth import Worth, worth

__all__ = ["Advice", "Option", "Worth", "advise", "improve", "warm_up", "worth"]
