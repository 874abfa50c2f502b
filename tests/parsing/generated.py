"""Strategies for texts at which parsers disagree: literals, comments, names, numbers, operators without spaces."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

EXAMPLES = int(os.environ.get("DPPROXY_PARSING_EXAMPLES", "300"))
BOUNDED = settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))

_PIECES = st.sampled_from(
    [
        "a",
        "B",
        " ",
        "''",
        '"',
        "$",
        "$$",
        "--",
        "/*",
        "*/",
        ";",
        "é",
        "ß",
        "\u2028",
        "%",
        "_",
        "?",
        ":x",
        "0",
        "{",
        "\t",
        "\n",
    ]
)
_ESCAPES = st.sampled_from(
    [
        r"\'",
        r"\\",
        r"\n",
        r"\t",
        r"\b",
        r"\f",
        r"\r",
        r"\101",
        r"\7",
        r"\x41",
        r"\x4",
        r"\u00e9",
        r"\U0001f600",
        r"\q",
        r"\"",
        "''",
    ]
)
_UNICODE = st.sampled_from([r"\0041", r"\+00e9ff", r"\\", "''", r"\00e9"])


def _joined(pieces: st.SearchStrategy[str], most: int = 6) -> st.SearchStrategy[str]:
    return st.lists(pieces, max_size=most).map("".join)


def _dollars(body: str, tag: str) -> str:
    return f"${tag}${body}${tag}$"


STRINGS = st.one_of(
    _joined(_PIECES | st.just("\\")).map(lambda body: f"'{body}'"),
    st.tuples(st.sampled_from("eE"), _joined(_PIECES | _ESCAPES)).map(lambda t: f"{t[0]}'{t[1]}'"),
    st.tuples(st.sampled_from(["U&", "u&"]), _joined(_PIECES | _UNICODE)).map(lambda t: f"{t[0]}'{t[1]}'"),
    _joined(_PIECES).map(lambda body: f"U&'{body}!0041' UESCAPE '!'"),
    st.builds(_dollars, _joined(_PIECES | st.sampled_from(["'", "\\"])), st.sampled_from(["", "t", "_1", "é"])),
    st.tuples(st.sampled_from("nN"), _joined(_PIECES)).map(lambda t: f"{t[0]}'{t[1]}'"),
    st.text("01", max_size=4).map(lambda bits: f"B'{bits}'"),
    st.text("0aF9", max_size=4).map(lambda digits: f"x'{digits}'"),
    st.lists(st.sampled_from(["'a'", "'b'", "''", "E'\\''"]), min_size=2, max_size=3).map("\n".join),
)
"""String constants of every kind, terminated or not."""

NUMBERS = st.one_of(
    st.sampled_from(
        [
            "0x1F",
            "1_000",
            "1e5",
            ".5",
            "5.",
            "0b1",
            "0o7",
            "1.e2",
            "1E+5",
            "1e-5",
            "00",
            "1__0",
            "1.2.3",
            "5.e",
            "9" * 30,
        ]
    ),
    st.text("0159._exXobF+-", min_size=1, max_size=6),
)
IDENTIFIERS = st.one_of(
    st.sampled_from(["a", "É", "é", "İ", "K", "ſ", "a$1", "_", "user", "value", "year", "date", "x" * 70, "é" * 40]),
    st.sampled_from(
        ["select", "semi", "anti", "asof", "end", "interval", "final", "rlike", "unsigned", "double", "string"]
    ),
    _joined(st.sampled_from(["a", '""', "'", "--", "é", ".", "A", "$$", "\\", " "]), 4).map(lambda name: f'"{name}x"'),
    st.sampled_from(['U&"\\0041"', "u&\"!0041\" UESCAPE '!'", "a.b", 'a."B"', '"a"."b".c', "a . b", "a.*"]),
)
COMMENTS = st.sampled_from(
    [
        "",
        " ",
        "\n",
        "/**/",
        "/* /* x */ */",
        "/* ' */",
        '/* " */',
        "-- '\n",
        "--\n",
        "/* $$ */",
        " /*/**/*/ ",
        "/* -- */",
        "\r",
        "\f",
        "\u00a0",
        "-- x\r",
    ]
)

_WORDS = "LIKE, NOT LIKE, ILIKE, SIMILAR TO, NOT SIMILAR TO, IS DISTINCT FROM, IS NOT DISTINCT FROM, AND, OR, IN, NOT IN, AT TIME ZONE"
_SIGNS = """+ - * / % ^ || = <> != < > <= >= ~ ~* !~ !~* ~~ !~~ ~~* !~~* -> ->> #> #>> @> <@ && & | # << >> ? ?| ?& @@ ^@
    <-> == <=> ** // ?? OPERATOR(pg_catalog.+)"""
