"""The stage's roles: whose they are, what they reach, and what happens to those who leave."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from proxy.policy.catalog import Catalog
from proxy.postgres.embedded import EmbeddedPostgres
from proxy.postgres.stage import Stage
from proxy.postgres.stage_building import build_stage
from proxy.postgres.stage_schema import StageBuildError
from tests.conftest import PostgresCluster
from tests.postgres.conftest import clinic_policy


@pytest.fixture(scope="module")
def owned(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedPostgres]:
    """A cluster of our own that asks for passwords."""
    with EmbeddedPostgres(tmp_path_factory.mktemp("owned"), durable=False) as postgres:
        hba = postgres.data_directory / "pg_hba.conf"
        hba.write_text("local all postgres trust\nlocal all all scram-sha-256\n")
        with psycopg.connect(postgres.dsn(), autocommit=True) as connection:
            connection.execute("SELECT pg_reload_conf()")
        yield postgres


def build(owned: EmbeddedPostgres, clinic: str, catalog: Catalog, *analysts: str, database: str = "stage") -> Stage:
    return build_stage(owned.dsn(), clinic_policy(analysts), catalog, clinic, database, owns_cluster=True)


def test_the_password_opens_the_stage_and_nothing_else_does(
    owned: EmbeddedPostgres, clinic: str, clinic_catalog: Catalog
) -> None:
    stage = build(owned, clinic, clinic_catalog, "ana", "bo")
    with psycopg.connect(stage.dsn("ana")) as connection:
        assert connection.execute("SELECT current_user::text").fetchone() == ("ana",)
    assert stage.password("ana") != stage.password("bo")
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(make_conninfo(stage.dsn("ana"), password=stage.password("bo")))


def test_a_password_stays_the_same_for_every_proxy_on_the_stage(
    owned: EmbeddedPostgres, clinic: str, clinic_catalog: Catalog
) -> None:
    first = build(owned, clinic, clinic_catalog, "ana").password("ana")
    assert build(owned, clinic, clinic_catalog, "ana").password("ana") == first


@pytest.mark.parametrize("database", ["postgres", "template1"])
def test_analysts_connect_to_the_stage_only(
    owned: EmbeddedPostgres, clinic: str, clinic_catalog: Catalog, database: str
) -> None:
    stage = build(owned, clinic, clinic_catalog, "ana")
    with pytest.raises(psycopg.OperationalError, match="permission denied for database"):
        psycopg.connect(make_conninfo(stage.dsn("ana"), dbname=database))


def test_an_analyst_who_leaves_loses_session_and_login(
    owned: EmbeddedPostgres, clinic: str, clinic_catalog: Catalog
) -> None:
    stage = build(owned, clinic, clinic_catalog, "ana", "leaver")
    with psycopg.connect(stage.dsn("leaver"), autocommit=True) as session:
        build(owned, clinic, clinic_catalog, "ana")
        with pytest.raises(psycopg.errors.AdminShutdown):
            session.execute("SELECT 1")
    with pytest.raises(psycopg.OperationalError, match='role "leaver" is not permitted to log in'):
        psycopg.connect(stage.dsn("leaver"))
    build(owned, clinic, clinic_catalog, "ana", "leaver")
    with psycopg.connect(stage.dsn("leaver")) as session:
        assert session.execute("SELECT 1").fetchone() == (1,)


def test_leaving_one_stage_keeps_the_login_of_another(
    owned: EmbeddedPostgres, clinic: str, clinic_catalog: Catalog
) -> None:
    first = build(owned, clinic, clinic_catalog, "both")
    second = build(owned, clinic, clinic_catalog, "both", database="second_stage")
    build(owned, clinic, clinic_catalog, "ana")
    with psycopg.connect(second.dsn("both")) as session:
        assert session.execute("SELECT 1").fetchone() == (1,)
    with pytest.raises(psycopg.OperationalError, match="permission denied for database"):
        psycopg.connect(first.dsn("both"))


def test_what_an_analyst_changed_of_the_own_role_is_undone(
    owned: EmbeddedPostgres, clinic: str, clinic_catalog: Catalog
) -> None:
    stage = build(owned, clinic, clinic_catalog, "ana")
    with psycopg.connect(stage.dsn("ana"), autocommit=True) as session:
        session.execute("ALTER ROLE ana SET statement_timeout = 0")
        session.execute("ALTER ROLE ana IN DATABASE stage SET lock_timeout = 0")
        session.execute("ALTER ROLE ana PASSWORD 'mine'")
    stage = build(owned, clinic, clinic_catalog, "ana")
    with psycopg.connect(stage.dsn("ana")) as session:
        query = "SELECT current_setting('statement_timeout'), current_setting('lock_timeout')"
        assert session.execute(query).fetchone() == ("1min", "10s")


def test_a_role_that_is_not_ours_is_refused_and_untouched(
    owned: EmbeddedPostgres, clinic: str, clinic_catalog: Catalog
) -> None:
    with psycopg.connect(owned.dsn(), autocommit=True) as admin:
        admin.execute("CREATE ROLE stranger NOLOGIN CREATEDB")
        with pytest.raises(StageBuildError, match="role stranger that dpproxy did not make"):
            build(owned, clinic, clinic_catalog, "stranger")
        attributes = admin.execute(
            "SELECT rolcanlogin, rolcreatedb FROM pg_roles WHERE rolname = 'stranger'"
        ).fetchone()
    assert attributes == (False, True)


@pytest.mark.parametrize("name", ["postgres", "dpproxy_analysts", "dpproxy_enumerator", "pg_monitor", "x" * 64, ""])
def test_names_that_would_be_another_role_are_refused(
    owned: EmbeddedPostgres, clinic: str, clinic_catalog: Catalog, name: str
) -> None:
    with pytest.raises(StageBuildError):
        build(owned, clinic, clinic_catalog, name)


def test_a_stage_needs_a_superuser(postgres_cluster: PostgresCluster, clinic: str, clinic_catalog: Catalog) -> None:
    with psycopg.connect(postgres_cluster.dsn("postgres"), autocommit=True) as admin:
        admin.execute("CREATE ROLE modest LOGIN PASSWORD 'modest' CREATEDB CREATEROLE")
    modest = make_conninfo(postgres_cluster.dsn("postgres"), user="modest", password="modest")
    with pytest.raises(StageBuildError, match="superuser"):
        build_stage(modest, clinic_policy(), clinic_catalog, clinic, "never_built")
