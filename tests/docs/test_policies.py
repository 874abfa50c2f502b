"""policies/README.md: every key with its type and default, every number, and what `dpproxy check` says."""

from __future__ import annotations

import datetime as dt
import math
import re
import textwrap
import types
import typing
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import annotated_types
import pytest
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from proxy.commands import (
    ExitCode,
    catalog,
    check,
    decode_local,
    diff,
    dummy,
    explain,
    export_local,
    init,
    report,
    suggest_bounds,
)
from proxy.dp.accounting import Account, Price
from proxy.dp.risk import risk_by_gaussian
from proxy.policy.durations import spoken
from proxy.policy.load import examine_text
from proxy.policy.model import Bound, Budget, DataVersion, Policy, TableBudget, Value
from tests.docs.markdown import CHECKOUT, LOCAL_RELEASES, POLICIES, Page
from tests.docs.running import commands_and_output, documented_options, options_of, run_command

pytestmark = pytest.mark.postgres


def test_policy_reference_has_every_key_with_its_type_and_default() -> None:
    documented = {
        key: (kind, default) for key, kind, default, _, _ in POLICIES.table("key", "type", "default", "unit", "meaning")
    }
    assert documented == dict(policy_keys(Policy, "")) | dict(policy_keys(Budget, "BUDGET."))


def policy_keys(model: type[BaseModel], prefix: str) -> typing.Iterator[tuple[str, tuple[str, str]]]:
    """Every key below `model` with its type and default. Names are NAME; budgets are described once."""
    for attribute, field in model.model_fields.items():
        name = field.alias or attribute
        annotation = without_none(field.annotation)
        if annotation is TableBudget:
            yield prefix + name, ("BUDGET", default_text(field))
            for key in TableBudget.model_fields.keys() - Budget.model_fields.keys():
                own = TableBudget.model_fields[key]
                yield (
                    f"{prefix}{name}.{key}",
                    (type_text(without_none(own.annotation), own.metadata), default_text(own)),
                )
        elif annotation is DataVersion:
            yield f"{prefix}{name}", ("text", DataVersion().text)
            yield f"{prefix}{name}.query", ("text", "–")
        elif annotation == dict[str, str]:
            yield f"{prefix}{name}.NAME", ("text", "–")
        elif typing.get_origin(annotation) is dict:
            yield from policy_keys(without_none(typing.get_args(annotation)[1]), f"{prefix}{name}.NAME.")
        elif isinstance(annotation, type) and issubclass(annotation, BaseModel) and annotation is not Budget:
            yield from policy_keys(annotation, f"{prefix}{name}.")
        else:
            yield prefix + name, (type_text(annotation, field.metadata), default_text(field))


def without_none(annotation: typing.Any) -> typing.Any:
    if isinstance(annotation, types.UnionType) or typing.get_origin(annotation) is typing.Union:
        rest = [member for member in typing.get_args(annotation) if member is not type(None)]
        return rest[0] if len(rest) == 1 else annotation
    return annotation


def type_text(annotation: typing.Any, metadata: typing.Iterable[object]) -> str:
    """A type as the reference writes it, with its limits."""
    limits = list(metadata)
    if typing.get_origin(annotation) is typing.Annotated:
        annotation, *further = typing.get_args(annotation)
        limits += [limit for part in further for limit in (part.metadata if isinstance(part, FieldInfo) else [part])]
    if typing.get_origin(annotation) is typing.Literal:
        words = [str(word) for word in typing.get_args(annotation)]
        return " or ".join(part for part in (", ".join(words[:-1]), words[-1]) if part)
    names = {
        Budget: "BUDGET",
        bool: "true or false",
        int: "whole number",
        Decimal: "number",
        str: "text",
        dt.timedelta: "length of time",
        dt.date: "date",
        tuple[Bound, Bound]: "[low, high]",
        tuple[Value, ...]: "list",
        tuple[str, ...]: "list of texts",
    }
    return f"{names[annotation]} {', '.join(filter(None, map(limit_text, limits)))}".strip()


def limit_text(limit: object) -> str:
    match limit:
        case annotated_types.Gt(gt=value):
            return f"> {value}"
        case annotated_types.Ge(ge=value):
            return f"≥ {value}"
        case annotated_types.Lt(lt=value):
            return f"< {value}"
        case annotated_types.Le(le=value):
            return f"≤ {value}"
    return ""


