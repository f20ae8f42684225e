"""What can be typed into the search box."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Signal, Slot

from mvdesk.ui.dialogs.frame import TableDialog, push_button
from mvdesk.vault.questions.query_operators import OPERATORS
from mvdesk.wording import tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_SIZE: Final = QSize(680, 600)
_EXPLAINED: Final = tr(
    "All parts of a search must hold. Enter or a double click puts a line into the search box."
)
WORDS: Final = (
    ("kitchen til", tr("both words, the last one may go on: “kitchen” and “til…”")),
    ('"kitchen tiles"', tr("these words in a row, exactly so")),
    ("kit*", tr("words that begin so")),
    ("-draft", tr("without this; - goes before any word, operator or bracket")),
    ("tag:a OR tag:b", tr("either; OR joins its two neighbours")),
    ("(kitchen tag:a) OR bath", tr("brackets group")),
)


class SearchHelpDialog(TableDialog):
    """Every operator with an example. `chosen` says what is to be tried."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__("searchHelp", tr("What can be searched for"), _SIZE, parent)
        self.add_sentence("searchHelpText", _EXPLAINED, "secondary")
        self._rows = [
            *WORDS,
            *((one.example, tr("memories {help}", help=one.help)) for one in OPERATORS),
        ]
        table, model = self.add_table(
            "searchHelpTable",
            tr("What can be searched for"),
            (tr("Type"), tr("Finds")),
            {0: 220},
            1,
        )
        model.set_rows(self._rows)
        table.row_activated.connect(self._on_row_activated)
        close = push_button("searchHelpClose", tr("Close"))
        close.clicked.connect(self.reject)
        self.add_buttons(None, close)
        table.setFocus()

    @Slot(int)
    def _on_row_activated(self, row: int) -> None:
        self.chosen.emit(self._rows[row][0])
        self.accept()
