"""The first steps in the demo vault: a list over the explanation that ticks itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Slot

from mvdesk.ui.settings import FirstSteps
from mvdesk.ui.widgets.checklist import Checklist, Step
from mvdesk.wording import tr

if TYPE_CHECKING:
    from pathlib import Path

    from mvdesk.records import Memory
    from mvdesk.ui.actions import Actions
    from mvdesk.ui.panels.explain import ExplainPanel
    from mvdesk.ui.preview import Preview
    from mvdesk.ui.session import VaultSession
    from mvdesk.ui.settings import Settings
    from mvdesk.ui.workspace import Workspace

STEPS: Final = (
    Step(
        "find",
        tr("Find the six stories"),
        tr("Type tag:story into the search box over the list (Ctrl+F goes there)."),
    ),
    Step(
        "read",
        tr("See why one scores as it does"),
        tr("Select one of them: the sentence over the bars names what weighs most."),
    ),
    Step(
        "open",
        tr("Open a bar"),
        tr("Click a bar, or Enter on it: the words, links or dates that it comes from."),
    ),
    Step(
        "try",
        tr("Try another trust"),
        tr("Move the slider of its source below the list. Nothing is written by that."),
    ),
    Step(
        "moves",
        tr("See what it would move"),
        tr("Ctrl+2: which memories change places, and which conflicts come and go."),
    ),
    Step(
        "settle",
        tr("Apply it, or let it go"),
        tr("Ctrl+Enter writes it as one step that Ctrl+Z takes back; Esc forgets it."),
    ),
)
"""Both main jobs: why a memory scores low, and tuning the trust of a source."""
_STORY: Final = "story"


class FirstStepsGuide(QObject):
    """Shows the list in the demo vault until it is put away, and remembers what was done."""

    def __init__(
        self,
        session: VaultSession,
        settings: Settings,
        actions: Actions,
        workspace: Workspace,
        demo_path: Path,
    ) -> None:
        super().__init__(workspace)
        self._session, self._settings, self._workspace = session, settings, workspace
        self._demo_path = demo_path
        self._open_demo = actions["openDemo"]
        self._kept = settings.read_first_steps()
        self._list: Checklist | None = None
        self._was_trying = False
        actions["firstSteps"].triggered.connect(self._on_asked)
        self._is_demo = False
        session.vault_opened.connect(self._on_vault_opened)
        session.vault_closed.connect(self._on_vault_closed)
        session.search_changed.connect(self._on_search_changed)
        session.memory_loaded.connect(self._on_memory_loaded)
        session.preview_changed.connect(self._on_preview_changed)
        workspace.changed.connect(self._on_workspace_changed)

    def attach(self, panel: ExplainPanel) -> None:
        """The panel is there: the list goes to its top, and opened bars are noticed."""
        self._list = Checklist(tr("First steps"), STEPS)
        self._list.setObjectName("firstSteps")
        self._list.dismissed.connect(self._on_dismissed)
        panel.set_guide(self._list)
        panel.evidence_opened.connect(self._on_evidence_opened)
        self._show()

    @Slot()
    def _on_vault_opened(self) -> None:
        # Late, for start-up time: reading made-up memories is no use to a vault of one's own.
        from mvdesk.vault.demo import DEMO_NAME

        vault = self._session.vault
        # Wherever it was written to: the command line and the installer make one, too.
        self._is_demo = vault.path == self._demo_path or vault.brain.name == DEMO_NAME
        self._show()

    @Slot()
    def _on_vault_closed(self) -> None:
        self._is_demo = False

    def _tick(self, name: str) -> None:
        if self._is_demo and not self._kept.dismissed and name not in self._kept.done:
            self._keep(FirstSteps((*self._kept.done, name), dismissed=False))

    def _keep(self, steps: FirstSteps) -> None:
        self._kept = steps
        self._settings.write_first_steps(steps)
        self._show()

    @Slot()
    def _show(self) -> None:
        if self._list is not None:
            self._list.set_done(self._kept.done)
            self._list.setVisible(self._is_demo and not self._kept.dismissed)

    @Slot()
    def _on_dismissed(self) -> None:
        self._keep(FirstSteps(self._kept.done, dismissed=True))

    @Slot(bool)
    def _on_asked(self, _checked: bool) -> None:
        """Where it was left; from the start when all of it was done."""
        done = self._kept.done
        self._keep(FirstSteps(() if len(done) == len(STEPS) else done, dismissed=False))
        if not self._is_demo:
            self._open_demo.trigger()
        else:
            self._workspace.bring_up("explain")

    # What the person does.

    @Slot()
    def _on_search_changed(self) -> None:
        if f"tag:{_STORY}" in self._session.filter_text.casefold():
            self._tick("find")

    @Slot(object)
    def _on_memory_loaded(self, memory: Memory) -> None:
        if _STORY in (memory.tags or "").split(","):
            self._tick("read")

    @Slot(str)
    def _on_evidence_opened(self, row: str) -> None:
        if row:
            self._tick("open")

    @Slot(object)
    def _on_preview_changed(self, preview: Preview) -> None:
        if not preview.is_empty:
            self._was_trying = True
            self._tick("try")
            self._look_at_moves()
        elif self._was_trying:
            self._was_trying = False
            self._tick("settle")

    @Slot(str)
    def _on_workspace_changed(self, _name: str) -> None:
        self._look_at_moves()

    def _look_at_moves(self) -> None:
        if self._was_trying and self._workspace.spec.name == "sources":
            self._tick("moves")
