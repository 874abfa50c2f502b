"""What the source has to be able to compute before anything is charged: patterns and time zones that a query holds."""

from __future__ import annotations

from contextlib import suppress

from sqlglot import exp

from proxy.errors import DpproxyError
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.expressions import compile_term
from proxy.sql.trees import constants


def source_probes(select: exp.Select) -> tuple[str, ...]:
    """Expressions of constants, compiled like all that the source runs, and without a row around them. What does not
    compile, planning refuses."""
    found = []
    for probe in constants.pattern_probes([select]):
        with suppress(DpproxyError):
            found.append(compile_term(probe, _NO_ROW).sql)
    return tuple(dict.fromkeys(found))


_NO_ROW = Relation(())
