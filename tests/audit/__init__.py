"""The audit: neighbouring databases, hundreds of statements, and everything that could tell one from the other.

`python -m tests.audit` runs it; `test_*.py` are the parts that fit in a minute, and the proof that it finds what is wrong.
"""
