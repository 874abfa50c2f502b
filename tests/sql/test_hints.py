"""What a hint says to write instead is planned: a statement that is refused, its hint, and the statement mended so."""

from __future__ import annotations

import pytest

from proxy.errors import DpproxyError
from tests.sql.events import plan

MENDED = {
    "an unaliased table in IN": (
        "SELECT count(*) FROM events WHERE amount IN (SELECT amount FROM events WHERE many > 5)",
        "Give the table in the subquery an alias, and tie it to the person: WHERE alias.person_id = events.person_id.",
        "SELECT count(*) FROM events WHERE amount IN "
        "(SELECT e.amount FROM events e WHERE e.many > 5 AND e.person_id = events.person_id)",
    ),
    "people in a list that another condition ties": (
        "SELECT count(*) FROM people p WHERE p.person_id IN (SELECT e.person_id FROM events e WHERE e.many > p.age)",
        "Write the equality that IN stands for into its WHERE too, as in outer_name.x IN (SELECT y FROM … WHERE y = outer_name.x AND …)",
        "SELECT count(*) FROM people p WHERE p.person_id IN "
        "(SELECT e.person_id FROM events e WHERE e.person_id = p.person_id AND e.many > p.age)",
    ),
    "what is computed in a tied list": (
        "SELECT count(*) FROM people p WHERE 'a' IN (SELECT lower(e.code) FROM events e WHERE e.person_id = p.person_id)",
        "Compare what is computed in its WHERE, as in EXISTS (SELECT 1 FROM … WHERE inner_column = outer_column AND lower(code) = 'a').",
        "SELECT count(*) FROM people p WHERE EXISTS "
        "(SELECT 1 FROM events e WHERE e.person_id = p.person_id AND lower(e.code) = 'a')",
    ),
    "a number of each row": (
        "SELECT count(*) FROM events WHERE left(note, many) = 'a'",
        "Write the number out;",
        "SELECT count(*) FROM events WHERE CASE WHEN many = 1 THEN left(note, 1) ELSE left(note, 2) END = 'a'",
    ),
    "an element's place": (
        "SELECT count(*) FROM events WHERE array_position(tags, 'gift') > 0",
        "Look for an element by 'a' = ANY (x), or take one by its place: x[1].",
        "SELECT count(*) FROM events WHERE 'gift' = ANY (tags) AND tags[1] <> 'paid'",
    ),
    "an array's text": (
        "SELECT count(*) FROM events WHERE array_to_string(tags, ',') LIKE '%gift%'",
        "Look for an element by 'a' = ANY (x)",
        "SELECT count(*) FROM events WHERE 'gift' = ANY (tags)",
    ),
    "a path in a document": (
        "SELECT count(*) FROM events WHERE jsonb_path_exists(document, '$.a.b')",
        "Read a member by x -> 'a' ->> 'b'; of a jsonb ask whether one is there by x ? 'a' or x -> 'a' ? 'b'.",
        "SELECT count(*) FROM events WHERE document -> 'a' ? 'b' AND plain -> 'a' ->> 'b' > ''",
    ),
    "numbers of missing values": (
        "SELECT sum(num_nulls(note, code)) FROM events",
        "Add them up: CASE WHEN x IS NULL THEN 1 ELSE 0 END",
        "SELECT sum(CASE WHEN note IS NULL THEN 1 ELSE 0 END + CASE WHEN code IS NULL THEN 1 ELSE 0 END) FROM events",
    ),
    "quartiles of people": (
        "SELECT q, count(*) FROM (SELECT ntile(4) OVER (ORDER BY n) AS q FROM (SELECT person_id, count(*) AS n FROM events GROUP BY 1) e) "
        "x GROUP BY q",
        "Compare with a released percentile, as in WHERE x > (SELECT percentile_cont(0.9) WITHIN GROUP (ORDER BY x) FROM …).",
        "SELECT percentile_cont(0.75) WITHIN GROUP (ORDER BY n) FROM (SELECT person_id, count(*) AS n FROM events GROUP BY 1) f",
    ),
    "quartiles of rows": (
        "SELECT count(*) FROM (SELECT ntile(4) OVER (ORDER BY many) AS q FROM events) x WHERE q = 1",
        "Compare with a released percentile",
        "SELECT percentile_cont(0.75) WITHIN GROUP (ORDER BY many) FROM events",
    ),
    "ranks of people": (
        "SELECT count(*) FROM (SELECT rank() OVER (ORDER BY age DESC) AS r FROM people) x WHERE r < 10",
        "Compare with a released percentile",
        "SELECT percentile_cont(0.9) WITHIN GROUP (ORDER BY age) FROM people",
    ),
    "ranks of rows": (
        "SELECT count(*) FROM (SELECT row_number() OVER (ORDER BY at) AS r FROM events) x WHERE r = 1",
        "Add the person's column to PARTITION BY, or compare with a released percentile",
        "SELECT count(*) FROM (SELECT row_number() OVER (PARTITION BY person_id ORDER BY at) AS r FROM events) x WHERE r = 1",
    ),
    "bins of moments": (
        "SELECT count(*) FROM events WHERE date_bin('15 minutes', seen, seen) > now()",
        "Write date_bin('15 minutes', x, timestamptz '2000-01-01 00:00+00').",
        "SELECT count(*) FROM events WHERE date_bin('15 minutes', seen, timestamptz '2000-01-01 00:00+00') > '2024-01-01'",
    ),
    "bins of timestamps since a moment": (
        "SELECT count(*) FROM events WHERE date_bin('15 minutes', at, timestamptz '2000-01-01 00:00+00') > now()",
        "Write date_bin('15 minutes', x, timestamp '2000-01-01');",
        "SELECT count(*) FROM events WHERE date_bin('15 minutes', at, timestamp '2000-01-01') > '2024-01-01'",
    ),
    "bins of days": (
        "SELECT count(*) FROM events WHERE date_bin('7 days', day, timestamp '2000-01-01') > now()",
        "Write date_bin('7 days', x, timestamp '2000-01-01'); a date x has to be cast, as in x::timestamp.",
        "SELECT count(*) FROM events WHERE date_bin('7 days', day::timestamp, timestamp '2000-01-01') > '2024-01-01'",
    ),
    "fields of a type": (
        "SELECT count(*) FROM events WHERE extract(dow FROM took) = 1",
        "One of day, epoch, hour, microsecond, millisecond, minute, month, second, year.",
        "SELECT count(*) FROM events WHERE extract(day FROM took) = 1",
    ),
    "fields of no type": (
        "SELECT count(*) FROM events WHERE extract(hour FROM address) = 1",
        "Dates, timestamps, times and intervals have fields.",
        "SELECT count(*) FROM events WHERE extract(hour FROM at) = 1",
    ),
    "all columns of several queries": (
        "SELECT count(document -> 'a'), count(plain -> 'b') FROM (SELECT * FROM events WHERE many > 5 UNION ALL "
        "SELECT * FROM events WHERE many < 3) e",
        "In these queries, name the columns that are needed instead of *, and in the place of documents and arrays what "
        "is read of them, as in document ->> 'kind' AS kind.",
        "SELECT count(a), count(b) FROM (SELECT person_id, document ->> 'a' AS a, plain ->> 'b' AS b FROM events WHERE many > 5 "
        "UNION ALL SELECT person_id, document ->> 'a', plain ->> 'b' FROM events WHERE many < 3) e",
    ),
    "a share of all people": (
        "SELECT count(*) FROM (SELECT age / sum(age) OVER () AS s FROM people) x WHERE s > 0.1",
        "Compare with a released number, as in x - (SELECT sum(x) FROM …).",
        "SELECT sum(age) FROM people",
    ),
}


@pytest.mark.parametrize(("refused", "hint", "mended"), MENDED.values(), ids=MENDED.keys())
def test_what_the_hint_says_to_write_is_planned(refused: str, hint: str, mended: str) -> None:
    with pytest.raises(DpproxyError) as refusal:
        plan(refused)
    assert (refusal.value.hint or "").replace("privacy unit", "person").startswith(hint), refusal.value.hint
    plan(mended)
