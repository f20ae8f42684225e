"""What the links say of the whole vault, each a filter of graph and list."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QMenu, QWidget

from mvdesk.ui.theme import set_role
from mvdesk.ui.widgets.chip import Chip
from mvdesk.ui.widgets.flow_layout import FlowLayout
from mvdesk.ui.widgets.menu_entries import add_entry
from mvdesk.vault.questions.link_facts import HUB_LINKS
from mvdesk.wording import format_number, tr

if TYPE_CHECKING:
    from mvdesk.ui.chosen import ListFilter
    from mvdesk.vault.questions.link_facts import Group, LinkFacts

_GROUPS = ("parts", "disputes")


class GraphFacts(QWidget):
    """A chip per fact, checked while graph and list show it alone."""

    fact_chosen = Signal(str, str)  # "hubs", "alone" or "disputed", and what that is called
    group_chosen = Signal(str, object)  # what it is called, its Group
    ended = Signal()  # everything again

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("graphFacts")
        self._facts: LinkFacts | None = None
        flow = FlowLayout(self, gap=6)
        flow.setContentsMargins(12, 4, 12, 4)
        self._chips: dict[str, Chip] = {}
        for name in ("parts", "hubs", "alone", "disputes"):
            chip = self._chips[name] = Chip("")
            chip.setObjectName(f"graphFact{name.capitalize()}")
            chip.clicked.connect(partial(self._on_clicked, name))
            flow.addWidget(chip)
        self._density = QLabel()
        self._density.setObjectName("graphFactDensity")
        self._density.setToolTip(tr("Links for each pair of memories: 1 when all are linked"))
        set_role(self._density, "mutedCaption")
        flow.addWidget(self._density)
        self._menu = QMenu(self)
        self._menu.aboutToHide.connect(self._show_checked)
        self._only: ListFilter | None = None
        self.hide()

    def set_facts(self, facts: LinkFacts | None) -> None:
        """Say other facts; None hides the row."""
        self._facts = facts
        self.setVisible(facts is not None)
        if facts is None:
            return
        chips = self._chips
        _name(
            chips["parts"], facts.part_count, "part", "parts", tr("that hang together over links")
        )
        hub = tr("with more than {hub_links} links", hub_links=HUB_LINKS)
        _name(chips["hubs"], facts.hubs, "hub", "hubs", hub)
        _name(chips["alone"], facts.alone, "alone", "alone", tr("without links"))
        _name(
            chips["disputes"], facts.dispute_count, "dispute", "disputes", tr("by contradictions")
        )
        chips["parts"].setEnabled(bool(facts.parts))
        self._density.setMinimumHeight(chips["parts"].sizeHint().height())
        density = facts.density
        self._density.setText(
            "" if density is None else tr("density {density:.4f}", density=density)
        )

    def set_only(self, only: ListFilter | None) -> None:
        """Check the chip of what the list shows alone, if it is one of these."""
        self._only = only
        self._show_checked()

    def _show_checked(self) -> None:
        only, on = self._only, ""
        if only is not None and only.kind in ("fact", "members"):
            on = "disputes" if only.component == "disputed" else only.component
        for name, chip in self._chips.items():
            chip.setChecked(name == on)

    def _on_clicked(self, name: str, _checked: bool = False) -> None:
        """A click has checked it already; a group is chosen from a menu first."""
        if not self._chips[name].isChecked():
            self.ended.emit()
        elif name in _GROUPS:
            self._fill_menu(name)
            chip = self._chips[name]
            self._menu.popup(chip.mapToGlobal(chip.rect().bottomLeft()))
        else:
            self.fact_chosen.emit(name, self._title(name))

    def _title(self, name: str) -> str:
        return {
            "hubs": tr("Hubs: more than {hub_links} links", hub_links=HUB_LINKS),
            "alone": tr("Without links"),
        }[name]

    def _fill_menu(self, name: str) -> None:
        facts, menu = self._facts, self._menu
        menu.clear()
        if facts is None:
            return
        if name == "disputes":
            text = tr("All {disputed:,} in a contradiction", disputed=facts.disputed)
            choose = partial(self.fact_chosen.emit, "disputed", tr("In a contradiction"))
            add_entry(menu, text, choose)
            menu.addSeparator()
        groups = facts.parts if name == "parts" else facts.disputes
        for group in groups:
            choose = partial(self.group_chosen.emit, name, group)
            add_entry(
                menu,
                tr("{rows:,} around “{name}”", rows=len(group.rows), name=_short(group.name)),
                choose,
            )
        count = facts.part_count if name == "parts" else facts.dispute_count
        if count > len(groups):
            rest = menu.addAction(tr("and {count:,} smaller ones", count=count - len(groups)))
            rest.setEnabled(False)


def title_of_group(name: str, group: Group) -> str:
    """What the list's filter is called."""
    what = tr("Part") if name == "parts" else tr("Dispute")
    return tr("{what} around “{name}”", what=what, name=_short(group.name))


def _name(chip: Chip, count: int, one: str, many: str, explanation: str) -> None:
    chip.set_text(f"{format_number(count, ',')} {one if count == 1 else many}")
    chip.setToolTip(f"{format_number(count, ',')} {one if count == 1 else many} {explanation}")
    chip.setEnabled(count > 0)


def _short(name: str) -> str:
    words = name.replace("&", "&&")
    return words if len(words) <= 40 else f"{words[:39].rstrip()}…"
