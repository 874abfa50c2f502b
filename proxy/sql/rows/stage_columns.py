"""The columns of an earlier answer, as the stage describes them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from proxy.policy.enum_types import name_parts
from proxy.sql.replacing import replace
from proxy.sql.terms.types import BPCHAR, TEXT, Kind, SqlType, type_named


@dataclass(frozen=True)
class StageColumn:
    """A column as the stage describes it: its name and its type with modifiers, as format_type prints it."""

    name: str
    type_name: str


def type_of(column: StageColumn) -> SqlType:
    """The type of a column's values, as terms have it; of types without rules, one of that name."""
    parts = name_parts(column.type_name)
    if len(parts) == 2 and not column.type_name.endswith("[]"):
        return replace(TEXT, foreign=".".join(parts))
    name = re.sub(r"\(.*?\)", "", column.type_name)
    found = BPCHAR if name == "character" else type_named(name)
    return replace(found, name=f"released {found.name}") if found.kind is Kind.OTHER else found


KINDS_OF_ONE_TEXT: Final = (Kind.INTEGER, Kind.TEXT, Kind.DATE, Kind.TIMESTAMP, Kind.BOOLEAN, Kind.UUID)
"""Of these no two equal values have different texts, as 1.0 and 1.00 have, or 0 and -0."""
