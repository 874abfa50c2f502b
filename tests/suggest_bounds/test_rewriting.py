"""Values put into policy files in place: nothing else changes, whatever the file looks like, or nothing is written."""

from __future__ import annotations

import datetime as dt
import os
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proxy.policy.load import examine_text
from proxy.policy.model import Policy
from proxy.policy.rewriting import Changes, NewValue, RewriteError, check_rewritable, rewrite_policy, rewritten
from tests.end_to_end.clinic import VERIFIER

POLICIES = Path(__file__).parents[2] / "policies"
TABLE = "public.visits"
MAX_ROWS = ("tables", TABLE, "contribution", "max_rows")
PER_GROUP = ("tables", TABLE, "contribution", "max_rows_per_group")
BEFORE = f"""version: 1
analysts: {{ana: {{password: "{VERIFIER}"}}}}
units: {{patient: {{}}}}
tables:
"""


def bounds_of(column: str, table: str = TABLE) -> tuple[str, ...]:
    return ("tables", table, "columns", column, "bounds")


def table_text(rest: str, first: str = "  public.visits:\n") -> str:
    return f"{BEFORE}{first}    unit: {{name: patient, column: patient_id}}\n    budget: {{epsilon: 1}}\n{rest}"


def policy_of(text: str) -> Policy:
    examination = examine_text(text, "", {})
    assert examination.policy is not None, examination.findings
    return examination.policy


