"""What is on the clipboard, as a text for a field; and what to say when that isn't all of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtGui import QTextDocumentFragment

from mvdesk.wording import tr

if TYPE_CHECKING:
    from PySide6.QtCore import QMimeData

LONGEST_PASTED: Final = 10_000_000
"""Characters; for more the editor would stand still for seconds."""
_LONG: Final = 1_000_000
_LONGEST_MARKUP: Final = 1_000_000
_OBJECT: Final = "\ufffc"  # stands for a picture in a text made of HTML
_SHOWN: Final = 60


class Pasted(NamedTuple):
    """A text to put in, "" for nothing, and a sentence, "" for nothing to say.

    `is_usual`: the sentence is worth saying once, not each time.
    """

    text: str
    said: str = ""
    is_usual: bool = False


def read_pasted(data: QMimeData) -> Pasted:
    """The text among what was copied; formatting and pictures are left out."""
    markup = data.html() if data.hasHtml() else ""
    text = data.text() if data.hasText() else ""
    if len(text) > LONGEST_PASTED:
        return Pasted(
            "",
            tr(
                "Nothing was pasted: {text:,} characters are more than the editor can "
                "hold. Import them as a file instead.",
                text=len(text),
            ),
        )
    has_picture = data.hasImage() or "<img" in markup.lower()
    if markup and (not text or text.isspace()):
        if len(markup) > _LONGEST_MARKUP:
            return Pasted("", tr("Nothing was pasted: so long a formatted text can't be read."))
        text = QTextDocumentFragment.fromHtml(markup).toPlainText().replace(_OBJECT, "")
    if text:
        if has_picture and markup:
            return Pasted(text, tr("The text was pasted; pictures can't be kept in a memory."))
        if len(text) > _LONG:
            return Pasted(
                text, tr("{text:,} characters were pasted. So long a text is slow.", text=len(text))
            )
        return Pasted(
            text, tr("Pasted as plain text, without its formatting.") if markup else "", True
        )
    if has_picture:
        return Pasted("", tr("A picture can't be pasted: a memory holds text."))
    if kinds := data.formats():
        return Pasted(
            "",
            tr("Nothing was pasted: there is no text in it, but {what}.", what=kinds[0][:_SHOWN]),
        )
    return Pasted("")