def default_text(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    if isinstance(field.default, dt.timedelta):
        return spoken(field.default)
    return "–" if field.default is None else str(field.default).lower()


def test_what_epsilon_means_for_a_person() -> None:
    header = next(line for line in POLICIES.text.splitlines() if line.startswith("| budget ε | 0.1"))
    (odds,) = POLICIES.table(*(cell.strip() for cell in header.strip("|").split("|")))
    for epsilon, text in zip(header.strip("|").split("|")[1:], odds[1:], strict=True):
        digits = len(text.removesuffix(" %").partition(".")[2])
        assert text == f"{100 / (1 + math.exp(-float(epsilon))):.{digits}f} %"


def test_what_gaussian_noise_means_for_a_person() -> None:
    rows = POLICIES.table(
        "all of it paid for Gaussian noise", *(f"ε = {text}" for text in ("0.1", "0.5", "1", "2", "4", "10"))
    )
    (advantages, posteriors) = rows
    for text, advantage, posterior in zip(
        ("0.1", "0.5", "1", "2", "4", "10"), advantages[1:], posteriors[1:], strict=True
    ):
        risk = risk_by_gaussian(Account(Fraction(text), Fraction("1e-6")))
        assert risk is not None
        assert (advantage, posterior) == (f"{100 * risk.advantage:.0f} %", f"{100 * risk.posterior:.1f} %")


def test_how_many_queries_a_budget_pays() -> None:
    prices = ("0.02", "0.05", "0.1", "0.25", "0.5", "1")
    for epsilon, *numbers in POLICIES.table("budget ε", *prices):
        account = Account(Fraction(epsilon), Fraction(Decimal("1e-6")))
        for price, number in zip(prices, numbers, strict=True):
            gaussian = Price.gaussian(Fraction(Decimal(price)) ** 2 / 2)
            assert number == str(account.queries_left(Price.zero(), gaussian)), (epsilon, price)


def test_mistakes_are_found_as_described(tmp_path: Path) -> None:
    (tmp_path / "mistakes.yaml").write_text(POLICIES.block("yaml", "mistakes"), encoding="utf-8")
    ((command, output),) = commands_and_output(POLICIES.block("console", "mistakes"))
    assert run_command(command, tmp_path, ExitCode.WRONG_INPUT, DATABASE_URL="") == output


def test_changes_are_found_as_described(tmp_path: Path) -> None:
    text = POLICIES.block("yaml", "policy").replace("${DATABASE_URL}", "host=db")
    wider = text.replace("epsilon: 4,", "epsilon: 5,").replace("[0, 500]", "[0, 300]")
    wider = wider.replace("timing:", "  public.specialties: {public: true}\ntiming:")
    (tmp_path / "clinic.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "wider.yaml").write_text(wider, encoding="utf-8")
    ((command, output),) = commands_and_output(POLICIES.block("console", "diff"))
    assert run_command(command, tmp_path, ExitCode.FAILED) == output


def test_findings_are_those_of_the_checks() -> None:
    """Each part of a message between "…" stands in the code of the checks; joined lines and braces there are no hurdle."""
    others = [
        CHECKOUT / "proxy" / name for name in ("meaning.py", "rehearsal/unanswered_views.py", "starter/limits.py")
    ]
    files = [*sorted((CHECKOUT / "proxy/policy").glob("*.py")), *others]
    code = "\n".join(path.read_text(encoding="utf-8") for path in files)
    code = re.sub(r'"\s*\n\s*f?"', "", code)
    tables = re.findall(r"^\| `check` says \| because \|\n\|---\|---\|\n((?:\|.*\n)+)", POLICIES.text, re.MULTILINE)
    messages = [row.strip("|").partition("|")[0].strip() for table in tables for row in table.splitlines()]
    assert len(messages) > 35
    for message in messages:
        for part in message.replace("`", "").split("…"):
            assert part.strip() in code, message


def test_more_logins_fit_the_policy() -> None:
    logins = textwrap.indent(textwrap.dedent(POLICIES.block("yaml", "logins")), "  ")
    text = POLICIES.block("yaml", "policy").replace("units:\n", f"{logins}units:\n", 1)
    policy = examine_text(text, "clinic.yaml", {"DATABASE_URL": ""}).policy
    assert policy is not None
    assert set(policy.analysts) >= {"ana", "bob", "eve"}


def test_more_tables_fit_the_policy() -> None:
    tables = textwrap.indent(POLICIES.block("yaml", "tables"), "  ")
    text = POLICIES.block("yaml", "policy").replace("tables:\n", f"tables:\n{tables}")
    found = examine_text(text, "clinic.yaml", {"DATABASE_URL": ""})
    assert found.policy is not None
    assert len(found.policy.tables) == 5
    assert list(found.findings) == []


def test_policies_of_the_folder_are_free_of_findings() -> None:
    assert run_command("dpproxy check --strict policies", CHECKOUT) == (
        "policies/events.yaml: ok, 4 tables (2 private), 1 analyst\n"
        "policies/example.yaml: ok, 4 tables (3 private), 1 analyst\n"
        "policies/flights.yaml: ok, 4 tables (2 private), 1 analyst\n"
        "policies/shop.yaml: ok, 8 tables (5 private), 2 analysts\n"
        "policies/tpch.yaml: ok, 8 tables (3 private), 1 analyst\n"
    )


@pytest.mark.parametrize(
    ("page", "command"),
    [
        (POLICIES, init),
        (POLICIES, check),
        (POLICIES, catalog),
        (POLICIES, explain),
        (POLICIES, dummy),
        (POLICIES, diff),
        (POLICIES, report),
        (POLICIES, suggest_bounds),
        (LOCAL_RELEASES, export_local),
        (LOCAL_RELEASES, decode_local),
    ],
    ids=[
        "init",
        "check",
        "catalog",
        "explain",
        "dummy",
        "diff",
        "report",
        "suggest-bounds",
        "export-local",
        "decode-local",
    ],
)
def test_options_are_those_of_the_command(page: Page, command: types.ModuleType) -> None:
    name = command.__name__.rpartition(".")[2].replace("_", "-")
    assert documented_options(page, name) == options_of(command)


def test_a_budget_in_time_is_one_of_a_policy() -> None:
    budget = textwrap.indent(POLICIES.block("yaml", "renewal"), "      ")
    text, replaced = re.subn(r"    budget: .*\n", f"    budget:\n{budget}", POLICIES.block("yaml", "policy"), count=1)
    assert replaced == 1
    examined = examine_text(text, "", {"DATABASE_URL": "postgresql:///clinic"})
    assert examined.policy is not None
    (found,) = [table.budget for table in examined.policy.tables.values() if table.budget is not None]
    assert (found.renew is None, found.unlock is None, found.at_most is None) == (False, False, False)
