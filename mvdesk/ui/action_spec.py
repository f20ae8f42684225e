"""What an action of the window is made of."""

from __future__ import annotations

from dataclasses import dataclass

from mvdesk.wording import tr


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """What one action says. `keys` go first to last, the first is shown; `help` is a sentence.

    Lists write `text` and `help` in English; they are translated here.

    `group` makes actions exclusive: one of them is checked. `needs` is what must be there
    for the action to be of use: "" for nothing, "vault", "writable", "selected" for a selected
    memory, "memory" for one that can be written, "back" and "forward" for one that was looked at
    before or after, "pinned", "preview", "conflict" for a pair on screen that can be decided
    about, "review" for a memory of the queue, "deciding" for either.
    """

    name: str
    text: str
    keys: tuple[str, ...]
    help: str
    icon: str = ""
    needs: str = ""
    group: str = ""
    is_checkable: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", tr(self.text))
        object.__setattr__(self, "help", tr(self.help))
