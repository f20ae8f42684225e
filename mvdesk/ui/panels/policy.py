"""The rules of the open brain: each with what it does, and what it comes to now."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QVBoxLayout, QWidget

from mvdesk.ui.dialogs.frame import push_button
from mvdesk.ui.policy_words import (
    PRIVATE,
    PRIVATE_CAPTION,
    PRIVATE_EXPLAINED,
    describe_effects,
    describe_range,
    policy_amounts,
)
from mvdesk.ui.theme import set_role
from mvdesk.ui.widgets.amount_field import AmountField
from mvdesk.ui.widgets.check_box import CheckBox
from mvdesk.ui.widgets.flowing import flowing
from mvdesk.ui.widgets.scrolling import scrolling
from mvdesk.vault import brain_state, rules
from mvdesk.vault.operations.decay import DecaySettings, find_decay
from mvdesk.vault.operations.policy import (
    Policy,
    find_policy_problems,
    plan_repair_policy,
    plan_set_policy,
    policy_of,
)
from mvdesk.vault.plan import POLICIES, SNAPSHOTS
from mvdesk.wording import tr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mvdesk.records import StoredPolicy
    from mvdesk.ui.jobs import CancelToken
    from mvdesk.ui.session import VaultSession
    from mvdesk.vault.changes import ChangeSet
    from mvdesk.vault.plan import Plan
    from mvdesk.vault.snapshot import Snapshot
    from mvdesk.vault.vault import Vault

_READ: Final = "policy"
_COUNT: Final = "policyEffects"
_DAY_SECONDS: Final = 86_400
_INTRO: Final = tr(
    "These rules are stored in the vault, for every program that works with it. Saving them is "
    "one step that undo takes back."
)


class PolicySection(QWidget):
    """Session and rules, joined. Nothing is written before “Save the rules”."""

    def __init__(self, session: VaultSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("policySection")
        self._session = session
        self._stored: StoredPolicy | None = None
        self._is_read = False
        self._build()
        self._connect()
        self._read()

    def _build(self) -> None:
        self._problem = _label("policyProblem", "warning")
        self._repair = push_button(
            "policyRepair", tr("Re&pair"), tr("Write the rules in use over what can't be read")
        )
        self._said = _label("policySaid", "warning")
        self._fields = {spec.name: AmountField(spec) for spec in policy_amounts()}
        self._effects: dict[str, QLabel] = {}
        grid = QGridLayout()
        grid.setHorizontalSpacing(20)
        grid.setVerticalSpacing(12)
        grid.setColumnStretch(1, 1)
        for row, (name, field) in enumerate(self._fields.items()):
            grid.addWidget(field, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(self._explain(name, field.spec.explained), row, 1)
        self._private = CheckBox(PRIVATE_CAPTION)
        self._private.setObjectName(PRIVATE)
        grid.addWidget(self._private, len(self._fields), 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(_label("", "secondary", PRIVATE_EXPLAINED), len(self._fields), 1)
        self._save = push_button("policySave", tr("S&ave the rules"), role="primary")
        self._defaults = push_button(
            "policyDefaults", tr("Defau&lts"), tr("Every rule as it usually is")
        )
        self._revert = push_button(
            "policyRevert", tr("&Revert"), tr("The rules as they are stored")
        )
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(12, 8, 12, 12)
        column.setSpacing(10)
        column.addWidget(_label("", "secondary", _INTRO))
        column.addWidget(self._problem)
        column.addWidget(self._repair, 0, Qt.AlignmentFlag.AlignLeft)
        line = QFrame()
        set_role(line, "hairline")
        column.addWidget(line)
        column.addLayout(grid)
        column.addWidget(self._said)
        column.addWidget(flowing(self._save, self._defaults, self._revert, gap=8))
        column.addStretch(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(scrolling("policyScroll", content))
        self.setFocusProxy(next(iter(self._fields.values())))

    def _explain(self, name: str, explained: str) -> QWidget:
        """What a rule does, its range, and below it what it comes to now."""
        box = QWidget()
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(_label("", "", explained))
        column.addWidget(_label("", "mutedCaption", describe_range(name)))
        self._effects[name] = _label(f"{name}Effect", "accentCaption")
        self._effects[name].hide()
        column.addWidget(self._effects[name])
        column.addStretch(1)
        return box

    def _connect(self) -> None:
        session = self._session
        session.vault_opened.connect(self._read)
        session.vault_closing.connect(self._on_vault_closing)
        session.vault_changed.connect(self._on_vault_changed)
        for field in self._fields.values():
            field.edited.connect(self._show_state)
            field.entered.connect(self._on_save)
        self._private.toggled.connect(self._show_state)
        self._save.clicked.connect(self._on_save)
        self._repair.clicked.connect(self._on_repair)
        self._defaults.clicked.connect(self._on_defaults)
        self._revert.clicked.connect(self._on_revert)

    # Showing.

    @Slot()
    def _read(self) -> None:
        if self._session.is_open:
            work = partial(_read_policy, self._session.vault)
            self._session.jobs.run(_READ, work, self._on_read)
        self._show_state()

    def _on_read(self, stored: StoredPolicy | None) -> None:
        is_edited = self._is_read and bool(self._changes())
        self._stored, self._is_read = stored, True
        problems = find_policy_problems(stored)
        self._problem.setText(" ".join(problems))
        self._problem.setVisible(bool(problems))
        self._repair.setVisible(bool(problems))
        if not is_edited:
            self._fill(policy_of(stored))
        self._show_state()

    def _fill(self, policy: Policy) -> None:
        values = policy.to_json()
        for name, field in self._fields.items():
            field.set_value(values[name])
        self._private.setChecked(policy.private_mode)

    def _wanted(self) -> dict[str, object] | None:
        """What the fields say; None where one holds no number."""
        wanted: dict[str, object] = {PRIVATE: self._private.isChecked()}
        for name, field in self._fields.items():
            value = field.read().value
            if value is None:
                return None
            wanted[name] = int(value) if field.spec.is_whole else value
        return wanted

    def _changes(self) -> dict[str, object]:
        """The rules that differ from the stored ones."""
        stored = policy_of(self._stored).to_json()
        wanted = self._wanted() or {}
        return {name: value for name, value in wanted.items() if value != stored[name]}

    @Slot()
    def _show_state(self, _what: object = None) -> None:
        said = [one.said for one in (field.read() for field in self._fields.values()) if one.said]
        refusal = (self._session.read_only_reason or "") if self._session.is_open else ""
        self._said.setText(" ".join([*said, refusal]).strip())
        self._said.setVisible(self._is_read and bool(said or refusal))
        is_other = self._is_read and bool(self._changes())
        self._save.setEnabled(is_other and not refusal)
        self._save.setToolTip(refusal or tr("Write these rules to the vault, as one step"))
        self._revert.setEnabled(is_other or bool(said))
        self._repair.setEnabled(not refusal)
        self._count_effects()

    def _count_effects(self) -> None:
        wanted = self._wanted()
        session = self._session
        if wanted is None or not session.is_open or not self._is_read:
            return
        work = partial(
            _count_effects, session.vault, session.snapshot, wanted, session.current_time()
        )
        session.jobs.run(_COUNT, work, self._on_counted)

    def _on_counted(self, counts: Mapping[str, int]) -> None:
        for name, text in describe_effects(counts).items():
            self._effects[name].setText(text)
            self._effects[name].show()

    # What happens.

    @Slot()
    def _on_vault_closing(self) -> None:
        for key in (_READ, _COUNT):
            self._session.jobs.cancel(key)
        self._stored, self._is_read = None, False

    @Slot(object)
    def _on_vault_changed(self, changes: ChangeSet) -> None:
        if changes.touches(POLICIES) or changes.touches(SNAPSHOTS):
            self._read()

    @Slot()
    def _on_save(self, _checked: bool = False) -> None:
        changes = self._changes()
        if changes and self._save.isEnabled():
            now = self._session.current_time()
            self._session.write("policy", partial(_plan_set, self._stored, changes, now))

    @Slot()
    def _on_repair(self, _checked: bool = False) -> None:
        now = self._session.current_time()
        self._session.write("policy", partial(_plan_repair, self._stored, now))

    @Slot()
    def _on_defaults(self, _checked: bool = False) -> None:
        self._fill(Policy())
        self._show_state()

    @Slot()
    def _on_revert(self, _checked: bool = False) -> None:
        self._fill(policy_of(self._stored))
        self._show_state()


def _label(name: str, role: str, text: str = "") -> QLabel:
    label = QLabel(text)
    label.setObjectName(name)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    if role:
        set_role(label, role)
    return label


def _read_policy(vault: Vault, _token: CancelToken) -> StoredPolicy | None:
    return rules.read_policy(vault)


def _count_effects(
    vault: Vault,
    snapshot: Snapshot,
    wanted: Mapping[str, object],
    now: int,
    _token: CancelToken,
) -> dict[str, int]:
    policy = Policy().clamped(wanted)
    settings = DecaySettings(older_than_days=policy.decay_days, limit=None)
    snapshots = len(brain_state.read_snapshots(vault))
    oldest = now - policy.retention_days * _DAY_SECONDS
    return {
        "decay_days": len(find_decay(snapshot, settings, now=now).moves),
        "retention_days": rules.count_history(vault, before=oldest),
        "snapshots": snapshots,
        "snapshot_retention": max(snapshots + 1 - policy.snapshot_retention, 0),
    }


def _plan_set(
    stored: StoredPolicy | None, changes: Mapping[str, object], now: int, vault: Vault
) -> Plan:
    return plan_set_policy(stored, changes, brain_id=vault.brain.id, now=now)


def _plan_repair(stored: StoredPolicy | None, now: int, vault: Vault) -> Plan:
    return plan_repair_policy(stored, brain_id=vault.brain.id, now=now)
