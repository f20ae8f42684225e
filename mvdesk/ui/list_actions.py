"""The actions about the list as data: what is selected, where to go, how it is shown."""

from __future__ import annotations

from typing import Final

from mvdesk.ui.action_spec import ActionSpec

SELECTED: Final = (
    ActionSpec(
        "tagSelected",
        "&Tags…",
        ("Ctrl+Alt+G",),
        "Put tags on the selected memories, or take some off.",
        needs="memory",
    ),
    ActionSpec(
        "typeSelected",
        "T&ype…",
        ("Ctrl+Alt+Y",),
        "Make the selected memories notes, facts or journals.",
        needs="memory",
    ),
    ActionSpec(
        "sourceSelected",
        "&Source…",
        ("Ctrl+Alt+U",),
        "Give the selected memories another source.",
        needs="memory",
    ),
    ActionSpec(
        "basesSelected",
        "&Base values…",
        ("Ctrl+Alt+E",),
        "Give the selected memories another base confidence or importance.",
        needs="memory",
    ),
    ActionSpec(
        "linkSelected",
        "&Link all to one…",
        ("Ctrl+Shift+J",),
        "Link each of the selected memories to the same one.",
        icon="link",
        needs="memory",
    ),
    ActionSpec(
        "archiveSelected",
        "&Archive…",
        ("Ctrl+Alt+X",),
        "Put the selected memories into the archive.",
        icon="archive",
        needs="memory",
    ),
    ActionSpec(
        "restoreSelected",
        "Bring back from the a&rchive…",
        ("Ctrl+Alt+Z",),
        "Take the selected memories out of the archive.",
        icon="restore",
        needs="memory",
    ),
    ActionSpec(
        "deleteSelected",
        "&Delete…",
        ("Ctrl+Del",),
        "Delete the selected memories for good, after a question.",
        icon="delete",
        needs="memory",
    ),
)

GO: Final = (
    ActionSpec(
        "commandPalette",
        "&Command palette…",
        ("Ctrl+K",),
        "Find an action, a memory, a source or a tag by a few letters, and go there.",
        icon="search",
    ),
    ActionSpec(
        "goToMemory",
        "&Go to a memory…",
        ("Ctrl+P",),
        "Find a memory by a few letters of its title or key, an id or a link.",
        icon="search",
        needs="vault",
    ),
    ActionSpec(
        "goToSavedSearches",
        "Go to the &saved searches",
        ("Ctrl+Shift+G",),
        "Give the keyboard to the saved searches in the rail; Enter lists what one finds.",
        icon="bookmark",
        needs="vault",
    ),
    ActionSpec(
        "goBack",
        "&Back",
        ("[", "Alt+Left"),
        "Go back to the memory that was selected before.",
        icon="arrow-left",
        needs="back",
    ),
    ActionSpec(
        "goForward",
        "&Forward",
        ("]", "Alt+Right"),
        "Go forward again, to where one went back from.",
        icon="arrow-right",
        needs="forward",
    ),
    ActionSpec(
        "whyLow",
        "&Why is it low?",
        ("Shift+W",),
        "Go to the explanation of the selected memory.",
        icon="explain",
        needs="selected",
    ),
    ActionSpec(
        "copyMemoryLink",
        "Copy a &link to it",
        ("Ctrl+Alt+M",),
        "Copy an mvdesk:// link to the selected memory, for notes and other programs.",
        icon="copy",
        needs="selected",
    ),
)

LIST: Final = (
    ActionSpec(
        "exportList",
        "&Export the list…",
        ("Ctrl+Shift+E",),
        "Save the list as it is shown, scores included, as a CSV table.",
        icon="export",
        needs="vault",
    ),
    ActionSpec(
        "copyRows",
        "Copy the selected &rows",
        ("Ctrl+Alt+I",),
        "Copy the selected memories as text with tabs, as the list shows them; Ctrl+C in the list.",
        icon="copy",
        needs="selected",
    ),
    ActionSpec(
        "copyRowsCsv",
        "Copy the selected rows as CS&V",
        ("Ctrl+Alt+Shift+C",),
        "Copy the selected memories as a CSV table, as the list shows them.",
        icon="copy",
        needs="selected",
    ),
    ActionSpec(
        "groupNone",
        "&Not in groups",
        ("Ctrl+Alt+N",),
        "List the memories without groups.",
        needs="vault",
        group="grouping",
    ),
    ActionSpec(
        "groupSource",
        "By &source",
        ("Ctrl+Alt+J",),
        "List the memories in groups by source.",
        needs="vault",
        group="grouping",
    ),
    ActionSpec(
        "groupType",
        "By &type",
        ("Ctrl+Alt+K",),
        "List the memories in groups by type.",
        needs="vault",
        group="grouping",
    ),
    ActionSpec(
        "collapseGroups",
        "&Collapse all groups",
        ("Ctrl+Alt+-",),
        "Show only the names of the groups.",
        needs="vault",
    ),
    ActionSpec(
        "expandGroups",
        "&Expand all groups",
        ("Ctrl+Alt+=",),
        "Show the memories of all groups.",
        needs="vault",
    ),
    ActionSpec(
        "chooseColumns",
        "&Columns of the list…",
        ("Ctrl+Alt+O",),
        "Choose which columns the list shows, in which order and how wide.",
        needs="vault",
    ),
    ActionSpec(
        "compactRows",
        "Compact &rows",
        ("Ctrl+Alt+R",),
        "Make the rows of the list lower, so that more of them fit.",
        is_checkable=True,
    ),
)
