"""The actions of the window as data, menu by menu: words, keys, help."""

from __future__ import annotations

from typing import Final

from mvdesk.ui.action_spec import ActionSpec
from mvdesk.ui.list_actions import GO, LIST, SELECTED
from mvdesk.ui.workspaces import WORKSPACES

FILE: Final = (
    ActionSpec(
        "newVault",
        "&New vault…",
        ("Ctrl+Shift+N",),
        "Make an empty vault in a file of its own.",
        icon="add",
    ),
    ActionSpec(
        "openVault",
        "&Open a vault file…",
        ("Ctrl+O",),
        "Open the SQLite file of a MemoryVault; opening changes nothing in it.",
        icon="open",
    ),
    ActionSpec(
        "openDemo",
        "Open the &demo vault",
        ("Ctrl+Shift+D",),
        "Open a vault of about 120 made-up memories to try things on.",
        icon="demo",
    ),
    ActionSpec(
        "backups",
        "&Backups…",
        ("Ctrl+Alt+B",),
        "See the backups of the vault, restore one, or copy the vault to a file.",
        icon="restore",
    ),
    ActionSpec(
        "snapshots",
        "&Snapshots…",
        ("Ctrl+Alt+P",),
        "Keep the state of this brain, see what going back to one would change, and go back.",
        icon="clock",
        needs="vault",
    ),
    ActionSpec(
        "closeVault",
        "&Close the vault",
        ("Ctrl+W",),
        "Close the open vault and go back to the start page.",
        needs="vault",
    ),
    ActionSpec("quit", "&Quit", ("Ctrl+Q",), "Close the window and end mvdesk."),
)

EDIT: Final = (
    ActionSpec(
        "undo",
        "&Undo",
        ("Ctrl+Z",),
        "Take back the last change to the vault; while typing, the last typing.",
        icon="undo",
    ),
    ActionSpec(
        "redo",
        "&Redo",
        ("Ctrl+Shift+Z", "Ctrl+Y"),
        "Do again what was taken back.",
        icon="redo",
    ),
    ActionSpec(
        "newMemory",
        "New &memory",
        ("Ctrl+N",),
        "Start a new memory in the editor.",
        icon="add",
        needs="writable",
    ),
    ActionSpec(
        "save",
        "&Save",
        ("Ctrl+S",),
        "Save what was typed in the editor to the vault.",
        icon="save",
        needs="writable",
    ),
    ActionSpec(
        "linkTo",
        "&Link to…",
        ("Ctrl+L", "L"),
        "Link the selected memory to another one.",
        icon="link",
        needs="memory",
    ),
    ActionSpec(
        "readingView",
        "&Reading view",
        ("Ctrl+R",),
        "Show the text of the memory as it reads, or fields to write in again.",
        icon="eye",
        needs="vault",
        is_checkable=True,
    ),
    ActionSpec(
        "history",
        "&History of the memory…",
        ("Ctrl+H",),
        "See what became of the selected memory, and bring an older version back.",
        icon="clock",
        needs="selected",
    ),
    ActionSpec(
        "find",
        "&Find",
        ("Ctrl+F", "/"),
        "Go to the search box: words of title, key, tags or source.",
        icon="search",
        needs="vault",
    ),
)

