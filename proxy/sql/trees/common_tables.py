"""What a CTE's name in FROM stands for."""

from __future__ import annotations

from sqlglot import exp

from proxy.sql.names import folded
from proxy.sql.trees.walking import ancestors


def body_of_cte(item: exp.Expr) -> exp.Query | None:
    """The query of the CTE that a FROM item names, if it gives its columns no other names and does not read itself."""
    cte = cte_of(item)
    return None if cte is None or cte.args["alias"].args.get("columns") else cte.this


def cte_of(item: exp.Expr) -> exp.CTE | None:
    """The CTE that a FROM item names, if it does not read itself."""
    if not isinstance(item, exp.Table) or not isinstance(item.this, exp.Identifier) or item.args.get("db"):
        return None
    around = list(ancestors(item))
    for holder in around:
        with_ = holder if isinstance(holder, exp.With) else holder.args.get("with_")
        for cte in with_.expressions if with_ is not None else ():
            if folded(cte.args["alias"].this) == folded(item.this):
                return None if any(cte is node for node in around) else cte
    return None
