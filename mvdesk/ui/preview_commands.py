"""The actions about the preview: joined to its bar, the session and the keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QEvent, QObject, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QMessageBox

from mvdesk.ui.widgets.preview_bar import format_preview
from mvdesk.wording import tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from mvdesk.ui.actions import Actions
    from mvdesk.ui.preview import Preview, PreviewView
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.widgets.preview_bar import PreviewBar

ASKED_FROM: Final = 4
"""As many tried values are worth a question before they are forgotten."""
_VIEWS: Final = {"viewAfter": "after", "viewBefore": "before", "viewSplit": "split"}
_ENDS_PEEKING: Final = (
    QEvent.Type.KeyPress,
    QEvent.Type.MouseButtonPress,
    QEvent.Type.ApplicationDeactivate,
    QEvent.Type.WindowDeactivate,
)


class PreviewCommands(QObject):
    """Apply, discard, before and after; says in the bar what the preview does."""

    def __init__(
        self, session: VaultSession, actions: Actions, bar: PreviewBar, window: QWidget
    ) -> None:
        super().__init__(window)
        self._session, self._actions, self._bar = session, actions, bar
        self._window = window
        self._app = cast("QApplication", QApplication.instance())
        self._box: QMessageBox | None = None
        self._is_holding = False  # the key that peeks
        for name, slot in (
            ("applyPreview", self._on_apply),
            ("discardPreview", self._on_discard),
            ("peekBefore", self._on_peek),
        ):
            actions[name].triggered.connect(slot)
        for name in _VIEWS:
            actions[name].triggered.connect(self._on_view_action)
        self._peek = actions["peekBefore"]
        self._peek.setAutoRepeat(False)
        bar.apply_requested.connect(session.apply_preview)
        bar.discard_requested.connect(self.discard)
        bar.view_chosen.connect(self._on_view_chosen)
        session.preview_changed.connect(self._on_preview_changed)
        session.preview_view_changed.connect(self._on_view_changed)
        self._on_view_changed(session.preview_view)

    @Slot()
    def discard(self) -> None:
        """Forget what is tried; asks first when that would cost something."""
        count = len(self._session.preview.trust)
        if count < ASKED_FROM:
            self._session.discard_preview()
        elif self._box is None:
            self._ask(count)

    def let_go(self) -> None:
        """Ask nothing any more, and leave the keyboard alone."""
        self._end_peek()
        if self._box is not None:
            self._box.deleteLater()
            self._box = None

    # Discarding.

    def _ask(self, count: int) -> None:
        box = self._box = QMessageBox(self._window)
        box.setObjectName("discardQuestion")
        box.setWindowTitle(tr("Preview"))
        box.setText(tr("Discard {count:,} trust changes?", count=count))
        box.setInformativeText(tr("They are not written yet, and undo doesn't bring them back."))
        buttons = QMessageBox.StandardButton
        box.setStandardButtons(buttons.Discard | buttons.Cancel)
        box.setDefaultButton(buttons.Cancel)
        box.finished.connect(self._on_answered)
        box.open()

    @Slot(int)
    def _on_answered(self, answer: int) -> None:
        if self._box is not None:
            self._box.deleteLater()
            self._box = None
        if answer == QMessageBox.StandardButton.Discard.value:
            self._session.discard_preview()

    # Peeking.

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.KeyRelease:
            key = cast("QKeyEvent", event)
            if QKeySequence(key.key()) in self._peek_keys() and not key.isAutoRepeat():
                self._end_peek()
        elif kind in _ENDS_PEEKING and not _is_repeat(event):
            self._end_peek()
        return super().eventFilter(watched, event)

    def _peek_keys(self) -> list[QKeySequence]:
        """Its keys without modifiers, of which some may have been let go of before."""
        texts = [key.toString().rpartition("+") for key in self._peek.shortcuts()]
        return [QKeySequence(last or plus) for _, plus, last in texts]

    @Slot(bool)
    def _on_peek(self, _checked: bool) -> None:
        if self._is_holding or self._session.preview.is_empty:
            return
        self._is_holding = True
        self._app.installEventFilter(self)
        self._session.peek(on=True)
        self._say(self._session.preview)

    def _end_peek(self) -> None:
        if self._is_holding:
            self._is_holding = False
            self._app.removeEventFilter(self)
            if self._session.is_open:
                self._session.peek(on=False)
                self._say(self._session.preview)

    # What the bar says.

    @Slot(object)
    def _on_preview_changed(self, preview: Preview) -> None:
        if preview.is_empty:
            self._end_peek()
            if self._box is not None:
                self._box.reject()
        self._say(preview)

    def _say(self, preview: Preview) -> None:
        facts = []
        if self._session.is_before:
            facts.append(tr("the values before are shown"))
        elif preview.affected:
            facts.append(tr("{affected:,} affected", affected=preview.affected))
            facts.append(tr("{up:,} up, {down:,} down", up=preview.up, down=preview.down))
            if preview.crossing:
                facts.append(
                    tr(
                        "{crossing:,} cross {threshold:.2f}",
                        crossing=preview.crossing,
                        threshold=preview.threshold,
                    )
                )
            if preview.clamped:
                facts.append(tr("{clamped:,} cannot move", clamped=preview.clamped))
        self._bar.set_text(format_preview(len(preview.trust), facts))

    @Slot(str)
    def _on_view_changed(self, view: str) -> None:
        self._bar.set_view(view)
        for name, shown in _VIEWS.items():
            self._actions[name].setChecked(shown == view)
        self._say(self._session.preview)

    # What the person asks for.

    @Slot(bool)
    def _on_apply(self, _checked: bool) -> None:
        self._session.apply_preview()

    @Slot(bool)
    def _on_discard(self, _checked: bool) -> None:
        self.discard()

    @Slot(bool)
    def _on_view_action(self, _checked: bool) -> None:
        name = self.sender().objectName().removesuffix("Action")
        self._on_view_chosen(_VIEWS[name])

    @Slot(str)
    def _on_view_chosen(self, view: str) -> None:
        self._session.set_preview_view(cast("PreviewView", view))
        self._on_view_changed(self._session.preview_view)  # also when nothing came of it


def _is_repeat(event: QEvent) -> bool:
    """Whether a key only goes on being held."""
    return isinstance(event, QKeyEvent) and event.isAutoRepeat()