SCORES: Final = (
    ActionSpec(
        "applyPreview",
        "&Apply preview",
        ("Ctrl+Return", "Ctrl+Enter"),
        "Write the trust values that are being tried to the vault, as one undo step.",
        icon="check",
        needs="preview",
    ),
    ActionSpec(
        "discardPreview",
        "&Discard preview",
        ("Esc",),
        "Forget the trust values that are being tried; nothing was written.",
        icon="close",
        needs="preview",
    ),
    ActionSpec(
        "peekBefore",
        "Peek at &before",
        ("B",),
        "Show the values before the preview for as long as the key is held.",
        icon="eye",
        needs="preview",
    ),
    ActionSpec(
        "viewAfter",
        "Show a&fter",
        ("Ctrl+Alt+A",),
        "Show the values of the preview.",
        needs="preview",
        group="previewView",
    ),
    ActionSpec(
        "viewBefore",
        "Show &before",
        ("Ctrl+Alt+F",),
        "Show the stored values while the preview goes on.",
        needs="preview",
        group="previewView",
    ),
    ActionSpec(
        "viewSplit",
        "Show both &side by side",
        ("Ctrl+Alt+V",),
        "Show the stored value beside each value of the preview.",
        needs="preview",
        group="previewView",
    ),
    ActionSpec(
        "whatIf",
        "&What would raise it",
        ("W",),
        "Go to the changes that would raise or lower the scores of the selected memory.",
        needs="selected",
    ),
    ActionSpec(
        "goToChange",
        "&Go to where it is changed",
        ("Ctrl+J",),
        "Go to where the chosen bar of the explanation can be changed.",
        needs="selected",
    ),
    ActionSpec(
        "belowZero",
        "List memories where it is &below zero",
        ("Ctrl+Shift+B",),
        "List only memories whose score the component of the chosen bar lowers.",
        icon="filter",
        needs="selected",
    ),
    ActionSpec(
        "byCause",
        "By &cause",
        ("G",),
        "Explain the scores by cause (link, source, word, wait), or by component again.",
        needs="selected",
        is_checkable=True,
    ),
    ActionSpec(
        "asTable",
        "As a &table",
        ("T",),
        "Show the explanation as tables instead of bars.",
        needs="selected",
        is_checkable=True,
    ),
    ActionSpec(
        "zoomAxis",
        "&Zoom the axis",
        ("Z",),
        "Let the axes of the bars show only where the bars are, instead of 0 to 1.",
        needs="selected",
        is_checkable=True,
    ),
    ActionSpec(
        "pin",
        "&Pin for comparison",
        ("P",),
        "Pin the selected memory and compare the next ones with it; again to end that.",
        icon="pin",
        needs="selected",
        is_checkable=True,
    ),
    ActionSpec(
        "swapCompared",
        "&Swap pinned and selected",
        ("X",),
        "Select the pinned memory and pin the selected one.",
        icon="shuffle",
        needs="pinned",
    ),
    ActionSpec(
        "copyExplanation",
        "Cop&y the explanation",
        ("Ctrl+Shift+C",),
        "Copy verdicts, bars and what would change them as plain text.",
        icon="copy",
        needs="selected",
    ),
    ActionSpec(
        "exportPicture",
        "&Export picture…",
        ("Ctrl+E",),
        "Save the bars of one or both scores as a PNG, SVG or PDF picture.",
        icon="export",
        needs="selected",
    ),
    ActionSpec(
        "copyPicture",
        "Copy pict&ure",
        ("Ctrl+Alt+C",),
        "Put the bars that are shown on the clipboard as a picture.",
        needs="selected",
    ),
)

TUNE: Final = (
    ActionSpec(
        "worthALook",
        "Sources worth a &look",
        ("Ctrl+Shift+O",),
        "List the sources that stand out: contradicted, without trust, or spelled in two ways.",
        icon="eye",
        needs="vault",
    ),
    ActionSpec(
        "distribution",
        "&Distribution of the scores",
        ("Ctrl+D",),
        "Go to the distribution of the scores, before and in the preview, and its threshold.",
        icon="overview",
        needs="vault",
    ),
    ActionSpec(
        "whatMoves",
        "What &moves",
        ("Ctrl+M",),
        "Go to the memories that change places in the preview.",
        icon="sort",
        needs="vault",
    ),
    ActionSpec(
        "conflictChanges",
        "&Conflicts that come and go",
        ("Ctrl+Shift+M",),
        "Go to the conflicts that the preview makes appear or vanish.",
        icon="conflicts",
        needs="vault",
    ),
    ActionSpec(
        "savedSearches",
        "Effect on saved &searches",
        ("Ctrl+Shift+F",),
        "Go to what the preview does to saved searches, and save one.",
        icon="search",
        needs="vault",
    ),
    ActionSpec(
        "saveTrial",
        "&Keep the preview as a trial…",
        ("Ctrl+Shift+K",),
        "Give what is being tried a name, to come back to it later.",
        icon="save",
        needs="preview",
    ),
    ActionSpec(
        "trials",
        "&Trials",
        ("Ctrl+Alt+T",),
        "Go to the trials: load one, compare two, apply or delete one.",
        icon="copy",
        needs="vault",
    ),
    ActionSpec(
        "trustQuestions",
        "&Which trust does it",
        ("Ctrl+U",),
        "Ask which trust puts the selected memory at a score, or keeps several at one.",
        icon="help",
        needs="vault",
    ),
)

