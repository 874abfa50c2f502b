"""ATTACKS 5: a released value that the source cannot read back fails for everybody, not only where a row meets it.

The stage prints it under the client's settings. Some of them give texts that Postgres does not take: a float rounded up
beyond the greatest one, an offset of more than sixteen hours.
"""

from __future__ import annotations

import psycopg
import pytest

from tests.end_to_end.running import RunningProxy

SOMEBODY, NOBODY = 42, 999_999
UNREADABLE = {
    "float": ("extra_float_digits", "-15", "'1.7976931348623157e308'::float8"),
    "real": ("extra_float_digits", "-2", "'3.4028235e38'::real"),
    "moment": ("TimeZone", "FAR167", "timestamptz '2024-01-01 00:00Z'"),
}
PLACES = {
    "a join": "SELECT count(*) FROM visits v JOIN (SELECT max({}) AS x FROM generate_series(1, 1)) r ON r.x IS NOT NULL",
    "a scalar subquery": "SELECT count(*) FROM visits v JOIN patients p USING (patient_id) "
    "WHERE (SELECT max({}) FROM generate_series(1, 1)) IS NOT NULL",
    "VALUES": "SELECT count(*) FROM visits v JOIN (VALUES ({})) t (x) ON t.x IS NOT NULL",
}


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES.keys())
@pytest.mark.parametrize(("setting", "value", "constant"), UNREADABLE.values(), ids=UNREADABLE.keys())
def test_a_released_value_is_read_whoever_has_rows(
    setting: str, value: str, constant: str, place: str, target: RunningProxy
) -> None:
    query = place.format(constant)
    condition = " AND" if " WHERE " in query else " WHERE"
    with target.connect() as client:
        client.execute("SELECT set_config(%s, %s, false)", [setting, value])
        for person in (SOMEBODY, NOBODY):
            with pytest.raises(psycopg.errors.SystemError, match="the private database could not answer"):
                client.execute(f"{query}{condition} v.patient_id = {person}".encode())
        client.execute("SELECT set_config(%s, %s, false)", [setting, {"TimeZone": "UTC"}.get(setting, "1")])
        assert client.execute(f"{query}{condition} v.patient_id = {SOMEBODY}".encode()).fetchone() == (24,)
