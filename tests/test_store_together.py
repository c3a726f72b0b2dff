"""Several programs use one store at once: two enter deals card by card while a third imports."""

import multiprocessing
import os
import sqlite3
from itertools import groupby
from multiprocessing.synchronize import Barrier
from pathlib import Path

from inference import archive
from inference.store import Store
from tests import crash
from tests.f1 import F1, RECORD, same, written


def work(path: Path, deal: str, lines: list[str], start: Barrier, out: int) -> None:
    """Enter a deal, or import lines if there is none, and confirm each.

    The programs begin together, and wait for each other halfway, so that none is done before
    another has written.
    """
    whole = list(F1) if deal else lines
    for half in whole[: len(whole) // 2], whole[len(whole) // 2 :]:
        start.wait()
        if deal:
            crash.enter(path, [deal, *half], out)
        else:
            crash.read(path, half, out)


def test_two_enter_while_a_third_imports(tmp_path: Path) -> None:
    shelf = Store(tmp_path / "deals.db")
    likely = written(shelf, *F1).session  # compiles and loads all before the programs part
    lines, deals = crash.lines()[:24], [shelf.begin(RECORD), shelf.begin(RECORD), ""]
    fork, pipes, programs = multiprocessing.get_context("fork"), [], []
    start = fork.Barrier(len(deals))
    for deal in deals:
        ends = os.pipe()
        program = fork.Process(target=work, args=(shelf.path, deal, lines, start, ends[1]))
        program.start()
        os.close(ends[1])
        pipes.append(os.fdopen(ends[0]))
        programs.append(program)
    confirmed = [pipe.read().split() for pipe in pipes]
    for program in programs:
        program.join()
    assert [program.exitcode for program in programs] == [0, 0, 0]
    assert [len(told) for told in confirmed] == [len(F1), len(F1), len(lines)]
    for deal in deals[:2]:
        assert same(shelf.replay(deal).session, likely)
        assert archive.look_up(shelf, deal).n_events == len(F1)
    assert {one.id for one in archive.search(shelf, n=-1)} >= set(confirmed[2])
    assert archive.import_lines(shelf, lines).known == confirmed[2]
    assert archive.check(shelf.path) == []
    with sqlite3.connect(shelf.path) as db:
        order = [str(deal) for (deal,) in db.execute("SELECT deal FROM entry ORDER BY seq")]
    assert len(list(groupby(order))) > archive.count(shelf)  # they did write in turns
