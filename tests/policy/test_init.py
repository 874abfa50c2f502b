"""`dpproxy init`: a starter policy by a role that may read no table; what check says of it; and updates in place."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from proxy.cli import main
from proxy.dp.clipping import threshold, thresholds_up_to
from proxy.policy.catalog import Column, ForeignKey, Table
from proxy.policy.load import examine_text
from proxy.postgres.survey import read_survey
from proxy.sql.planning.clipping import MOST_ROWS, SHARE, threshold_choice
from proxy.starter.document import starter_policy
from proxy.starter.units import Owner, all_owners, candidates, owners, seeds
from tests.conftest import PostgresCluster

FIXTURES = Path(__file__).parent.parent / "fixtures"
READER = "starter_reader"
NOBODY = "starter_nobody"


@pytest.fixture(scope="module")
def shop(postgres_cluster: PostgresCluster) -> Iterator[str]:
    """A superuser's connection string for the shop, with two further roles."""
    dsn = postgres_cluster.create_database("shop")
    with psycopg.connect(dsn, autocommit=True) as owner:
        owner.execute((FIXTURES / "shop.sql").read_text(encoding="utf-8"))
        for role in (READER, NOBODY):
            owner.execute(f"CREATE ROLE {role} LOGIN PASSWORD 'x'")
        yield dsn
        for role in (READER, NOBODY):
            owner.execute(f"DROP OWNED BY {role}; DROP ROLE {role}")


def as_role(dsn: str, role: str) -> str:
    return make_conninfo(dsn, user=role, password="x")


def starter(dsn: str, *units: str) -> str:
    """The starter policy as a role writes it that may read no row, with a fixed name of the database."""
    text = starter_policy(read_survey(as_role(dsn, NOBODY)), units)
    return re.sub(r"database \w+, made", "database shop, made", text)


def test_a_role_without_any_privilege_gets_the_whole_policy(shop: str) -> None:
    with psycopg.connect(as_role(shop, NOBODY), autocommit=True) as nobody:
        tables = nobody.execute(
            "SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'v', 'm', 'p')"
            " AND has_table_privilege(oid, 'SELECT')"
        ).fetchone()
    assert tables == (0,)
    assert starter(shop) == (FIXTURES / "shop.yaml").read_text(encoding="utf-8")


def test_the_same_catalog_gives_the_same_text(shop: str) -> None:
    assert starter(shop) == starter(shop)


def granted(dsn: str, text: str) -> str:
    """The reader's connection string, after the script in the policy's comments."""
    with psycopg.connect(dsn, autocommit=True) as owner:
        for statement in re.findall(r"^# +(GRANT .*;)$", text, re.MULTILINE):
            owner.execute(statement.replace("dpproxy_reader", READER))
    return as_role(dsn, READER)


def findings_of(path: Path, source: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str]]:
    code = main(["check", str(path), "--source", source])
    shown = capsys.readouterr().out.splitlines()
    found = [line for line in shown if line.startswith(f"{path}:") and re.search(r"\[DP\d+\]$", line)]
    # How the server's own texts sort is no matter of the policy.
    return code, [line for line in found if "[DP603]" not in line]


