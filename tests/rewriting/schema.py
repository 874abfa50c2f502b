"""The clinic of `tests.plans` with a second schema, and with views."""

from __future__ import annotations

from dataclasses import replace

from proxy.policy.model import TablePolicy
from proxy.sql.schema import Schema
from tests.plans.schema import CATALOG, POLICY

SEARCH_PATH = ("public", "old")

_VISITS = replace(CATALOG.tables["public.visits"], name="old.visits", foreign_keys=())
_REGIONS = replace(CATALOG.tables["public.regions"], name="old.regions")
_AREAS = replace(CATALOG.tables["public.regions"], name="old.areas")
_RUSHED = replace(
    CATALOG.tables["public.visits"],
    name="public.rushed",
    view_definition="SELECT v.patient_id, v.cost FROM public.visits v WHERE v.urgent",
)
_SEEN = replace(
    _RUSHED, name="public.seen", view_definition="SELECT v.patient_id, v.cost FROM public.visits v, pg_class"
)
_RANKED = replace(
    _RUSHED,
    name="public.ranked",
    view_definition="WITH top AS (SELECT max(p.amount) AS cost FROM public.prices p) "
    "SELECT v.patient_id, v.cost FROM public.visits v JOIN top ON top.cost > v.cost",
)

SCHEMA = Schema(
    POLICY.model_copy(
        update={
            "tables": {
                **POLICY.tables,
                "old.visits": POLICY.tables["public.visits"],
                "old.regions": POLICY.tables["public.regions"],
                "old.areas": POLICY.tables["public.regions"],
                **dict.fromkeys(("public.rushed", "public.seen", "public.ranked"), TablePolicy(view=True)),
            }
        }
    ),
    replace(
        CATALOG,
        tables={
            **CATALOG.tables,
            "old.visits": _VISITS,
            "old.regions": _REGIONS,
            "old.areas": _AREAS,
            "public.rushed": _RUSHED,
            "public.seen": _SEEN,
            "public.ranked": _RANKED,
        },
    ),
)
