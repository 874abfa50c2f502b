"""`dpproxy diff` as a user runs it: exit codes and what is printed where."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.policy.test_cli import dpproxy
from tests.review.test_changes import OLD

pytestmark = pytest.mark.postgres


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    (tmp_path / "old.yaml").write_text(OLD)
    (tmp_path / "new.yaml").write_text(OLD.replace("failures: 3", "failures: 30"))
    (tmp_path / "bad.yaml").write_text(OLD.replace("failures: 3", "failures: -3"))
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("old.yaml", "old.yaml"), 0),
        (("old.yaml", "new.yaml"), 1),
        (("new.yaml", "old.yaml"), 0),
        (("old.yaml", "new.yaml", "--allow", "DP811"), 0),
        (("-", "new.yaml"), 1),
        (("old.yaml", "bad.yaml"), 2),
        (("absent.yaml", "new.yaml"), 2),
        (("old.yaml", "new.yaml", "--allow", "DP999"), 2),
        (("-", "-"), 2),
    ],
)
def test_exit_codes(directory: Path, arguments: tuple[str, ...], code: int) -> None:
    result = dpproxy("diff", *arguments, directory=directory, piped=OLD)
    assert result.returncode == code, result.stdout
    assert bool(result.stdout) == (code != 2)
    assert bool(result.stderr) == (code == 2)
    assert "Traceback" not in result.stderr


def test_rules_are_listed(directory: Path) -> None:
    lines = dpproxy("diff", "--rules", directory=directory).stdout.splitlines()
    assert lines[0] == "DP801 weaker: an account may spend more"
    assert len(lines) > 25


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("${UNSET_DSN}", "${UNSET_DSN}", "promise the same"),
        ("${UNSET_DSN}", "${OTHER_DSN}", "[DP884]"),
        ("${file:/run/secrets/absent}", "${UNSET_DSN}", "[DP884]"),
    ],
)
def test_the_variables_of_the_source_need_not_be_set(directory: Path, before: str, after: str, told: str) -> None:
    (directory / "old.yaml").write_text(OLD.replace("host=db dbname=clinic", before))
    (directory / "new.yaml").write_text(OLD.replace("host=db dbname=clinic", after))
    result = dpproxy("diff", "old.yaml", "new.yaml", directory=directory)
    assert (result.returncode, result.stderr) == (0, "")
    assert told in result.stdout
