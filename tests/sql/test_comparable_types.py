"""Which types are compared: held against the operator classes of a real server, in both directions."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from proxy.sql.terms.comparable_types import is_comparable
from proxy.sql.terms.types import type_named
from tests.conftest import PostgresCluster

# A type's own class, or that of a type that it is taken for as it stands. Ranges have one for all of them.
COMPARED = """
SELECT format_type(t.oid, -1), t.typtype IN ('r', 'm') OR EXISTS (
    SELECT FROM pg_opclass o JOIN pg_am a ON a.oid = o.opcmethod
    WHERE a.amname = 'btree' AND o.opcdefault AND (o.opcintype = t.oid OR EXISTS (
        SELECT FROM pg_cast c WHERE c.castsource = t.oid AND c.casttarget = o.opcintype
        AND c.castmethod = 'b' AND c.castcontext = 'i')))
FROM pg_type t
WHERE t.typnamespace = 'pg_catalog'::regnamespace AND t.typtype IN ('b', 'r', 'm') AND t.typcategory <> 'A'
"""
LEFT_OUT = {
    # Trees, which are compared by functions that call themselves.
    "tsquery",
    # Names of catalog objects, statistics and plans: nobody's data.
    *("regclass", "regcollation", "regconfig", "regdictionary", "regnamespace", "regoper", "regoperator", "regproc"),
    *("regprocedure", "regrole", "regtype", "pg_dependencies", "pg_mcv_list", "pg_ndistinct", "pg_node_tree"),
}
ARRAYS = """
SELECT format_type(t.oid, -1), format_type(t.typelem, -1)
FROM pg_type t WHERE t.typnamespace = 'pg_catalog'::regnamespace AND t.typcategory = 'A' AND t.typelem <> 0
"""


@pytest.fixture(scope="module")
def server(postgres_cluster: PostgresCluster) -> Iterator[psycopg.Connection]:
    with psycopg.connect(postgres_cluster.create_database("compared"), autocommit=True) as connection:
        yield connection


def test_exactly_the_types_with_an_operator_class_are_compared(server: psycopg.Connection) -> None:
    rows = server.execute(COMPARED).fetchall()
    assert len(rows) > 60
    found = {name for name, _ in rows if is_comparable(type_named(name))}
    assert found == {name for name, compared in rows if compared} - LEFT_OUT


def test_arrays_are_compared_where_their_elements_are(server: psycopg.Connection) -> None:
    rows = server.execute(ARRAYS).fetchall()
    assert len(rows) > 60
    for array, element in rows:
        expected = is_comparable(type_named(element)) and array.endswith("[]")
        assert is_comparable(type_named(array)) == expected, array


def test_what_is_compared_compares_for_the_source(server: psycopg.Connection) -> None:
    """Every listed type and array has the operators, found under the search path of a source query."""
    server.execute("SET search_path = pg_catalog, pg_temp")
    names = [name for name, _ in server.execute(COMPARED).fetchall() if is_comparable(type_named(name))]
    for name in [*names, *(f"{name}[]" for name in names)]:
        compared = ", ".join(f"x {operator} x" for operator in ("=", "<>", "<", "<=", ">", ">="))
        statement = f"SELECT {compared}, NULLIF(x, x) FROM (SELECT NULL::{name} AS x) AS t GROUP BY x ORDER BY x"
        server.execute(statement.encode())
        if name.endswith("[]"):
            # An array has the operators whatever its elements are; with elements they have to work.
            server.execute(f"SELECT x = x, x < x FROM (SELECT ARRAY[NULL, NULL]::{name} AS x) AS t".encode())


@pytest.mark.parametrize("name", ["json", "point", "xml", "jsonpath", "refcursor"])
def test_arrays_whose_elements_have_no_order_fail_for_the_source_and_are_not_compared(
    name: str, server: psycopg.Connection
) -> None:
    assert not is_comparable(type_named(name))
    assert not is_comparable(type_named(f"{name}[]"))
    with pytest.raises(psycopg.errors.UndefinedFunction):
        server.execute(f"SELECT x = x FROM (SELECT ARRAY[NULL, NULL]::{name}[] AS x) AS t".encode())
