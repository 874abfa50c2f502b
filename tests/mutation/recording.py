"""A pytest plugin that notes which test runs which line of the package, and how long each test takes.

`pytest -p tests.mutation.recording --record FILE tests/sql …`; `FILE` becomes a data file of coverage.py whose contexts
are the tests' ids, and `FILE.seconds` a JSON object of each test's seconds. What runs while modules are imported has
the empty context.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import coverage
import pytest

_SECONDS = pytest.StashKey[dict[str, float]]()
_COVERAGE = pytest.StashKey[coverage.Coverage]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--record", metavar="FILE", required=True, help="where to note which test runs which line")


def pytest_configure(config: pytest.Config) -> None:
    measured = coverage.Coverage(data_file=config.getoption("--record"), config_file=False, source=["proxy"])
    measured.erase()
    measured.start()
    config.stash[_COVERAGE], config.stash[_SECONDS] = measured, {}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    item.config.stash[_COVERAGE].switch_context(item.nodeid)
    start = time.monotonic()
    result = yield
    item.config.stash[_SECONDS][item.nodeid] = round(time.monotonic() - start, 4)
    return result


def pytest_unconfigure(config: pytest.Config) -> None:
    measured = config.stash[_COVERAGE]
    measured.stop()
    measured.save()
    Path(f"{config.getoption('--record')}.seconds").write_text(json.dumps(config.stash[_SECONDS]))
