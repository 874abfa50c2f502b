"""The constructs that stand around blocks or read what was released: part of `construct_examples`."""

from __future__ import annotations

from typing import Final

from tests.docs.construct import DENIED, UNSUPPORTED, Answered, Refused

AROUND_BLOCKS: Final[dict[str, dict[str, Answered | Refused]]] = {
    "Probes of tools": {
        "queries without rows": Answered(
            "SELECT * FROM visits WHERE 1 = 0",
            blocks=0,
            also=(
                "SELECT * FROM visits LIMIT 0",
                "SELECT * FROM (SELECT region, count(*) AS n FROM visits GROUP BY region) AS q WHERE false",
            ),
        ),
        "are there rows": Answered(
            "SELECT 1 FROM visits LIMIT 1", blocks=0, also=("SELECT EXISTS (SELECT FROM visits)",)
        ),
        "are there such rows": Answered(
            "SELECT EXISTS (SELECT FROM visits WHERE cost > 400)",
            also=(
                "SELECT 1 AS a FROM visits WHERE cost > 450 LIMIT 1",
                "SELECT name FROM regions r WHERE EXISTS (SELECT FROM visits v WHERE v.region = r.name AND cost > 450)",
                "SELECT name FROM regions WHERE name IN (SELECT region FROM visits WHERE cost > 450)",
            ),
        ),
        "rows that may exist": Refused(
            "SELECT region FROM visits WHERE 1 = 0 OR cost > 5",
            DENIED,
            "this query would return rows of public.visits; only aggregates are allowed",
        ),
    },
    "Around the blocks": {
        "HAVING, ORDER BY, LIMIT": Answered(
            "SELECT region, count(*) FROM visits GROUP BY region HAVING count(*) > 1000 ORDER BY avg(cost) DESC LIMIT 3"
        ),
        "window functions over groups": Answered(
            "SELECT region, count(*), rank() OVER (ORDER BY count(*) DESC), sum(count(*)) OVER () FROM visits "
            "GROUP BY region"
        ),
        "public tables beside a group": Answered(
            "SELECT v.region, count(*), (SELECT zone FROM regions r WHERE r.name = v.region) FROM visits v "
            "GROUP BY v.region",
            also=(
                "SELECT region, count(*) FROM visits GROUP BY region "
                "HAVING EXISTS (SELECT FROM regions r WHERE r.name = region AND zone = 'coast')",
            ),
        ),
        "a number of other rows beside each group": Answered(
            "SELECT v.region, count(*), (SELECT count(*) FROM patients p WHERE p.region = v.region) FROM visits v "
            "GROUP BY v.region",
            blocks=2,
        ),
        "the best groups of each public row": Answered(
            "SELECT r.name, q.specialty, q.n FROM regions r, LATERAL (SELECT specialty, count(*) AS n FROM visits v "
            "WHERE v.region = r.name GROUP BY specialty ORDER BY n DESC LIMIT 2) AS q"
        ),
        "any function of released values": Answered(
            "SELECT extract(year FROM max(visited_at)) FROM visits",
            also=("SELECT trim(BOTH 'n' FROM region), count(*) FROM visits GROUP BY region",),
        ),
        "noise intervals of released numbers": Answered(
            "SELECT region, avg(cost), dp.low(avg(cost)), dp.high(avg(cost)), dp.stddev(count(*)) FROM visits "
            "GROUP BY region",
            also=(
                "SELECT dp.high(count(*), 0.9) - dp.low(count(*), 0.9) FROM visits HAVING dp.low(count(*)) > 100",
                "SELECT dp.low(sum(cost)), dp.low(corr(cost, minutes)), dp.high(stddev(cost)) FROM visits",
            ),
        ),
        "noise intervals of expressions": Answered(
            "SELECT region, sum(cost) / nullif(count(*), 0) AS each, dp.low(sum(cost) / nullif(count(*), 0)) FROM visits "
            "GROUP BY region",
            also=(
                "SELECT dp.stddev(avg(cost) - avg(minutes)), dp.high(round(100.0 * count(minutes) / 7)) FROM visits",
            ),
        ),
        "noise intervals around blocks": Answered(
            "SELECT region, n, dp.low(n), dp.low(n / sum(n) OVER ()) AS share FROM "
            "(SELECT region, count(*) AS n FROM visits GROUP BY region) AS t",
            also=(
                "SELECT region, count(*) / sum(count(*)) OVER (), dp.low(count(*) / sum(count(*)) OVER ()) FROM visits "
                "GROUP BY region",
                "WITH m AS (SELECT date_trunc('month', visited_at) AS month, count(*) AS n FROM visits GROUP BY 1) "
                "SELECT month, dp.high(n - lag(n) OVER (ORDER BY month)), dp.low(sum(n) OVER (ORDER BY month)) FROM m",
            ),
        ),
        "is the noise little?": Answered(
            "SELECT region, count(*), dp.reliable(count(*), 0.1) FROM visits GROUP BY region",
            also=("SELECT region FROM visits GROUP BY region HAVING dp.reliable(avg(cost) / 2)",),
        ),
        "how much clipping left out": Answered(
            "SELECT region, count(*), dp.clipped(count(*)) FROM visits GROUP BY region",
            also=("SELECT region, sum(cost) FROM visits GROUP BY region HAVING dp.clipped(sum(cost)) < 0.2",),
        ),
        "noise intervals of totals": Answered(
            "SELECT region, count(*), dp.low(count(*)) FROM visits GROUP BY ROLLUP (region)"
        ),
        "DISTINCT ON of groups": Answered(
            "SELECT DISTINCT ON (zone) zone, region, count(*) FROM visits JOIN regions ON name = region "
            "GROUP BY zone, region ORDER BY zone, count(*) DESC"
        ),
        "a CTE that is read twice": Answered(
            "WITH n AS (SELECT region, count(*) AS c FROM visits GROUP BY region) "
            "SELECT region, c FROM n WHERE c > (SELECT avg(c) FROM n)"
        ),
        "joins of released results": Answered(
            "SELECT region, v.n / nullif(p.n, 0) FROM (SELECT region, count(*) AS n FROM visits GROUP BY 1) v "
            "JOIN (SELECT region, count(*) AS n FROM patients GROUP BY 1) p USING (region)",
            blocks=2,
        ),
        "UNION, INTERSECT, EXCEPT of released results": Answered(
            "SELECT 'visits' AS what, count(*) FROM visits UNION ALL SELECT 'patients', count(*) FROM patients",
            blocks=2,
            also=(
                "SELECT region FROM visits GROUP BY 1 HAVING avg(cost) > 130 EXCEPT "
                "SELECT region FROM patients GROUP BY 1 HAVING count(*) > 9000",
                "SELECT region FROM visits GROUP BY 1 HAVING avg(cost) < 900 INTERSECT "
                "SELECT region FROM patients GROUP BY 1 HAVING count(*) > 0",
            ),
        ),
        "temporary tables": Answered(
            "CREATE TEMP TABLE busiest AS SELECT region, count(*) AS n FROM visits GROUP BY region ORDER BY n DESC LIMIT 2",
            also=("SELECT region, count(*) AS n INTO TEMP counted FROM visits GROUP BY region",),
        ),
    },
    "Feedback": {
        "above the average of all": Answered(
            "SELECT region, count(*) FROM visits WHERE cost > (SELECT avg(cost) FROM visits) GROUP BY region", blocks=2
        ),
        "above the average of the group": Answered(
            "SELECT count(*) FROM visits v WHERE cost > (SELECT avg(w.cost) FROM visits w WHERE w.region = v.region)",
            blocks=2,
        ),
        "a join with a released result": Answered(
            "WITH a AS (SELECT specialty, avg(cost) AS usual FROM visits GROUP BY 1) "
            "SELECT count(*) FROM visits v JOIN a USING (specialty) WHERE cost > usual",
            blocks=2,
        ),
        "a released list": Answered(
            "SELECT avg(minutes) FROM visits WHERE region IN (SELECT region FROM visits GROUP BY region "
            "ORDER BY count(*) DESC LIMIT 2)",
            blocks=2,
        ),
        "the groups of a released list": Answered(
            "SELECT region, avg(cost) FROM visits WHERE region IN (SELECT region FROM visits GROUP BY region "
            "ORDER BY count(*) DESC LIMIT 2) GROUP BY region",
            blocks=2,
        ),
        "a released number beside each public row": Answered(
            "SELECT name FROM regions r WHERE (SELECT count(*) FROM visits v WHERE v.region = r.name) > 30000"
        ),
        "a released number beside rows": Answered(
            "SELECT dear, count(*) FROM (SELECT cost > (SELECT avg(cost) FROM visits) AS dear FROM visits) AS v GROUP BY dear",
            blocks=2,
        ),
        "a number of the rows up to each public row": Answered(
            "SELECT d.day, (SELECT count(*) FROM visits v WHERE v.visited_at >= d.day - interval '6 days' "
            "AND v.visited_at < d.day + interval '1 day') AS in_a_week "
            "FROM generate_series(date '2024-01-08', date '2024-01-14', interval '1 day') AS d(day)"
        ),
        "a correlation by an inequality": Refused(
            "SELECT count(*) FROM visits v WHERE cost > (SELECT avg(w.cost) FROM visits w WHERE w.minutes < v.minutes)",
            UNSUPPORTED,
            "this correlated subquery is not supported",
        ),
    },
}
