"""A deal as a plain report, and many reports as one: the figures of `sixtysix study`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from inference import opponents, reports
from inference.cards import Seat
from inference.game.record import Record
from inference.game.state import other
from inference.opponents import person
from inference.study import habits, population
from inference.study.calibration import calibration
from inference.study.judge import QUICK, Effort, Judged, judge
from inference.study.ledger import Ledger, ledger
from inference.study.reading import reading
from inference.study.replay import Replay, follow
from inference.tracker import Tracker

WORST = 10
Report = dict[str, Any]
"""A JSON object, as `deal_report` makes it."""


def deal_report(
    record: Record,
    seat: str | None = None,
    effort: Effort = QUICK,
    seed: int = 0,
    model: str = opponents.DEFAULT,
) -> Report:
    """Study one deal from a seat (the record's own, else S) and return all figures as JSON.

    Raise an InferenceError if the record does not fit.
    """
    replay = follow(record, seat, model)
    mine = judge(replay.trackers, effort, seed)
    his = judge(replay.his, effort, seed, str(other(replay.seat))) if replay.his else None
    parts, read = ledger(replay, mine, his, seed=seed), reading(replay)
    last = replay.trackers[-1]
    return {
        "rules": record.rules.name,
        "seat": str(replay.seat),
        "n_events": replay.n,
        "effort": effort.name,
        "outcome": _outcome(replay),
        "decisions": [_decision(judged) for judged in mine],
        "his_decisions": None if his is None else [_decision(judged) for judged in his],
        "ledger": None if parts is None else ledger_json(parts),
        "habits": {
            "mine": habits.count(replay, replay.seat),
            "his": habits.count(replay, other(replay.seat)),
        },
        "reading": read._asdict(),
        "styles": reports.styles(last),
        "log_evidence": _log_evidence(last),
    }


def _log_evidence(tracker: Tracker) -> list[float | None]:
    """Return that of each style of the model alone, None for a style that is refuted."""
    found = reports.log_evidences(tracker)
    return [_finite(x) for style, x in found.items() if style != person.NAME]


def _finite(x: float) -> float | None:
    """Return a number that JSON can hold, None for another."""
    return x if np.isfinite(x) else None


def _outcome(replay: Replay) -> Report | None:
    view = replay.trackers[-1].view
    outcome = view.public.outcome
    if outcome is None:
        return None
    winner = None if outcome.winner is None else str(outcome.winner)
    return {**outcome._asdict(), "winner": winner, "result": view.public.payoff[view.seat]}


def _decision(judged: Judged) -> Report:
    plain = {key: value for key, value in judged._asdict().items() if key != "advice"}
    return plain | {
        "seat": str(judged.seat),
        "played": str(judged.played),
        "best": str(judged.best),
        "charged": judged.charged,
        "n_worlds": judged.advice.n_worlds,
        "method": judged.advice.method,
    }


def ledger_json(parts: Ledger) -> Report:
    """Return the parts of a result; they sum to it."""
    return {
        **parts._asdict(),
        "chances": [chance._asdict() for chance in parts.chances],
        "luck": parts.luck,
        "luck_stderr": parts.luck_stderr,
    }


def labels(record: Record, seat: Seat) -> dict[str, str]:
    """Return who the opponent was and when the deal was played, "" where the record does not say.

    >>> from inference.game.record import parse_record
    >>> record = parse_record({"rules": "sixty-six", "leader": "N", "upcard": "JH", "seat": "S",
    ...     "hands": {"S": "AS KH QH 9C JD TD"}, "meta": {"opponent": "Ada", "date": "2026-11-30"}})
    >>> labels(record, Seat.S)
    {'opponent': 'Ada', 'date': '2026-11-30'}
    """
    players = record.meta.get("players")
    seated = players.get(str(other(seat))) if isinstance(players, dict) else None
    return {
        "opponent": str(record.meta.get("opponent") or seated or ""),
        "date": str(record.meta.get("date") or ""),
    }


# -- many deals ------------------------------------------------------------------------------------


def summary(found: Sequence[Report]) -> Report:
    """Sum up reports of deals: accuracy, luck and skill, by month, day and opponent, mistakes.

    Each report carries `where`, `opponent` and `date` beside the figures of `deal_report`.
    """
    return {
        **accuracy(found),
        "ledger": totals(found),
        "months": {month: accuracy(some) for month, some in grouped(found, _month).items()},
        "days": {day: accuracy(some) for day, some in grouped(found, _day).items()},
        "opponents": {
            name: opponent(some, [r for r in found if r["opponent"] != name])
            for name, some in grouped(found, _opponent).items()
        },
        "worst": worst(found),
    }


def _month(report: Report) -> str:
    return str(report["date"][:7])


def _day(report: Report) -> str:
    return str(report["date"][:10])


def _opponent(report: Report) -> str:
    return str(report["opponent"])


def grouped(found: Sequence[Report], key: Callable[[Report], str]) -> dict[str, list[Report]]:
    """Put reports with the same key together, keys in order; those without a key are left out."""
    groups: dict[str, list[Report]] = {}
    for report in found:
        if key(report):
            groups.setdefault(key(report), []).append(report)
    return dict(sorted(groups.items()))


def accuracy(found: Sequence[Report]) -> Report:
    """Return how well the user decided: mean loss a decision and a deal, share of best moves.

    Errors are standard errors over deals; None below two deals. The share is None below 20
    decisions.
    """
    deals = [[d["charged"] for d in report["decisions"]] for report in found]
    n = sum(map(len, deals))
    losses = [sum(deal) for deal in deals]
    best = sum(loss == 0 for deal in deals for loss in deal)
    results = [r["outcome"]["result"] for r in found if r["outcome"]]
    return {
        "n_deals": len(found),
        "n_over": len(results),
        "game_points": sum(results),
        "n_decisions": n,
        "loss_per_deal": _mean(losses),
        "loss_per_deal_stderr": _stderr(losses),
        "loss_per_decision": sum(losses) / n if n else None,
        "n_best": best,
        "share_best": best / n if n >= habits.FEW else None,
    }


def _mean(some: Sequence[float]) -> float | None:
    return float(np.mean(some)) if some else None


def _stderr(some: Sequence[float]) -> float | None:
    return float(np.std(some, ddof=1) / np.sqrt(len(some))) if len(some) > 1 else None


def totals(found: Sequence[Report]) -> Report | None:
    """Add the ledgers of the finished deals; his losses count where they are known."""
    parts = [report["ledger"] for report in found if report["ledger"]]
    if not parts:
        return None
    keys = ("result", "start", "luck", "my_losses", "his_losses", "remainder")
    summed = {key: float(sum(part[key] or 0.0 for part in parts)) for key in keys}
    noise = float(np.sqrt(sum(part["luck_stderr"] ** 2 for part in parts)))
    known = sum(part["his_losses"] is not None for part in parts)
    return {"n_deals": len(parts), **summed, "luck_stderr": noise, "n_his_known": known}


def worst(found: Sequence[Report], n: int = WORST) -> list[Report]:
    """List the decisions that cost most, the worst first, with the deal that they stand in."""
    mistakes = [
        {"where": report["where"], **decision}
        for report in found
        for decision in report["decisions"]
        if decision["charged"] > 0 or decision["missed"] == "claim"
    ]
    return sorted(mistakes, key=lambda one: (-one["charged"], one["where"]))[:n]


def opponent(his: Sequence[Report], others: Sequence[Report]) -> Report:
    """Report on an opponent: results, habits against everybody else, and how well we read him.

    Everybody else is the user himself, in all deals, and all other opponents; while they have
    shown little, simulated players stand for them.
    """
    own = habits.added(_pairs(report["habits"]["his"]) for report in his)
    rest = [r["habits"]["his"] for r in others]
    rest += [r["habits"]["mine"] for r in (*his, *others)]
    dealt = [(report["rules"], _pairs(report["habits"]["his"])) for report in his]
    simulated = population.expected(dealt, population.shipped())
    told = habits.habits(own, habits.added(map(_pairs, rest)), simulated)
    lost = [sum(d["charged"] for d in r["his_decisions"]) for r in his if r["his_decisions"]]
    return {
        **accuracy(his),
        "his_loss_per_deal": _mean(lost),
        "his_loss_per_deal_stderr": _stderr(lost),
        "habits": [habit._asdict() for habit in told],
        "reading": foreseen(his),
        "styles": [{key: one[key] for key in ("where", "date", "styles")} for one in his],
    }


def _pairs(counts: dict[str, Sequence[float]]) -> dict[str, tuple[float, float]]:
    return {name: (pair[0], pair[1]) for name, pair in counts.items()}


def foreseen(his: Sequence[Report]) -> Report:
    """Report how well his hand was foreseen: bits over counting, and calibration card by card.

    Figures are None below 20 decisions whose truth became known.
    """
    read = [report["reading"] for report in his]
    bits = np.array([pair for one in read for pair in one["bits"]]).reshape(-1, 2)
    n = len(bits)
    if n < habits.FEW:
        return {"n_decisions": n, "gain_bits": None, "gain_stderr": None, "calibration": None}
    gains = [float(np.mean([b - a for a, b in one["bits"]])) for one in read if one["bits"]]
    p = np.array([x for one in read for x in one["p"]])
    held = np.array([x for one in read for x in one["held"]], dtype=bool)
    kept = calibration(p, held, np.random.default_rng(0).random(len(p)) < p)
    return {
        "n_decisions": n,
        "gain_bits": float((bits[:, 1] - bits[:, 0]).mean()),
        "gain_stderr": _stderr(gains),
        "calibration": kept._asdict() | {"slope": _finite(kept.slope)},
    }
