"""Reading score models from JSON, and the limits that their numbers must keep."""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass
from itertools import pairwise
from types import NoneType, UnionType
from typing import Any, Final, TypeVar, get_args, get_origin, get_type_hints

T = TypeVar("T")

MAX_DAYS: Final = 36_500.0
MAX_KEYWORDS: Final = 500
MAX_TEXT: Final = 2_000

# Per field name: lowest and highest allowed value. Whatever is not listed lies in 0..1.
_LIMITS: Final[dict[str, tuple[float, float]]] = {
    "after_days": (0.0, MAX_DAYS),
    "below_days": (0.0, MAX_DAYS),
    "by_type": (-1.0, 1.0),
    "other": (-1.0, 1.0),
    "delta": (-1.0, 1.0),
    "free_length": (0.0, 1e6),
    "span": (1.0, 1e6),
    "trust_confidence": (0.0, 2.0),
    "trust_importance": (0.0, 2.0),
}


class ModelError(ValueError):
    """A score model that can't be used; `field` names where, `problem` says what."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}" if field else problem)
        self.field = field
        self.problem = problem


def check_leaf(path: str, value: object) -> None:
    """Raises ModelError when a parameter, or anything inside it, is out of its range."""
    if is_dataclass(value):
        for field in fields(value):
            check_leaf(f"{path}.{field.name}", getattr(value, field.name))
    elif isinstance(value, float | int):
        _check_number(path, value)
    elif isinstance(value, str):
        _check_text(path, value)
    elif isinstance(value, tuple) and value:
        _check_list(path, value)


def _check_number(path: str, value: float) -> None:
    name = path.rpartition(".")[2]
    low, high = _LIMITS.get(name.partition("[")[0], (0.0, 1.0))
    if isinstance(value, bool) or not math.isfinite(value) or not low <= value <= high:
        raise ModelError(path, f"expected a number from {low:g} to {high:g}")


def _check_text(path: str, value: str) -> None:
    if path in ("id", "title") and not value.strip():
        raise ModelError(path, "expected a text that is not empty")
    if len(value) > MAX_TEXT:
        raise ModelError(path, f"expected at most {MAX_TEXT} characters")


def _check_list(path: str, items: tuple[object, ...]) -> None:
    if isinstance(items[0], str):
        _check_keywords(path, items)
    elif isinstance(items[0], tuple):
        for pair in items:
            _check_bias(path, pair)
    else:
        for place, item in enumerate(items):
            check_leaf(f"{path}[{place}]", item)
        days = [item.below_days for item in items]  # type: ignore[attr-defined]  # steps only
        if any(later <= earlier for earlier, later in pairwise(days)):
            raise ModelError(path, "expected steps with ascending days")


def _check_bias(path: str, pair: Any) -> None:  # noqa: ANN401  # a type and its points
    _check_number(f"{path}[{pair[0]}]", pair[1])


def _check_keywords(path: str, words: tuple[object, ...]) -> None:
    if len(words) > MAX_KEYWORDS:
        raise ModelError(path, f"expected at most {MAX_KEYWORDS} keywords")
    for place, word in enumerate(words):
        if not isinstance(word, str) or not word.strip() or word != word.lower():
            raise ModelError(f"{path}[{place}]", "expected a lower-case keyword")
    if len(set(words)) != len(words):
        raise ModelError(path, "expected every keyword once")


def read_dataclass(cls: type[T], data: object, path: str) -> T:
    """An instance of a dataclass from a JSON object with exactly its fields."""
    if not isinstance(data, dict):
        raise ModelError(path, "expected an object")
    types = get_type_hints(cls)
    prefix = f"{path}." if path else ""
    for name in data:
        if name not in types:
            raise ModelError(f"{prefix}{name}", "is not a parameter of a score model")
    values = {}
    for name, kind in types.items():
        if name not in data:
            raise ModelError(f"{prefix}{name}", "is missing")
        values[name] = _read_value(kind, data[name], f"{prefix}{name}")
    return cls(**values)


def _read_value(kind: Any, data: object, path: str) -> Any:  # noqa: ANN401  # a type hint, and its value
    if kind is str:
        if not isinstance(data, str):
            raise ModelError(path, "expected a text")
        return data
    if kind is float:
        if isinstance(data, bool) or not isinstance(data, int | float):
            raise ModelError(path, "expected a number")
        return _to_float(data, path)
    if isinstance(kind, UnionType):
        (inner,) = (part for part in get_args(kind) if part is not NoneType)
        return None if data is None else _read_value(inner, data, path)
    if get_origin(kind) is tuple:
        return _read_tuple(get_args(kind)[0], data, path)
    return read_dataclass(kind, data, path)


def _to_float(number: float, path: str) -> float:
    try:
        return float(number)
    except OverflowError:
        raise ModelError(path, "expected a smaller number") from None


def _read_tuple(item: type, data: object, path: str) -> tuple[Any, ...]:
    if get_origin(item) is tuple:  # points by type are a JSON object
        if not isinstance(data, dict):
            raise ModelError(path, "expected an object")
        return tuple((name, _read_value(float, x, f"{path}[{name}]")) for name, x in data.items())
    if not isinstance(data, list | tuple):
        raise ModelError(path, "expected a list")
    return tuple(_read_value(item, x, f"{path}[{place}]") for place, x in enumerate(data))
