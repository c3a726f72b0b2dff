"""The match over many deals: what is carried is paid, once, to the next winner."""

from hypothesis import given
from hypothesis import strategies as st
from strategies import rule_sets, two_seats

from inference.game.match import Match
from inference.game.rules import Rules
from inference.game.scoring import Outcome

won = st.tuples(two_seats, st.integers(1, 3)).map(lambda pair: Outcome(*pair, "out"))
blank = st.sampled_from(["draw", "abandoned"]).map(lambda reason: Outcome(None, 0, reason))
deals = st.lists(won | blank, max_size=12)


@given(rule_sets, two_seats, deals)
def test_no_game_point_is_lost_or_made(rules: Rules, dealer: int, outcomes: list[Outcome]) -> None:
    match = Match(dealer=dealer)
    for outcome in outcomes:
        match = match.after(outcome, rules)
    ties = sum(outcome.reason == "draw" for outcome in outcomes) * (rules.tie == "carry")
    n_won = sum(outcome.game_points for outcome in outcomes)
    assert sum(match.score) + match.carry == n_won + ties
    assert match.carry == 0 or outcomes[-1].winner is None
    for seat in (0, 1):
        mine = sum(outcome.game_points for outcome in outcomes if outcome.winner == seat)
        assert mine <= match.score[seat] <= mine + ties


@given(rule_sets, two_seats, deals)
def test_the_deal_goes_round(rules: Rules, dealer: int, outcomes: list[Outcome]) -> None:
    match = Match(dealer=dealer)
    for outcome in outcomes:
        match = match.after(outcome, rules)
    winners = [outcome.winner for outcome in outcomes if outcome.winner is not None]
    if rules.next_dealer == "alternate":
        assert match.dealer == (dealer + len(winners)) % 2
    else:
        assert match.dealer == (winners[-1] if winners else dealer)
    assert match.leader == 1 - match.dealer