BINARY = st.sampled_from([*_SIGNS.split(), *_WORDS.split(", "), "= ANY"])
PREFIX = st.sampled_from(["-", "+", "~", "@", "NOT ", "|/", "||/", "!!", "- ", "-- \n"])
_TESTS = (
    " IS NULL, IS NOT NULL, ISNULL, NOTNULL, IS TRUE, IS NOT FALSE, IS UNKNOWN, BETWEEN 1 AND 2, NOT BETWEEN a AND b"
)
_SUFFIXES = '::int|::numeric(4,1)|::text[]|::int[2]|::timestamp with time zone| COLLATE "C"|[1]'
POSTFIX = st.sampled_from([*_SUFFIXES.split("|"), *_TESTS.replace(", ", "| ").split("|")])
TYPED = st.builds(
    lambda type_, text, field: f"{type_} {text}{field}",
    st.sampled_from(
        ["date", "interval", "timestamp", "int", "double precision", "char", "varchar(3)", "bit", "text", "timestamptz"]
    ),
    st.sampled_from(["'1'", "'1 day'", "'1 day ago'", "'-1 02:03'", "E'1'", "$$2$$", "'1-2'", "'P1Y'", "'1.5'"]),
    st.sampled_from(["", " day", " month", " year to month", " second(2)"]),
)
_ATOMS = st.one_of(
    st.sampled_from(["a", "b", "1", "2.5", "'x'", "a.b", "NULL", "true", "$1", "f(a)", "(a)", "ARRAY[1, 2]", "(1, 2)"]),
    STRINGS,
    NUMBERS,
    IDENTIFIERS,
    TYPED,
)


def _operations(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    spaces = st.sampled_from(["", " "])
    return st.one_of(
        st.builds(lambda a, c, o, d, b: f"{a}{c}{o}{d}{b}", inner, spaces, BINARY, spaces, inner),
        st.builds(lambda a, c, o, d, b: f"{a}{c} {o} {d}{b}", inner, COMMENTS, BINARY, COMMENTS, inner),
        st.builds(lambda o, a: f"{o}{a}", PREFIX, inner),
        st.builds(lambda a, o: f"{a}{o}", inner, POSTFIX),
        inner.map(lambda a: f"({a})"),
        st.builds(lambda a, b: f"CASE WHEN {a} THEN {b} END", inner, inner),
        st.builds(lambda a, b: f"coalesce({a}, {b})", inner, inner),
    )


EXPRESSIONS = st.recursive(_ATOMS, _operations, max_leaves=5)
"""Expressions, many of which Postgres does not accept."""

PLAIN = st.recursive(st.sampled_from(["a", "b", "c", "1"]), _operations, max_leaves=6)
"""Expressions that test precedence alone."""

SCRIPTS = st.lists(
    st.one_of(
        COMMENTS,
        STRINGS,
        IDENTIFIERS,
        st.sampled_from(
            [
                "SELECT 1",
                "SELECT ",
                ";",
                "; ",
                " ;\n",
                "BEGIN",
                "FROM visits",
                "(",
                ")",
                "/*",
                "*/",
                "--",
                "'",
                "$$",
                '"',
            ]
        ),
    ),
    max_size=7,
).map("".join)
"""Scripts of several statements, or of none."""
