"""Cautions of `dpproxy check` about a policy by itself: legal, and seldom meant (decision 8)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal, InvalidOperation
from ipaddress import ip_network
from typing import Final

from proxy.policy.catalog import Catalog
from proxy.policy.findings import Finding, PolicyPath, SourceMap
from proxy.policy.free_text import check_free_text, undeclared_columns
from proxy.policy.identifying import BIRTH_DATE, identifying, is_postcode, personal, words_of
from proxy.policy.model import ColumnPolicy, Policy
from proxy.policy.prices import check_times_are_covered
from proxy.policy.secrecy import check_guessed, check_source
from proxy.policy.slips import (
    check_accounts_that_add_up,
    check_deltas_are_stated,
    check_groups_of_units,
    check_names_of_logins,
    check_parts_come_in_time,
    check_spellings,
    check_thousands,
    check_ways_in,
)
from proxy.policy.unit_paths import parse_via

_WIDEST: Final = Decimal("1e15")
"""No amount of anything is as large; noise for such bounds hides all else."""

_TYPE_LIMITS: Final = (32_767, 2_147_483_647)
_MOST_YEARS: Final = 300
_FAR, _LONG_AGO = 100, 400
"""Years from now: rows are about what people did, or will do."""
_MANY_FAILURES: Final = 100
_BUSY: Final = dt.timedelta(minutes=1)
"""Dashboards refresh about as often."""
_MOST_PARTS: Final = 10_000
"""Of a default price: the noise of what costs less is so many times wider."""
_HOPELESS: Final = 1_000_000
"""Rows: noise as wide tells of no table that anybody has."""
_MOST_GROUPS: Final = 10_000
"""More of one unit are hardly met: the default is 64."""


def check_cautions(policy: Policy, source_map: SourceMap) -> list[Finding]:
    """All of them, for a policy without errors."""
    return [finding for caution in CAUTIONS for finding in caution(policy, source_map)]


def check_most_epsilon(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """No session may spend a whole budget by one query."""
    for name, table in policy.tables.items():
        most = table.query.max_epsilon
        for key, budget in (("budget", table.budget), ("per_analyst", table.per_analyst)):
            if most is None or budget is None or table.query.epsilon > budget.epsilon:
                continue
            if budget.epsilon < most or (budget.epsilon == most and key == "budget"):
                share = "all of" if most == budget.epsilon else "more than"
                message = f"one query may ask for {most}, which is {share} {key}.epsilon, {budget.epsilon}"
                hint = "give a small part of it, so that no careless query spends the budget"
                yield source_map.warning("DP312", ("tables", name, "query", "max_epsilon"), message, hint)
                break


def check_most_delta(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """Keys are selected more than once before the delta of a budget is gone, with which Gaussian noise is paid, too."""
    for name, table in policy.tables.items():
        delta, budget = table.query.delta, table.budget
        if (
            delta is not None
            and budget is not None
            and 0 < budget.delta < 2 * delta
            and table.query.calibration is None
        ):
            message = f"one query with undeclared group keys pays {delta} of budget.delta, {budget.delta}"
            hint = "leave it out, for a 200th of the budget's; or give a small part of it"
            yield source_map.warning("DP312", ("tables", name, "query", "delta"), message, hint)


def check_least_epsilon(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """The least price buys an answer: what is cheaper is noise, and a budget pays for so many of them that only the
    ledger grows."""
    for name, table in policy.tables.items():
        least = table.query.min_epsilon
        if least is not None and least < table.query.epsilon / _MOST_PARTS:
            answers = float(table.query.epsilon / least) ** 2
            message = f"the price of one default query pays for {answers:.0e} questions at {least}, of noise alone"
            hint = "leave it out, for a thousandth of max_epsilon"
            yield source_map.warning("DP317", ("tables", name, "query", "min_epsilon"), message, hint)


def check_wide_bounds(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """Bounds are those of the world, not of the type."""
    for name, table in policy.tables.items():
        for column_name, column in (table.columns or {}).items():
            low, high = column.bounds or (None, None)
            path = ("tables", name, "columns", column_name, "bounds")
            hint = "give limits of the world; or leave them out: each query then chooses how much of a sum counts"
            if isinstance(low, Decimal) and isinstance(high, Decimal):
                if high - low > _WIDEST:
                    message = f"bounds as wide as {high - low:.0e} make noise that hides every answer"
                    yield source_map.warning("DP410", path, message, hint)
                elif high in _TYPE_LIMITS or -low - 1 in _TYPE_LIMITS:
                    message = "these are the limits of the type: noise is made for values that no row has"
                    yield source_map.warning("DP410", path, message, hint)
            elif isinstance(low, dt.date) and isinstance(high, dt.date):
                hint, now = "give the first and last day that rows can have", dt.datetime.now(dt.UTC)
                if high.year - low.year > _MOST_YEARS:
                    message = f"bounds of {high.year - low.year} years make noise that hides every answer"
                    yield source_map.warning("DP410", path, message, hint)
                elif low.toordinal() > now.toordinal():
                    message = "these bounds begin in the future: until then every row counts as their first day"
                    yield source_map.warning("DP416", path, message, hint)
                elif high.year > now.year + _FAR or high.year < now.year - _LONG_AGO:
                    message = f"these bounds end in {high.year}: noise is made for days that rows hardly have"
                    yield source_map.warning("DP416", path, message, hint)


def check_identifying(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """Columns that tell who somebody is are not listed: no answer needs them."""
    for name in policy.tables:
        for column in undeclared_columns(policy, name):
            meaning = identifying(column, "")
            if meaning is not None:
                yield _identifying(name, column, meaning, source_map)


def check_identifying_types(policy: Policy, name: str, catalog: Catalog, places: SourceMap) -> Iterator[Finding]:
    """By the type, of columns whose names do not say it."""
    for column in undeclared_columns(policy, name):
        found = catalog.tables[name].columns.get(column)
        meaning = identifying(column, found.type_name) if found is not None else None
        if meaning is not None and identifying(column, "") is None:
            yield _identifying(name, column, meaning, places)


def _identifying(name: str, column: str, meaning: str, places: SourceMap) -> Finding:
    message = f"seems to be {meaning}, which tells who somebody is and helps no statistic"
    hint = "remove it; or keep it, with `# dpproxy: allow DP411 reason` on the line"
    return places.warning("DP411", ("tables", name, "columns", column), message, hint)


def check_birth_dates(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """Birth date, postcode and sex single out most people (Sweeney 2000), even where none of them does alone."""
    listed = [
        (table.unit.name, name, column, _is_birth_date(column, declared))
        for name, table in policy.tables.items()
        if table.unit is not None
        for column, declared in (table.columns or {}).items()
    ]
    codes: dict[str, str] = {}
    for unit, table_name, column, _ in listed:
        if is_postcode(column):
            codes.setdefault(unit, f"{table_name}.{column}")
    for unit, table_name, column, is_birth_date in listed:
        if is_birth_date and unit in codes:
            message = f"an exact birth date, and {codes[unit]}: together they single out most people"
            hint = "list one of them, or columns of a view: the year of birth, the first digits of the code"
            yield source_map.warning("DP413", ("tables", table_name, "columns", column), message, hint)


def _is_birth_date(name: str, column: ColumnPolicy) -> bool:
    bounds = column.bounds or column.range or (None, None)
    is_date = isinstance(bounds[0], dt.date)
    return identifying(name, "") == BIRTH_DATE or (is_date and bool({"born", "birth"} & {*words_of(name)}))


def check_unit_is_listed(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """Without the column of the unit, or of the way to it, nobody can count units, or join tables by it."""
    for name, table in policy.tables.items():
        if table.unit is None or table.columns is None:
            continue
        key = "column" if table.unit.via is None else "via"
        column = table.unit.column if table.unit.via is None else parse_via(table.unit.via)[0].column
        if column is not None and column not in table.columns:
            message = f"{column} is not listed, so that nobody can count units here, or join tables by it"
            hint = f"add `{column}: {{}}` to columns: it can be counted, and is never shown"
            yield source_map.warning("DP412", ("tables", name, "unit", key), message, hint)


def check_shares(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """Where several analysts ask, none of them can spend what all have."""
    free = [name for name in policy.analysts if not _is_limited(policy, name)]
    if len(policy.analysts) < 2 or not free:
        return
    for name, table in policy.tables.items():
        own = table.per_analyst
        if table.budget is not None and (own is None or own.epsilon == table.budget.epsilon):
            key = "budget" if own is None else "per_analyst"
            message = f"one of {len(policy.analysts)} analysts can spend all of it, and leave nothing to the others"
            hint = "give `per_analyst` a part of the budget"
            yield source_map.warning("DP313", ("tables", name, key), message, hint)


def _is_limited(policy: Policy, analyst: str) -> bool:
    """Has an analyst a group whose budget is smaller than that of every table?"""
    group = policy.groups.get(policy.group_of(analyst) or "")
    own = group.budget if group is not None else None
    budgets = [table.budget for table in policy.tables.values() if table.budget is not None]
    return own is not None and all(own.epsilon < budget.epsilon for budget in budgets)


def check_failures(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """A failed source query can tell of one row, without noise."""
    if policy.failures > _MANY_FAILURES:
        message = f"{policy.failures} failures of each analyst are let through, each of which may tell of one row"
        yield source_map.warning("DP314", ("failures",), message, "leave it out, for 3, or choose a few more")


def check_default_noise(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """The default prices buy answers, not noise alone."""
    for name, table in policy.tables.items():
        if table.budget is None:
            continue
        rows = table.contribution.max_rows_per_group or table.contribution.max_rows or 1
        for key, noise in (
            ("epsilon", "at the default price the noise of a count is about"),
            ("profile_epsilon", "at the price of profiles the noise of a count is about"),
        ):
            epsilon = getattr(table.query, key)
            # Of Laplace noise with scale rows / epsilon, 95 % is within three times that.
            if epsilon is not None and 3 * rows / epsilon > _HOPELESS:
                message = f"{noise} ±{3 * rows / epsilon:.0e}"
                hint = f"raise query.{key}, or lower contribution.max_rows_per_group"
                yield source_map.warning("DP315", ("tables", name, "query", key), message, hint)
                break


def check_selected_groups(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """A unit helps to select as many groups as units are in; each raises what it takes for a group to be shown."""
    for name, table in policy.tables.items():
        most = table.contribution.max_groups
        if most > _MOST_GROUPS:
            message = (
                f"groups are selected as if one unit were in {most} of them: fewer of those that you look for show"
            )
            hint = "lower max_groups to the number of groups that few units exceed, or leave it out, for 64"
            yield source_map.warning("DP319", ("tables", name, "contribution", "max_groups"), message, hint)


def check_clocks_rest(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """The clock of private questions stands still for longer than between two refreshes of a dashboard."""
    for name, table in policy.tables.items():
        if dt.timedelta() < table.clock < _BUSY:
            message = "now() moves so often that hardly any question about the present is recalled"
            hint = "write `clock: 1 hour`; or `clock: off` if nothing has to be recalled"
            yield source_map.warning("DP334", ("tables", name, "clock"), message, hint)


def check_somebody_may_ask(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """Groups have members, and lists of tables have some."""
    for name, group in policy.groups.items():
        if not group.members:
            message, hint = "a group without members does nothing", "add members, or remove the group"
            yield source_map.warning("DP350", ("groups", name, "members"), message, hint)
    lists = [("groups", name, group.may) for name, group in policy.groups.items()]
    lists += [("analysts", name, analyst.may) for name, analyst in policy.analysts.items()]
    for kind, name, may in lists:
        if may == ():
            hint = "list private tables, or leave it out for all of them"
            yield source_map.warning("DP350", (kind, name, "may"), "no private table may be asked about", hint)


def check_settings_are_allowed(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """What sessions begin with is within what some table allows, or each of their questions is refused."""
    most = max((table.query.most_epsilon for table in policy.tables.values() if table.budget is not None), default=None)
    for name, analyst in policy.analysts.items():
        try:
            epsilon = Decimal(analyst.settings.get("dp.epsilon", "0"))
        except InvalidOperation:
            continue  # settings that make no sense have a finding of their own
        if most is not None and epsilon > most:
            message = f"every question is refused: no table allows more than {most}"
            hint = f"write at most {most}, or raise query.max_epsilon"
            yield source_map.warning("DP221", ("analysts", name, "settings", "dp.epsilon"), message, hint)


def check_last_days(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """Analysts may still ask."""
    today = dt.datetime.now(dt.UTC).date()
    for name, analyst in policy.analysts.items():
        if analyst.valid_until is not None and analyst.valid_until < today:
            message = "this day is over: every question of theirs about private tables is refused"
            hint = "remove the analyst, or give a later day"
            yield source_map.warning("DP349", ("analysts", name, "valid_until"), message, hint)


def check_everybodys_networks(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """A network that holds every address keeps nobody out."""
    for name, analyst in policy.analysts.items():
        for index, network in enumerate(analyst.networks or ()):
            if ip_network(network).prefixlen == 0:
                message = "every address is in this network"
                hint = "name the networks that analysts sit in, or leave `networks` out"
                yield source_map.warning("DP217", ("analysts", name, "networks", index), message, hint)


def check_something_is_listed(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """What is not listed does not exist."""
    if not policy.tables:
        hint = "`dpproxy init --source DSN` writes a first policy from the database's catalog"
        yield source_map.warning("DP223", ("tables",), "no table is listed, so that nothing can be asked", hint)


def check_public_people(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """Every row of a public table can be read, so none is about somebody."""
    for name, table in policy.tables.items():
        for column in (table.columns or {}) if table.public else ():
            yield from public_person(name, column, "", ("tables", name, "columns", column), source_map)


def public_person(
    table: str, column: str, type_name: str, path: PolicyPath, source_map: SourceMap
) -> Iterator[Finding]:
    """The finding of a public column that seems to be about people; a plain name is that of a place or a thing, too."""
    meaning = personal(column, type_name)
    if meaning is not None and words_of(column) != ["name"]:
        message = f"public, but {column} seems to be {meaning}: every analyst can read it of every row of {table}"
        hint = "make the table private if its rows are about people, or list its other columns only"
        yield source_map.warning("DP414", path, message, hint)


Caution = Callable[[Policy, SourceMap], Iterable[Finding]]
CAUTIONS: Final[tuple[Caution, ...]] = (
    check_times_are_covered,
    check_most_epsilon,
    check_most_delta,
    check_least_epsilon,
    check_wide_bounds,
    check_identifying,
    check_free_text,
    check_unit_is_listed,
    check_shares,
    check_failures,
    check_default_noise,
    check_selected_groups,
    check_clocks_rest,
    check_somebody_may_ask,
    check_settings_are_allowed,
    check_last_days,
    check_everybodys_networks,
    check_something_is_listed,
    check_public_people,
    check_birth_dates,
    check_source,
    check_guessed,
    check_thousands,
    check_groups_of_units,
    check_names_of_logins,
    check_ways_in,
    check_deltas_are_stated,
    check_parts_come_in_time,
    check_spellings,
    check_accounts_that_add_up,
)
