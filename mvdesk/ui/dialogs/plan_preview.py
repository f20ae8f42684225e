"""What one action would write, row by row, before it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Signal, Slot

from mvdesk.ui.dialogs.frame import TableDialog, push_button
from mvdesk.ui.plan_rows import TITLES, plan_rows
from mvdesk.wording import tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from mvdesk.vault.plan import Plan

_SIZE: Final = QSize(960, 580)
_WIDTHS: Final = {0: 240, 1: 230, 2: 230}


class PlanPreview(TableDialog):
    """Shows a plan; "Apply" asks for the very plan that is on screen to be written."""

    apply_requested = Signal(object)  # Plan

    def __init__(
        self,
        plan: Plan,
        parent: QWidget,
        *,
        facts: Sequence[str] = (),
        refusal: str = "",
        apply_text: str = "",
    ) -> None:
        """`facts` are sentences above the rows, `refusal` says why it can't be applied."""
        super().__init__("planPreview", plan.label, _SIZE, parent)
        self._plan = plan
        count = len(plan.changes)
        rows = tr("Nothing would change.") if not count else _count(count)
        self.add_sentence("planSummary", rows, "section")
        for number, fact in enumerate(facts):
            self.add_sentence(f"planFact{number}", fact, "secondary")
        table, model = self.add_table("planTable", tr("What would change"), TITLES, _WIDTHS, 3)
        model.set_rows(plan_rows(plan))
        if count:
            table.select_row(0)
        table.setFocus()
        note = refusal or tr("One step: Ctrl+Z takes all of it back.")
        self.add_sentence("planNote", note, "warning" if refusal else "mutedCaption")
        cancel = push_button("planCancel", tr("Cancel"), tr("Close this; nothing is written"))
        cancel.clicked.connect(self.reject)
        self._apply = push_button(
            "planApply", apply_text or tr("Apply"), tr("Write all of this as one step"), "primary"
        )
        self._apply.setEnabled(bool(count) and not refusal)
        self._apply.clicked.connect(self._on_apply)
        self.add_buttons(None, cancel, self._apply)

    @Slot()
    def _on_apply(self, _checked: bool = False) -> None:
        self.apply_requested.emit(self._plan)
        self.accept()


def _count(count: int) -> str:
    return tr_n("One row would change.", "{count:,} rows would change.", count, count=count)
