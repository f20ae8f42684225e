"""Unifying split sources: a dialog that shows the plan, and the writing of just that plan."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QObject, Qt, Slot

from mvdesk.ui.dialogs.unify import UnifyDialog
from mvdesk.ui.plans import new_id
from mvdesk.vault.operations.unify import Unify, plan_unify_sources, preview_unify
from mvdesk.wording import tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from mvdesk.scoring.engine import Scores
    from mvdesk.scoring.model import ScoreModel
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.plan import Plan
    from mvdesk.vault.questions.worth_a_look import SplitSource
    from mvdesk.vault.snapshot import Snapshot
    from mvdesk.vault.vault import Vault

_JOB: Final = "unify"


@dataclass(frozen=True, slots=True, eq=False)
class Unified:
    """A plan, and how many of its memories score higher or lower after it."""

    plan: Plan
    memories: int
    edited: int
    up: int
    down: int

    def facts(self) -> tuple[str, ...]:
        """What it does, in sentences."""
        same = self.memories - self.edited
        rewritten = tr(
            "{edited:,} of {memories:,} memories get another source text",
            edited=self.edited,
            memories=self.memories,
        )
        kept = tr(", {same:,} have it already", same=same) if same else ""
        return (
            tr(
                "{rewritten}{kept}. With an edit their age starts again.",
                rewritten=rewritten,
                kept=kept,
            ),
            tr("Confidence: {up:,} go up, {down:,} go down.", up=self.up, down=self.down),
        )


class Unifying(QObject):
    """Opens the dialog over a panel's window; one step writes what it shows."""

    def __init__(self, session: VaultSession, panel: QWidget) -> None:
        super().__init__(panel)
        self._session, self._panel = session, panel
        self._dialog: UnifyDialog | None = None
        session.vault_closing.connect(self._on_vault_closing)

    def open(self, split: SplitSource) -> None:
        """Show what unifying these sources would write."""
        if self._dialog is not None:
            return
        dialog = self._dialog = UnifyDialog(
            tuple(zip(split.keys, split.memories, split.trusts, strict=True)),
            split.text,
            self._panel.window(),
            refusal=self._session.read_only_reason or "",
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.wanted.connect(self._on_wanted)
        dialog.apply_requested.connect(self._on_apply)
        dialog.finished.connect(self._on_finished)
        dialog.open()
        self._on_wanted(dialog.chosen_text, dialog.chosen_keep)

    @Slot(str, str)
    def _on_wanted(self, text: str, keep: str) -> None:
        session, dialog = self._session, self._dialog
        if dialog is None or not session.is_open:
            return
        unify = Unify.of(dialog.keys, text, keep or None)
        work = partial(
            _plan,
            session.vault,
            session.snapshot,
            session.model,
            session.committed_scores,
            unify,
            session.current_time(),
        )
        session.jobs.run(_JOB, work, self._on_planned)

    def _on_planned(self, unified: Unified) -> None:
        if self._dialog is not None:
            self._dialog.set_plan(unified.plan, unified.facts())

    @Slot(object)
    def _on_apply(self, plan: Plan) -> None:
        self._session.write("unify", partial(_as_shown, plan))

    @Slot(int)
    def _on_finished(self, _result: int) -> None:
        self._session.jobs.cancel(_JOB)
        self._dialog = None

    @Slot()
    def _on_vault_closing(self) -> None:
        if self._dialog is not None:
            self._dialog.reject()


def _plan(
    vault: Vault,
    snapshot: Snapshot,
    model: ScoreModel,
    scores: Scores,
    unify: Unify,
    now: int,
    _token: CancelToken,
) -> Unified:
    plan = plan_unify_sources(snapshot, vault.read_trust(), unify, now=now, new_id=new_id)
    preview = preview_unify(snapshot, model, now, scores, unify)
    rows = preview.rows
    before, after = scores.confidence[rows], preview.scores.confidence[rows]
    return Unified(
        plan,
        len(rows),
        len(preview.edited),
        int(np.count_nonzero(after > before)),
        int(np.count_nonzero(after < before)),
    )


def _as_shown(plan: Plan, _vault: Vault) -> Plan:
    return plan
