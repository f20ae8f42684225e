"""Settings as a JSON file: written for another computer, read with every mistake named."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from mvdesk.errors import VaultError
from mvdesk.ui.option_list import OPTIONS
from mvdesk.wording import tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from mvdesk.ui.option_list import Value

KIND: Final = "mvdesk settings"
VERSION: Final = 1
_MOST_BYTES: Final = 1_000_000
_SAFE: Final = tr("No setting was changed.")
_MOST_SAID: Final = 12

Read = tuple[dict[str, "Value"], dict[str, tuple[str, ...]]]


class BadSettings(VaultError):
    """A file that can't be read as settings; nothing of it was used."""


def format_settings(values: Mapping[str, Value], keys: Mapping[str, tuple[str, ...]]) -> str:
    """Settings by their keys, and the changed keys of actions, as text."""
    content: dict[str, object] = {"kind": KIND, "version": VERSION}
    for key, value in values.items():
        group, _, name = key.partition(".")
        part = content.setdefault(group, {})
        assert isinstance(part, dict)
        part[name] = value
    content["keys"] = {name: list(one) for name, one in keys.items()}
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def read_settings(path: Path, refuse_key: Callable[[str, str], str]) -> Read:
    """The settings in a file and the changed keys; what it doesn't name is left out.

    `refuse_key(action, key)` says what is wrong with a key, "" for nothing. Raises BadSettings
    that names every place with a mistake.
    """
    content = _load(path)
    wrong: list[str] = []
    values: dict[str, Value] = {}
    specs = {spec.key: spec for spec in OPTIONS if not spec.is_of_vault}
    groups = {key.partition(".")[0] for key in specs}
    for group, part in content.items():
        if group in ("kind", "version", "keys"):
            continue
        if group not in groups or not isinstance(part, dict):
            wrong.append(tr("{group}: no such group of settings", group=group))
            continue
        for name, value in part.items():
            spec = specs.get(f"{group}.{name}")
            said = tr("no such setting") if spec is None else spec.complain(value)
            if said:
                shown = "" if spec is None else tr(", not {what}", what=json.dumps(value)[:40])
                wrong.append(f"{group}.{name}: {said}{shown}")
            else:
                values[f"{group}.{name}"] = value
    keys = _read_keys(content.get("keys", {}), refuse_key, wrong)
    if wrong:
        _refuse(path, wrong)
    return values, keys


def _read_keys(
    part: object, refuse: Callable[[str, str], str], wrong: list[str]
) -> dict[str, tuple[str, ...]]:
    if not isinstance(part, dict):
        wrong.append(tr("keys: expected actions with lists of keys"))
        return {}
    found: dict[str, tuple[str, ...]] = {}
    holders: dict[str, str] = {}
    for name, keys in part.items():
        if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
            wrong.append(tr("keys.{name}: expected a list of keys", name=name))
            continue
        for key in keys:
            said = refuse(name, key)
            if not said and holders.setdefault(key, name) != name:
                said = tr("{key} is the key of {holders}, too", key=key, holders=holders[key])
            if said:
                wrong.append(f"keys.{name}: {said}")
        found[name] = tuple(keys)
    return found


def _load(path: Path) -> dict[str, object]:
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise BadSettings(
                tr("{name} is too large for a file of settings.", name=path.name),
                _SAFE,
                tr("Choose a file that mvdesk exported."),
            )
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadSettings(
            tr("{name} can't be read.", name=path.name),
            _SAFE,
            tr("See whether it is still there."),
            str(error),
        ) from error
    except json.JSONDecodeError as error:
        raise BadSettings(
            tr(
                "{name} is no JSON: line {lineno}, column {colno}.",
                name=path.name,
                lineno=error.lineno,
                colno=error.colno,
            ),
            _SAFE,
            tr("Mend that place, or export the settings again."),
            error.msg,
        ) from error
    except (UnicodeDecodeError, RecursionError) as error:
        raise BadSettings(
            tr("{name} is no text file of settings.", name=path.name),
            _SAFE,
            tr("Choose a file that mvdesk exported."),
            str(error),
        ) from error
    if not isinstance(content, dict) or content.get("kind") != KIND:
        raise BadSettings(
            tr("{name} holds no settings of mvdesk.", name=path.name),
            _SAFE,
            tr("Choose a file that mvdesk exported."),
            tr('expected {{"kind": "{kind}", …}}', kind=KIND),
        )
    if content.get("version") != VERSION:
        raise BadSettings(
            tr("{name} was written by another version of mvdesk.", name=path.name),
            _SAFE,
            tr("Export the settings again with this version."),
            tr(
                "version: expected {version}, not {what}",
                version=VERSION,
                what=json.dumps(content.get("version"))[:40],
            ),
        )
    return content


def _refuse(path: Path, wrong: list[str]) -> None:
    count = len(wrong)
    places = tr_n("1 mistake", "{count} mistakes", count, count=count)
    more = tr("\n… and {count} more", count=count - _MOST_SAID) if count > _MOST_SAID else ""
    raise BadSettings(
        tr("{name} has {places}: {wrong}.", name=path.name, places=places, wrong=wrong[0]),
        _SAFE,
        tr("Mend what is named below in the file, then import it again."),
        "\n".join(wrong[:_MOST_SAID]) + more,
    )
