"""`python -m tests.examples`: write the catalogs of all examples anew, and record what is planned for their queries."""

from __future__ import annotations

import tempfile
from pathlib import Path

from proxy.commands.explain import rehearsed
from proxy.policy.catalog_file import catalog_text
from proxy.postgres.embedded import EmbeddedPostgres
from proxy.rehearsal.planners import starting_rehearsals
from tests.examples.databases import EXAMPLES, catalog_path, policy_of, queries_path, read_catalog_of

for name in EXAMPLES:
    with tempfile.TemporaryDirectory() as directory, EmbeddedPostgres(Path(directory), durable=False) as server:
        catalog = read_catalog_of(name, server.dsn())
    catalog_path(name).write_text(catalog_text(catalog), encoding="utf-8")
    script = queries_path(name).read_text(encoding="utf-8")
    with starting_rehearsals() as rehearsals:
        (recorded,) = rehearsed("record", policy_of(name), catalog, None, {name: script}, rehearsals)
    queries_path(name).write_text(recorded, encoding="utf-8")
    counts = [f"{recorded.count(f'-- expect: {outcome}')} {outcome}" for outcome in ("answered", "public", "refused")]
    print(f"{name}: {len(catalog.tables)} tables; {', '.join(counts)}")
