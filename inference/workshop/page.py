"""Write the report page: what was measured, as tables, and which marks are met."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from inference.study.calibration import by_mass
from inference.workshop import findings as f
from inference.workshop.diagram import bars, reliability
from inference.workshop.findings import PURPOSEFUL, Gain
from inference.workshop.marks import SHARES, marks
from inference.workshop.pool import FAMILIES, HELD_OUT
from inference.workshop.pool_reading import Read
from inference.workshop.reading import BY_STYLES, CARRIED, COUNTING, FRESH, joined
from inference.workshop.statistics import pooled
from inference.workshop.value import IN_TURN, N_WORLDS, Value

PACKS = (24, 20)
WORDS = """A decision is a card that the reader lays, or an exchange, while counting cards leaves
more than one hand. The figure is log2 of the probability that the true hand had just before.
*Counting* knows all that the rules make certain: announced mates, exchanged cards, voids. *Carried*
starts each deal from what the session's deals before told of the player: the styles that the chain
makes likely, and weights of his own; *fresh* always from the model's own shares. Means are taken in
a deal, then over deals; brackets are 95 % intervals, a bootstrap in which the ten deals of a
session are drawn together.
"""


class Report(NamedTuple):
    """Hold what a page tells of: readings, if any, values in play, if any, and how they came."""

    reads: Sequence[Read]
    values: Sequence[Value]
    made: str
    """The command."""
    model: str


def page(report: Report, figures: str = "") -> str:
    """Return the page in Markdown; `figures` is how the names of its diagrams begin, if drawn."""
    parts = [f"# What reading the opponent is worth\n\nMade by `{report.made}`.\n"]
    if report.reads:
        parts += [_intro(report), *_reading(report, figures)]
    if report.values:
        parts.append(_value(report.values))
    parts.append(_marks(report))
    return "\n".join(parts)


def write(report: Report, path: Path) -> None:
    """Write the page, and its diagrams beside it."""
    figures = f"{path.stem}-"
    path.write_text(page(report, figures if report.reads else ""), encoding="utf-8")
    for name, drawing in _diagrams(report.reads) if report.reads else ():
        path.with_name(f"{figures}{name}.svg").write_text(drawing, encoding="utf-8")


def _diagrams(reads: Sequence[Read]) -> Iterator[tuple[str, str]]:
    found = [(name, one) for name, one in f.by_family(reads).items() if one]
    yield "bits", bars([(name, one.gain, one.interval) for name, one in found], "bits a decision")
    whole = joined([read.reading for read in reads])
    columns = {"each deal by itself": FRESH, "with what deals before taught": CARRIED}
    curves = {name: by_mass(whole.p[:, column], whole.held) for name, column in columns.items()}
    yield "reliability", reliability(curves)


def _intro(report: Report) -> str:
    reads, (n, n_decisions) = report.reads, _size(report.reads)
    sessions = len({read.session for read in reads})
    packs = ", ".join(
        f"{sum(r.cards == cards for r in reads)} with {cards} cards" for cards in PACKS
    )
    return (
        f"Players of the pool (`inference/workshop/pool.py`) play {sessions} sessions of ten "
        f"deals; each seat is read by `{report.model}`: {n} readings ({packs}), "
        f"{n_decisions} decisions. Held out of fitting: {', '.join(HELD_OUT)}.\n\n{WORDS}"
    )


def _size(reads: Sequence[Read]) -> tuple[int, int]:
    return len(reads), sum(len(read.reading.bits) for read in reads)


def _reading(report: Report, figures: str) -> Iterator[str]:
    reads = report.reads
    able = [read for read in reads if read.family in PURPOSEFUL]
    yield _families(reads)
    if figures:
        yield f"![Bits over counting by family]({figures}bits.svg)\n"
    yield _learning(reads)
    yield _own(reads)
    yield _where(able)
    yield _shares(reads)
    yield _calibration(reads)
    if figures:
        yield f"![Reliability diagram, 15 bins of equal mass]({figures}reliability.svg)\n"
    yield _trick_slopes(reads)
    yield _briers(able)
    yield _warnings(reads)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown, all but the first column flush right.

    >>> print(table(["a", "n"], [["x", "1"]]))
    | a | n |
    |---|--:|
    | x | 1 |
    <BLANKLINE>
    """
    lines = [head, *rows]
    written = ["| " + " | ".join(line) + " |" for line in lines]
    rule = "|---|" + "--:|" * (len(head) - 1)
    return "\n".join([written[0], rule, *written[1:], ""])


def _told(found: Gain | None) -> str:
    if found is None:
        return ""
    low, high = found.interval
    return f"{found.gain:+.3f} ({low:+.2f} to {high:+.2f})"


def _name(family: str) -> str:
    return f"{family} (held out)" if family in HELD_OUT else family


