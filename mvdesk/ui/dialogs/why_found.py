"""Why a memory is among the hits of a search, or isn't."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Signal, Slot

from mvdesk.ui.dialogs.frame import TableDialog, push_button
from mvdesk.ui.widgets.query_field import QueryField
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from mvdesk.ui.widgets.offer_list import Offer
    from mvdesk.vault.questions.why_found import WhyFound

_SIZE: Final = QSize(680, 460)


class WhyFoundDialog(TableDialog):
    """The answer about one memory, and a line to ask about another one."""

    memory_wanted = Signal(str)  # what was typed to find another memory
    memory_chosen = Signal(str)  # its id
    let_in_requested = Signal()
    taken_out = Signal(int, int)  # the place of a part of the search

    def __init__(self, search: str, parent: QWidget) -> None:
        super().__init__("whyFound", tr("Why is it found, or not?"), _SIZE, parent)
        self._why: WhyFound | None = None
        self._field = QueryField(tr("Ask about another memory: its title or id"))
        self._field.setObjectName("whyMemory")
        self._field.offers_wanted.connect(self._on_typed)
        self._field.offer_chosen.connect(self._on_chosen)
        self.column.addWidget(self._field)
        self._title = self.add_sentence("whyTitle", role="section")
        self._verdict = self.add_sentence("whyVerdict")
        said = tr("Search: {search}", search=search) if search else tr("Nothing is searched for.")
        self.add_sentence("whySearch", said, "secondary")
        self._table, self._model = self.add_table(
            "whyParts",
            tr("Parts of the search"),
            (tr("Part of the search"), tr("Holds"), tr("What the memory has")),
            {0: 230, 1: 70},
            2,
        )
        self._table.row_activated.connect(self._on_row_activated)
        self._formula = self.add_sentence("whyFormula", role="secondary")
        self._remedies = self.add_sentence("whyRemedies")
        self._let_in = push_button(
            "whyLetIn",
            tr("&Let it in"),
            tr("Change the search so that this memory is found"),
            "primary",
        )
        self._let_in.clicked.connect(self.let_in_requested)
        close = push_button("whyClose", tr("Close"))
        close.clicked.connect(self.reject)
        self.add_buttons(None, close, self._let_in)
        self._let_in.hide()

    def set_busy(self, sentence: str) -> None:
        """Say that the answer is on its way."""
        self._verdict.setText(sentence)

    def set_answer(self, why: WhyFound) -> None:
        """Show an answer."""
        self._why = why
        self._title.setText(why.label)
        self._verdict.setText(why.verdict)
        self._model.set_rows(
            [(part.text, tr("✓ yes") if part.holds else tr("✗ no"), part.why) for part in why.parts]
        )
        ranking = why.ranking
        self._formula.setText(ranking.formula if ranking is not None and why.parts else "")
        self._formula.setVisible(bool(self._formula.text()))
        self._remedies.setText(" ".join((*_capital(why.kept_out[1:]), *why.remedies)))
        self._remedies.setVisible(bool(self._remedies.text()))
        self._let_in.setVisible(not why.is_hit)
        self.setAccessibleDescription(why.verdict)

    def set_offers(self, offers: Sequence[Offer]) -> None:
        """Memories to ask about, while somebody types."""
        self._field.set_offers(offers)

    @property
    def caret(self) -> int:
        """Where the caret is in the line that asks for a memory."""
        return self._field.cursorPosition()

    @Slot(str, int)
    def _on_typed(self, text: str, _cursor: int) -> None:
        self.memory_wanted.emit(text)

    @Slot(object)
    def _on_chosen(self, offer: Offer) -> None:
        self._field.clear()
        self.memory_chosen.emit(offer.name)

    @Slot(int)
    def _on_row_activated(self, row: int) -> None:
        if self._why is not None:
            self.taken_out.emit(*self._why.parts[row].place)


def _capital(sentences: Sequence[str]) -> list[str]:
    return [sentence[:1].upper() + sentence[1:] for sentence in sentences]
