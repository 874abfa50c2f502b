"""`dataclasses.replace` in a quarter of the time: planning makes dozens of terms and relations of others."""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

__all__ = ["replace"]

if TYPE_CHECKING:
    # So that the types of changes are checked.
    from dataclasses import replace
else:
    Value = TypeVar("Value")

    def replace(value: Value, /, **changes: Any) -> Value:
        """A dataclass's value with other values in some fields. What it has cached is left behind.

        Raises:
            TypeError: a change names no field.
        """
        names = _plain_fields(value.__class__)
        if names is None:
            return dataclasses.replace(value, **changes)
        new = object.__new__(value.__class__)
        state, old = new.__dict__, value.__dict__
        for name in names:
            state[name] = old[name]
        state.update(changes)
        if len(state) > len(names):
            raise TypeError(f"{value.__class__.__name__} has no field {(state.keys() - names).pop()}")
        return new


@cache
def _plain_fields(kind: type) -> frozenset[str] | None:
    """The names of a class's fields; None if a value is more than these, or is checked when it is made."""
    fields = dataclasses.fields(kind)
    is_plain = all(field.init for field in fields) and not hasattr(kind, "__post_init__")
    has_slots = any("__slots__" in vars(base) for base in kind.__mro__)
    return frozenset(field.name for field in fields) if is_plain and not has_slots else None