def _all(reads: Sequence[Read]) -> Iterator[tuple[str, list[Read]]]:
    """Yield the rows of a table by players: each family, then all but the random player."""
    for name in FAMILIES:
        yield _name(name), [read for read in reads if read.family == name]
    yield "**all but random**", [read for read in reads if read.family in PURPOSEFUL]


def _families(reads: Sequence[Read]) -> str:
    rows = [_family(name, some) for name, some in _all(reads)]
    head = ("player", "deals", "24 cards", "20 cards", "all", "carried, all")
    more = ("log loss: counting", "fresh")
    return (
        "## Bits over counting a decision\n\n" + table((*head, *more), rows) + "\n"
        "Log loss is that of the true hand, in bits, mean of the deals.\n"
    )


def _family(name: str, reads: Sequence[Read]) -> list[str]:
    packs = [f.gain([read for read in reads if read.cards == cards]) for cards in PACKS]
    whole, carried = f.gain(reads), f.gain(reads, CARRIED)
    if whole is None:
        return [name, "0", *[""] * 6]
    told = [_told(found) for found in (*packs, whole, carried)]
    return [name, str(whole.n_deals), *told, f"{-whole.other:.3f}", f"{-whole.model:.3f}"]


def _learning(reads: Sequence[Read]) -> str:
    stages = [
        f.by_family(reads, CARRIED, lambda read, a=a, b=b: a <= read.number <= b)  # type: ignore[misc]
        for a, b in f.STAGES
    ]
    rows = [[_name(name), *(_told(stage[name]) for stage in stages)] for name in FAMILIES]
    head = ("player", *map(_stage, f.STAGES))
    return "## Learning over the deals of a session (carried)\n\n" + table(head, rows)


def _stage(numbers: tuple[int, int]) -> str:
    first, last = (number + 1 for number in numbers)
    return f"deal {first}" if first == last else f"deals {first} to {last}"


def _own(reads: Sequence[Read]) -> str:
    later = [*f.STAGES[1:], (1, f.STAGES[-1][-1])]
    rows = [
        [name, *(_told(_beside_styles(some, stage)) for stage in later)]
        for name, some in _all(reads)
    ]
    return (
        "Weights of his own stand beside the styles from the second deal on. What they add to "
        "carrying the styles alone, in bits a decision:\n\n"
        + table(("player", *map(_stage, later)), rows)
    )


def _beside_styles(reads: Sequence[Read], stage: tuple[int, int]) -> Gain | None:
    first, last = stage
    some = [read for read in reads if first <= read.number <= last]
    return f.gain(some, CARRIED, BY_STYLES)


def _warnings(reads: Sequence[Read]) -> str:
    rows = [[name, str(len(some)), *map(str, f.warned(some))] for name, some in _all(reads) if some]
    return (
        "## Warnings\n\n"
        "The page warns once blind chance explains a deal a hundred times better than all other "
        "styles together. Deals in which it would have warned:\n\n"
        + table(("player", "deals", "fresh", "carried"), rows)
    )


def _where(reads: Sequence[Read]) -> str:
    parts = ["## Where the bits come from (all but random, fresh)\n"]
    for cards in PACKS:
        some = [read for read in reads if read.cards == cards]
        if not _size(some)[1]:
            continue
        rows = [[r.label, str(r.n), f"{r.bits:+.3f}", f"{r.a_deal:+.3f}"] for r in f.by_event(some)]
        parts.append(f"### {cards} cards\n")
        parts.append("What he does, or leaves undone, tells beyond counting:\n")
        parts.append(table(("event", "n", "bits a time", "bits a deal"), rows))
        for what in ("trick", "talon"):
            rows = [
                [
                    *(str(k), str(n), *(f"{one:.3f}" for one in bits)),
                    *(f"{bits[i] - bits[COUNTING]:+.3f}" for i in (FRESH, CARRIED)),
                ]
                for k, n, bits in f.by_decision(some, what)
            ]
            head = (what, "decisions", "counting", "fresh", "carried", "gain", "gain, carried")
            parts.append(table(head, rows))
    return "\n".join(parts)


def _kinds(reads: Sequence[Read]) -> Iterator[tuple[str, str, list[Read]]]:
    for name in FAMILIES:
        for soft, kind in ((True, "soft"), (False, "sure")):
            yield _name(name), kind, [r for r in reads if r.family == name and r.soft == soft]
    able = [read for read in reads if read.family in PURPOSEFUL]
    for kind in SHARES:
        yield "**all but random**", kind, [read for read in able if f.kind(read) == kind]


def _shares(reads: Sequence[Read]) -> str:
    found = [(name, kind, f.share(some)) for name, kind, some in _kinds(reads)]
    rows = [[name, kind, *_share(one)] for name, kind, one in found if one is not None]
    head = ("player", "kind", "deals", "bits of the true policy", "fresh", "carried", "95 %")
    return (
        "## Share of the bits that the true policy gives\n\n"
        "The same filter, given the player's own policy, reads the tenth deal of every session "
        "with a soft player and of some others: that is all there is to know. Carried has seen "
        "nine deals before. *Soft* players draw among what they like (wobble 0.3 or more), *sure* "
        "ones do what they like best. Players who search draw lots for their worlds, so their "
        "policy cannot be written down; where the true policy gives less than 0.05 bits there is "
        "nothing to have a share of.\n\n" + table(head, rows)
    )


