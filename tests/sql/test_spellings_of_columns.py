"""Which expressions tell a column, or nearly so, and which give many of its values one result."""

from __future__ import annotations

import pytest
from sqlglot import exp

from proxy.sql.dialect import parse
from proxy.sql.names import folded
from proxy.sql.trees.spellings_of_columns import told

TELLING = r"""
u; -u; +u; -(-u); u::text; u::varchar(36); u::float8; u::real; u::numeric(20, 0); u::uuid; u/1; u/-1; u/0.5;
u/10.0; u*10; u*0.1; u*a; u+a; a-u; u*10+a; abs(u); sqrt(u); |/u; u^2; power(u, 1); div(u, 1); round(u);
round(u, 2); floor(u); ceil(u); trunc(u); floor(u/1); to_timestamp(u); md5(u::text); left(md5(u::text), 8);
substr(md5(u::text), 1, 6); substring(md5(u::text), 1, 16); left(u::text, 36); right(u::text, 20);
substr(u::text, 1, 36); substr(u::text, 3); substring(u::text, 1, 36); right(u::text, -2); reverse(u::text);
initcap(u::text); upper(u::text); repeat(u::text, 2); replace(u::text, '-', ''); translate(u::text, '-', '');
translate(u::text, '0123456789', 'abcdefghij'); regexp_replace(u::text, '-', '', 'g');
regexp_replace(u::text, '\D', '', 'g'); ltrim(u::text, '0'); btrim(u::text); trim('-'||u::text);
lpad(u::text, 9, '0'); to_char(u, 'FM000000'); to_char(round(u, 2), '999999'); 'C-'||u; u||'-'||a; concat(a, u);
concat_ws('-', a, u); concat(left(u::text, 2), '-', u); coalesce(u, 0); nullif(u, a); greatest(u, u+1);
coalesce(u, w); CASE WHEN a>1 THEN u END; u AT TIME ZONE 'UTC'; lcm(u, 1)
"""

SHARED = r"""
a; 1; u/100; -u/100; u/a; u/10::int; 100/u; u%10; mod(u, a); u-u%100; u+1-u%100; u*0; u^0; div(u, 10);
floor(u/100); floor(u*0.01); floor(u/100.0)*100; round(u/100.0); round(u, -2); trunc(u, -2); floor(ln(u));
(u/100.0)::int; (u*0.01)::bigint; (u/10.0)::numeric(10, 0); to_char(u/1000.0, '999999'); sign(u); u>5; u=a;
u IS NULL; width_bucket(u, 0, 9, 3); length(u::text); ascii(u::text); left(u::text, 2); left(u::text, 12);
left(u::text, -1); right(u::text, 2); right(u::text, -9); substr(u::text, 9); substr(u::text, 1, 2);
substring(u::text, 2, 3); substring(u::text, '@.*'); split_part(u::text, '@', 2); left(md5(u::text), 2);
regexp_replace(u::text, '.*@', ''); regexp_replace(u::text, '\d+', ''); rtrim(u::text, '0123456789');
translate(u::text, '0123456789', ''); trim(both '0123' from u::text); u::date; u::varchar(2); u::char(1);
u::boolean; date_trunc('month', u); extract(year FROM u); to_char(u, 'YYYY-MM'); to_date(u::text, 'YYYY');
CASE WHEN u>1 THEN a END; CASE WHEN u>1 THEN u ELSE 0 END; coalesce(u, a); greatest(u, a); min(u); count(u);
replace(a, u::text, a); overlay(u::text placing '***' from 1); u-w; gcd(u, 10); left(u::text)
"""


def _each(texts: str) -> list[str]:
    return [text.strip() for text in texts.split(";")]


def _told(text: str) -> frozenset[str]:
    tree = parse(f"SELECT {text}")
    assert tree is not None

    def known(column: exp.Column) -> frozenset[str]:
        return frozenset(["unit"]) if folded(column.this) in ("u", "w") else frozenset()

    return told(tree.expressions[0], known)


@pytest.mark.parametrize("text", _each(TELLING))
def test_functions_of_a_column_and_constants_tell_it(text: str) -> None:
    assert _told(text) == {"unit"}


@pytest.mark.parametrize("text", _each(SHARED))
def test_what_many_values_share_tells_none_of_them(text: str) -> None:
    assert not _told(text)
