"""Draw diagrams as SVG: points against the diagonal, and bars with their intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

SIDE, MARGIN, BAR, LABEL = 360, 48, 22, 110
COLOURS = ("#0b6e4f", "#c1440e")
_HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}" height="{h}" '
    'font-family="sans-serif" font-size="12">'
    '<rect width="{w}" height="{h}" fill="white"/>'
)

Table = Sequence[tuple[int, float, float]]


def reliability(curves: Mapping[str, Table]) -> str:
    """Draw what was held against what was thought, a point for each bin (n, mean p, share)."""
    size = SIDE + 2 * MARGIN

    def at(p: float, held: float) -> str:
        return f"{MARGIN + p * SIDE:.1f},{MARGIN + (1 - held) * SIDE:.1f}"

    parts = [_HEAD.format(w=size, h=size)]
    for tenth in range(0, 11, 2):
        x, y = at(tenth / 10, tenth / 10).split(",")
        parts.append(_line(f"{MARGIN},{y}", f"{MARGIN + SIDE},{y}", "#ddd"))
        parts.append(_line(f"{x},{MARGIN}", f"{x},{MARGIN + SIDE}", "#ddd"))
        parts.append(_text(float(x), MARGIN + SIDE + 16, f"{tenth / 10:.1f}", "middle"))
        parts.append(_text(MARGIN - 6, float(y) + 4, f"{tenth / 10:.1f}", "end"))
    parts.append(_line(at(0, 0), at(1, 1), "#888"))
    for i, (name, table) in enumerate(curves.items()):
        colour = COLOURS[i % len(COLOURS)]
        points = [at(p, held) for _, p, held in table]
        parts.append(f'<polyline points="{" ".join(points)}" fill="none" stroke="{colour}"/>')
        for point in points:
            x, y = point.split(",")
            parts.append(f'<circle cx="{x}" cy="{y}" r="3.5" fill="{colour}"/>')
        parts.append(_text(MARGIN + 10, MARGIN + 18 + 16 * i, name, "start", colour))
    parts.append(_text(size / 2, size - 10, "thought: P(card in his hand)", "middle"))
    parts.append(_text(MARGIN, MARGIN - 14, "held: share that was there", "start"))
    return "\n".join([*parts, "</svg>\n"])


def bars(rows: Sequence[tuple[str, float, tuple[float, float]]], unit: str) -> str:
    """Draw a bar for each label and value, and its interval as a line."""
    low = min(0.0, *(interval[0] for _, _, interval in rows))
    high = max(0.0, *(interval[1] for _, _, interval in rows))
    scale = SIDE / ((high - low) or 1.0)
    w, h = LABEL + SIDE + 2 * MARGIN, BAR * (len(rows) + 2)

    def x(value: float) -> float:
        return LABEL + (value - low) * scale

    parts = [_HEAD.format(w=w, h=h)]
    for i, (label, value, (least, most)) in enumerate(rows):
        y = BAR * (i + 0.5)
        left, wide = min(x(0), x(value)), abs(x(value) - x(0))
        parts.append(
            f'<rect x="{left:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{BAR - 8}" '
            f'fill="{COLOURS[value < 0]}" fill-opacity="0.6"/>'
        )
        middle = y + (BAR - 8) / 2
        parts.append(_line(f"{x(least):.1f},{middle}", f"{x(most):.1f},{middle}", "#222"))
        parts.append(_text(LABEL - 8, middle + 4, label, "end"))
        parts.append(_text(x(high) + 8, middle + 4, f"{value:+.2f}", "start"))
    parts.append(_line(f"{x(0):.1f},4", f"{x(0):.1f},{BAR * (len(rows) + 0.7):.1f}", "#222"))
    parts.append(_text(x(0), h - 8, f"0 {unit}", "start"))
    return "\n".join([*parts, "</svg>\n"])


def _line(start: str, end: str, colour: str) -> str:
    (x1, y1), (x2, y2) = start.split(","), end.split(",")
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{colour}"/>'


def _text(x: float, y: float, words: str, anchor: str, colour: str = "#222") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">'
        f"{escape(words)}</text>"
    )
