"""Trials of the open brain: what is tried gets a name, and can be compared and applied later."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QTimer, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from mvdesk.ui.effect_lines import mover_lines
from mvdesk.ui.kept_trials import KeptTrials
from mvdesk.ui.moments import format_day
from mvdesk.ui.panels.trials_page import TrialLine, TrialsPage
from mvdesk.ui.trial_difference import Compared, TrialDifference, find_difference
from mvdesk.ui.widgets.trust_slider import format_trust
from mvdesk.vault.trials import fit_trial
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.trials import Trial

_JOB: Final = "trialDifference"
_FEW: Final = 3
_QUIET_MS: Final = 60
"""A slider that rests so long has come to a stop."""


class TrialsSection(QWidget):
    """Session, trials and their page, joined."""

    def __init__(self, session: VaultSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("trialsSection")
        self.setAccessibleName(tr("Trials"))
        self._session = session
        self._kept = KeptTrials(session, self)
        self._page = TrialsPage()
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.setInterval(_QUIET_MS)
        self._quiet.timeout.connect(self._compare_again)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._page)
        self.setFocusProxy(self._page)
        self._kept.changed.connect(self._show)
        self._kept.saved.connect(self._on_saved)
        session.preview_changed.connect(self._on_preview_changed)
        session.vault_changed.connect(self._on_vault_changed)
        session.vault_closing.connect(self._on_vault_closing)
        self._page.save_requested.connect(self._kept.save)
        self._page.rename_requested.connect(self._kept.rename)
        self._page.asked.connect(self._on_asked)
        self._page.compare_requested.connect(self._on_compare)
        self._page.memory_selected.connect(session.select)
        self._show()

    def start_naming(self) -> None:
        """Put the keyboard where what is tried now gets a name."""
        self._page.start_naming()

    # Showing.

    @Slot()
    def _show(self) -> None:
        session = self._session
        shown = dict(session.preview.trust) if session.is_open else {}
        self._page.set_trials([self._line(trial, shown) for trial in self._kept.trials])
        self._page.set_available(
            preview=bool(shown), writable=session.is_open and not session.read_only_reason
        )

    def _line(self, trial: Trial, shown: Mapping[str, float | None]) -> TrialLine:
        session = self._session
        fitted = dict(fit_trial(trial, session.snapshot).trust) if session.is_open else {}
        return TrialLine(
            trial.id,
            trial.name,
            ", ".join(f"{key} {format_trust(value)}" for key, value in trial.trust.items()),
            format_day(trial.updated_at),
            bool(fitted) and fitted == shown,
        )

    # What happens.

    @Slot(object)
    def _on_preview_changed(self, _preview: object) -> None:
        self._show()
        compared = self._page.compared
        if compared is not None and compared[1] == "preview" and self.isVisible():
            self._quiet.start()

    @Slot(object)
    def _on_vault_changed(self, _changes: object) -> None:
        self._show()
        self._compare_again()

    @Slot()
    def _compare_again(self) -> None:
        if self._page.compared is not None:
            self._on_compare(*self._page.compared)

    @Slot(object)
    def _on_saved(self, trial: Trial) -> None:
        self._page.table.set_current(trial.id)
        self._show()

    @Slot(str, str)
    def _on_asked(self, what: str, trial_id: str) -> None:
        {
            "load": self._kept.load,
            "apply": self._kept.apply,
            "replace": self._kept.replace,
            "delete": self._kept.delete,
        }[what](trial_id)

    @Slot()
    def _on_vault_closing(self) -> None:
        self._quiet.stop()
        self._session.jobs.cancel(_JOB)
        self._page.show_difference("", ())

    @Slot(str, str)
    def _on_compare(self, trial_id: str, other: str) -> None:
        """Who moves from `other` to the trial."""
        session, trial = self._session, self._kept.get(trial_id)
        session.jobs.cancel(_JOB)
        if trial is None or not session.is_open:
            self._page.show_difference("", ())
            return
        trust, name = self._values_of(other)
        compared = Compared.of(session, (trust, dict(trial.trust)), (name, f"“{trial.name}”"))
        session.jobs.run(_JOB, partial(find_difference, compared), self._on_difference)

    def _values_of(self, other: str) -> tuple[Mapping[str, float | None], str]:
        """The trusts that a trial is compared with, and what that is called."""
        trial = self._kept.get(other)
        if trial is not None:
            return trial.trust, f"“{trial.name}”"
        if other == "preview":
            return dict(self._session.preview.trust), tr("the preview")
        return {}, tr("what is stored")

    def _on_difference(self, difference: TrialDifference) -> None:
        if not self._session.is_open:
            return
        one, other = difference.compared.names
        if not difference.sources:
            self._page.show_difference(
                tr("{other} and {one} have the same trusts.", other=other, one=one), ()
            )
            return
        movers, sources = difference.movers, difference.sources
        named = ", ".join(sources[:_FEW])
        if len(sources) > _FEW:
            named += tr(" and {sources} more", sources=len(sources) - _FEW)
        self._page.show_difference(
            tr(
                "From {one} to {other}: {rising:,} rise, {falling:,} fall of {total:,}. "
                "They differ in {named}.",
                one=one,
                other=other,
                rising=movers.rising,
                falling=movers.falling,
                total=movers.total,
                named=named,
            ),
            mover_lines(difference.tried, (*movers.up, *movers.down)),
        )
