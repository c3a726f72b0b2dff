"""A session is a pure function of its log: whoever entered what, and even when killed."""

import json
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inference import archive
from inference.cards import Card
from inference.errors import InferenceError
from inference.reports import meanings
from inference.session import Session
from inference.store import Entry, Store, correct, event, revert, undo
from tests.f1 import F1, RECORD, same


@pytest.fixture
def shelf(tmp_path: Path) -> Store:
    return Store(tmp_path / "deals.db")


Step = tuple[str, int, int]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["play"] * 4 + ["undo", "revert", "correct", "set-up", "wrong"]),
        st.integers(0, 99),
        st.integers(0, 99),
    ),
    max_size=25,
)


def entry_for(session: Session, step: Step) -> Entry:
    """Turn three random values into an entry, which may well be impossible."""
    what, a, b = step
    offered = list(meanings(session.tracker).values())
    n = len(session.events)
    if what == "revert" and n:
        return revert()
    if what == "undo" and n:
        return undo(1 + a % min(n, 3))
    if what == "correct" and n:
        number = 1 + a % n
        old = session.events[number - 1]
        mended = old._replace(action=old.action._replace(card=Card(b % 24)))
        return correct({number: str(mended)})
    if what == "set-up":
        return correct({0: ({"upcard": str(Card(b % 24))}, {"leader": "SN"[a % 2]})[b % 2]})
    if what == "play" and offered:
        return event(str(offered[a % len(offered)]))
    return event(f"{'SN'[a % 2]}:{'AKQJT9'[a % 6]}{'SHDC'[b % 4]}")


def tried(session: Session, entry: Entry) -> bool:
    """Do to a live session what an entry says; tell whether it fitted."""
    try:
        match entry.kind:
            case "undo" if not entry.payload:
                session.revert()
            case "undo":
                session.undo(int(entry.payload))
            case "correct":
                session.correct({int(k): v for k, v in json.loads(entry.payload).items()})
            case _:
                session.observe(entry.payload)
    except InferenceError:
        return False
    return True


@given(steps=STEPS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
def test_any_log_replays_to_the_live_session(shelf: Store, steps: list[Step]) -> None:
    live, deal = Session.from_record(RECORD), shelf.begin(RECORD)
    held = shelf.replay(deal)
    for step in steps:
        entry, before = entry_for(live, step), held.revision
        if tried(live, entry):
            held = shelf.enter(deal, entry, held)
        else:
            with pytest.raises(InferenceError):
                shelf.enter(deal, entry)
            assert shelf.revision(deal) == before
    assert same(shelf.replay(deal).session, live)
    assert same(shelf.replay(deal, held).session, live)


def test_an_older_copy_catches_up_with_what_another_tab_entered(shelf: Store) -> None:
    deal, tab = shelf.begin(RECORD), Store(shelf.path)
    mine, his = shelf.replay(deal), tab.replay(deal)
    mine = shelf.enter(deal, event(F1[0]), mine)
    his = tab.enter(deal, event(F1[1]), his)
    mine = shelf.enter(deal, event(F1[2]), mine)
    assert [str(e) for e in mine.session.events] == F1[:3]
    assert same(mine.session, tab.replay(deal, his).session)


def test_two_connections_lose_nothing_and_swallow_nothing(shelf: Store) -> None:
    """Two hands tap the same deal at once: each tap is entered once, or refused with a sentence."""
    deal, stores = shelf.begin(RECORD), (shelf, Store(shelf.path))

    def tap(n: int) -> int:
        try:
            stores[n % 2].enter(deal, event(F1[0] if n % 3 else "S:9S"))
        except InferenceError:
            return 0
        return 1

    with ThreadPoolExecutor(8) as pool:
        entered = sum(pool.map(tap, range(24)))
    assert entered == len(shelf.replay(deal).session.events) == 1


def test_a_store_can_be_made_by_several_at_once(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        shelves = list(pool.map(lambda _: Store(tmp_path / "deals.db"), range(8)))
    deals = [shelf.begin(RECORD) for shelf in shelves]
    assert {one.id for one in archive.recent(shelves[0])} == set(deals)


WRITER = """
import sys
from pathlib import Path
from inference.store import Store, event
shelf = Store(Path(sys.argv[1]))
for text in sys.argv[3:]:
    shelf.enter(sys.argv[2], event(text))
    print(text, flush=True)
sys.stdin.read()
"""


def test_a_killed_program_loses_nothing_that_it_confirmed(shelf: Store) -> None:
    deal = shelf.begin(RECORD)
    command = [sys.executable, "-c", WRITER, str(shelf.path), deal, *F1[:9]]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as writer:
        assert writer.stdout is not None
        confirmed_taps = [writer.stdout.readline().strip() for _ in F1[:5]]
        writer.send_signal(signal.SIGKILL)
        confirmed_taps += writer.stdout.read().split()
    found = [str(e) for e in shelf.replay(deal).session.events]
    assert found == F1[: len(found)]
    assert found[: len(confirmed_taps)] == confirmed_taps
