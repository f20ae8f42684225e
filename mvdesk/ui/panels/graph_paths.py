"""The strongest path between two memories: found off the GUI thread, said and marked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot

from mvdesk.graphs.paths import find_paths
from mvdesk.graphs.relations import path_weights
from mvdesk.records import RELATIONS
from mvdesk.ui.panels.neighbours import UNKNOWN_RELATION
from mvdesk.wording import format_number, tr, tr_n

if TYPE_CHECKING:
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.widgets.ending_line import EndingLine
    from mvdesk.vault.snapshot import Snapshot

MOST_HOPS: Final = 6
_JOB: Final = "graphPath"


@dataclass(frozen=True, slots=True)
class ShownPath:
    """A path in words, and its links as ids of both ends and relation; none without a path.

    `tip` says why it is the strongest. That number is none of the score, so the picture and the
    line show what links are worth to the selected memory alone.
    """

    text: str
    links: frozenset[tuple[str, str, str]]
    tip: str = ""


def find_strongest_path(snapshot: Snapshot, start: int, goal: int) -> ShownPath:
    """The path with the best mean weight between two rows, over at most six links."""
    links, memories = snapshot.links, snapshot.memories
    weights = path_weights(links.relations)
    found = find_paths(
        links.from_rows, links.to_rows, weights, start, goal, max_hops=MOST_HOPS, limit=1
    )
    titles = [memories.labels.text(row) for row in (start, goal)]
    if not found.paths:
        ends = tr(" and ").join(f"“{_short(title)}”" for title in titles)
        reach = tr("within {most_hops} links", most_hops=MOST_HOPS)
        if not found.is_complete:
            return ShownPath(
                tr(
                    "Looking for a path between {ends} {reach} took too long.",
                    ends=ends,
                    reach=reach,
                ),
                frozenset(),
            )
        return ShownPath(tr("No path joins {ends} {reach}.", ends=ends, reach=reach), frozenset())
    path = found.paths[0]
    parts, marked = [f"“{_short(titles[0])}”"], set()
    for link, row in zip(path.links, path.rows[1:], strict=True):
        code = int(links.relations[link])
        relation = RELATIONS[code] if code >= 0 else UNKNOWN_RELATION
        begin, end = int(links.from_rows[link]), int(links.to_rows[link])
        name = relation.replace("_", " ")
        parts.append(f"{name} →" if end == row else f"← {name}")
        parts.append(f"“{_short(memories.labels.text(row))}”")
        marked.add((memories.ids.text(begin), memories.ids.text(end), relation))
    strength = format_number(path.mean, ".3f").replace("-", "−")
    count = len(path.links)
    steps = tr_n("1 link", "{count} links", count, count=count)
    tip = tr(
        "The strongest path: its links count {strength} on average, where 0.88 is "
        "the most (supports) and −0.75 the least (contradicts). This is no part of "
        "a score.",
        strength=strength,
    )
    return ShownPath(f"{steps}: {' '.join(parts)}", frozenset(marked), tip)


def _short(title: str) -> str:
    return title if len(title) <= 40 else f"{title[:39]}…"


class PathFinder(QObject):
    """Keeps the path that is shown, and says it in a line. The newest question wins."""

    found = Signal()  # or forgotten

    def __init__(self, session: VaultSession, line: EndingLine, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._line = session, line
        line.ended.connect(self.forget)
        self.shown: ShownPath | None = None

    def ask(self, from_id: str, to_id: str) -> None:
        """Look for the path between two memories."""
        snapshot = self._session.snapshot
        start, goal = snapshot.row_of(from_id), snapshot.row_of(to_id)
        if start is None or goal is None or start == goal:
            return

        def work(_token: CancelToken) -> ShownPath:
            return find_strongest_path(snapshot, start, goal)

        self._session.jobs.run(_JOB, work, self._on_found)

    @Slot()
    def forget(self) -> None:
        """Show no path any more."""
        self._session.jobs.cancel(_JOB)
        if self.shown is not None:
            self.shown = None
            self._line.set_text("")
            self.found.emit()

    def _on_found(self, path: ShownPath) -> None:
        self.shown = path
        self._line.set_text(path.text, path.tip)
        self.found.emit()
