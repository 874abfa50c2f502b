"""`SET dp.…` and connection options change what a query costs, within the policy's limits (ATTACKS 31)."""

from __future__ import annotations

import psycopg
import pytest

from tests.end_to_end import clinic
from tests.end_to_end.conftest import StartProxy
from tests.end_to_end.running import RunningProxy
