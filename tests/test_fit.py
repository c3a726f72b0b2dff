"""The fit: its gradient, that EM climbs, that planted styles come back; and its pool of players."""

import numpy as np
import pytest

from inference.game.events import UNSEEN_DRAW
from inference.game.record import format_record
from inference.game.replay import check
from inference.game.rules import PRESETS
from inference.opponents import manner
from inference.opponents.choices import N_WEIGHTS, Choices, loss
from inference.opponents.features import FEATURES
from inference.solve.solver import action_values
from inference.workshop import fit
from inference.workshop.pool import FAMILIES, HELD_OUT, player
from inference.workshop.ship import (
    FITTED,
    GROUPS,
    MANNERS,
    RANDOM_SHARE,
    SIMPLE,
    at_home,
    fit_styles,
)
from inference.workshop.simulate import play_pool, simulate

RULES = list(PRESETS.values())
SOME = (("greedy", "careless", "closer"), ("greedy", "careless", "closer"))


@pytest.fixture(scope="module")
def choices() -> Choices:
    return fit.gather([fit.rows(play_pool(RULES, 3, SOME, i)) for i in range(60)])


def test_every_real_choice_of_a_deal_is_a_row_of_features() -> None:
    record = next(simulate(PRESETS["schnapsen"], 1, 66))
    found = fit.rows(record)
    assert len(found) > 8
    for _, _, x, chosen in found:
        assert x.shape[1] == len(FEATURES)
        assert 0 <= chosen < len(x) > 1
    taken = [column for _, _, column in fit.decisions(record)]
    assert len(taken) >= len(found)


def test_choices_are_sorted_by_phase_and_add_up(choices: Choices) -> None:
    assert choices.sizes.sum() == len(choices.x)
    assert (choices.sizes > 1).all()
    assert (choices.starts <= choices.chosen).all()
    assert (choices.chosen < choices.starts + choices.sizes).all()
    assert choices.starts[choices.n_open] == choices.open_rows


def test_the_gradient_is_that_of_the_loss(choices: Choices, rng: np.random.Generator) -> None:
    exact = choices._replace(x=choices.x.astype(np.float64))
    r = rng.random(len(choices.starts))
    at = np.append(rng.normal(0, 0.3, N_WEIGHTS), 0.1)
    slope = loss(at, exact, r)[1]
    for i in (0, 5, 41, 60, N_WEIGHTS):
        step = np.zeros(len(at))
        step[i] = 1e-2
        numeric = (loss(at + step, exact, r)[0] - loss(at - step, exact, r)[0]) / 2e-2
        assert slope[i] == pytest.approx(numeric, rel=0.02, abs=0.05)


def test_what_weighs_next_to_nothing_may_be_left_out(
    choices: Choices, rng: np.random.Generator
) -> None:
    r = rng.choice([1.0, 0.5, 0.0], len(choices.starts))
    some, weights = fit.of_weight(choices, r)
    assert len(weights) == len(some.starts) == (r > 0).sum()
    at = np.append(rng.normal(0, 0.3, N_WEIGHTS), 0.1)
    (whole, slope), (part, slope_of_part) = (
        loss(at, *given) for given in ((choices, r), (some, weights))
    )
    assert part == pytest.approx(whole, rel=1e-5)
    assert slope_of_part == pytest.approx(slope, rel=1e-3, abs=1e-2)
    assert (fit.fit_style(*fit.of_weight(choices, 0 * r), at) == at).all()


def test_em_never_loses_likelihood(choices: Choices) -> None:
    groups = np.arange(120)
    found = fit.em(choices, groups, 2, np.random.default_rng(1))
    steps = np.diff(found.log_likelihoods)
    assert (steps > -0.02).all()  # the prior may cost a little
    assert found.log_likelihoods[-1] > found.log_likelihoods[0] + 0.3
    assert found.shares.sum() == pytest.approx(1)


def test_planted_players_come_back() -> None:
    """Of random players and logits, each unit is given to its own kind."""
    deals = [r for name in ("uniform", "logit") for r in simulate(RULES[0], 40, 2, (name, name))]
    planted = fit.gather([fit.rows(record) for record in deals])
    found = fit.em(planted, np.arange(160), 1, np.random.default_rng(1))
    assert found.shares[1] == pytest.approx(0.5, abs=0.15)
    assert found.epsilon[0] < 0.15


def test_the_same_seed_gives_the_same_file() -> None:
    one, two = (fit_styles(40, 1, 7, jobs) for jobs in (1, 2))
    assert one == two
    assert one["corpus"]["sha256"] != fit_styles(40, 1, 8)["corpus"]["sha256"]


