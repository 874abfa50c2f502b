"""The function of a stage that tries statements: whether one of several succeeds, without leaving anything behind.

It runs with its caller's rights alone, and what it runs is taken back: whoever calls it directly gets no more than from
sending the statements.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from psycopg import sql

from proxy.errors import OWN_FAILURES

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
            IF pg_catalog.left(SQLSTATE, 2) <> ALL ({own failures}) THEN
                RETURN true;
            END IF;
            CONTINUE WHEN failure IS NOT NULL;
            GET STACKED DIAGNOSTICS failure = RETURNED_SQLSTATE, said = MESSAGE_TEXT,
                explained = PG_EXCEPTION_DETAIL, advised = PG_EXCEPTION_HINT;
        END;
    END LOOP;
    IF failure IS NULL OR NOT last THEN
        RETURN false;
    END IF;
    RAISE EXCEPTION USING ERRCODE = failure, MESSAGE = said, DETAIL = explained, HINT = advised;
END"""


def trial_statements() -> Iterator[sql.Composed]:
    """Create dp.try_each(attempts, keeping, last) in the schema dp, which exists; everybody may execute it.

    It says whether one of the attempts succeeds. Of the last ones it raises the first error if each fails by itself.
    With `keeping`, an attempt gives one text, the parameter $1 of that statement, which is a part of the attempt.
    """
    own = "ARRAY['" + "', '".join(OWN_FAILURES) + "']"
    yield sql.SQL(
        "CREATE FUNCTION dp.try_each(attempts text[], keeping text, last boolean) RETURNS boolean "
        "LANGUAGE plpgsql AS {}"
    ).format(sql.Literal(_TRY_BODY.replace("{own failures}", own)))
