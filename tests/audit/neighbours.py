"""What the one unit may have: the rows that make a neighbouring database of the clinic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tests.audit.clinic import ONE


@dataclass(frozen=True)
class Neighbour:
    """The rows of one unit.

    Attributes:
        name: for people.
        rows: SQL that inserts them.
        first: do they lie before everybody else's? Which row stands for several equal ones often follows from that.
        alone: is there nobody else?
        owner: SQL that makes both databases of the pair differ from the clinic.
    """

    name: str
    rows: str
    first: bool = False
    alone: bool = False
    owner: str = ""

    @property
    def nobody(self) -> Neighbour:
        """The same pair's smaller database."""
        return Neighbour("nobody" if self.alone else "everybody else", "", alone=self.alone, owner=self.owner)


SORT_PLANS: Final = (
    "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET enable_hashagg = off', current_database()); END $$;"
)
"""What equal rows have in common, the first of them in order shows; hashing shows another."""

ODD_COLLATIONS: Final = """
DO $$ BEGIN
    IF EXISTS (SELECT FROM pg_collation WHERE collprovider = 'i') THEN
        CREATE COLLATION any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
        ALTER TABLE visits ALTER ward TYPE text COLLATE any_case;
        ALTER TABLE people ALTER town TYPE text COLLATE any_case;
        ALTER TABLE insurances ALTER company TYPE text COLLATE "en-x-icu";
        ALTER TABLE claims ALTER kind TYPE text COLLATE "de-x-icu";
    END IF;
END $$;
"""
"""Texts that are equal though they differ, and another order than that of code points, where the server has ICU."""

_FIRST_VISIT: Final = 10_000_001


def _visits(count: int, **values: str) -> str:
    """That many visits, each value an expression over the row's number `i`."""
    given = {"visit": f"{_FIRST_VISIT} + i", "person": str(ONE)} | values
    return f"INSERT INTO visits ({', '.join(given)}) SELECT {', '.join(given.values())} FROM generate_series(0, {count - 1}) AS i;"


def _person(**values: str) -> str:
    given = {"person": str(ONE)} | values
    return f"INSERT INTO people ({', '.join(given)}) VALUES ({', '.join(given.values())});"


_USUAL: Final = {
    "region": "'north'",
    "ward": "'ward 1'",
    "code": "'c1'",
    "at": "timestamp '2024-05-05 12:00'",
    "seen": "timestamptz '2024-05-05 12:00+00'",
    "cost": "123.45",
    "discount": "0.25",
    "minutes": "33",
    "score": "99.5",
    "ratio": "7.5",
    "wait": "interval '1 day'",
    "clock": "timetz '10:00+00'",
    "urgent": "true",
}
_USUAL_PERSON: Final = _person(
    region="'north'",
    grade="3",
    sex="'F'",
    born="'1980-02-29'",
    height="181.5",
    smoker="true",
    town="'town 1'",
    badge="'b1'",
)
_OTHERS: Final = f"""
INSERT INTO insurances VALUES ({ONE}, 'company 1', 499), ({ONE}, 'company 2', 1), (NULL, 'company 1', 5);
INSERT INTO claims VALUES ({ONE}, 'kind 1', 10), ({ONE}, 'kind 2', 20.5);
INSERT INTO papers VALUES ({ONE}, 'body 1', 'b1', '{{"n": 1}}', '{{}}', ARRAY['{{}}'::json], ARRAY[point(1, 1)], 'scan');
"""


def _prescriptions(count: int, dose: str = "50") -> str:
    return (
        f"INSERT INTO prescriptions SELECT {_FIRST_VISIT} + i, {_FIRST_VISIT} + i % 10, 'drug ' || i % 5, {dose} "
        f"FROM generate_series(0, {count - 1}) AS i;"
    )


_NOT_NUMBERS: Final = {
    "cost": "'NaN'",
    "discount": "(ARRAY['NaN', 'Infinity', '-Infinity', '1e1000'])[1 + i % 4]::numeric",
    "score": "(ARRAY['NaN', 'Infinity', '-Infinity', '1e308', '-0', '5e-324'])[1 + i % 6]::float8",
    "ratio": "(ARRAY['NaN', 'Infinity', '-Infinity', '3e38', '-0'])[1 + i % 5]::real",
    "minutes": "(ARRAY[2147483647, -2147483648, 0])[1 + i % 3]",
    "at": "(ARRAY['infinity', '-infinity', '4713-01-01 BC', '294276-12-31'])[1 + i % 4]::timestamp",
    "seen": "(ARRAY['infinity', '-infinity', '4713-01-01 00:00+00 BC', '294276-12-31 00:00+00'])[1 + i % 4]::timestamptz",
    "wait": "(ARRAY['178000000 years', '-178000000 years', '0'])[1 + i % 3]::interval",
}