def _share(found: f.Share) -> list[str]:
    low, high = found.interval
    told = [str(found.n_deals), f"{found.true:+.3f}", f"{found.fresh:.0%}", f"{found.carried:.0%}"]
    return [*told, f"{low:.0%} to {high:.0%}" if found.n_deals >= 5 else ""]


def _calibration(reads: Sequence[Read]) -> str:
    rows = [_kept(f"all, {name}", f.kept(reads, column)) for name, column in _COLUMNS.items()]
    for family in FAMILIES:
        some = [read for read in reads if read.family == family]
        if _size(some)[1]:
            rows.append(_kept(_name(family), f.kept(some)))
    head = ("probabilities", "cards", "Brier", "reliability", "resolution", "uncertainty")
    return (
        "## Calibration, card by card\n\n"
        "Cards that are certain are left out. Brier = reliability - resolution + uncertainty (+ "
        "what 15 bins of equal mass hide); error is the ECE over these bins, *perfect* the error "
        "if, at each decision, the true hand were drawn by the very probabilities; slope is that "
        "of the logistic regression on the log-odds. Families are fresh.\n\n"
        + table((*head, "error", "perfect", "slope"), rows)
    )


_COLUMNS = {"counting": COUNTING, "fresh": FRESH, "carried": CARRIED}


def _kept(name: str, found: f.Kept) -> list[str]:
    parts = [f"{part:.4f}" for part in found.murphy]
    return [name, str(found.n), *parts, f"{found.ece:.4f}", f"{found.perfect:.4f}", _s(found.slope)]


def _s(slope: float) -> str:
    return f"{slope:.2f}"


def _trick_slopes(reads: Sequence[Read]) -> str:
    rows = [
        [str(trick), str(n), _s(fresh), _s(carried)] for trick, n, fresh, carried in f.slopes(reads)
    ]
    return "Slope at each trick:\n\n" + table(("trick", "cards", "fresh", "carried"), rows)


def _briers(reads: Sequence[Read]) -> str:
    rows = []
    for cards in PACKS:
        some = [read for read in reads if read.cards == cards]
        for talon in (8, 6, 4) if _size(some)[1] else ():
            n, (counting, fresh, carried) = f.briers(some, [talon])
            if n:
                less = [f"{1 - one / counting:.1%}" for one in (fresh, carried)]
                figures = [f"{counting:.4f}", f"{fresh:.4f}", f"{carried:.4f}"]
                rows.append([f"{cards} cards, talon {talon}", str(n), *figures, *less])
    head = ("", "cards", "counting", "fresh", "carried", "below counting", "carried")
    return "Brier score against all but random players:\n\n" + table(head, rows)


def _value(values: Sequence[Value]) -> str:
    rows = [
        [
            *(_name(v.family), str(v.n_pairs), f"{v.without:+.3f}", f"{v.value:+.3f}"),
            *(f"{v.stderr:.3f}", f"{v.p_value:.3f}"),
            *((str(v.n_open), f"{v.laid_open:+.3f}") if v.n_open else ("", "")),
        ]
        for v in values
    ]
    head = ("player", "pairs", "without inference", "inference brings", "standard error", "p")
    more = ("pairs laid open", "his hand laid open brings")
    return (
        "## Value in play\n\n"
        "Game points a deal. The same advice with inference and without it plays both seats of the "
        f"same cards against the same player, {IN_TURN} pairs in turn, and inference keeps "
        f"what it learnt of him; {N_WORLDS} layouts an advice. Errors are over sessions; `p` is "
        f"of the t-test, after Holm's correction for {len(values)} families. In some sessions the "
        "same advice is told his hand outright, which is all there is to win by reading it.\n\n"
        + table((*head, *more), rows)
        + _laid_open(values)
    )


def _laid_open(values: Sequence[Value]) -> str:
    some = [one for one in values if one.family in PURPOSEFUL and one.n_open]
    if not some:
        return ""
    mean, stderr = pooled([(one.laid_open, one.open_stderr) for one in some])
    return (
        f"\nAgainst all but random players his hand laid open brings {mean:+.3f} (standard error "
        f"{stderr:.3f}) over {sum(one.n_open for one in some)} pairs.\n"
    )


def _marks(report: Report) -> str:
    rows = [[mark.what, mark.measured, str(mark)] for mark in marks(report)]
    return (
        "## Marks\n\n"
        "In brackets: what a mark rests on, of the deals a player, readings or pairs that it "
        "needs; until then it is a sign and no proof.\n\n" + table(("mark", "measured", ""), rows)
    )
