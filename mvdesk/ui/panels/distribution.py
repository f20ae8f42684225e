"""How the scores are spread, before and in a preview, and who crosses a threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QEvent, Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QStackedWidget, QVBoxLayout, QWidget

from mvdesk.scoring.kind_words import KIND_WORDS
from mvdesk.ui.chosen import ListFilter
from mvdesk.ui.looking import Place
from mvdesk.ui.models.plain_rows import PlainRow
from mvdesk.ui.plots.distribution import Distribution
from mvdesk.ui.plots.distribution_layout import bin_edges, format_change
from mvdesk.ui.preview import THRESHOLD
from mvdesk.ui.spread_watch import SpreadWatch
from mvdesk.ui.theme import set_role
from mvdesk.ui.widgets.choice import Choice
from mvdesk.ui.widgets.elided_label import ElidedLabel
from mvdesk.ui.widgets.empty_state import EmptyState
from mvdesk.ui.widgets.icon_button import IconButton
from mvdesk.ui.widgets.keyed_table import KeyedTable
from mvdesk.ui.widgets.panel_header import PanelHeader
from mvdesk.ui.widgets.steady_box import SteadyBox
from mvdesk.wording import format_number, tr, tr_n

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QShowEvent

    from mvdesk.scoring.subject import ScoreKind
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.spread_watch import Spread
    from mvdesk.ui.theme import ThemeController

_NO_MEMORIES: Final = tr("This vault has no active memories: there are no scores to look at yet.")
_COUNTING: Final = tr("Counting the scores…")
_HINT: Final = tr("Drag the line, or ← →. ↑ ↓ go from bar to bar, Enter lists its memories.")
_STUCK: Final = tr("Those that cannot move are at 0 or 1 before and in the preview.")
_LEGEND: Final = tr("dashed: stored")


class DistributionPanel(QWidget):
    """Session and distribution, joined. The threshold is for looking, nothing is written."""

    def __init__(
        self, session: VaultSession, theme: ThemeController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("distributionPanel")
        self.setAccessibleName(tr("Distribution"))
        self._session = session
        self._watch = SpreadWatch(session, self)
        self._build()
        self._connect()
        self._show()

    # Building.

    def _build(self) -> None:
        self.header = PanelHeader(tr("Distribution"))
        self._kinds = Choice(tr("Score"))
        self._kinds.setObjectName("distributionScore")
        self._kinds.set_choices(
            [("confidence", tr("Confidence")), ("importance", tr("Importance"))]
        )
        set_role(self._kinds, "compact")
        self._as_table = IconButton("memories", tr("As a table (T)"))
        self._as_table.setObjectName("distributionAsTable")
        self._as_table.setCheckable(True)
        self._reset = IconButton("undo", tr("Threshold back to 0.70"))
        self._reset.setObjectName("thresholdReset")
        for part in (self._kinds, self._reset, self._as_table):
            self.header.add_action(cast("QWidget", part))
        self._sentence = QLabel()
        self._sentence.setObjectName("distributionSentence")
        self._sentence.setTextFormat(Qt.TextFormat.PlainText)
        self._sentence.setWordWrap(True)
        self._sentence_box = SteadyBox(self._sentence)
        self.plot = Distribution()
        self.plot.setObjectName("distribution")
        self._table = KeyedTable(
            tr("Distribution as a table"),
            (tr("Scores"), tr("Memories"), tr("Preview"), tr("Change")),
            widths={1: 88, 2: 88, 3: 80},
            stretch=0,
            numbers=frozenset((1, 2, 3)),
        )
        self._table.setObjectName("distributionTable")
        self._readout = ElidedLabel(_HINT, steady=True)
        self._readout.setObjectName("distributionReadout")
        set_role(self._readout, "mutedCaption")
        self._charts = QStackedWidget()
        self._charts.addWidget(cast("QWidget", self.plot))
        self._charts.addWidget(self._table)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(12, 8, 12, 6)
        column.setSpacing(4)
        column.addWidget(self._sentence_box)
        column.addWidget(self._charts, 1)
        column.addWidget(self._readout)
        self._empty = EmptyState(_NO_MEMORIES, icon_name="overview")
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(page)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.header)
        whole.addWidget(self._pages, 1)
        self.setFocusProxy(cast("QWidget", self.plot))
        set_role(self, "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)

    def _connect(self) -> None:
        self._watch.changed.connect(self._show)
        self._session.threshold_changed.connect(self._on_threshold_changed)
        self._kinds.value_chosen.connect(self._on_kind_chosen)
        self._as_table.toggled.connect(self._on_as_table)
        self._reset.clicked.connect(self._on_reset)
        self.plot.threshold_moved.connect(self._on_threshold_moved)
        self.plot.bin_pointed.connect(self._on_bin_pointed)
        self.plot.bin_chosen.connect(self._on_bin_chosen)
        self._table.key_activated.connect(self._on_row_activated)

    # What is shown.

    @Slot()
    def _show(self) -> None:
        spread = self._watch.spread
        if spread is None or not len(spread.counts.before):
            self._empty.set_text(_COUNTING if spread is None else _NO_MEMORIES)
            self._pages.setCurrentIndex(0)
            self.header.set_detail("")
            self._reset.hide()
            return
        counts = spread.counts
        before = counts.before.bins().tolist()
        after = counts.after.bins().tolist() if spread.is_preview else None
        self.plot.set_kind(counts.kind)
        self.plot.setAccessibleName(tr("Distribution of the {kind}", kind=KIND_WORDS[counts.kind]))
        self.plot.set_counts(before, after)
        self._fill_table()
        self.header.set_detail(_LEGEND if spread.is_preview else "")
        self._pages.setCurrentIndex(1)
        self._sentence_box.set_keeps_tallest(spread.is_preview)
        self._show_threshold()

    def _show_threshold(self) -> None:
        spread = self._watch.spread
        if spread is None:
            return
        sentence = describe_spread(spread, self._session.threshold)
        if sentence != self._sentence.text():
            self._sentence.setText(sentence)
            self._sentence.setToolTip(_STUCK if spread.is_preview and spread.stuck else "")
            self._sentence_box.follow()
        self.plot.set_threshold(
            self._session.threshold, *describe_sides(spread, self._session.threshold)
        )
        self.plot.set_summary(sentence)
        self._reset.setVisible(self._session.threshold != THRESHOLD)

    def _fill_table(self) -> None:
        if not self._as_table.isChecked():
            return
        rows = []
        for number, (scores, before, after) in enumerate(self.plot.table()):
            change = "" if after is None else format_change(after - before)
            shown = "" if after is None else format_number(after, ",")
            rows.append(PlainRow(str(number), (scores, format_number(before, ","), shown, change)))
        self._table.set_rows(rows)

    # What happens.

    @Slot(str)
    def _on_kind_chosen(self, kind: str) -> None:
        self._watch.set_kind(cast("ScoreKind", kind))

    @Slot(bool)
    def _on_as_table(self, on: bool) -> None:
        charts: tuple[QWidget, QWidget] = (cast("QWidget", self.plot), self._table)
        had_focus = charts[not on].hasFocus()
        self._fill_table()
        self._charts.setCurrentIndex(int(on))
        self.setFocusProxy(charts[on])
        if had_focus:
            charts[on].setFocus(Qt.FocusReason.TabFocusReason)
        self._on_bin_pointed(-1)

    @Slot()
    def _on_reset(self) -> None:
        self._session.set_threshold(THRESHOLD)

    @Slot(float)
    def _on_threshold_moved(self, threshold: float) -> None:
        self._session.set_threshold(threshold)

    @Slot(float)
    def _on_threshold_changed(self, _threshold: float) -> None:
        self._show_threshold()

    @Slot(int)
    def _on_bin_pointed(self, number: int) -> None:
        self._readout.setText(_HINT if number < 0 else f"{self.plot.describe(number)}")

    @Slot(int)
    def _on_bin_chosen(self, number: int) -> None:
        """List the memories of a bin; those, too, that the preview brings there."""
        session, (low, high) = self._session, bin_edges(number)
        wanted = ListFilter(
            "range",
            cast("ScoreKind", self._kinds.chosen),
            low=low,
            high=high,
            trust=tuple(session.preview.trust.items()),
        )
        if wanted == session.only:
            session.set_only(None)
        else:
            session.set_only(wanted)
            session.looking.go_to(Place("memories"))

    @Slot(str)
    def _on_row_activated(self, key: str) -> None:
        self._on_bin_chosen(int(key))

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            is_plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
            if event.key() == Qt.Key.Key_T and is_plain:
                event.accept()  # the table of this chart, not of the explanation
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_T and not event.modifiers():
            self._as_table.toggle()
        else:
            super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._watch.set_active(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._watch.set_active(False)


def describe_sides(spread: Spread, threshold: float) -> tuple[str, str]:
    """How many are below a threshold, and how many reach it."""
    counts = spread.counts
    reached = [counts.before.count_from(threshold), counts.after.count_from(threshold)]
    below = [len(counts.before) - reached[0], len(counts.after) - reached[1]]
    words = []
    for before, after in (below, reached):
        moved = spread.is_preview and before != after
        words.append(
            f"{format_number(before, ',')} → {format_number(after, ',')}"
            if moved
            else format_number(after, ",")
        )
    return tr("{words} below", words=words[0]), tr("{words} reach it", words=words[1])


def describe_spread(spread: Spread, threshold: float) -> str:
    """Who crosses a threshold, as a sentence; without a preview, how many reach it."""
    counts = spread.counts
    if not spread.is_preview:
        total = len(counts.before)
        noun = tr_n("active memory", "active memories", total)
        return tr(
            "{from_:,} of {total:,} {noun} reach {threshold:.2f}.",
            from_=counts.before.count_from(threshold),
            total=total,
            noun=noun,
            threshold=threshold,
        )
    up, down = counts.crossing(threshold)
    stuck = tr(", {stuck:,} cannot move", stuck=spread.stuck) if spread.stuck else ""
    if not up and not down:
        return tr("None crosses {threshold:.2f}{stuck}.", threshold=threshold, stuck=stuck)
    (count, way), (other, other_way) = ((up, tr("upwards")), (down, tr("downwards")))
    if not up:
        (count, way), (other, other_way) = (other, other_way), (count, way)
    verb = tr_n("crosses", "cross", count)
    rest = format_number(other, ",") if other else tr("none")
    return tr(
        "{count:,} {verb} {threshold:.2f} {way}, {rest} {other_way}{stuck}.",
        count=count,
        verb=verb,
        threshold=threshold,
        way=way,
        rest=rest,
        other_way=other_way,
        stuck=stuck,
    )