_OTHER_SPELLINGS: Final = {
    "ward": "'ward 1' || repeat(' ', i % 3)",
    "code": "'c1   '",
    "cost": "100",
    "discount": "(ARRAY['0.250', '0.25000', '0.0', '-0.000'])[1 + i % 4]::numeric",
    "score": "'-0'::float8",
    "ratio": "'-0'::real",
    "wait": "(ARRAY['24:00:00', '1 day', '48:00:00', '30 days', '1 month'])[1 + i % 5]::interval",
    "clock": "timetz '12:00+02'",
}
_LARGE: Final = {
    "region": "repeat('x', 3000 + i)",
    "ward": "'ward 1' || repeat(' ', 3990 + 2 * i)",
    "discount": "CASE WHEN i % 2 = 0 THEN 1 / 3::numeric(1000, 900) ELSE 1e1000 END",
    "score": "1e308",
    "minutes": "2147483647",
}
_LARGE_PAPERS: Final = """
jsonb_build_object('n', repeat(E'\\u0001', 20000000), 'm', (SELECT jsonb_agg(i) FROM generate_series(1, 20000) AS i)),
('{"n": "' || repeat('x', 60000000) || '"}')::json, array_fill('{}'::json, ARRAY[500000]),
array_fill(point(1, 1), ARRAY[500000]), convert_to(repeat('x', 50000000), 'UTF8')
"""

_SPELLED_OTHERS: Final = f"""
INSERT INTO claims SELECT unit::numeric, 'kind ' || i % 3, amount::numeric
FROM unnest(ARRAY['{ONE}', '{ONE}.0', '{ONE}.00', '{ONE}.000']) AS u(unit),
     unnest(ARRAY['7', '7.0', '7.00', '0', '-0.0', '7.5', '7.50', '8', '9', '10']) WITH ORDINALITY AS a(amount, i);
INSERT INTO papers VALUES
    ({ONE}, 'body 1 ', 'b1  ', '{{"n": 1.0}}', '{{ }}', ARRAY['{{ }}'::json], ARRAY[point('-0', 1)], ''),
    ({ONE}, 'body 1', 'b1 ', '{{"n": 1.00}}', '{{"n":1,"n":2}}', ARRAY[]::json[], NULL, NULL);
"""


def _calls(count: int, month: int, kind: str = "'kind 1'") -> str:
    return (
        f"INSERT INTO calls SELECT {ONE}, timestamp '2024-{month:02}-15' + i * interval '1 minute', {kind}, 'north', i "
        f"FROM generate_series(1, {count}) AS i;"
    )


ONE_WINDOW: Final = Neighbour(
    "5 000 calls of one month, beside those of other months",
    _calls(5000, 3, "'kind ' || i % 50"),
    owner="".join(_calls(count, month) for month, count in ((1, 700), (2, 30), (4, 1), (5, 9000))),
)
"""A unit's rows of one window of time: in both databases it has rows of other windows (theorem 24)."""

