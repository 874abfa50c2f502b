"""The aggregates over private rows: one class each, which has everything about its aggregate.

- `aggregate`: what every aggregate can do, as an `Estimate` or a `Decision`.
- `counts`, `sums`, `variances`, `regressions`, `chosen` (min, max, percentiles, mode), `quantifiers`: the classes.
  `registry` lists them; names and hints follow from that list.
- `calls`: a client's call of an aggregate, and what it asks for. `compiling`: all calls of a block and what they share.
- `statistic_noise`: the noise of sums. `moments`: that of functions of several sums. `chosen_value`: what is chosen.

A new one is a class in one of these files, in `registry.FUNCTIONS`, and a row in `tests/end_to_end/aggregates.py`.
"""