def changed_lines(before: str, after: str) -> tuple[list[str], list[str]]:
    """The lines that only the one text has, and those that only the other has, with their ends."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return old[start : len(old) - end], new[start : len(new) - end]


PAIR = (Decimal(0), Decimal("12.5"))
CASES: dict[str, tuple[str, tuple[str, ...], NewValue, list[str]]] = {
    "an empty column": (
        "    columns:\n      cost: {}   # euros\n",
        bounds_of("cost"),
        PAIR,
        ["      cost: {bounds: [0, 12.5]}   # euros\n"],
    ),
    "a mark that asks for bounds": (
        "    columns:\n      cost: {}  # decide: {bounds: [low, high], step: 0.01} from what is known of the world\n",
        bounds_of("cost"),
        PAIR,
        ["      cost: {bounds: [0, 12.5]}\n"],
    ),
    "a mark that asks for days": (
        "    columns:\n      cost: {}  # decide: {bounds: [first day, last day]} from what is known: days, months and years"
        " become groups\n",
        bounds_of("cost"),
        PAIR,
        ["      cost: {bounds: [0, 12.5]}\n"],
    ),
    "a mark that asks for more": (
        "    columns:\n      cost: {}  # decide: {bounds: [low, high]} or values; is it a secret?\n",
        bounds_of("cost"),
        PAIR,
        ["      cost: {bounds: [0, 12.5]}  # decide: {bounds: [low, high]} or values; is it a secret?\n"],
    ),
    "a mark that asks for something else": (
        "    columns:\n      cost: {step: 1}  # decide: {values: [1, 2]} if these are all\n",
        bounds_of("cost"),
        PAIR,
        ["      cost: {step: 1, bounds: [0, 12.5]}  # decide: {values: [1, 2]} if these are all\n"],
    ),
    "a mark of the next line": (
        "    columns:\n      cost: {}\n      minutes: {}  # decide: {bounds: [low, high]}\n",
        bounds_of("cost"),
        PAIR,
        ["      cost: {bounds: [0, 12.5]}\n"],
    ),
    "blanks in brackets": (
        "    columns: {cost: { }}\n",
        bounds_of("cost"),
        PAIR,
        ["    columns: {cost: {bounds: [0, 12.5] }}\n"],
    ),
    "a flow mapping": (
        "    columns:\n      cost: {step: 0.5}   # euros\n",
        bounds_of("cost"),
        PAIR,
        ["      cost: {step: 0.5, bounds: [0, 12.5]}   # euros\n"],
    ),
    "a trailing comma": (
        "    columns:\n      cost: {step: 0.5,}\n",
        bounds_of("cost"),
        PAIR,
        ["      cost: {step: 0.5, bounds: [0, 12.5],}\n"],
    ),
    "a block mapping": (
        "    columns:\n      cost:\n        step: 0.5 #\ta tab\n      minutes: {}\n",
        bounds_of("cost"),
        PAIR,
        ["        bounds: [0, 12.5]\n"],
    ),
    "bounds in brackets": (
        "    columns: {cost: {bounds: [1,   2.50]}} # x\n",
        bounds_of("cost"),
        PAIR,
        ["    columns: {cost: {bounds: [0,   12.5]}} # x\n"],
    ),
    "bounds as a list": (
        "    columns:\n      cost:\n        bounds:\n        - 1\n        - 2   # high\n",
        bounds_of("cost"),
        PAIR,
        ["        - 0\n", "        - 12.5   # high\n"],
    ),
    "bounds across lines": (
        "    columns:\n      cost: {bounds: [1,\n               # the high one\n               2]}\n",
        bounds_of("cost"),
        PAIR,
        ["      cost: {bounds: [0,\n", "               # the high one\n", "               12.5]}\n"],
    ),
    "dates": (
        "    columns: {cost: {bounds: [2020-01-01, 2021-01-01]}}\n",
        bounds_of("cost"),
        (dt.date(1999, 1, 1), dt.date(2024, 1, 1)),
        ["    columns: {cost: {bounds: [1999-01-01, 2024-01-01]}}\n"],
    ),
    "no contribution": ("    columns: {cost: {}}\n", MAX_ROWS, 40, ["    contribution: {max_rows: 40}\n"]),
    "no contribution before a block": (
        "    columns:\n      cost: {}\n",
        MAX_ROWS,
        40,
        ["    contribution: {max_rows: 40}\n"],
    ),
    "a contribution": (
        "    contribution: {max_rows: 7, max_groups: 3}\n    columns: {cost: {}}\n",
        MAX_ROWS,
        40,
        ["    contribution: {max_rows: 40, max_groups: 3}\n"],
    ),
    "a contribution as a block": (
        "    contribution:\n      max_rows: 9  # few\n    columns: {cost: {}}\n",
        PER_GROUP,
        5,
        ["      max_rows_per_group: 5\n"],
    ),
    "no newline at the end": (
        "    columns:\n      cost:\n        step: 1",
        bounds_of("cost"),
        PAIR,
        ["        step: 1\n", "        bounds: [0, 12.5]\n"],
    ),
}


@pytest.mark.parametrize("case", CASES, ids=CASES.keys())
@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_only_the_lines_of_the_value_change(case: str, line_end: str) -> None:
    rest, path, value, expected = CASES[case]
    text = table_text(rest).replace("\n", line_end)
    result = rewritten(text, {path: value}, {})
    assert changed_lines(text, result)[1] == [line.replace("\n", line_end) for line in expected]
    assert path[-1] in result
    policy_of(result)


def test_a_file_with_a_byte_order_mark_and_text_beyond_ascii_keeps_both() -> None:
    text = "\ufeff" + table_text("    columns: {größe: {}}  # für später\n")
    result = rewritten(text, {bounds_of("größe"): PAIR}, {})
    assert result == text.replace("größe: {}", "größe: {bounds: [0, 12.5]}")


def test_a_whole_flow_file_is_edited_inside_its_brackets() -> None:
    text = (
        '{"version": 1, units: {patient: {}}, tables: {public.visits: {unit: {name: patient, column: id}, '
        "budget: {epsilon: 1}, columns: {cost: {}, 'odd name': {step: 2}}}}}"
    )
    result = rewritten(text, {bounds_of("odd name"): PAIR, MAX_ROWS: 3}, {})
    assert result == text[: -len("}}}}}")] + ", bounds: [0, 12.5]}}, contribution: {max_rows: 3}}}}"
    assert policy_of(result).tables[TABLE].contribution.max_rows == 3


@pytest.mark.parametrize(
    ("rest", "path", "reason"),
    [
        ("    columns: {cost: &c {step: 1}, minutes: *c}\n", bounds_of("minutes"), "has an anchor"),
        ("    columns: {cost: &c {step: 1}, minutes: *c}\n", bounds_of("cost"), "has an anchor"),
        ("    columns: {cost: {bounds: &b [0, 1]}, minutes: {bounds: *b}}\n", bounds_of("cost"), "has an anchor"),
        ("    columns: {cost: {bounds: [&b 0, 1]}, minutes: {bounds: [*b, 5]}}\n", bounds_of("minutes"), "has an anchor"),
        ("    columns: {cost: {bounds: [0, '${HIGH}']}}\n", bounds_of("cost"), "not a plain value"),
        ("    columns:\n      cost:\n        bounds: [0, 1]\n        step: ${HIGH}\n", ("tables", TABLE, "columns", "cost", "step"), "not a plain value"),
    ],
)  # fmt: skip
def test_what_cannot_be_edited_is_refused(rest: str, path: tuple[str, ...], reason: str) -> None:
    value: NewValue = 5 if path[-1] == "step" else PAIR
    with pytest.raises(RewriteError, match=reason):
        rewritten(table_text(rest), {path: value}, {"HIGH": "9"})


def test_an_edit_that_would_say_something_else_is_refused() -> None:
    """A carriage return alone ends a line in YAML, too, which these edits do not know."""
    other = "    unit: {name: patient, column: id}\n    budget: {epsilon: 1}\n    columns: {}\n"
    text = table_text("    columns: {cost: {}}\n").replace("\n", "\r") + "  public.people:\n" + other
    policy_of(text)
    with pytest.raises(RewriteError, match="cannot be edited in place"):
        rewritten(text, {MAX_ROWS: 4}, {})


def test_values_that_contradict_the_policy_are_refused() -> None:
    text = table_text("    contribution: {max_rows: 9, max_rows_per_group: 8}\n    columns: {cost: {}}\n")
    with pytest.raises(RewriteError, match="would not be valid"):
        rewritten(text, {MAX_ROWS: 4}, {})


@pytest.mark.parametrize("name", ["example.yaml", "tpch.yaml"])
def test_policies_of_the_checkout_keep_every_other_line(name: str) -> None:
    text = (POLICIES / name).read_text(encoding="utf-8")
    policy = policy_of(text)
    changes: dict[tuple[str, ...], NewValue] = {}
    for table, content in policy.tables.items():
        if not content.public:
            changes["tables", table, "contribution", "max_rows"] = 977
            free = [
                column
                for column, declared in (content.columns or {}).items()
                if declared.range is None and declared.values is None and declared.values_from is None
            ]
            for column in (free[0], free[-1]):
                changes[bounds_of(column, table)] = (Decimal(3), Decimal("977.5"))
    result = rewritten(text, changes, {})
    assert result.count("977.5") == sum(path[-1] == "bounds" for path in changes)
    old = [line for line in text.splitlines() if line.strip().startswith("#")]
    assert [line for line in result.splitlines() if line.strip().startswith("#")] == old
    added = len(result.splitlines()) - len(text.splitlines())
    assert added == sum(
        "contribution" not in str(table.model_fields_set) for table in policy.tables.values() if not table.public
    )


COLUMNS = st.lists(
    st.sampled_from(["{}", "{ }", "{step: 1}", "{step: 1, }", "{bounds: [1, 9]}", "{bounds: [ 1 , 9 ]  ,step: 1}", "\n        step: 1", "\n        bounds:\n        - 1\n        - 9", "\n        # why\n        bounds: [1, 9]\n        step: 1"]),
    min_size=1,
    max_size=4,
)  # fmt: skip
COMMENTS = st.sampled_from(["", "   # it's {odd}: [yes", " #\ttab", " # ü"])


@settings(deadline=None, max_examples=40)
@given(
    columns=COLUMNS,
    comment=COMMENTS,
    chosen=st.integers(0, 3),
    low=st.integers(-10, 10),
    width=st.decimals(min_value=1, max_value=100, places=2),
    line_end=st.sampled_from(["\n", "\r\n"]),
)
def test_generated_files_change_in_one_column_only(
    columns: list[str], comment: str, chosen: int, low: int, width: Decimal, line_end: str
) -> None:
    lines = "".join(f"      c{number}: {text}{comment}\n" for number, text in enumerate(columns))
    text = table_text(f"    columns:\n{lines}    data_version: '2'\n").replace("\n", line_end)
    name, value = f"c{chosen % len(columns)}", (Decimal(low), low + width)
    result = rewritten(text, {bounds_of(name): value}, {})
    before, after = policy_of(text), policy_of(result)
    kept = before.tables[TABLE].columns or {}
    assert (after.tables[TABLE].columns or {}) == kept | {name: kept[name].model_copy(update={"bounds": value})}
    removed, _ = changed_lines(text, result)
    assert len(removed) <= 2
    assert not comment or result.count(comment) == text.count(comment)
    assert result.count("\r\n") == (result.count("\n") if line_end == "\r\n" else 0)


def test_the_file_is_replaced_whole_and_keeps_its_mode_and_link(tmp_path: Path) -> None:
    target, link = tmp_path / "real.yaml", tmp_path / "policy.yaml"
    text = table_text("    columns: {cost: {}}\n").replace("\n", "\r\n")
    target.write_bytes(text.encode())
    target.chmod(0o640)
    link.symlink_to(target)
    changes: Changes = {bounds_of("cost"): PAIR}
    rewrite_policy(link, changes)
    assert link.is_symlink()
    assert target.stat().st_mode & 0o777 == 0o640
    assert target.read_bytes() == text.replace("{cost: {}}", "{cost: {bounds: [0, 12.5]}}").encode()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["policy.yaml", "real.yaml"]


def test_a_failed_replacement_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text(table_text("    columns: {cost: {}}\n"))

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(RewriteError, match="No space left on device"):
        rewrite_policy(path, {bounds_of("cost"): PAIR})
    assert path.read_text() == table_text("    columns: {cost: {}}\n")
    assert [entry.name for entry in tmp_path.iterdir()] == ["policy.yaml"]


def test_whether_a_file_can_be_rewritten_is_known_before(tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text(table_text("    columns: {cost: &c {}, minutes: *c}\n"))
    with pytest.raises(RewriteError, match="anchor"):
        check_rewritable(path, {bounds_of("cost"): PAIR})
    with pytest.raises(RewriteError, match="cannot be read"):
        check_rewritable(tmp_path / "absent.yaml", {bounds_of("cost"): PAIR})
    before = table_text("    columns: {cost: {}}\n")
    path.write_text(before)
    check_rewritable(path, {bounds_of("cost"): PAIR})
    assert path.read_text() == before
