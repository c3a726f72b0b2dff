"""Past deals: found, noted, deleted and brought back, exchanged, and shown as they were then."""

from inference.archive.exchange import (
    Imported,
    export_line,
    export_lines,
    export_record,
    import_lines,
    import_text,
    load_sample,
    read_line,
    whole,
)
from inference.archive.files import backup, check, restore
from inference.archive.lists import (
    Opponent,
    Search,
    count,
    look_up,
    match_of,
    matches,
    names,
    opponents,
    recent,
    search,
    tags,
)
from inference.archive.notes import delete, edit, move, undelete
from inference.archive.sheet import page
from inference.archive.shown import Shown, as_shown, keep, kept

__all__ = [
    "Imported",
    "Opponent",
    "Search",
    "Shown",
    "as_shown",
    "backup",
    "check",
    "count",
    "delete",
    "edit",
    "export_line",
    "export_lines",
    "export_record",
    "import_lines",
    "import_text",
    "keep",
    "kept",
    "load_sample",
    "look_up",
    "match_of",
    "matches",
    "move",
    "names",
    "opponents",
    "page",
    "read_line",
    "recent",
    "restore",
    "search",
    "tags",
    "undelete",
    "whole",
]
