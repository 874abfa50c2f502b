"""One query from its text to its answer: a file for each step, and a frozen value from each.

    step            file               value                                     decision 2
    1 read          reading.py         Statement   (sql/statement.py)            parse
    2 analyse       analysing.py       Analysis    (sql/analysis.py)             resolve
    3 plan          planning.py        Plan        (planned.py)                  own, plan
    4 ask           asking.py          Question    (asking.py)
    5 pay           paying.py          a recalled answer, or a Receipt           recall, charge
    6 query         querying.py        ExactResults    (sql/source_queries/exact_sums.py)    query the source
    7 release       releasing.py       Released    (releasing.py)                release
    8 answer        answering.py       Answer      (wire/router.py)              stage

`private_router.py` is the entrance: it tells which statements dpproxy answers itself, and calls step 3, which runs the
first two, and step 8, which runs the others for each block of the plan. EXPLAIN ends after step 3 (`explaining.py`).

Steps 1 to 3 happen in processes of their own (`worker.py`), which `nursery.py` starts, `workers.py` lends to analysts
in turn, and `remote_planning.py` asks; `dialog.py` has what is said, `memory.py` how much they may take. What only the
proxy knows, as the stage's types, a process asks it for. What comes back is a `Plan` without a tree.

Steps 1 to 4 use public information only: the text, policy, settings, public tables and earlier answers. Between the
charge and the release nothing happens that others can observe (`releasing.py`).

Beside the steps: `session_state.py` (settings), `same_question.py` (hashes for recalls), `known_blocks.py` (blocks that
were planned before), `trial.py` (the stage parses what it will run), `unordered_enums.py` (why it refuses the order of
some enums), `made_up_answers.py` and `made_up_choices.py` (and computes it from made-up numbers before a charge),
`empty_groups.py` (and without groups that look empty after it), `source_checks.py` and `source_request.py` (what the
source has to agree with and verify), `failing.py` (source queries that fail), `paid_work.py` (what goes on without its
asker), `one_at_a_time.py` (sessions that ask the same at the same moment), `recalling.py` (which answers are recent
enough), `live_versions.py` (of the data, as the source tells them), `pacing.py` (when answers leave), `notices.py`
(messages about prices), `goodness.py` (and about how good the numbers are), `clipping_report.py` (how much an answer
leaves out), `loud_noise.py` (noise beyond the numbers), `far_choices.py` (values of quite another rank),
`crossed_choices.py` (a minimum above the maximum), `precise.py` (one question at several precisions), `holding.py`
(what a block holds for others), `splitting.py` (what is missing of some numbers), `adding_up.py` (which numbers make up
those of another block), `deriving.py` (where these are found), `price_limit.py` (dp.max_price), `outlooks.py` (what a
block would cost), `affording.py` (statements of several blocks), `relative_error.py` (dp.error as a share),
`executing.py` (EXECUTE), `keeping.py` and `temporary_rows.py` (temporary tables: made, and read), `last_statement.py`
(dp.last), `virtual.py` (dp.budget, dp.last, dp.ledger and dp.sessions), `orders.py` (dp.cancel and dp.kill),
`window_ranges.py` (accounts of many windows in few lines), `desk.py` (the threads that build SQL), `limits.py` (what
accounts may spend now), `uncounted.py` (accounts that do not count all that they cover), `audit_log.py` (a line for
each decision), `counts.py` (what became of statements).
"""