NEIGHBOURS: Final = [
    ONE_WINDOW,
    Neighbour("one row in every table", _USUAL_PERSON + _visits(1, **_USUAL) + _prescriptions(1) + _OTHERS),
    Neighbour("one row of NULL", _person() + _visits(1) + f"INSERT INTO papers (person) VALUES ({ONE});", first=True),
    Neighbour("20 rows in one group", _USUAL_PERSON + _visits(20, **_USUAL) + _prescriptions(40) + _OTHERS, first=True),
    Neighbour(
        "100 rows in 100 groups of its own",
        _person(region="'nowhere'", grade="10", sex="'X'", born="'2020-12-31'", height="230", smoker="NULL")
        + _visits(
            100, **_USUAL | {"ward": "'own ward ' || i", "code": "'o' || i", "cost": "i * 10", "minutes": "240 + i"}
        )
        + _prescriptions(100, "i")
        + f"INSERT INTO insurances SELECT {ONE}, 'own company ' || i, i * 7 FROM generate_series(1, 100) AS i;"
        + f"INSERT INTO claims SELECT {ONE}, 'own kind ' || i, i * 0.5 FROM generate_series(1, 100) AS i;",
    ),
    Neighbour(
        "10 000 rows in one group",
        _USUAL_PERSON + _visits(10_000, **_USUAL | {"cost": "1000", "minutes": "240", "score": "200"}) + _OTHERS,
    ),
    Neighbour(
        "10 000 rows in 100 groups",
        _USUAL_PERSON
        + _visits(
            10_000,
            **_USUAL
            | {
                "region": "(ARRAY['north', 'south', 'east', 'west'])[1 + i % 4]",
                "ward": "'ward ' || i % 100",
                "cost": "-1e6",
                "discount": "i",
                "score": "-i",
                "at": "timestamp '2024-01-01' + i * interval '1 hour'",
                "urgent": "i % 2 = 0",
            },
        )
        + _prescriptions(10_000, "i % 100"),
    ),
    Neighbour(
        "NaN, infinities, BC",
        _person(region="''", grade="-32768", sex="' '", born="'4713-01-01 BC'", height="'NaN'")
        + _visits(24, **_USUAL | _NOT_NUMBERS)
        + _prescriptions(10, "(ARRAY[2147483647, -2147483648])[1 + i % 2]")
        + f"INSERT INTO claims VALUES ({ONE}, 'kind 1', 'NaN'), ({ONE}, '', '1e5000'), ({ONE}, 'kind 2', '-1e-5000');"
        + f"INSERT INTO insurances VALUES ({ONE}, '', 2147483647), ({ONE}, NULL, -2147483648);",
    ),
    Neighbour(
        "other spellings of everybody's values",
        _person(region="'north'", sex="'F'", height="181.50", town="'town 1'", badge="'b1   '")
        + _visits(30, **_USUAL | _OTHER_SPELLINGS)
        + _prescriptions(10)
        + _SPELLED_OTHERS,
        first=True,
    ),
    Neighbour(
        "long texts and emoji",
        _person(region="repeat('😀', 5000)", grade="5", sex="'😀'", born="'1999-12-31'")
        + _visits(
            12, **_USUAL | {"ward": "repeat('😀é'', %_\\', 2000 * i)", "code": "'😀😀😀😀😀😀'", "region": "E'\\t\\n'"}
        )
        + _prescriptions(5)
        + f"INSERT INTO insurances VALUES ({ONE}, repeat('a', 200000), 7), ({ONE}, '{{\"x\"}}', 8), ({ONE}, 'NULL', 9);"
        + f"INSERT INTO papers VALUES ({ONE}, repeat('é', 300000), repeat(' ', 100000), '{{\"n\": [[[[[[null]]]]]]}}');",
    ),
    Neighbour(
        "other spellings, where rows are sorted",
        _person(region="'north'", badge="'b1   '") + _visits(30, **_USUAL | _OTHER_SPELLINGS) + _SPELLED_OTHERS,
        first=True,
        owner=SORT_PLANS,
    ),
    Neighbour(
        "other spellings, under odd collations",
        _person(region="'north'", town="'TOWN 1'", badge="'B1'")
        + _visits(30, **_USUAL | {"ward": "(ARRAY['WARD 1', 'Ward 1', 'wárd 1'])[1 + i % 3]", "code": "'C1'"})
        + f"INSERT INTO insurances VALUES ({ONE}, 'COMPANY 1', 7), ({ONE}, 'Äcompany', 7);"
        + f"INSERT INTO claims VALUES ({ONE}, 'KIND 1', 7), ({ONE}, 'ß', 7);",
        first=True,
        owner=ODD_COLLATIONS,
    ),
    Neighbour(
        "more rows than take part in every table",
        _USUAL_PERSON
        + _visits(
            450, **_USUAL | {"cost": "i", "minutes": "i % 240", "ward": "'ward ' || i % 5", "urgent": "i % 2 = 0"}
        )
        + _prescriptions(450, "i % 100")
        + f"INSERT INTO insurances SELECT {ONE}, 'company ' || i % 4, i FROM generate_series(1, 450) AS i;"
        + f"INSERT INTO claims SELECT {ONE}.00, 'kind ' || i % 4, i / 2.0 FROM generate_series(1, 450) AS i;"
        + f"INSERT INTO papers (person, body, blank, doc) SELECT {ONE}, 'body ' || i % 9, 'b' || i % 7, "
        "jsonb_build_object('n', i) FROM generate_series(1, 450) AS i;",
        first=True,
    ),
    Neighbour(
        "more than can be read of a value",
        _person(region="repeat('x', 5000000)", town="repeat('y', 5000000)", badge="repeat('b1', 3000000)")
        + _visits(8, **_USUAL | _LARGE)
        + f"INSERT INTO claims VALUES ({ONE}, repeat('z', 5000000), 1 + 1e-5000), ({ONE}, 'kind 1', 1e100000 - 1);"
        + f"INSERT INTO insurances VALUES ({ONE}, repeat('w', 5000000), 7);"
        + f"INSERT INTO papers SELECT {ONE}, repeat('v', 50000000), repeat('b1', 50000000), {_LARGE_PAPERS};",
    ),
    Neighbour("one group of its own", f"INSERT INTO insurances VALUES ({ONE}, 'own company', 250);"),
    Neighbour("rows without a person", _visits(15, **_USUAL) + _prescriptions(3) + _OTHERS),
    Neighbour("nobody else", _USUAL_PERSON + _visits(20, **_USUAL) + _prescriptions(20) + _OTHERS, alone=True),
]
"""Each differs from the clinic, or from an empty one, in one unit."""
