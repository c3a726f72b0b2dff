"""The habits of the house: short files, short functions, named exceptions, no pickle."""

import ast
from pathlib import Path
from statistics import median

import pytest

ROOT = Path(__file__).resolve().parent.parent
PRODUCT = sorted((ROOT / "inference").rglob("*.py")) + sorted(ROOT.glob("app.py"))
TESTS = [path for room in ("tests", "benchmarks") for path in sorted((ROOT / room).rglob("*.py"))]
PICKLES = {"pickle", "cPickle", "cloudpickle", "dill", "marshal", "shelve"}

Function = ast.FunctionDef | ast.AsyncFunctionDef


def nodes(path: Path) -> list[ast.AST]:
    return list(ast.walk(ast.parse(path.read_bytes())))


def functions() -> list[tuple[str, Function]]:
    return [
        (f"{path.relative_to(ROOT)}:{node.lineno} {node.name}", node)
        for path in PRODUCT
        for node in nodes(path)
        if isinstance(node, Function)
    ]


def length(node: ast.stmt) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def n_lines(node: Function) -> int:
    """Count the lines of a function, its docstring apart."""
    words = node.body[:1] if ast.get_docstring(node) else []
    return length(node) - sum(map(length, words))


def test_no_file_is_over_400_lines() -> None:
    files = PRODUCT + TESTS
    sizes = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in files}
    assert {name: size for name, size in sizes.items() if size > 400} == {}


def test_functions_are_short() -> None:
    sizes = {name: n_lines(node) for name, node in functions()}
    assert {name: size for name, size in sizes.items() if size > 60} == {}
    assert median(sizes.values()) < 10


def caught(node: ast.AST) -> list[ast.expr | None]:
    """List what a handler or a `suppress` catches; None is a bare except."""
    match node:
        case ast.ExceptHandler(type=ast.Tuple(elts=several)):
            return list(several)
        case ast.ExceptHandler(type=one):
            return [one]
        case ast.Call(func=ast.Name(id="suppress") | ast.Attribute(attr="suppress"), args=several):
            return list(several)
    return []


def is_catch_all(one: ast.expr | None) -> bool:
    return one is None or ast.unparse(one).split(".")[-1] in {"Exception", "BaseException"}


@pytest.mark.parametrize("path", PRODUCT, ids=lambda path: str(path.relative_to(ROOT)))
def test_exceptions_are_named_and_nothing_is_pickled(path: Path) -> None:
    tree = nodes(path)
    blind = [ast.unparse(node) for node in tree for one in caught(node) if is_catch_all(one)]
    assert blind == []
    names = {alias.name for node in tree if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in tree if isinstance(node, ast.ImportFrom)}
    assert names.isdisjoint(PICKLES)
