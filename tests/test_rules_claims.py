"""docs/rules.md 5.1 and 5.2, line by line: who has 66 wins at once, or must claim."""

from typing import Any

import pytest
from table import (
    AUTOMATIC,
    DECLARED,
    NINES,
    TALON,
    N,
    S,
    beside,
    each_preset,
    ends,
    follow,
    last,
    listed,
    midway,
    refused,
    rules,
    taking,
)

from inference.game.position import Position


@pytest.mark.parametrize("name", AUTOMATIC)
def test_5_1_out_after_a_trick(name: str) -> None:
    assert not taking(name, 65).public.over
    assert ends(taking(name, 66)) == (S, 1)
    assert taking(name, 66).public.to_draw == ()


@pytest.mark.parametrize("name", AUTOMATIC)
@pytest.mark.parametrize(("suit", "worth"), [("S", 20), ("H", 40)])
def test_5_1_out_by_an_announcement_and_no_card_is_laid(name: str, suit: str, worth: int) -> None:
    def announce(points: int) -> Position:
        facts: dict[str, Any] = {"points": (points, 40)}
        return follow(midway(name, f"K{suit} Q{suit}", "JS JD", TALON, **facts), f"S:K{suit}*")

    assert announce(65 - worth).public.led is not None
    assert not announce(65 - worth).public.over
    shown = announce(66 - worth)
    assert (ends(shown), shown.public.led, shown.public.held) == ((S, 1), None, (2, 2))
    assert shown.hands[S].bit_count() == 2
    assert shown.public.known[S] == shown.hands[S]


@each_preset
def test_5_1_pending_points_do_not_take_out(name: str) -> None:
    house = rules(name, claim="automatic", marriage_first_lead="pending")
    facts: dict[str, Any] = {"tricks": (0, 3), "pending": (40, 0)}
    announced = follow(midway(house, "KH QH", "JS JD", TALON, **facts), "S:KH*")
    assert (announced.public.pending[S], announced.public.over) == (80, False)


@each_preset
def test_5_1_the_winner_of_the_last_trick_with_its_bonus(name: str) -> None:
    house = rules(name, claim="automatic", last_trick_bonus=10)
    won = last(house, 51, 56)
    assert (won.public.points[S], won.public.outcome) == (66, (S, 1, "out"))


@pytest.mark.parametrize("name", DECLARED)
def test_5_2_claim_after_a_trick(name: str) -> None:
    won = taking(name, 66)
    assert not won.public.over
    assert "!" in listed(won).split()
    assert ends(follow(won, "S:!")) == (S, 1)
    drawn = follow(won, "+")
    assert "!" in listed(drawn).split()
    assert "!" not in listed(follow(drawn, "S:QD")).split()
    assert beside(follow(drawn, "S:QD")) == ""
    assert not follow(drawn, "S:QD").public.is_claimant(S)


@pytest.mark.parametrize("name", DECLARED)
def test_5_2_claim_after_his_own_exchange_and_close(name: str) -> None:
    low = "9H" if name in NINES else "JH"
    won = follow(
        midway(name, f"AS KD {low}", "JS JD AD", "QC TC KC AC TD TH", points=(60, 20)),
        "S:AS N:JS +",
    )
    for events in ("S:x", "S:c", "S:x S:c"):
        assert "!" in listed(follow(won, events)).split()
        assert ends(follow(won, f"{events} S:!"))[0] == S


@pytest.mark.parametrize("name", DECLARED)
def test_5_2_claim_after_an_announcement_until_the_reply(name: str) -> None:
    facts: dict[str, Any] = {"points": (46, 40)}
    start = midway(name, "KS QS", "JS JD", TALON, **facts)
    shown = follow(start, "S:KS*")
    assert (shown.public.over, beside(shown)) == (False, "!")
    assert "!" not in listed(shown).split()
    assert ends(follow(shown, "S:!")) == (S, 1)
    laid = follow(shown, "N:JD")  # the trick was his: again a moment to claim
    assert "!" in listed(laid).split()
    lost = follow(midway(name, "KS QS", "AS JD", TALON, **facts), "S:KS* N:AS")
    assert not lost.public.is_claimant(S)
    assert beside(lost) == ""


@each_preset
def test_5_2_no_claim_without_its_moment(name: str) -> None:
    facts: dict[str, Any] = {"points": (30, 70)}
    assert not midway(name, "KS QS", "JS JD", TALON, tricks=(0, 0)).public.is_claimant(S)
    lead = midway(name, "KS QS", "JS JD", TALON, **facts)
    assert beside(lead) == ""
    assert not lead.public.is_claimant(N)
    assert not follow(lead, "S:KS").public.is_claimant(S)


@each_preset
def test_5_2_a_claim_is_listed_only_where_it_is_rightful(name: str) -> None:
    assert "!" not in listed(taking(name, 65)).split()
    assert "!" not in beside(follow(midway(name, "KS QS", "JS JD", TALON, points=(45, 0)), "S:KS*"))
    assert ends(follow(taking(name, 65), "S:!"))[0] == N
    pending = midway(name, "KS QS", "JS JD", TALON, tricks=(0, 1), points=(0, 30))
    assert ends(follow(pending, "S:KS* S:!"))[0] == N


@pytest.mark.parametrize("name", DECLARED)
def test_5_2_a_missed_claim_may_go_to_the_other(name: str) -> None:
    late = follow(midway(name, "KS QD", "AS JD", TALON, points=(66, 55)), "S:KS N:AS")
    assert ends(follow(late, "N:!")) == (N, 1)


@each_preset
def test_5_2_a_claim_at_any_other_moment_is_refused(name: str) -> None:
    house = rules(name, claim="declared")
    first = midway(house, "KS QS", "JS JD", TALON, tricks=(0, 0))
    lead = midway(house, "KS QS", "AS JD", TALON, points=(70, 70))
    for position, events in ((first, "S:! N:!"), (lead, "N:!"), (follow(lead, "S:KS"), "S:! N:!")):
        assert {refused(position, event) for event in events.split()} == {"5.2"}
    for position in (lead, follow(lead, "S:KS*")):
        assert refused(position, "S:!") == ""
    assert refused(follow(lead, "S:KS N:AS"), "N:!") == ""
    assert refused(follow(lead, "S:KS N:AS"), "S:!") == "5.2"
