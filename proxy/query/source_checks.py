"""What is tried on the source before a block is charged, since its version and locale may differ from the stage's.

A function that only the stage's version has, or a pattern that only it compiles, would fail after the charge, the
pattern perhaps because of a single row. Where upper() or a pattern's classes know other letters, or a time zone has
other rules, rows would fall into groups that are not declared. Whether that is so depends on constants and public rows
alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from proxy.errors import UnsupportedError

Rows = Sequence[tuple[str | None, ...]]


@dataclass(frozen=True)
class SourceChecks:
    """What is tried on the source for one block.

    Attributes:
        probes: constant expressions that the source computes: patterns and time zones.
        declared: each query for declared keys whose result depends on the server, with the stage's rows.
    """

    probes: tuple[str, ...] = ()
    declared: tuple[tuple[str, Rows], ...] = ()

    @property
    def queries(self) -> list[str]:
        """The queries that the source runs; they name no private table."""
        probes = [f"SELECT {', '.join(self.probes)}"] if self.probes else []
        return [*probes, *(sql for sql, _ in self.declared)]

    def compare(self, found: Sequence[Rows]) -> None:
        """Check the source's rows for `queries`.

        Raises:
            UnsupportedError: the source computes other keys than the stage.
        """
        for (_, expected), rows in zip(self.declared, found[len(found) - len(self.declared) :], strict=True):
            if _values(expected) != _values(rows):
                raise UnsupportedError(
                    "the private database computes group keys that differ from the declared ones",
                    detail="Its locale treats letters differently in lower(), upper() or a pattern, its time zone "
                    "rules differ, or its public tables have changed since dpproxy started.",
                    hint="Group by the column itself.",
                    rule="server-keys",
                )


def _values(rows: Rows) -> set[tuple[str | None, ...]]:
    """All rows except a single NULL, which a mode is never chosen from."""
    return {row for row in rows if row != (None,)}
