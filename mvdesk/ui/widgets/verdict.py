"""The sentence that says why a score is what it is."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSizePolicy

from mvdesk.ui.widgets.steady_box import SteadyBox
from mvdesk.wording import tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_NUMBER = re.compile(r"(?<![\w.,])[+−]?\d[.,]\d+(?![\w]|[.,]\d)")


class VerdictLabel(QLabel):
    """One sentence; the score in it is set in semibold, source names between * in italics."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._given: str | None = None
        self._sentence = ""
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        # Its number has the window's menu, which copies, too.
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setAccessibleName(tr("Verdict"))

    @property
    def sentence(self) -> str:
        """The verdict as plain text."""
        return self._sentence

    def set_sentence(self, sentence: str) -> None:
        """Show a verdict. `**…**` and `*…*` in it are emphasis, as in Markdown."""
        if sentence == self._given:
            return
        self._given = sentence
        self._sentence = sentence.replace("**", "").replace("*", "")
        self.setText(_to_html(sentence))
        self.setAccessibleDescription(self._sentence)
        self.setVisible(bool(sentence))
        if isinstance(box := self.parentWidget(), SteadyBox):
            box.follow()


def _to_html(sentence: str) -> str:
    html = escape(sentence, quote=False)
    if "**" not in html:
        html = _NUMBER.sub(lambda number: f"**{number[0]}**", html, count=1)
    html = re.sub(r"\*\*(.+?)\*\*", r'<span style="font-weight:600">\1</span>', html)
    return re.sub(r"\*(.+?)\*", r"<i>\1</i>", html)
