"""No text keeps whoever reads it busy for long: what reads clients' texts does so in linear time, whatever they hold."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from proxy.errors import DpproxyError
from proxy.sql.scripts import cut
from proxy.sql.statement import parse_statement
from proxy.sql.text_limits import MOST_CHARACTERS, MOST_COLUMNS, MOST_LEXEMES, MOST_STATEMENTS

pytestmark = pytest.mark.postgres

REPEATED = (
    "/**/", "/*", "*/", "/* */ ", "--", "--\n", "-- x\r", "'", "''", "' '", "'\n'", "'' \n", "E'", "\\'", "\\", '"', '""',
    "U&'", "U&\"", "$a$", "$$", "$", "$1", "$a", ";", "; ", " ", "\n", "\t\f", "a", "a ", "no ", "scroll ", "analyze ",
    "verbose ", "dp", "dp ", 'dp"', "dp.", "as ", "(", ")", "()", "[", ",", ".", "1", "1_", "1e", "0x1", "+", "+-", "<", "@",
    "=", "::", "{", "}", "%", "\x80", "ä", "=x,", "r=,",
)  # fmt: skip
BEFORE = ("", "SET dp.epsilon = '", "EXPLAIN ", "DECLARE c ", "COPY (SELECT 1) ", "SELECT ", "n,,")

READERS = """
import json, sys, time
from proxy.errors import DpproxyError
from proxy.policy.catalog import Catalog
from proxy.policy.model import Policy
from proxy.sql.schema import Schema
from proxy.sql import scripts, statement
from tests.end_to_end import clinic

repeated, before = json.loads(sys.argv[1])
schema = Schema(clinic.policy(), Catalog())
readers = {
    "set": scripts.set_statement,
    "cut": scripts.cut,
    "words": scripts.first_words,
    "names": lambda text: scripts.names_outside_strings(text, frozenset({"visits"})),
    "mentions": schema.mentions,
    "parse": statement.parse_statement,
}
for part in repeated:
    for start in before:
        text = start + part * 10_000 + "x visits"
        for name, reader in readers.items():
            began = time.process_time()
            try:
                reader(text)
            except DpproxyError:
                pass
            took = time.process_time() - began
            assert took < 2, (name, start, part, took)
"""

PATTERNS = """
import importlib, json, pkgutil, re, sys, time
import proxy.sql, proxy.wire

repeated, before = json.loads(sys.argv[1])
patterns = {}
for package in (proxy.sql, proxy.wire):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        for name, value in vars(importlib.import_module(module.name)).items():
            if isinstance(value, re.Pattern):
                patterns[value] = f"{module.name}.{name}"
assert len(patterns) > 10
for pattern, name in patterns.items():
    for part in repeated:
        for start in before:
            text = start + part * 10_000 + "x"
            for read in (pattern.match, pattern.fullmatch):
                began = time.process_time()
                read(text)
                took = time.process_time() - began
                assert took < 0.5, (name, start, part, took)
"""


@pytest.mark.parametrize("program", [READERS, PATTERNS], ids=["what reads texts", "every pattern"])
def test_no_repetition_is_read_in_every_way(program: str) -> None:
    """In a process of its own, since nothing ends a pattern that has run away."""
    arguments = json.dumps([REPEATED, BEFORE])
    ran = subprocess.run(
        [sys.executable, "-c", program, arguments], capture_output=True, text=True, timeout=300, check=False
    )
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize(
    ("text", "rule", "sqlstate"),
    [
        ("SELECT count(*) FROM visits WHERE region = '" + "x" * MOST_CHARACTERS + "'", "size", "54000"),
        ("SELECT count(*) FROM visits WHERE minutes IN (" + "1," * MOST_LEXEMES + "1)", "complexity", "54001"),
        ("/**/" * 100 + "SELECT count(*) FROM visits", "operators", "54001"),
        ("/**/" * 100 + "COPY (SELECT count(*) FROM visits) TO STDOUT", "operators", "54001"),
        ("EXPLAIN SELECT count(*) FROM visits " + ";" * MOST_LEXEMES, "complexity", "54001"),
        ("SELECT " + ", ".join(["count(*)"] * (MOST_COLUMNS + 1)) + " FROM visits", "columns", "54011"),
        ("SELECT 1 FROM (SELECT " + ", ".join(["1"] * (MOST_COLUMNS + 1)) + " FROM visits) AS v", "columns", "54011"),
    ],
)
def test_a_statement_that_is_too_large_is_refused(text: str, rule: str, sqlstate: str) -> None:
    with pytest.raises(DpproxyError) as refusal:
        parse_statement(text)
    assert (refusal.value.rule, refusal.value.sqlstate) == (rule, sqlstate)
    assert refusal.value.hint


@pytest.mark.parametrize(
    ("text", "rule"),
    [("SELECT 1;" * (MOST_STATEMENTS + 1), "statements"), (" " * (MOST_CHARACTERS + 1), "size")],
)
def test_a_script_that_is_too_large_is_refused(text: str, rule: str) -> None:
    with pytest.raises(DpproxyError) as refusal:
        cut(text)
    assert (refusal.value.rule, refusal.value.sqlstate) == (rule, "54000")


@pytest.mark.parametrize(
    "text",
    [
        "SELECT count(*) FROM visits WHERE minutes IN (" + ", ".join(map(str, range(10_000))) + ")",
        "SELECT " + ", ".join(f"count(*) FILTER (WHERE minutes = {n}) AS c{n}" for n in range(300)) + " FROM visits",
        "SELECT " + ", ".join(["count(*)"] * MOST_COLUMNS) + " FROM visits",
        "SELECT count(*) FROM visits WHERE region = '" + "x" * 500_000 + "'",
    ],
    ids=["a list of 10 000 constants", "300 columns", "as many columns as Postgres has", "a long constant"],
)
def test_what_tools_write_is_below_the_limits(text: str) -> None:
    assert parse_statement(text) is not None
