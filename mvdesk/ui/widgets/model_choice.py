"""The field that offers score models: ids with their titles, the id alone when closed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox

from mvdesk.ui.theme import applied
from mvdesk.ui.widgets.choice import Choice
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QStyleOptionComboBox, QWidget

_CHEVRON_PX: Final = 40


def name_model(model_id: str, title: str) -> str:
    """How a model is called wherever models are listed."""
    return f"{model_id}  ·  {title}"


class ModelChoice(Choice):
    """Names models as menus do; closed, it has room for the id, which is what people cite."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Score model"), parent)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)

    def set_models(self, models: Sequence[tuple[str, str]], model_id: str) -> None:
        """Offer models as (id, title), one of them in use."""
        self.set_choices([(one, name_model(one, title)) for one, title in models])
        self.set_value(model_id)

    def shown_text(self) -> str:
        """What is read in the closed field."""
        room = self.width() - applied().px(_CHEVRON_PX)
        mode = Qt.TextElideMode.ElideMiddle  # the version stands at the end
        return self.fontMetrics().elidedText(self.chosen, mode, room)

    def showPopup(self) -> None:
        """Open the list, wide enough for the titles."""
        view = self.view()
        view.setMinimumWidth(view.sizeHintForColumn(0) + applied().px(24))
        super().showPopup()

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        super().initStyleOption(option)
        option.currentText = self.shown_text()