def test_styles_bear_the_names_of_families() -> None:
    homes = {"careful": (0.6, 0.1, 0.2, 0.1), "greedy": (0.0, 0.8, 0.1, 0.1)}
    rest = [family for family in MANNERS if family not in homes]
    players = [*homes, *rest, "careful"]
    p = np.array([homes.get(name, (0.1, 0.1, 0.1, 0.7)) for name in players])
    names = at_home(p, [f"{name} {i}" for i, name in enumerate(players)])
    assert names[:2] == ["careful", "greedy"]
    assert len(names) == 3
    assert set(names) <= set(MANNERS.values())
    few = at_home(p[:2], ["careful 0", "greedy 1"])  # the other families did not play
    assert few[:2] == ["careful", "greedy"]
    many = at_home(np.full((len(players), 31), 1 / 31), [f"{name} 0" for name in players])
    assert set(many) == set(MANNERS.values())


def test_each_group_has_its_share_of_deals_styles_and_prior() -> None:
    found = fit_styles(40, 2, 7)
    shares = {name: style["share"] for name, style in found["styles"].items()}
    assert len(shares) == 2 + 1 + 1
    assert list(shares.values())[:-1] == sorted(list(shares.values())[:-1], reverse=True)
    simple = {MANNERS[family] for family in SIMPLE}
    p_simple = sum(share for name, share in shares.items() if manner(name) in simple)
    assert p_simple >= GROUPS[1].prior - 1e-3  # rulebooks are among all kinds as well
    assert sum(shares.values()) == pytest.approx(1.0, abs=1e-3)
    assert shares["random"] == RANDOM_SHARE
    assert [scores["deals kept out"] for scores in found["scores"].values()] == [4, 1]
    named = {family for group in GROUPS for family in group.families}
    assert named == set(FITTED)


# -- the pool --------------------------------------------------------------------------------------


@pytest.mark.parametrize("family", FAMILIES)
def test_players_of_the_pool_play_whole_deals_by_the_rules(family: str) -> None:
    for number in range(6):
        record = play_pool(RULES, 2, ((family,), (family,)), number)
        check(record)
        assert record.meta["players"]["N"].startswith(family)
        again = play_pool(RULES, 2, ((family,), (family,)), number)
        assert format_record(again) == format_record(record)


def test_players_of_a_family_differ() -> None:
    for family in ("greedy", "rulebook", "sampler", "reckoner", "walker", "crude"):
        assert len({player(family, i, 1) for i in range(20)}) == 20
    assert len({player("solver", i, 1) for i in range(20)}) > 15  # it has little to differ in


def test_families_are_held_out_by_rules_by_search_and_by_softmax() -> None:
    assert set(HELD_OUT) == {"ducker", "searcher", "soft", "club"}
    assert set(FITTED) | set(HELD_OUT) == set(FAMILIES)
    assert set(FITTED).isdisjoint(HELD_OUT)


def test_chances_are_a_distribution_over_what_is_legal(rng: np.random.Generator) -> None:
    record = play_pool(RULES, 4, (("greedy",), ("soft",)), 1)
    for family in FAMILIES:
        one = player(family, 1, 1)
        for position, seat, _ in fit.decisions(record):
            view = position.view(seat)
            chances = one.chances(view, rng)
            beside = set() if view.public.to_act == seat else {UNSEEN_DRAW}
            assert set(chances) == {*view.legal_actions(), *beside}
            assert sum(chances.values()) == pytest.approx(1)


@pytest.mark.parametrize("family", ["solver", "walker"])
def test_who_searches_finds_what_open_cards_decide(family: str, rng: np.random.Generator) -> None:
    """Once nothing is hidden the solver plays for the best; the tree mostly gets there too."""
    one = player(family, 1, 1)._replace(wobble=0.0, slips=0.0, effort=1500)  # type: ignore[attr-defined]
    found, n = 0, 0
    for number in range(60):
        record = play_pool(RULES, 5, (("greedy",), ("careful",)), number)
        for position, seat, _ in fit.decisions(record):
            if position.public.talon or seat != position.public.to_act:
                continue
            values = action_values(position)
            best = {a for a, worth in values.items() if worth == max(values.values())}
            if len(best) < len(values):
                chances = one.chances(position.view(seat), rng)
                found, n = found + (max(chances, key=lambda a: chances[a]) in best), n + 1
    assert n > 40
    assert found == n if family == "solver" else found > 0.95 * n
