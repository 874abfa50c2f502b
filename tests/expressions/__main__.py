"""`python -m tests.expressions`: write the facts of all expressions anew; what differs from Postgres needs a word of why."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import psycopg

from proxy.postgres.embedded import EmbeddedPostgres
from tests.expressions.cases import CASES, FILES, SYNTAX, Case, is_facts, read
from tests.expressions.expecting import Expecting
from tests.expressions.table import create


def rewritten(case: Case, expecting: Expecting) -> Case:
    """The case with the facts that are true of it."""
    facts = "; ".join(expecting.facts(case))
    remarks = tuple(comment for comment in case.comments if not is_facts(comment))
    return replace(case, comments=(*remarks, facts) if facts else remarks)


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as directory,
        EmbeddedPostgres(Path(directory), durable=False, settings={"jit": "off"}) as postgres,
        psycopg.connect(postgres.dsn("postgres"), autocommit=True) as source,
    ):
        create(source)
        expecting = Expecting(source)
        for path in FILES:
            cases = list(read(path))
            if path.stem != SYNTAX:
                written = [rewritten(case, expecting) for case in cases]
                path.write_bytes(("\n\n".join(case.text for case in written) + "\n").encode())
                changed = sum(new.comments != old.comments for new, old in zip(written, cases, strict=True))
                print(f"{path.name}: {len(cases)} expressions, {changed} changed")
    print(f"{len(CASES)} expressions, {sum(len(case.members) for case in CASES)} with the members of families")


if __name__ == "__main__":
    main()
