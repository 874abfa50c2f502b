"""The rules on budgets and prices, and on when they are there (3xx)."""

from __future__ import annotations

from typing import Final

from proxy.policy.rule_texts.row import Row

BUDGETS: Final[tuple[Row, ...]] = (
    (
        "DP301",
        "warning",
        "a table's budget is more than its unit's, and cannot be spent",
        "units: {patient: {budget: {epsilon: 1, delta: 1e-6}}}",
    ),
    ("DP302", "warning", "a delta too large to protect anybody", "tables: {public.visits: {budget: {delta: 0.01}}}"),
    (
        "DP303",
        "error",
        "one analyst's share is more than the whole",
        "tables: {public.visits: {per_analyst: {epsilon: 9}}}",
    ),
    (
        "DP304",
        "error",
        "a least, greatest or profile price contradicts the default price",
        "tables: {public.visits: {query: {max_epsilon: 0.01}}}",
    ),
    (
        "DP305",
        "error",
        "Gaussian noise without delta",
        "tables: {public.patients: {budget: {delta: 0}, query: {mechanism: gaussian}}}",
    ),
    (
        "DP306",
        "error",
        "a calibration without a delta, or with one that no account has",
        "tables: {public.visits: {query: {calibration: analytic}}}",
    ),
    (
        "DP307",
        "warning",
        "the default price is more than a budget",
        "tables: {public.visits: {query: {epsilon: 3.5, max_epsilon: 4}}}",
    ),
    (
        "DP308",
        "warning",
        "the delta of selected keys is more than a budget's",
        "tables: {public.visits: {query: {delta: 1e-5}}}",
    ),
    (
        "DP309",
        "error",
        "max_rows_per_group without max_rows, or above it",
        "tables: {public.visits: {contribution: {max_rows_per_group: 50}}}",
    ),
    ("DP310", "warning", "nothing is said of response times", "timing:"),
    ("DP311", "error", "response times that cannot be paid for, or waits of minutes", "timing: {work: 0 ms}"),
    (
        "DP312",
        "warning",
        "one query may ask for a whole budget, or more",
        "tables: {public.visits: {query: {max_epsilon: 100}}}",
    ),
    (
        "DP313",
        "warning",
        "one of several analysts can spend a whole budget",
        "{analysts: {bob: {certificate: Bob}}, tables: {public.visits: {per_analyst: null}}}",
    ),
    ("DP314", "warning", "very many failures are let through", "failures: 10000"),
    (
        "DP315",
        "warning",
        "a default price that buys noise alone",
        "tables: {public.visits: {query: {epsilon: 1e-9}}}",
    ),
    (
        "DP316",
        "warning",
        "noise wider than all that the bounds tell",
        "tables: {public.visits: {columns: {cost: {bounds: [1000000000, 1000000001]}}}}",
    ),
    (
        "DP317",
        "warning",
        "a least price that buys noise alone",
        "tables: {public.visits: {query: {min_epsilon: 1e-9}}}",
    ),
    (
        "DP318",
        "warning",
        "a delta that costs answers and protects nobody",
        "tables: {public.visits: {budget: {delta: 1e-99}}}",
    ),
    (
        "DP319",
        "warning",
        "groups are selected as if one unit were in very many",
        "tables: {public.visits: {contribution: {max_groups: 1000000}}}",
    ),
    ("DP320", "warning", "an epsilon that protects little", "tables: {public.visits: {budget: {epsilon: 50}}}"),
    (
        "DP321",
        "warning",
        "an account does not pay for one default query",
        "tables: {public.visits: {query: {epsilon: 1}}}",
    ),
    ("DP322", "warning", "a delta of one over the number of units or more", ""),
    ("DP323", "warning", "no group can have as many units as it has to", ""),
    (
        "DP324",
        "warning",
        "windows of time whose budgets add up without a limit",
        "tables: {public.visits: {budget: {per: month, of: visited_at}}}",
    ),
    (
        "DP325",
        "warning",
        "a budget of which no delta is stated",
        "groups: {bi: {members: [ana], budget: {epsilon: 1}}}",
    ),
    (
        "DP326",
        "warning",
        "parts of a budget that would come after it begins anew",
        "tables: {public.visits: {budget: {renew: {every: week}, unlock: {over: 30 days}}}}",
    ),
    (
        "DP330",
        "error",
        "a clock that cannot tick, or nothing to snap to",
        "tables: {public.visits: {clock: 1.5 seconds}}",
    ),
    ("DP331", "error", "answers are never recalled", "tables: {public.visits: {recall: {for: 0 s}}}"),
    (
        "DP332",
        "warning",
        "answers are asked anew before the clock moves",
        "tables: {public.visits: {recall: {for: 30 minutes}}}",
    ),
    (
        "DP333",
        "error",
        "the version of the data is not read from a public table",
        "tables: {public.visits: {data_version: {query: SELECT max(visit_id) FROM public.visits}}}",
    ),
    ("DP334", "warning", "a clock that moves at each refresh", "tables: {public.visits: {clock: 5 seconds}}"),
    (
        "DP335",
        "error",
        "a budget begins anew at a time or in a zone that there is not",
        "tables: {public.visits: {budget: {renew: {every: week, at: noon}}}}",
    ),
    (
        "DP336",
        "warning",
        "a budget renews: what its windows tell of the same rows adds up",
        "tables: {public.visits: {budget: {renew: {every: month}}}}",
    ),
    (
        "DP337",
        "error",
        "the parts of a budget have no first day, or are no days",
        "tables: {public.visits: {budget: {unlock: {over: 30 days}}}}",
    ),
    (
        "DP338",
        "warning",
        "a rate that is no limit",
        "tables: {public.visits: {budget: {at_most: {epsilon: 100, per: day}}}}",
    ),
    (
        "DP339",
        "warning",
        "a budget that pays for nothing in the next weeks",
        "tables: {public.visits: {budget: {unlock: {over: 30 days, since: 2999-01-01}}}}",
    ),
    (
        "DP340",
        "warning",
        "what was spent under earlier accounts does not count",
        "tables: {public.visits: {budget: {new_accounts: true}}}",
    ),
    ("DP341", "error", "a member of a group that is no analyst, or of two groups", "groups: {bi: {members: [nobody]}}"),
    (
        "DP342",
        "error",
        "`may` lists something other than private tables",
        "groups: {bi: {members: [], may: [a.x]}}",
    ),
    ("DP343", "error", "a steward who is an analyst, too", "stewards: {ana: {certificate: Ana}}"),
    (
        "DP344",
        "error",
        "a budget for windows of time that does not say which",
        "tables: {public.visits: {budget: {per: month}}}",
    ),
    (
        "DP345",
        "error",
        "the time of windows has no bounds of dates",
        "tables: {public.visits: {budget: {per: month, of: cost}}}",
    ),
    (
        "DP346",
        "error",
        "the bounds of the time hold too many windows",
        "tables: {public.visits: {budget: {per: day, of: visited_at}, "
        "columns: {visited_at: {bounds: '[1990-01-01, 2026-01-01)'}}}}",
    ),
    (
        "DP347",
        "error",
        "response times are protected, but depend on windows that do not pay",
        "{timing: {work: 1 ms}, tables: {public.visits: {budget: {per: month, of: visited_at}}}}",
    ),
    (
        "DP348",
        "warning",
        "all windows together have less than one of them",
        "tables: {public.visits: {budget: {per: month, of: visited_at, total: {epsilon: 1}}}}",
    ),
    ("DP349", "warning", "an analyst's last day is over", "analysts: {ana: {valid_until: 2020-12-31}}"),
    ("DP350", "warning", "a group without members, or a login that may ask nothing", "groups: {bi: {members: []}}"),
    ("DP351", "error", "a name that ends like that of a rate", "groups: {bi per week: {members: [ana]}}"),
)
