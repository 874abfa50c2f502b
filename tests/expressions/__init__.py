"""The scalar expressions that tests try: each stands once in `tests/fixtures/expressions`, and every runner tries it.

`cases` reads the files, `table` is what the expressions are about, `compiling` makes terms of them, and `facts` says
what is expected of them; `python -m tests.expressions` writes the facts that the compiler derives.
"""
