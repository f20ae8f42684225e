"""A memory to read: title, a line of facts, the text as it reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from mvdesk.records import TYPE_WORDS
from mvdesk.ui.theme import applied, is_look_change, set_role
from mvdesk.ui.widgets.elided_label import ElidedLabel
from mvdesk.ui.widgets.reading_view import ReadingView
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Mapping


class ReadingPage(QWidget):
    """Shows the texts of one memory, nothing to type in."""

    link_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = QLabel()
        self._title.setObjectName("readingTitle")
        self._title.setTextFormat(Qt.TextFormat.PlainText)
        self._title.setWordWrap(True)
        set_role(self._title, "title")
        self._facts = ElidedLabel()
        self._facts.setObjectName("readingFacts")
        set_role(self._facts, "mutedCaption")
        self.text = ReadingView()
        self.text.setObjectName("readingText")
        self.text.setAccessibleName(tr("Text"))
        self.text.link_requested.connect(self.link_requested)
        set_role(self.text, "bare")
        self._cut = QLabel()
        self._cut.setObjectName("readingCut")
        self._cut.setWordWrap(True)
        set_role(self._cut, "mutedCaption")
        self._column = QVBoxLayout(self)
        for part in (self._title, self._facts):
            self._column.addWidget(part)
        self._column.addWidget(self.text, 1)
        self._column.addWidget(self._cut)
        self._restyle()

    def set_texts(self, texts: Mapping[str, str]) -> None:
        """Show the fields of a memory."""
        self._title.setText(" ".join(texts["title"].split())[:300])
        self._title.setVisible(bool(texts["title"].strip()))
        tags = ", ".join(tag.strip() for tag in texts["tags"].split(",") if tag.strip())
        facts = (
            TYPE_WORDS.get(texts["type"], texts["type"]).capitalize(),
            texts["key"],
            texts["source"],
            tags,
        )
        self._facts.setText("  ·  ".join(fact for fact in facts if fact))
        self.text.set_markdown(texts["content"])
        left_out = self.text.left_out
        self._cut.setText(
            tr(
                "{left_out:,} more characters are in the editor; the text is too long.",
                left_out=left_out,
            )
        )
        self._cut.setVisible(left_out > 0)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_look_change(event) and hasattr(self, "_column"):
            self._restyle()

    def _restyle(self) -> None:
        look = applied()
        side = look.px(12)
        # The text has a margin of its own, and its bar belongs to the edge.
        for part in (self._title, self._facts, self._cut):
            part.setContentsMargins(side, 0, side, 0)
        self._column.setContentsMargins(0, side, 0, look.px(8))
        self._column.setSpacing(look.px(4))
