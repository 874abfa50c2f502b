"""The constructs of SQL that the table of the analysts' page lists: what each is called, examples over the demo, what they get.

test_constructs.py sends every example to the demo, so that what stands here is what the proxy does.
"""

from __future__ import annotations

from typing import Final

from tests.docs.construct import DENIED, UNSUPPORTED, Answered, Refused
from tests.docs.constructs_around_blocks import AROUND_BLOCKS
from tests.docs.constructs_of_rows import OF_ROWS

CONSTRUCTS: Final[dict[str, dict[str, Answered | Refused]]] = {
    **OF_ROWS,
    "Aggregates": {
        "count(*), count(x), sum, avg": Answered("SELECT count(*), count(minutes), sum(cost), avg(cost) FROM visits"),
        "count(DISTINCT …) of people or values": Answered(
            "SELECT region, count(DISTINCT patient_id), count(DISTINCT diagnosis) FROM visits GROUP BY region"
        ),
        "variance, deviation, covariance, correlation, regression": Answered(
            "SELECT stddev(cost), corr(cost, minutes), regr_slope(cost, minutes) FROM visits",
            also=("SELECT region, var_pop(minutes), covar_samp(cost, minutes) FROM visits GROUP BY region",),
        ),
        "those of a unit's counts and sums": Answered(
            "SELECT stddev(n), corr(n, s) FROM (SELECT patient_id, count(*) AS n, sum(cost) AS s FROM visits "
            "GROUP BY patient_id) AS v"
        ),
        "distinct combinations": Answered("SELECT count(DISTINCT (region, specialty)) FROM visits"),
        "FILTER, CASE, arithmetic": Answered(
            "SELECT avg(cost) FILTER (WHERE minutes > 60), sum(CASE WHEN minutes > 60 THEN cost * 1.5 ELSE 0 END) "
            "FROM visits"
        ),
        "DISTINCT in sum, avg, variance and stddev": Answered(
            "SELECT sum(DISTINCT minutes), avg(DISTINCT minutes), stddev(DISTINCT minutes) FROM visits"
        ),
        "DISTINCT of pairs": Refused(
            "SELECT corr(DISTINCT cost, minutes) FROM visits",
            UNSUPPORTED,
            "corr(DISTINCT …) of two values is not supported",
        ),
        "a sum without bounds, where the policy states `max_rows`": Refused(
            "SELECT sum(visit_id) FROM visits", DENIED, "sum(visit_id) requires bounds, but visit_id has none"
        ),
        "min, max, percentiles": Answered(
            "SELECT max(cost), percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) FROM visits",
            also=(
                "SELECT region, min(visited_at), percentile_disc(ARRAY[0.25, 0.75]) WITHIN GROUP (ORDER BY minutes) "
                "FROM visits GROUP BY region",
            ),
        ),
        "extremes and percentiles of a unit's counts and sums": Answered(
            "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY n), max(s) FROM (SELECT patient_id, count(*) AS n, "
            "sum(cost) AS s FROM visits GROUP BY patient_id) AS v"
        ),
        "sums, averages, extremes and percentiles of intervals": Answered(
            "SELECT avg(visited_at - timestamp '2024-01-01'), max(visited_at - timestamp '2024-01-01') FROM visits",
        ),
        "intervals that may have months": Refused(
            "SELECT avg(age(visited_at, timestamp '2024-01-01')) FROM visits",
            UNSUPPORTED,
            "avg(interval) is not supported",
        ),
        "extremes of texts that the policy lists": Answered(
            "SELECT min(sex), max(sex) FROM patients",
            also=(
                "SELECT region, min(region), max(zone), count(*) FROM visits JOIN regions ON name = region GROUP BY region",
                "SELECT specialty, CASE WHEN min(specialty) = max(specialty) THEN min(specialty) ELSE '*' END AS each, "
                "count(*) FROM visits GROUP BY specialty",
            ),
        ),
        "extremes of texts that a public table has": Answered(
            "SELECT max(region) FROM patients",
            also=(
                "SELECT sex, min(zone), percentile_disc(0.5) WITHIN GROUP (ORDER BY region) "
                "FROM patients JOIN regions ON name = region GROUP BY sex",
            ),
        ),
        "the names that tools write": Answered(
            "SELECT region, median(cost), approx_count_distinct(diagnosis) FROM visits GROUP BY region",
            also=("SELECT median(n) FROM (SELECT region, count(*) AS n FROM visits GROUP BY region) AS each",),
        ),
        "the most frequent of declared values": Answered(
            "SELECT region, mode() WITHIN GROUP (ORDER BY specialty) FROM visits GROUP BY region"
        ),
        "bool_and, bool_or, every": Answered(
            "SELECT specialty, bool_or(cost > 400) FROM visits GROUP BY specialty",
            also=("SELECT bool_and(minutes < 300), every(cost > 1) FILTER (WHERE minutes > 15) FROM visits",),
        ),
        "an extreme without bounds": Refused(
            "SELECT max(visit_id) FROM visits", DENIED, "max(visit_id) requires bounds, but visit_id has none"
        ),
        "lists of values": Refused(
            "SELECT string_agg(diagnosis, ', ') FROM visits", DENIED, "string_agg() would show individual values"
        ),
    },
    "Group keys": {
        "columns with declared values": Answered(
            "SELECT region, specialty, count(*) FROM visits GROUP BY 1, 2",
            also=("SELECT birth_year / 10 * 10 AS decade, count(*) FROM patients GROUP BY decade",),
        ),
        "dates cut to months, fields of dates": Answered(
            "SELECT date_trunc('month', visited_at) AS month, count(*) FROM visits GROUP BY month",
            also=(
                "SELECT extract(year FROM visited_at), to_char(visited_at, 'YYYY'), count(*) FROM visits GROUP BY 1, 2",
            ),
        ),
        "steps of dates and numbers": Answered(
            "SELECT date_bin('7 days', visited_at, '2024-01-07') AS week, floor(cost / 100) * 100 AS cost, count(*) "
            "FROM visits GROUP BY 1, 2",
            also=(
                "SELECT to_timestamp(floor(extract(epoch FROM visited_at) / 86400) * 86400), count(*) FROM visits GROUP BY 1",
                "SELECT (date_trunc('week', visited_at + interval '1 day') - interval '1 day')::date, count(*) "
                "FROM visits GROUP BY 1",
                "SELECT round(cost, -2), trunc(cost / 50), count(*) FROM visits GROUP BY 1, 2",
                "SELECT date(visited_at), to_char(visited_at, 'YYYY-MM'), count(*) FROM visits GROUP BY 1, 2",
            ),
        ),
        "conditions, CASE with constant results, width_bucket": Answered(
            "SELECT CASE WHEN cost < 50 THEN 'low' ELSE 'high' END AS price, minutes > 60, count(*) FROM visits "
            "GROUP BY 1, 2",
            also=("SELECT width_bucket(cost, 0, 500, 5), count(*) FROM visits GROUP BY 1",),
        ),
        "several CASEs or conditions that compare one column": Answered(
            "SELECT CASE WHEN cost < 50 THEN 1 ELSE 2 END AS place, CASE WHEN cost < 50 THEN 'low' ELSE 'high' END AS price, "
            "count(*) FROM visits GROUP BY 1, 2",
            also=(
                "SELECT CASE diagnosis WHEN 'flu' THEN 1 ELSE 2 END, diagnosis = 'flu', count(*) FROM visits GROUP BY 1, 2",
            ),
        ),
        "a list in WHERE": Answered(
            "SELECT diagnosis, count(*) FROM visits WHERE diagnosis IN ('asthma', 'migraine') GROUP BY diagnosis"
        ),
        "a bounded column with very many values": Refused(
            "SELECT cost, count(*) FROM visits GROUP BY cost",
            "42501",
            "cost has too many possible values to group by",
        ),
        "counts per unit": Answered(
            "SELECT n, count(*) FROM (SELECT patient_id, count(*) AS n FROM visits GROUP BY patient_id) AS each GROUP BY n"
        ),
        "undeclared keys, at the price of some δ": Answered(
            "SELECT diagnosis, count(*) FROM visits GROUP BY diagnosis"
        ),
        "a released list in CASE": Answered(
            "SELECT CASE WHEN region IN (SELECT region FROM visits GROUP BY 1 ORDER BY count(*) DESC LIMIT 3) THEN region "
            "ELSE 'other' END AS r, count(*) FROM visits GROUP BY r",
            blocks=2,
        ),
        "released numbers in keys": Answered(
            "SELECT width_bucket(cost, (SELECT min(cost) FROM visits), (SELECT max(cost) FROM visits), 5) AS bucket, count(*) "
            "FROM visits GROUP BY bucket",
            blocks=3,
        ),
        "released numbers in keys, from a subquery in FROM": Answered(
            "WITH ends AS (SELECT min(cost) AS low, max(cost) AS high FROM visits) "
            "SELECT width_bucket(cost, low, high, 5) AS bucket, count(*) FROM visits, ends GROUP BY bucket",
            blocks=2,
        ),
        "a released number in a condition": Answered(
            "SELECT cost > (SELECT avg(cost) FROM visits) AS dear, count(*) FROM visits GROUP BY dear", blocks=2
        ),
        "EXISTS and IN over the unit's rows in keys": Answered(
            "SELECT EXISTS (SELECT FROM visits v WHERE v.patient_id = p.patient_id AND cost > 400) AS dear, count(*) "
            "FROM patients p GROUP BY dear",
            also=(
                "SELECT count(*) FILTER (WHERE EXISTS (SELECT FROM visits w WHERE w.patient_id = v.patient_id AND w.visited_at "
                "> v.visited_at AND w.visited_at < v.visited_at + interval '30 days')), count(*) FROM visits v",
            ),
        ),
        "lookups in public tables": Answered(
            "SELECT (SELECT zone FROM regions r WHERE r.name = v.region) AS z, count(*) FROM visits v GROUP BY z"
        ),
        "lookups in private tables by a unique key": Answered(
            "SELECT (SELECT sex FROM patients p WHERE p.patient_id = v.patient_id) AS s, count(*) FROM visits v GROUP BY s",
            also=(
                "SELECT avg((SELECT birth_year FROM patients p WHERE p.patient_id = v.patient_id)) FROM visits v",
                "SELECT count(*) FROM visits v WHERE 2 > (SELECT minutes FROM visits w WHERE w.visit_id = v.visit_id)",
            ),
        ),
        "ROLLUP of expressions": Answered("SELECT cost > 100, count(*) FROM visits GROUP BY ROLLUP (cost > 100)"),
        "ROLLUP, CUBE, GROUPING SETS of declared keys": Answered(
            "SELECT region, specialty, count(*), grouping(region) FROM visits GROUP BY CUBE (region, specialty)",
            also=(
                "SELECT region, specialty, count(*) FROM visits GROUP BY ROLLUP (region, specialty)",
                "SELECT region, specialty, count(*) FROM visits GROUP BY GROUPING SETS ((region), (specialty), ())",
            ),
        ),
        "totals of distinct values": Refused(
            "SELECT region, count(DISTINCT diagnosis) FROM visits GROUP BY ROLLUP (region)",
            UNSUPPORTED,
            "count(DISTINCT …) cannot be combined with ROLLUP, CUBE or GROUPING SETS",
        ),
        "DISTINCT of declared keys": Answered("SELECT DISTINCT region FROM visits", blocks=0),
        "ROLLUP of undeclared keys": Refused(
            "SELECT diagnosis, count(*) FROM visits GROUP BY ROLLUP (diagnosis)",
            UNSUPPORTED,
            "ROLLUP, CUBE and GROUPING SETS require declared group keys",
        ),
        "the unit": Refused(
            "SELECT patient_id, count(*) FROM visits GROUP BY patient_id",
            DENIED,
            "each group of patient_id would be one patient",
        ),
    },
    **AROUND_BLOCKS,
    "Expressions": {
        "arithmetic and mathematics": Answered(
            "SELECT count(*) FROM visits WHERE cost / (minutes - 30) > 2",
            also=("SELECT count(*) FROM visits WHERE ln(cost - 10) > sqrt(minutes - 5) OR power(minutes, 2) > 900",),
        ),
        "CASE, COALESCE, NULLIF, GREATEST, LEAST": Answered(
            "SELECT avg(greatest(coalesce(minutes, 0), 15)) FROM visits",
            also=("SELECT sum(least(nullif(cost, 0), CASE WHEN minutes > 60 THEN 200 ELSE 100 END)) FROM visits",),
        ),
        "text functions, LIKE, regular expressions": Answered(
            "SELECT count(*) FROM visits WHERE upper(left(diagnosis, 1)) = 'M' OR diagnosis ILIKE '%a%'",
            also=("SELECT count(*) FROM visits WHERE diagnosis ~ '^[a-m]' AND diagnosis NOT SIMILAR TO '%(x|y)'",),
        ),
        "today and yesterday": Answered(
            "SELECT count(*) FROM visits WHERE visited_at < current_date AND visited_at < date 'yesterday'"
        ),
        "today and yesterday without a type": Refused(
            "SELECT count(*) FROM visits WHERE visited_at < 'today'",
            UNSUPPORTED,
            "'today' without a type is not supported over private rows",
        ),
        "dates, intervals, time zones": Answered(
            "SELECT count(*) FROM visits WHERE visited_at AT TIME ZONE 'UTC' > now() - interval '900 days' "
            "AND extract(dow FROM visited_at) IN (0, 6)",
            also=(
                "SELECT date_trunc('mon', visited_at), count(*) FROM visits WHERE visited_at + interval 'P7D' > '2025-01-01' "
                "GROUP BY 1",
                "SELECT count(*) FROM visits WHERE visited_at + make_interval(days => minutes) > visited_at + '1 mon'",
                "SELECT count(*) FROM visits WHERE visited_at + (minutes || ' days')::interval > date '2025-12-01'",
            ),
        ),
        "casts, arrays of constants": Answered(
            "SELECT count(*) FROM visits WHERE diagnosis::numeric > 5 OR minutes::text = ANY (ARRAY['15', '30'])"
        ),
        "a cast that is on no list": Refused(
            "SELECT count(*) FROM visits WHERE diagnosis::interval > '3 days'",
            UNSUPPORTED,
            "a cast from text to interval is not supported over private rows",
        ),
        "a pattern that is no constant": Refused(
            "SELECT count(*) FROM visits WHERE diagnosis LIKE region", UNSUPPORTED, "LIKE requires a constant pattern"
        ),
        "a function that is on no list": Refused(
            "SELECT count(*) FROM visits WHERE pg_sleep(cost) IS NULL",
            UNSUPPORTED,
            "the function pg_sleep() is not supported over private rows",
        ),
    },
    "Refused on principle": {
        "rows": Refused(
            "SELECT * FROM visits LIMIT 10",
            DENIED,
            "this query would return rows of public.visits; only aggregates are allowed",
        ),
        "system columns": Refused(
            "SELECT count(*) FROM visits WHERE ctid = '(0,1)'", DENIED, "column ctid cannot be used here"
        ),
        "writing": Refused("DELETE FROM visits", DENIED, "DELETE is not allowed through dpproxy"),
    },
}
"""Constructs by name, in the groups of the table."""
