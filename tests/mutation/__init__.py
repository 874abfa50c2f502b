"""Mutation testing of the privacy rules: each is removed by machine, and some test has to fail.

`python -m tests.mutation --help` says how to run it; README.md beside this file says what counts as a rule.
"""
