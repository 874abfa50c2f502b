"""The tables and queries of the TPC-H specification (www.tpc.org/tpch, version 3), as PostgreSQL reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from proxy.rehearsal.expectations import first_lexeme
from proxy.sql.scripts import cut

TABLES: Final[dict[str, str]] = {
    "region": "r_regionkey integer NOT NULL, r_name char(25) NOT NULL, r_comment varchar(152)",
    "nation": """n_nationkey integer NOT NULL, n_name char(25) NOT NULL, n_regionkey integer NOT NULL,
        n_comment varchar(152)""",
    "part": """p_partkey integer NOT NULL, p_name varchar(55) NOT NULL, p_mfgr char(25) NOT NULL,
        p_brand char(10) NOT NULL, p_type varchar(25) NOT NULL, p_size integer NOT NULL, p_container char(10) NOT NULL,
        p_retailprice decimal(15, 2) NOT NULL, p_comment varchar(23) NOT NULL""",
    "supplier": """s_suppkey integer NOT NULL, s_name char(25) NOT NULL, s_address varchar(40) NOT NULL,
        s_nationkey integer NOT NULL, s_phone char(15) NOT NULL, s_acctbal decimal(15, 2) NOT NULL,
        s_comment varchar(101) NOT NULL""",
    "partsupp": """ps_partkey integer NOT NULL, ps_suppkey integer NOT NULL, ps_availqty integer NOT NULL,
        ps_supplycost decimal(15, 2) NOT NULL, ps_comment varchar(199) NOT NULL""",
    "customer": """c_custkey integer NOT NULL, c_name varchar(25) NOT NULL, c_address varchar(40) NOT NULL,
        c_nationkey integer NOT NULL, c_phone char(15) NOT NULL, c_acctbal decimal(15, 2) NOT NULL,
        c_mktsegment char(10) NOT NULL, c_comment varchar(117) NOT NULL""",
    "orders": """o_orderkey bigint NOT NULL, o_custkey integer NOT NULL, o_orderstatus char(1) NOT NULL,
        o_totalprice decimal(15, 2) NOT NULL, o_orderdate date NOT NULL, o_orderpriority char(15) NOT NULL,
        o_clerk char(15) NOT NULL, o_shippriority integer NOT NULL, o_comment varchar(79) NOT NULL""",
    "lineitem": """l_orderkey bigint NOT NULL, l_partkey integer NOT NULL, l_suppkey integer NOT NULL,
        l_linenumber integer NOT NULL, l_quantity decimal(15, 2) NOT NULL, l_extendedprice decimal(15, 2) NOT NULL,
        l_discount decimal(15, 2) NOT NULL, l_tax decimal(15, 2) NOT NULL, l_returnflag char(1) NOT NULL,
        l_linestatus char(1) NOT NULL, l_shipdate date NOT NULL, l_commitdate date NOT NULL,
        l_receiptdate date NOT NULL, l_shipinstruct char(25) NOT NULL, l_shipmode char(10) NOT NULL,
        l_comment varchar(44) NOT NULL""",
}
"""Columns of each table (section 1.4); a table comes after those that it refers to."""

PRIMARY_KEYS: Final[dict[str, str]] = {
    "region": "r_regionkey",
    "nation": "n_nationkey",
    "part": "p_partkey",
    "supplier": "s_suppkey",
    "partsupp": "ps_partkey, ps_suppkey",
    "customer": "c_custkey",
    "orders": "o_orderkey",
    "lineitem": "l_orderkey, l_linenumber",
}

FOREIGN_KEYS: Final[tuple[tuple[str, str, str], ...]] = (
    ("nation", "n_regionkey", "region"),
    ("supplier", "s_nationkey", "nation"),
    ("customer", "c_nationkey", "nation"),
    ("partsupp", "ps_partkey", "part"),
    ("partsupp", "ps_suppkey", "supplier"),
    ("orders", "o_custkey", "customer"),
    ("lineitem", "l_orderkey", "orders"),
    ("lineitem", "l_partkey, l_suppkey", "partsupp"),
)
"""Table, its columns, and the table whose primary key they refer to."""

_QUERIES = Path(__file__).parents[2] / "policies" / "queries" / "tpch.sql"


def queries() -> dict[str, str]:
    """The texts by name, Q1 to Q22."""
    pieces = cut(_QUERIES.read_text(encoding="utf-8"))
    return {f"Q{number}": piece[first_lexeme(piece) :] for number, piece in enumerate(pieces, start=1)}
