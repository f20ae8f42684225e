"""Sources that are one: how they are written from now on, which trust stays, what that writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QFormLayout

from mvdesk.ui.dialogs.frame import TableDialog, push_button
from mvdesk.ui.plan_rows import TITLES, plan_rows
from mvdesk.ui.theme import applied
from mvdesk.ui.widgets.choice import Choice
from mvdesk.ui.widgets.trust_slider import format_trust
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from mvdesk.vault.plan import Plan

_SIZE: Final = QSize(900, 560)
_WIDTHS: Final = {0: 260, 1: 200, 2: 200}


class UnifyDialog(TableDialog):
    """Asks for a spelling and a trust, and shows the plan that comes of it."""

    wanted = Signal(str, str)  # another spelling or trust to stay ("" for "not set")
    apply_requested = Signal(object)  # Plan

    def __init__(
        self,
        sources: Sequence[tuple[str, int, float | None]],
        text: str,
        parent: QWidget,
        *,
        refusal: str = "",
    ) -> None:
        """`sources` are (key, memories, trust), the one with most memories first.

        `text` is the spelling to offer first.
        """
        super().__init__("unifyDialog", tr("Unify sources"), _SIZE, parent)
        self.keys = tuple(key for key, _, _ in sources)
        self._plan: Plan | None = None
        self._refusal = refusal
        self._facts = self.add_sentence(
            "unifyFacts", tr("Working out what that writes…"), "secondary"
        )
        self._text = Choice(tr("Written as"))
        self._text.setObjectName("unifyText")
        spellings = dict.fromkeys((text, *self.keys))
        self._text.set_choices([(one, one) for one in spellings])
        self._keep = Choice(tr("Trust that stays"))
        self._keep.setObjectName("unifyKeep")
        trusts = [
            (
                key,
                tr(
                    "{trust}, of {key} ({count:,})", trust=format_trust(trust), key=key, count=count
                ),
            )
            for key, count, trust in sources
            if trust is not None
        ]
        self._keep.set_choices([*trusts, ("", tr("not set"))])
        if trusts:
            self._keep.set_value(trusts[0][0])
        form = QFormLayout()
        form.setHorizontalSpacing(applied().px(12))
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        form.addRow(tr("&Written as"), self._text)
        form.addRow(tr("&Trust that stays"), self._keep)
        self.column.insertLayout(0, form)
        self._table, self._model = self.add_table(
            "unifyTable", tr("What would change"), TITLES, _WIDTHS, 3
        )
        self._note = self.add_sentence(
            "unifyNote",
            refusal or tr("One step: Ctrl+Z takes all of it back."),
            "warning" if refusal else "mutedCaption",
        )
        cancel = push_button("unifyCancel", tr("Cancel"), tr("Close this; nothing is written"))
        cancel.clicked.connect(self.reject)
        self._apply = push_button(
            "unifyApply", tr("Unify"), tr("Write this as one step"), "primary"
        )
        self._apply.setEnabled(False)
        self._apply.clicked.connect(self._on_apply)
        self.add_buttons(None, cancel, self._apply)
        for choice in (self._text, self._keep):
            choice.value_chosen.connect(self._on_chosen)

    @property
    def chosen_text(self) -> str:
        """How the source is to be written."""
        return self._text.chosen

    @property
    def chosen_keep(self) -> str:
        """The source whose trust stays, "" for none."""
        return self._keep.chosen

    def set_plan(self, plan: Plan, facts: Sequence[str]) -> None:
        """Show what the choices come to."""
        self._plan = plan
        self._facts.setText(" ".join(facts))
        self._model.set_rows(plan_rows(plan))
        self._apply.setEnabled(bool(plan.changes) and not self._refusal)

    @Slot(str)
    def _on_chosen(self, _value: str) -> None:
        self._plan = None
        self._apply.setEnabled(False)
        self.wanted.emit(self.chosen_text, self.chosen_keep)

    @Slot()
    def _on_apply(self, _checked: bool = False) -> None:
        if self._plan is not None:
            self.apply_requested.emit(self._plan)
            self.accept()
