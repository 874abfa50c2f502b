"""A released value is read by the source whoever has rows, or refused before anything is charged.

The client's settings decide how the stage prints some values. A text that Postgres then does not take, as an offset of
more than sixteen hours, must fail for everybody, not only where a row meets it.
"""

from __future__ import annotations

import psycopg
import pytest

from tests.end_to_end.running import RunningProxy

SOMEBODY, NOBODY = 42, 999_999
FLOATS = {
    "float": ("-15", "'1.7976931348623157e308'::float8"),
    "real": ("-2", "'3.4028235e38'::real"),
}
PLACES = {
    "a join": "SELECT count(*) FROM visits v JOIN (SELECT max({}) AS x FROM generate_series(1, 1)) r ON r.x IS NOT NULL",
    "a scalar subquery": "SELECT count(*) FROM visits v JOIN patients p USING (patient_id) "
    "WHERE (SELECT max({}) FROM generate_series(1, 1)) IS NOT NULL",
    "VALUES": "SELECT count(*) FROM visits v JOIN (VALUES ({})) t (x) ON t.x IS NOT NULL",
}


def asked(place: str, constant: str, person: int) -> bytes:
    query = place.format(constant)
    return f"{query}{' AND' if ' WHERE ' in query else ' WHERE'} v.patient_id = {person}".encode()


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES.keys())
@pytest.mark.parametrize(("digits", "constant"), FLOATS.values(), ids=FLOATS.keys())
def test_the_sessions_digits_do_not_change_what_a_released_float_is(
    digits: str, constant: str, place: str, target: RunningProxy
) -> None:
    with target.connect() as client:
        client.execute("SELECT set_config('extra_float_digits', %s, false)", [digits])
        assert client.execute(asked(place, constant, SOMEBODY)).fetchone() == (24,)
        assert client.execute(asked(place, constant, NOBODY)).fetchone() == (0,)


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES.keys())
def test_a_moment_that_the_source_cannot_read_is_refused_whoever_has_rows(place: str, target: RunningProxy) -> None:
    constant = "timestamptz '2024-01-01 00:00Z'"
    with target.connect() as client:
        client.execute("SET TimeZone = 'FAR167'")
        for person in (SOMEBODY, NOBODY):
            with pytest.raises(psycopg.errors.FeatureNotSupported, match="too far from UTC"):
                client.execute(asked(place, constant, person))
        client.execute("SET TimeZone = 'UTC'")
        assert client.execute(asked(place, constant, SOMEBODY)).fetchone() == (24,)