def test_check_names_exactly_the_marks(
    shop: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text, path = starter(shop), tmp_path / "shop.yaml"
    path.write_text(text, encoding="utf-8")
    source = granted(shop, text)
    monkeypatch.setenv("DATABASE_URL", source)
    code, found = findings_of(path, source, capsys)
    marks = [number for number, line in enumerate(text.splitlines(), 1) if "# decide: " in line]
    assert code == 0
    assert len(marks) > 10
    assert [int(line.split(":")[1]) for line in found] == marks
    assert all("left to decide: " in line for line in found)


def test_without_its_privileges_the_reader_is_an_error_for_each_table(
    shop: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "shop.yaml"
    path.write_text(starter(shop), encoding="utf-8")
    monkeypatch.setenv("DATABASE_URL", "")
    code, found = findings_of(path, as_role(shop, NOBODY), capsys)
    errors = [line for line in found if ": error: " in line]
    assert code == 2
    assert len(errors) == 9
    assert all(line.endswith("each query would be charged and then fail [DP611]") for line in errors)


def test_another_unit_can_be_named(shop: str) -> None:
    policy = examine_text(starter(shop, "products"), "", {"DATABASE_URL": ""}).policy
    assert policy is not None
    assert list(policy.tables) == ["public.order_lines", "public.products"]
    assert policy.tables["public.order_lines"].unit == policy.tables["public.products"].unit


def test_a_candidate_can_be_named_by_its_column_and_is_not_offered_beside_itself(
    postgres_cluster: PostgresCluster,
) -> None:
    dsn = postgres_cluster.create_database("hits")
    with psycopg.connect(dsn, autocommit=True) as owner:
        owner.execute("CREATE TABLE hits (watchid bigint, userid bigint NOT NULL)")
    text = starter_policy(read_survey(dsn), ["userid"])
    assert "  user: {budget: " in text
    assert "unit: {name: user, column: userid}" in text
    assert "Other candidates" not in text


def test_money_is_asked_for_as_numeric_and_not_as_somebody_s_words(postgres_cluster: PostgresCluster) -> None:
    dsn = postgres_cluster.create_database("fees")
    with psycopg.connect(dsn, autocommit=True) as owner:
        owner.execute("CREATE TABLE person (person_id int PRIMARY KEY, fee money, place point)")
    lines = starter_policy(read_survey(dsn), ["person"]).splitlines()
    (fee,) = (line for line in lines if line.lstrip().startswith("fee:"))
    (place,) = (line for line in lines if line.lstrip().startswith("place:"))
    assert fee.endswith("but not summed, grouped or cast: make it numeric on the source")
    assert "own words" not in fee
    assert "own words" in place


def test_rows_of_other_candidates_are_not_said_to_be_nobody_s(postgres_cluster: PostgresCluster) -> None:
    dsn = postgres_cluster.create_database("schemas")
    with psycopg.connect(dsn, autocommit=True) as owner:
        owner.execute(
            """CREATE SCHEMA trial; CREATE SCHEMA uni;
            CREATE TABLE person (person_id int PRIMARY KEY, age int);
            CREATE TABLE interview (interview_id int PRIMARY KEY, person_id int REFERENCES person);
            CREATE TABLE trial.patient (id int PRIMARY KEY, arm text);
            CREATE TABLE trial.visit (visit int PRIMARY KEY, patient int REFERENCES trial.patient);
            CREATE TABLE trial.event (visit int REFERENCES trial.visit, grade int);
            CREATE TABLE uni.student (matriculation int PRIMARY KEY);
            CREATE TABLE uni.course (course int PRIMARY KEY);
            CREATE TABLE uni.evaluation (course int REFERENCES uni.course, student int REFERENCES uni.student)"""
        )
    lines = starter_policy(read_survey(dsn), ["public.person"]).splitlines()
    asked = {
        line.split(":")[0].strip(" #"): line for line in lines if line.startswith("  # ") and "public: true" in line
    }
    assert {name for name, line in asked.items() if "whose rows are these?" in line} == {
        "trial.patient", "trial.visit", "trial.event", "uni.student", "uni.evaluation"
    }  # fmt: skip
    assert "has one row of each patient: " in asked["trial.patient"]
    assert "leads to no person, but leads to trial.patient: " in asked["trial.event"]
    assert "`dpproxy init --unit trial.patient`" in asked["trial.event"]
    assert "`dpproxy init --unit uni.student`" in asked["uni.evaluation"]
    assert "--unit" not in asked["uni.course"]
    policy = examine_text(
        starter_policy(read_survey(dsn), ["person", "trial.patient", "uni.student"]), "", {"DATABASE_URL": ""}
    ).policy
    assert policy is not None
    assert len([table for table in policy.tables.values() if table.unit]) == 7


def test_units_with_one_name_are_written_once_or_get_names_of_their_own(postgres_cluster: PostgresCluster) -> None:
    dsn = postgres_cluster.create_database("players")
    with psycopg.connect(dsn, autocommit=True) as owner:
        owner.execute("CREATE TABLE baseball (id text, year int); CREATE TABLE colon (id text, days int)")
        owner.execute("CREATE TABLE a (user_id int); CREATE TABLE b (userid text, id text)")
    text = starter_policy(read_survey(dsn), ["public.baseball.id", "public.colon.id", "userid", "user_id"])
    found = examine_text(text, "starter.yaml", {"DATABASE_URL": dsn})
    assert found.policy is not None, found.findings
    assert list(found.policy.units) == ["id", "user", "user_by_user_id"]


def test_columns_of_a_key_that_say_something_are_asked_for_like_others(postgres_cluster: PostgresCluster) -> None:
    """The season of (player, season, stint) is grouped by, and what nothing declares is no key there."""
    dsn = postgres_cluster.create_database("seasons")
    with psycopg.connect(dsn, autocommit=True) as owner:
        owner.execute("CREATE TABLE players (playerid text PRIMARY KEY)")
        owner.execute(
            "CREATE TABLE seasons (playerid text REFERENCES players, season integer, place text, part_id bigint, hits integer, "
            "PRIMARY KEY (playerid, season, place, part_id))"
        )
    written = starter_policy(read_survey(dsn), ["public.players"])
    found = {line.split(":")[0].strip(): line for line in written.splitlines() if ": {}" in line}
    assert "{bounds: [low, high]}" in found["season"]
    assert "{values: [first, second]}" in found["place"]
    assert "decide" not in found["part_id"]
    assert "{bounds: [low, high]}" in found["hits"]


def test_an_unknown_unit_is_wrong_input(shop: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", "--source", shop, "--unit", "doctors"]) == 2
    assert "candidates: public.customers, " in capsys.readouterr().err


def test_a_file_that_is_there_is_not_overwritten(shop: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "shop.yaml"
    assert main(["init", "--source", shop, "-o", str(path)]) == 0
    before = path.read_bytes()
    assert main(["init", "--source", shop, "-o", str(path)]) == 2
    assert path.read_bytes() == before
    assert "is there already" in capsys.readouterr().err


@pytest.mark.parametrize("style", ["lines", "braces"])
def test_an_update_adds_what_is_new_and_changes_nothing_else(
    style: str,
    postgres_cluster: PostgresCluster,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dsn, path = postgres_cluster.create_database("growing"), tmp_path / "policy.yaml"
    monkeypatch.setenv("DATABASE_URL", dsn)
    update = ["init", "--source", dsn, "--update", str(path)]
    with psycopg.connect(dsn, autocommit=True) as owner:
        owner.execute(
            "CREATE TABLE users (user_id integer PRIMARY KEY, email text, age integer CHECK (age BETWEEN 0 AND 130))"
        )
        assert main(["init", "--source", dsn, "-o", str(path)]) == 0
        if style == "braces":
            text = path.read_text(encoding="utf-8")
            start = text.index("    columns:")
            path.write_text(
                text[:start] + "    columns: {user_id: {}, age: {}}  # email is left out\n", encoding="utf-8"
            )
            assert main(update) == 0
            assert "      # email: {}  # left out: " in path.read_text(encoding="utf-8")
        before = path.read_text(encoding="utf-8")
        capsys.readouterr()
        assert main(update) == 0
        assert (path.read_text(encoding="utf-8"), capsys.readouterr().out) == (before, f"{path}: nothing is new\n")
        owner.execute("ALTER TABLE users ADD height integer, ADD phone text")
        owner.execute("CREATE TABLE logins (user_id integer NOT NULL REFERENCES users, ok boolean)")
        owner.execute("CREATE TABLE plans (plan text PRIMARY KEY)")
        assert main(update) == 0
    assert capsys.readouterr().out.splitlines() == [
        "new column public.users.height",
        "new column public.users.phone",
        "new table public.logins",
        "new table public.plans",
    ]
    after = path.read_text(encoding="utf-8")
    old, new = before.splitlines(), after.splitlines()
    kept = iter(new)
    if style == "lines":
        assert all(line in kept for line in old), "a line was changed"
    added = [line.strip() for line in new if line not in old]
    assert "# phone: {}  # left out: a way to reach somebody tells who somebody is" in added
    assert "unit: {name: user, column: user_id}" in after
    assert "# public.plans: {public: true}  # decide: public.plans leads to no user" in after
    examination = examine_text(after, "", {"DATABASE_URL": ""})
    assert examination.policy is not None
    assert list(examination.policy.tables) == ["public.users", "public.logins"]
    assert list(examination.policy.tables["public.users"].columns or {}) == ["user_id", "age", "height"]
    users, logins = examination.policy.tables.values()
    assert (logins.query, logins.budget) == (users.query, users.budget)
    assert [after.count(line) for line in ("query: {epsilon: 0.25, max_epsilon: 0.5}", "delta: 1e-6}")] == [2, 3]


def test_two_keys_to_the_unit_leave_a_table_out(shop: str) -> None:
    policy = examine_text(starter(shop), "", {"DATABASE_URL": ""}).policy
    assert policy is not None
    assert "public.gifts" not in policy.tables


def test_a_source_that_cannot_be_reached_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", "--source", "postgresql://u:hunter2@127.0.0.1:1/x?connect_timeout=2"]) == 3
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "hunter2" not in error


@pytest.mark.unit
def test_a_key_of_several_columns_leads_to_the_unit_by_the_unit_s_own() -> None:
    def table(name: str, *keys: ForeignKey) -> Table:
        columns = {column: Column(column, "integer", 23, nullable=False) for column in ("owner", "number", "part")}
        return Table(name, columns, ("owner", "number"), frozenset({frozenset({"owner", "number"})}), keys)

    orders = table("shop.orders")
    lines = table("shop.lines", ForeignKey(("part", "number"), orders.name, ("owner", "number")))
    known = {orders.name: Owner("customer", "owner")}
    assert owners({orders.name: orders, lines.name: lines}, known)[lines.name] == Owner("customer", "part")
    by_path = {orders.name: Owner("customer", "number", "shop.customers.id")}
    assert lines.name not in owners({orders.name: orders, lines.name: lines}, by_path)


AIRCRAFT = (171, 0, 95, 69, 47, 125, 83, 113, 107, 241, 374, 490, 346, 520, 483, 257, 228, 279, 13, 2)
FLIGHTS = (
    *(171, 0, 190, 207, 188, 678, 617, 1206, 1545, 5051),
    *(10609, 19534, 19567, 41905, 53590, 39020, 51941, 81704, 5453, 1088),
)
"""For each threshold the aircraft of nycflights13 with at most so many flights, and more than the one before, and the
flights of them all."""


def test_a_number_of_rows_at_the_epsilon_that_is_written_is_right_within_2_percent() -> None:
    epsilon = Fraction(re.findall(r"query: \{epsilon: ([0-9.]+),", (FIXTURES / "shop.yaml").read_text("utf-8"))[0])
    price = epsilon**2 / 2
    choice = threshold_choice(0, "gaussian", price * SHARE)
    noise = 1 / math.sqrt(2 * price * (1 - SHARE))
    units = [*AIRCRAFT, *(0 for _ in range(thresholds_up_to(MOST_ROWS) + 1 - len(AIRCRAFT)))]
    everything = sum(FLIGHTS)
    within = []
    for _ in range(1000):
        index = choice.choose(units, noise, 1)
        limit = float(threshold(index))
        counted = sum(FLIGHTS[: index + 1]) + limit * sum(units[index + 1 :])
        within.append(abs(random.gauss(counted, noise * limit) - everything) <= 0.02 * everything)
    assert sum(within) >= 975  # 993 are expected; 958 at an epsilon of 0.15


@pytest.mark.unit
def test_tables_lead_to_the_unit_by_names_where_no_foreign_key_does() -> None:
    def table(name: str, key: str, *columns: str) -> Table:
        found = {column: Column(column, "integer", 23, nullable=False) for column in (key, *columns) if column}
        return Table(f"s.{name}", found, (key,) if key else (), frozenset({frozenset({key})} if key else ()))

    listed = [
        table("customers", "customer_no", "region"),
        table("meters", "MeterID", "Customer No"),
        table("readings", "", "meter_id", "value"),
        table("tickets", "id", "customer_no"),
        table("replies", "id", "ticket_id"),
        table("between", "", "ticket_id", "meter_id"),
        table("regions", "region", "area"),
    ]
    tables = {found.name: found for found in listed}
    (customer, *_) = candidates(tables, {})
    owned = all_owners(tables, seeds(tables, customer))
    ways = {name: (owner.column, owner.target) for name, owner in owned.items() if not owner.disputed}
    assert ways == {
        "s.customers": ("customer_no", None),
        "s.meters": ("Customer No", None),
        "s.readings": ("meter_id", "s.meters.MeterID"),
        "s.tickets": ("customer_no", None),
        "s.replies": ("ticket_id", "s.tickets.id"),
    }
    assert owned["s.readings"].doubts == ("only its name says that meter_id leads to s.meters",)
    assert owned.keys() - ways.keys() == {"s.between"}


def test_a_list_of_few_rows_that_others_refer_to_is_not_whose_privacy_is_meant(
    postgres_cluster: PostgresCluster,
) -> None:
    """As the statistics tell; without them it is what most tables lead to."""
    dsn = postgres_cluster.create_database("colleges")
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("CREATE TABLE states (state_id integer PRIMARY KEY)")
        connection.execute("CREATE TABLE colleges (college_id integer PRIMARY KEY, state_id integer REFERENCES states)")
        connection.execute("CREATE TABLE outcomes (college_id integer REFERENCES colleges, year integer)")
        connection.execute("INSERT INTO states SELECT generate_series(1, 59)")
        connection.execute("INSERT INTO colleges SELECT i, i % 59 + 1 FROM generate_series(1, 700) AS i")
        assert "\n  state: {budget:" in starter_policy(read_survey(dsn))
        connection.execute("ANALYZE")
        found = starter_policy(read_survey(dsn))
    assert "\n  college: {budget:" in found
    assert "Other candidates, for `dpproxy init --unit NAME`: public.states" in found
    assert "\n  state: {budget:" in starter_policy(read_survey(dsn), ["states"])


def test_a_view_of_tables_that_lead_to_no_unit_may_be_public(postgres_cluster: PostgresCluster) -> None:
    """Whatever functions of its own it calls; others stand for their queries, as does one of a partition."""
    dsn = postgres_cluster.create_database("films")
    with psycopg.connect(dsn, autocommit=True) as owner:
        owner.execute(
            """CREATE TABLE person (person_id int PRIMARY KEY);
            CREATE TABLE kind (kind_id int PRIMARY KEY, name text);
            CREATE TABLE film (film_id int PRIMARY KEY, kind_id int REFERENCES kind, title text);
            CREATE TABLE rental (person_id int REFERENCES person, film_id int, day date) PARTITION BY RANGE (day);
            CREATE TABLE rental_2025 PARTITION OF rental FOR VALUES FROM ('2025-01-01') TO ('2026-01-01');
            CREATE AGGREGATE joined(text) (sfunc = textcat, stype = text);
            CREATE VIEW films AS SELECT name, joined(title) AS titles FROM film JOIN kind USING (kind_id) GROUP BY name;
            CREATE VIEW kinds AS SELECT name FROM films;
            CREATE VIEW rented AS SELECT title, count(*) FROM film JOIN rental USING (film_id) GROUP BY title;
            CREATE VIEW rented_2025 AS SELECT film_id FROM rental_2025;
            CREATE VIEW of_rented AS SELECT title FROM rented"""
        )
    survey = read_survey(dsn)
    lines = [line.strip(" #") for line in starter_policy(survey, ["person"]).splitlines() if "is a view of" in line]
    kinds = {line.partition(":")[0].removeprefix("public."): line.partition("{")[2].partition(":")[0] for line in lines}
    assert kinds == dict.fromkeys(("films", "kinds"), "public") | dict.fromkeys(
        ("rented", "rented_2025", "of_rented"), "view"
    )
    assert any(
        "public.films is a view of public.film, public.kind; list it once all of these are public" in line
        for line in lines
    )
