"""A source query that fails at the source is recorded, counted, and logged without values."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import NoReturn

from proxy.budget.failures import Failure, Failures
from proxy.errors import LedgerUnavailableError, SourceQueryFailedError
from proxy.sql.source_queries.redacted import without_values

logger = logging.getLogger(__name__)


async def report_failure(
    failures: Failures, failure: Failure, statements: Sequence[str], error: SourceQueryFailedError
) -> NoReturn:
    """Record a failure, log it for the operator, and raise what the analyst sees: the same for every failure.

    Args:
        failures: the ledger's record of them.
        failure: what failed.
        statements: the source query; the log gets it without values.
        error: what the source raised.

    Raises:
        RefusedError: the analyst is suspended already.
        SourceQueryFailedError: otherwise.
    """
    plan = "; ".join(map(without_values, statements))
    told = f"of {failure.analyst} failed at the source with SQLSTATE class {failure.sqlstate_class}: {plan}"
    try:
        number = await failures.record(failure)
    except LedgerUnavailableError:
        # Not counted. The next question has to be charged, so it waits for the ledger anyhow.
        logger.error("a source query %s; the ledger could not record it", told)
        raise error from None
    logger.error("source query %d of %d %s", number, failures.allowed, told)
    raise error
