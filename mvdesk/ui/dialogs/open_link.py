"""Asks before a link of a text is opened: what opens, and where it leads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, QUrl, Signal, Slot
from PySide6.QtGui import QGuiApplication

from mvdesk.ui.dialogs.frame import TableDialog, push_button
from mvdesk.wording import tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_SIZE: Final = QSize(480, 220)
_SHOWN: Final = 400
OPENABLE: Final = ("http", "https", "mailto")


class OpenLinkDialog(TableDialog):
    """Says where a link leads. Nothing is opened before the person says so."""

    open_requested = Signal(str)

    def __init__(self, link: str, parent: QWidget) -> None:
        super().__init__("openLinkDialog", tr("Open a link"), _SIZE, parent)
        self._link = link
        url = QUrl(link)
        what = tr("mail program") if url.scheme() == "mailto" else tr("web browser")
        self.add_sentence("openLinkWhat", tr("Open this link in the {what}?", what=what), "section")
        shown = link if len(link) <= _SHOWN else f"{link[:_SHOWN]}…"
        self.add_sentence("openLinkAddress", shown)
        self.add_sentence("openLinkHost", describe_target(url), "secondary")
        self.column.addStretch(1)
        cancel = push_button("openLinkCancel", tr("Cancel"), tr("Open nothing"))
        copy = push_button(
            "openLinkCopy", tr("&Copy the link"), tr("Put the link on the clipboard")
        )
        opens = push_button(
            "openLinkOpen", tr("&Open"), tr("Open it in the {what}", what=what), "primary"
        )
        cancel.clicked.connect(self.reject)
        copy.clicked.connect(self._on_copy)
        opens.clicked.connect(self._on_open)
        self.add_buttons(copy, None, cancel, opens)
        cancel.setFocus()

    @Slot(bool)
    def _on_copy(self, _checked: bool) -> None:
        QGuiApplication.clipboard().setText(self._link)
        self.accept()

    @Slot(bool)
    def _on_open(self, _checked: bool) -> None:
        self.accept()
        self.open_requested.emit(self._link)


def describe_target(url: QUrl) -> str:
    """Where a link leads; a host in foreign letters also as it is really called."""
    if url.scheme() == "mailto":
        return tr("It starts a mail to {path}.", path=url.path())
    host = url.host()
    coded = url.host(QUrl.ComponentFormattingOption.FullyEncoded)
    said = tr("It leads to {host}", host=host or tr("no host at all"))
    if coded != host:
        said += tr(" (really {coded})", coded=coded)
    if url.scheme() == "http":
        said += tr(", without encryption")
    return f"{said}."
