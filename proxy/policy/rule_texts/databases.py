"""The rules beside a database: does the policy fit it (5xx), and does it keep the promise (6xx)?"""

from __future__ import annotations

from typing import Final

from proxy.policy.rule_texts.row import Row

DATABASES: Final[tuple[Row, ...]] = (
    ("DP501", "error", "the database has no such table", ""),
    ("DP502", "error", "the table has no such column", ""),
    ("DP503", "error", "no row can have a declared value", ""),
    ("DP504", "error", "bounds do not fit the column's type", ""),
    ("DP505", "warning", "a step finer than the column's own grid", ""),
    ("DP506", "error", "`values_from` names a column of another type", ""),
    ("DP507", "warning", "rows with undeclared values are in no group", ""),
    ("DP508", "warning", "a number without bounds", ""),
    ("DP509", "warning", "texts that the source takes for equal are different here", ""),
    ("DP510", "error", "the unit's column cannot identify a unit", ""),
    ("DP511", "warning", "units that the source takes for one are two here", ""),
    ("DP512", "error", "nothing tells apart the rows whose unit is NULL", ""),
    ("DP513", "error", "a row of its own could be a unit's", ""),
    ("DP514", "error", "columns of one unit differ in which texts are equal", ""),
    ("DP515", "error", "a `via` leads to a column that is not unique", ""),
    ("DP516", "error", "a `via` joins columns of different types", ""),
    ("DP517", "warning", "noise is made for more rows than a unit has", ""),
    ("DP518", "warning", "no column can be a group key", ""),
    ("DP519", "warning", "a public table refers to private rows", ""),
    ("DP520", "error", "`view: true` on a table", ""),
    ("DP521", "warning", "a view with a unit of its own", ""),
    ("DP522", "error", "`others` does not fit the column", ""),
    ("DP523", "warning", "`others` is not needed", ""),
    ("DP524", "warning", "a cluster spreads rows otherwise than by the unit", ""),
    ("DP525", "error", "`from_type` where neither type nor CHECK lists values", ""),
    ("DP526", "warning", "rows lead to a unit that does not own them", ""),
    ("DP527", "warning", "bounds narrower than what a CHECK allows", ""),
    ("DP528", "warning", "bounds wider than what a CHECK allows", ""),
    ("DP529", "warning", "numbers with fractions as units", ""),
    ("DP530", "warning", "a `via` that is no foreign key", ""),
    ("DP531", "warning", "columns of one unit have different types", ""),
    ("DP601", "error", "the database's encoding is not UTF8", ""),
    ("DP602", "warning", "the reader is a superuser", ""),
    ("DP603", "warning", "texts sort otherwise than on the source", ""),
    ("DP604", "error", "a public relation shows private rows", ""),
    ("DP605", "error", "a public relation shows what the server knows of private tables", ""),
    ("DP606", "warning", "a public relation reads what nothing tells", ""),
    ("DP607", "error", "declared values come from private rows", ""),
    ("DP608", "error", "rows have two budgets: a parent and its partition are both listed", ""),
    ("DP609", "warning", "row-level security decides what is counted", ""),
    ("DP610", "warning", "rows without a unit are not counted", ""),
    ("DP611", "error", "the reader may not read a table", ""),
    ("DP640", "error", "what was spent under other accounts of a budget would not count (found by `serve`)", ""),
)
