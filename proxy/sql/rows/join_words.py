"""What the words of FROM and JOIN say: a join's kind, the columns of USING and NATURAL, and a table's name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sqlglot import exp

from proxy.sql.named_tables import NamedTable
from proxy.sql.names import folded
from proxy.sql.refusal import reads_beside, unsupported
from proxy.sql.rows.members import ColumnOrigin, Member
from proxy.sql.schema import Schema
from proxy.sql.trees.walking import is_function_item

Columns = Sequence[tuple[str, ColumnOrigin]]
"""Columns under the names that * shows, in its order."""

_JOIN_ARGUMENTS = {"this", "side", "kind", "on", "using", "method"}


def is_comma(join: exp.Join) -> bool:
    """Is it a comma between two items?"""
    return not any(join.args.get(name) for name in ("side", "kind", "on", "using", "method"))


def side_of(join: exp.Join) -> str:
    """ "" for INNER, CROSS and comma, else LEFT, RIGHT or FULL. Refuses every other join."""
    unknown = [name for name, value in join.args.items() if value and name not in _JOIN_ARGUMENTS]
    side, kind = (str(join.args.get(name) or "").upper() for name in ("side", "kind"))
    method = str(join.args.get("method") or "").upper()
    if (
        unknown
        or kind not in ("", "INNER", "CROSS", "OUTER")
        or side not in ("", "LEFT", "RIGHT", "FULL")
        or method not in ("", "NATURAL")
    ):
        what = " ".join(word for word in (method, side, kind, "JOIN") if word)
        raise join_refusal(join, what, "Use JOIN or LEFT JOIN, starting from the private table.")
    return side


def join_refusal(join: exp.Join, what: str, hint: str) -> Exception:
    return unsupported(
        join,
        f"{what} is not supported here",
        rule="join-kind",
        detail="dpproxy cannot prove that every row of such a join still belongs to one privacy unit.",
        hint=hint,
    )


def merged_names(join: exp.Join, joined: Sequence[Member], left: Columns, right: Columns) -> list[str]:
    """The columns of USING, or those that both sides share for NATURAL."""
    if (join.args.get("using") or join.args.get("method")) and len(joined) > 1:
        raise join_refusal(join, "USING or NATURAL with a join in parentheses", "Write the condition with ON.")
    if str(join.args.get("method") or "").upper() == "NATURAL":
        if any(name.startswith("\0") for name, _ in (*left, *right)):
            raise unsupported(
                join,
                "NATURAL JOIN of columns without names is not supported here",
                rule="join-kind",
                detail="One side has columns with generated names, or two columns with the same name.",
                hint="Give each column a unique name, or write the condition with ON.",
            )
        names = {name for name, _ in right}
        return [name for name, _ in left if name in names]
    return [folded(identifier) for identifier in join.args.get("using") or []]


def find_table(item: exp.Table, schema: Schema, search_path: tuple[str, ...]) -> NamedTable:
    """The policy's table in FROM.

    Raises:
        UnsupportedError: it is none.
    """
    table = schema.find(item, search_path)
    if table is None and is_function_item(item):
        raise reads_beside(item)
    if table is None:
        raise unsupported(
            item,
            f"{item.name} cannot be joined with a private table",
            rule="from-relation",
            detail="It is neither a private nor a public table of the policy.",
            hint="Join only tables that \\dt shows; combine others with the released result in an outer query.",
        )
    return table


def columns_of(
    members: Mapping[str, Member], columns: Iterable[tuple[str, ColumnOrigin]]
) -> tuple[tuple[str, ColumnOrigin], ...]:
    """Those columns that are of these members, by their aliases, as these are now."""
    return tuple(
        (name, origin if origin.member is member else ColumnOrigin(member, origin.column))
        for name, origin in columns
        if (member := members.get(origin.member.alias)) is not None
    )
