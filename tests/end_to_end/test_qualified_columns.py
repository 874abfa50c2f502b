"""`schema.table.column`, as some BI tools write every column: it means what Postgres means, or it is refused."""

from __future__ import annotations

import psycopg
import pytest

from tests.end_to_end.comparing import Connections, assert_same_answer

SAME = {
    "everywhere in a block": 'SELECT "public"."visits"."region" AS "region", count(*) AS "count", sum("public"."visits"."minutes") '
    'FROM "public"."visits" WHERE "public"."visits"."urgent" GROUP BY "public"."visits"."region" '
    'HAVING count("public"."visits"."cost") > 10 ORDER BY "public"."visits"."region" ASC',
    "in the condition of a join": "SELECT public.regions.zone, count(*) FROM public.visits JOIN public.regions "
    "ON public.visits.region = public.regions.name GROUP BY public.regions.zone",
    "beside an alias": 'SELECT "P"."sex", avg(public.visits.minutes) FROM public.visits LEFT JOIN public.patients AS "P" '
    'ON public.visits.patient_id = "P".patient_id GROUP BY "P"."sex"',
    "of a table without its schema": "SELECT count(public.visits.minutes) FROM visits",
    "of the query around": "SELECT count(*) FROM patients WHERE EXISTS (SELECT FROM visits WHERE "
    "public.visits.patient_id = public.patients.patient_id AND public.visits.urgent)",
    "in a CTE": "WITH urgent AS (SELECT public.visits.region AS r FROM public.visits WHERE public.visits.urgent) "
    "SELECT r, count(*) FROM urgent GROUP BY r",
    "of all columns": "SELECT count(cost), sum(minutes) FROM (SELECT public.visits.* FROM public.visits) AS x",
}
OTHERWISE = {
    "an alias of that name between": "SELECT count(*) FROM public.visits WHERE EXISTS (SELECT FROM public.patients AS visits "
    "WHERE visits.patient_id = public.visits.patient_id AND visits.smoker)",
    "the same table with an alias between": "SELECT count(*) FROM public.visits WHERE EXISTS (SELECT FROM public.visits AS visits "
    "WHERE visits.patient_id = public.visits.patient_id AND visits.urgent)",
    "a derived table of that name between": "SELECT count(*) FROM public.visits WHERE EXISTS (SELECT FROM "
    "(SELECT patient_id FROM patients WHERE smoker) AS visits WHERE visits.patient_id = public.visits.patient_id)",
    "a CTE of that name between": "WITH visits AS (SELECT patient_id FROM patients WHERE smoker) SELECT count(*) FROM public.visits "
    "WHERE EXISTS (SELECT FROM visits WHERE visits.patient_id = public.visits.patient_id)",
}


@pytest.mark.parametrize("query", SAME.values(), ids=SAME.keys())
def test_a_column_with_its_schema_is_answered_as_by_postgres(query: str, connections: Connections) -> None:
    assert_same_answer(query, connections)


@pytest.mark.parametrize("query", OTHERWISE.values(), ids=OTHERWISE.keys())
def test_a_column_whose_short_name_means_another_table_is_refused(query: str, connections: Connections) -> None:
    client, source = connections
    assert source.execute(query.encode()).fetchall()
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match=r"column public\.visits\.patient_id cannot be used"):
        client.execute(query.encode())
