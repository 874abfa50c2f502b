"""The aggregates over private rows, one class each, which knows everything about it.

- `aggregate`: what every one of them can tell, as an `Estimate` or a `Decision`.
- `counts`, `sums`, `variances`, `regressions`, `chosen` (min, max, percentiles, mode), `quantifiers`: the classes.
  `registry` lists them; names and hints follow from that list.
- `calls`: a call of the client, and what it asks for. `compiling`: all calls of a block and what they share.
- `noise`: how far the noise of sums goes. `moments`: that of functions of several sums.

A new one is a class in one of these files, in `registry.FUNCTIONS`, and a row in `tests/end_to_end/aggregates.py`.
"""
