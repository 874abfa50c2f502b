"""The function of a stage that tries statements: whether one of several succeeds, without leaving anything behind.

It runs with its caller's rights alone, and what it runs is taken back: whoever calls it directly gets no more than from
sending the statements.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from psycopg import sql

_TRY_BODY: Final = """
DECLARE
    attempt text;
    found text;
    failure text;
    said text;
    explained text;
    advised text;
BEGIN
    FOREACH attempt IN ARRAY attempts LOOP
        BEGIN
            IF keeping IS NULL THEN
                EXECUTE attempt;
            ELSE
                EXECUTE attempt INTO found;
                EXECUTE keeping USING found;
            END IF;
            RAISE EXCEPTION USING ERRCODE = 'DP000';
        EXCEPTION WHEN OTHERS THEN
            -- Cardinality violation, data exception, constraint violation, syntax error: not what time and load do.
            IF pg_catalog.left(SQLSTATE, 2) NOT IN ('21', '22', '23', '42') THEN
                RETURN;
            END IF;
            CONTINUE WHEN failure IS NOT NULL;
            GET STACKED DIAGNOSTICS failure = RETURNED_SQLSTATE, said = MESSAGE_TEXT,
                explained = PG_EXCEPTION_DETAIL, advised = PG_EXCEPTION_HINT;
        END;
    END LOOP;
    RAISE EXCEPTION USING ERRCODE = failure, MESSAGE = said, DETAIL = explained, HINT = advised;
END"""


def trial_statements() -> Iterator[sql.Composed]:
    """Create dp.try_each(attempts, keeping) in the schema dp, which exists; everybody may execute it.

    It raises the first error if each attempt fails by itself. With `keeping`, an attempt gives one text, the
    parameter $1 of that statement, which is a part of the attempt.
    """
    yield sql.SQL(
        "CREATE FUNCTION dp.try_each(attempts text[], keeping text) RETURNS void LANGUAGE plpgsql AS {}"
    ).format(sql.Literal(_TRY_BODY))
