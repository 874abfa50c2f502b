"""The clinic of `tests.plans` with a second schema, and with a view."""

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

SCHEMA = Schema(
    POLICY.model_copy(
        update={
            "tables": {
                **POLICY.tables,
                "old.visits": POLICY.tables["public.visits"],
                "old.regions": POLICY.tables["public.regions"],
                "old.areas": POLICY.tables["public.regions"],
                "public.rushed": TablePolicy(view=True),
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
        },
    ),
)
