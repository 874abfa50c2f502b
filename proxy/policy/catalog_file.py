"""The catalog as a file, so that policies are checked and queries planned where no database is: names, types and keys.

It holds no row of a private table. Of public tables it has what planning reads of their rows: how many there are, the
range of their numbers and dates, how long their texts are and which ones, where they are few, and texts that the policy
declares by them. Labels of enums, CHECKs and the queries of views are in it, so whoever may not see the schema should
not see the file.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from proxy.policy.catalog import Catalog, Dependency, Table
from proxy.policy.model import Policy

FORMAT: Final = 1
"""The version of the file's format; to be changed when older readers would misread it."""
_VERSION: Final = "dpproxy_catalog"
_MOST_BYTES: Final = 64 << 20
_WIDTH: Final = 120


class CatalogFileError(Exception):
    """The file is no catalog that can be used; the text is one line for the user."""


def catalog_text(catalog: Catalog) -> str:
    """The file's content; the same catalog always gives the same text. Defaults are left out."""
    ordered = replace(
        catalog,
        definitions={},  # they change when a dump is restored, and nobody watches the database of a file
        tables=dict(sorted(catalog.tables.items())),
        unreadable=dict(sorted(catalog.unreadable.items())),
        collations=dict(sorted(catalog.collations.items())),
    )
    return _printed({_VERSION: FORMAT, **_plain(ordered)}, "") + "\n"


def _printed(value: Any, indent: str) -> str:
    """JSON with what fits on a line on one line, so that a difference shows a column, not its parts."""
    line = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(line) <= _WIDTH or not isinstance(value, (dict, list)):
        return line
    inner = indent + " "
    if isinstance(value, dict):
        parts = [f"{json.dumps(key, ensure_ascii=False)}: {_printed(part, inner)}" for key, part in value.items()]
        return "{\n" + ",\n".join(inner + part for part in parts) + f"\n{indent}}}"
    return "[\n" + ",\n".join(inner + _printed(part, inner) for part in value) + f"\n{indent}]"


def _plain(value: Any) -> Any:
    """A value as JSON has it."""
    if is_dataclass(value) and not isinstance(value, type):
        return {
            part.name: _plain(found)
            for part in fields(value)
            if (found := getattr(value, part.name)) != _default(part.default, part.default_factory)
        }
    if isinstance(value, Mapping):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, frozenset):
        return sorted(_plain(part) for part in value)
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    if isinstance(value, dt.datetime):
        return value.isoformat()
    return str(value) if isinstance(value, Fraction) else value


def _default(value: Any, factory: Any) -> Any:
    return factory() if value is MISSING and factory is not MISSING else value


def read_catalog_file(path: Path) -> Catalog:
    """The catalog that `catalog_text` wrote.

    Raises:
        CatalogFileError: the file cannot be read, or is none.
    """
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise CatalogFileError(f"{path}: larger than {_MOST_BYTES >> 20} MB")
        content = json.loads(data)
    except OSError as error:
        raise CatalogFileError(f"{path}: cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise CatalogFileError(f"{path}: not JSON; `dpproxy catalog --source …` writes such files") from None
    version = content.pop(_VERSION, None) if isinstance(content, dict) else None
    if version is None:
        raise CatalogFileError(f"{path}: not a catalog; `dpproxy catalog --source …` writes one")
    if version != FORMAT:
        raise CatalogFileError(f"{path}: format {version!r} is not {FORMAT}, which this dpproxy reads; write it anew")
    try:
        return TypeAdapter(Catalog).validate_json(json.dumps(content), strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise CatalogFileError(f"{path}: {place}: {first['msg']}; write the file anew") from None


def catalog_of_policy(catalog: Catalog, policy: Policy, *, for_planning: bool = True) -> Catalog:
    """What a catalog says of the tables of a policy, as the source would tell it for this policy alone.

    Args:
        catalog: of more tables, perhaps.
        policy: names the tables.
        for_planning: public rows have to be known, as planning rests on them.

    Raises:
        CatalogFileError: the rows of a table that the policy calls public were not looked at.
    """
    tables = {name: found for name in policy.tables if (found := catalog.tables.get(name)) is not None}
    for name, found in tables.items():
        if for_planning and policy.tables[name].public and found.row_count is None:
            raise CatalogFileError(
                f"the catalog says nothing of the rows of {name}, which the policy calls public: write it anew with "
                "`dpproxy catalog --policy`"
            )
        if not policy.tables[name].public:
            tables[name] = _without_rows(found)
    return replace(
        catalog,
        tables=tables,
        unreadable={name: lacks for name, lacks in catalog.unreadable.items() if name in tables},
        collations={
            place: name for place, name in catalog.collations.items() if not place or place.rpartition(".")[0] in tables
        },
        dependencies=_reached(catalog.dependencies, tables),
    )


def _without_rows(table: Table) -> Table:
    """A table that was public when the catalog was written."""
    return replace(table, row_count=None, ranges={}, moments={}, octets={}, texts={}, declared={})


def _reached(dependencies: tuple[Dependency, ...], tables: Mapping[str, Table]) -> tuple[Dependency, ...]:
    """The dependencies of some tables, of what these depend on, and so on."""
    by_reader: dict[str, list[Dependency]] = {}
    for dependency in dependencies:
        by_reader.setdefault(dependency.reader, []).append(dependency)
    pending, seen = list(tables), set(tables)
    for name in pending:
        following = [found.target for found in by_reader.get(name, ()) if found.target not in seen]
        seen.update(following)
        pending += following
    return tuple(dependency for dependency in dependencies if dependency.reader in seen)
