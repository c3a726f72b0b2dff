"""Where files are looked for and where the store lies."""

from pathlib import Path

import pytest

from inference import paths

ROOT = Path(__file__).resolve().parent.parent


def test_a_checkout_uses_its_own_files() -> None:
    assert paths.share() == ROOT
    assert paths.app_file() == ROOT / "app.py"
    assert paths.data_file("deals.jsonl") == ROOT / "data" / "deals.jsonl"
    assert paths.model_file("logit.json") == ROOT / "models" / "logit.json"


def test_an_installed_package_uses_what_it_carries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "_share").mkdir()
    monkeypatch.setattr(paths, "_PACKAGE", tmp_path)
    assert paths.share() == tmp_path / "_share"


def test_the_store_is_the_one_given_then_the_environment_then_the_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("SIXTYSIX_DB", raising=False)
    assert paths.store_file().parts[-2:] == ("sixtysix", "deals.db")
    assert paths.store_file().is_relative_to(tmp_path)
    monkeypatch.setenv("SIXTYSIX_DB", "~/mine/a.db")
    assert paths.store_file() == tmp_path / "mine" / "a.db"
    assert paths.store_file(str(tmp_path / "given" / "b.db")) == tmp_path / "given" / "b.db"
    assert {folder.name for folder in tmp_path.iterdir()} == {"data", "mine", "given"} or (
        tmp_path / "Library"
    ).exists()


def test_a_store_named_without_a_folder_lies_where_the_user_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert paths.store_file("deals.db") == tmp_path / "deals.db"
