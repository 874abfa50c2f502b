"""SQLAlchemy over three drivers: reflection, Core, the ORM, server-side cursors, savepoints, pre-ping."""

from __future__ import annotations

import datetime as dt
import ssl
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import (
    URL,
    BindParameter,
    Engine,
    Executable,
    MetaData,
    Table,
    bindparam,
    create_engine,
    event,
    func,
    inspect,
    literal,
    select,
    text,
)
from sqlalchemy.exc import DBAPIError, ProgrammingError
from sqlalchemy.orm import DeclarativeBase, Session
from sqlalchemy.pool import QueuePool

from tests.clients import target as asked
from tests.clients.conftest import Targets
from tests.clients.target import Target

INSTALL = {
    "psycopg2": "pip install psycopg2-binary",
    "psycopg": "pip install 'psycopg[binary]'",
    "pg8000": "pip install pg8000",
}
Engines = tuple[Engine, Engine]


def engine_for(driver: str, target: Target, *, tls: bool = False) -> Engine:
    url = URL.create(f"postgresql+{driver}", target.user, target.password, None, target.port, target.database)
    if driver == "pg8000":
        place = {"unix_sock": f"{target.host}/.s.PGSQL.{target.port}"} if target.over_socket else {"host": target.host}
        context = ssl.create_default_context(cafile=str(target.authority)) if tls else False
        arguments: dict[str, Any] = {**place, "ssl_context": context}
    else:
        arguments = dict(target.libpq(tls=tls))
    engine = create_engine(url, connect_args=arguments, poolclass=QueuePool, pool_pre_ping=True)
    if driver == "pg8000":
        event.listen(engine, "connect", _set_options)
    return engine


def _set_options(connection: Any, _: object) -> None:
    """pg8000 sends none with the startup packet."""
    cursor = connection.cursor()
    for option in asked.OPTIONS.split("-c ")[1:]:
        cursor.execute("SET " + option)
    connection.commit()


@pytest.fixture(scope="module", params=INSTALL)
def driver(request: pytest.FixtureRequest) -> str:
    pytest.importorskip(request.param, reason=INSTALL[request.param])
    return str(request.param)


@pytest.fixture(scope="module")
def engines(driver: str, targets: Targets) -> Iterator[Engines]:
    here, there = engine_for(driver, targets.proxied), engine_for(driver, targets.plain)
    yield here, there
    here.dispose()
    there.dispose()


def reflected(engine: Engine) -> dict[str, object]:
    """What a tool reads of a schema before anybody asks anything."""
    found = inspect(engine)
    tables = ["patients", "visits", "regions", "specialties"]
    return {
        "tables": sorted(found.get_table_names()),
        "views": found.get_view_names(),
        "columns": {
            name: [(column["name"], str(column["type"]), column["nullable"]) for column in found.get_columns(name)]
            for name in tables
        },
        "primary keys": {name: found.get_pk_constraint(name) for name in tables},
        "foreign keys": {name: found.get_foreign_keys(name) for name in tables},
        "indexes": {name: found.get_indexes(name) for name in tables},
        "checks": {name: found.get_check_constraints(name) for name in tables},
        "comment": found.get_table_comment("visits"),
    }


def test_reflection(engines: Engines) -> None:
    here, there = map(reflected, engines)
    for what, found in here.items():
        assert found == there[what], what


def questions(engine: Engine) -> Iterator[object]:
    metadata = MetaData()
    visits = Table("visits", metadata, autoload_with=engine)
    patients = metadata.tables["patients"]
    by_region = select(visits.c.region, func.count().label("n")).group_by(visits.c.region).subquery()
    least: BindParameter[Decimal] = bindparam("least")
    statements: list[Executable] = [
        select(func.count()).select_from(visits),
        select(visits.c.region, func.sum(visits.c.cost), func.avg(visits.c.minutes), func.max(visits.c.minutes))
        .where(visits.c.cost > least, visits.c.region.in_(["north", "east"]))
        .group_by(visits.c.region)
        .order_by(visits.c.region),
        select(patients.c.sex, func.count())
        .join_from(visits, patients)
        .where(visits.c.visited_at.between(dt.datetime(2024, 3, 1), dt.datetime(2025, 1, 1)))
        .group_by(patients.c.sex)
        .order_by(patients.c.sex.nulls_first())
        .limit(2),
        select(by_region.c.region, by_region.c.n, literal("x")).order_by(by_region.c.n.desc(), by_region.c.region),
        text(asked.GROUPED),
    ]
    with engine.connect() as connection:
        for statement in (*statements, *statements):
            yield [tuple(row) for row in connection.execute(statement, {"least": Decimal("99.5")})]


def test_core(engines: Engines) -> None:
    here, there = ([*questions(engine)] for engine in engines)
    assert len(here) == 10
    assert here == there


def test_rows_are_streamed_from_a_server_side_cursor(engines: Engines) -> None:
    pages = []
    for engine in engines:
        with (
            engine.connect().execution_options(stream_results=True, max_row_buffer=10) as connection,
            connection.execute(text(asked.PAGED)) as result,
        ):
            pages.append([tuple(row) for row in next(result.partitions(7))])
    assert pages[0] == pages[1]
    assert len(pages[0]) == 7


class Base(DeclarativeBase):
    pass


def test_the_orm_counts_and_a_savepoint_survives_an_error(engines: Engines) -> None:
    for engine in engines:
        metadata = MetaData()

        class Patient(Base):
            __table__ = Table("patients", metadata, autoload_with=engine)
            __mapper_args__ = {"primary_key": [__table__.c.patient_id]}  # noqa: RUF012

        with Session(engine) as session:
            assert session.query(Patient).filter(Patient.__table__.c.smoker.is_(True)).count() == 857
            with pytest.raises(ProgrammingError), session.begin_nested():
                session.execute(text(asked.WRONG))
            assert session.scalar(select(func.count()).select_from(Patient)) == 2000
        Base.registry.dispose()


def test_a_refusal_and_tls(driver: str, targets: Targets) -> None:
    engine = engine_for(driver, targets.proxied, tls=True)
    with engine.connect() as connection, pytest.raises(DBAPIError, match="only aggregates are allowed"):
        connection.execute(text(asked.REFUSED))
    with engine.connect() as connection:
        assert connection.scalar(text("SELECT count(*) FROM visits")) == 12000
    engine.dispose()