VIEW: Final = (
    *(
        ActionSpec(
            f"{workspace.name}Workspace",
            f"{workspace.title} workspace",
            (workspace.key,),
            workspace.help,
            icon=workspace.icon,
            needs="vault",
            group="workspace",
        )
        for workspace in WORKSPACES
    ),
    ActionSpec(
        "focusMode",
        "&Focus mode",
        ("F11",),
        "Give the window to the panel with the keyboard; again to bring all panels back.",
        needs="vault",
        is_checkable=True,
    ),
    ActionSpec(
        "nextPanel",
        "&Next panel",
        ("F6",),
        "Go to the next panel with the keyboard.",
        needs="vault",
    ),
    ActionSpec(
        "previousPanel",
        "&Previous panel",
        ("Shift+F6",),
        "Go to the panel before with the keyboard.",
        needs="vault",
    ),
    ActionSpec(
        "resetLayout",
        "&Reset layout",
        ("Ctrl+Shift+R",),
        "Bring all panels back to where they were at first.",
    ),
    ActionSpec(
        "showArchived",
        "Show a&rchived memories",
        ("Ctrl+Shift+A",),
        "List archived memories too.",
        icon="archive",
        needs="vault",
        is_checkable=True,
    ),
    ActionSpec(
        "lowForType",
        "Low for its &type only",
        ("Ctrl+Shift+L",),
        "List only memories whose confidence is below the 20th percentile of their type.",
        icon="filter",
        needs="vault",
        is_checkable=True,
    ),
    ActionSpec(
        "previousLow",
        "Previous low memory",
        ("Alt+Up",),
        "Go up the list to the next memory that is low for its type.",
        needs="vault",
    ),
    ActionSpec(
        "nextLow",
        "Next low memory",
        ("Alt+Down",),
        "Go down the list to the next memory that is low for its type.",
        needs="vault",
    ),
)

LOOK: Final = (
    ActionSpec(
        "themeLight",
        "&Light",
        ("Ctrl+Alt+L",),
        "Dark text on a light ground.",
        group="theme",
    ),
    ActionSpec(
        "themeDark",
        "&Dark",
        ("Ctrl+Alt+D",),
        "Light text on a dark ground.",
        group="theme",
    ),
    ActionSpec(
        "themeSystem",
        "As the &system",
        ("Ctrl+Alt+S",),
        "Light or dark as the desktop is.",
        group="theme",
    ),
    ActionSpec(
        "switchTheme",
        "Switch light and dark",
        ("Ctrl+Shift+T",),
        "Go from light to dark or back.",
        icon="moon",
    ),
    ActionSpec("largerText", "Text &larger", ("Ctrl++", "Ctrl+="), "Make all text larger."),
    ActionSpec("smallerText", "Text s&maller", ("Ctrl+-",), "Make all text smaller."),
    ActionSpec("usualText", "Text as &usual", ("Ctrl+0",), "Bring text back to its usual size."),
)

HELP: Final = (
    ActionSpec("shortcuts", "&Shortcuts", ("F1",), "List every action with its key.", icon="help"),
    ActionSpec(
        "about",
        "&About mvdesk",
        ("Shift+F1",),
        "Version, licence, and where settings and the log are.",
        icon="info",
    ),
)

SPECS: Final = (*FILE, *EDIT, *SCORES, *TUNE, *VIEW, *SELECTED, *GO, *LIST, *LOOK, *HELP)
"""All of them; the list of shortcuts has this order."""
