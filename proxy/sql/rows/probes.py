"""The constants that the source has to be able to compute before anything is charged: patterns and time zones."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from sqlglot import exp

from proxy.errors import DpproxyError
from proxy.sql.rows.relation import Relation
from proxy.sql.terms.expressions import compile_term


def source_probes(patterns: Iterable[exp.Expr]) -> tuple[str, ...]:
    """The `pattern_probes` of a block, compiled like everything that the source runs, without a row around them.
    Planning refuses what does not compile."""
    found = []
    for probe in patterns:
        with suppress(DpproxyError):
            found.append(compile_term(probe, _NO_ROW).sql)
    return tuple(dict.fromkeys(found))


_NO_ROW = Relation(())
