"""The order of the rooms: who may import whom, and what must stay out of which room."""

import ast
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
FLOORS = (
    "errors | cards | paths | game | belief | solve | opponents | advice | tracker"
    " | why acquaintance | reports | session spread | regulars | store | archive | study"
    " | workshop | dashboard cli"
)
FLOOR = {room: n for n, rooms in enumerate(FLOORS.split("|")) for room in rooms.split()}
SCREEN = {"streamlit", "pandas", "altair"}
BORROWED = {"errors": set(), "cards": set(), "game": set(), "paths": {"platformdirs"}}
LAZY = {
    ("inference.opponents", "*"),
    ("inference.opponents.regime", "hmmlearn"),
    ("inference.opponents.person", "scipy"),
}
DOORS = {"inference", "inference.__main__", "app"}


class Import(NamedTuple):
    """Who imports what, and whether inside a function."""

    source: str
    target: str
    lazy: bool

    @property
    def rooms(self) -> tuple[str, str]:
        return room(self.source), room(self.target)

    @property
    def package(self) -> str:
        return self.target.split(".")[0]


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def room(module: str) -> str:
    """Return the second part of a module's name; the doors have none."""
    return "" if module in DOORS or "." not in module else module.split(".")[1]


FILES = [*sorted((ROOT / "inference").rglob("*.py")), *ROOT.glob("app.py")]
TREES = {name_of(path): ast.parse(path.read_bytes()) for path in FILES}


def targets(node: ast.AST) -> list[str]:
    """List what a node imports: modules of ours where the imported names are modules."""
    match node:
        case ast.Import(names=names):
            return [alias.name for alias in names]
        case ast.ImportFrom(module=str(module), names=names):
            inside = (f"{module}.{alias.name}" for alias in names)
            return [one if one in TREES else module for one in inside]
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return ["by name"] if name in {"import_module", "__import__"} else []
    return []


def imports(source: str, node: ast.AST, lazy: bool = False) -> Iterator[Import]:
    """Walk a module's imports; those inside functions are lazy."""
    yield from (Import(source, target, lazy or target == "by name") for target in targets(node))
    lazy = lazy or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
    for child in ast.iter_child_nodes(node):
        yield from imports(source, child, lazy)


IMPORTS = [one for source, tree in TREES.items() for one in imports(source, tree)]
INNER = [one for one in IMPORTS if one.package == "inference"]
OUTER = [one for one in IMPORTS if one.package != "inference"]


def circle(graph: dict[str, set[str]]) -> list[str]:
    """Return the modules of one circle, none if there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_every_module_has_a_room() -> None:
    assert [name for name in TREES if name not in DOORS and room(name) not in FLOOR] == []


def test_rooms_import_only_from_rooms_above() -> None:
    within = [one for one in INNER if one.source not in DOORS and len(set(one.rooms)) == 2]
    assert [i for i in within if FLOOR.get(room(i.target), 99) >= FLOOR[room(i.source)]] == []


def test_no_circles() -> None:
    graph: dict[str, set[str]] = {name: set() for name in TREES}
    for one in IMPORTS:
        if not one.lazy:
            graph[one.source].add(one.target)
    assert circle(graph) == []


def test_no_lazy_imports() -> None:
    lazy = [one for one in IMPORTS if one.lazy]
    assert [i for i in lazy if not {(i.source, "*"), (i.source, i.package)} & LAZY] == []


def test_belief_knows_no_rules() -> None:
    known = {room(one.target) for one in INNER if room(one.source) == "belief"}
    assert known <= {"belief", "errors", "cards"}


def test_words_and_rules_borrow_nothing() -> None:
    outer = [one for one in OUTER if room(one.source) in BORROWED]
    allowed = {name: sys.stdlib_module_names | more for name, more in BORROWED.items()}
    assert [one for one in outer if one.package not in allowed[room(one.source)]] == []


def test_only_the_dashboard_knows_the_screen() -> None:
    seen = [one for one in OUTER if one.package in SCREEN]
    assert [i for i in seen if room(i.source) != "dashboard" and i.source != "app"] == []
    behind = [one for one in INNER if room(one.target) == "dashboard"]
    assert [i for i in behind if room(i.source) != "dashboard" and i.source != "app"] == []
