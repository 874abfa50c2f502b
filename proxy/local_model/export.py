"""A local release, from question to records: recall; or charge, measure, randomise and store (decisions 2 and 6).

**Memoisation.** RAPPOR's permanent response is drawn once and shown ever after, since averaging new responses would
undo them. Here the released records themselves are kept in the ledger's database, so the same question about the same
data version gives the same file: free, since it is post-processing, and without reading the source, so that not even a
value that changed meanwhile shows. Any other question (other columns, another epsilon, another data version) is charged
in full and answered with new randomness; by composition, what it adds is what it is charged.

Responses are not carried over from one data version to the next, though most units' values are the same. A unit whose
response is the same in two files would certainly not have changed, and one whose response differs would have: for the
rows (a, a) the two records are equal with probability 1, for (a, b) almost never, so no epsilon bounds the ratio, and
the file that lacks the unit has no filler that is close to both. New responses for a new version keep the theorem of
`proxy.dp.local.slots`, and the ledger pays for them.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from proxy.budget.answers import Answers
from proxy.budget.ledger import Ledger
from proxy.budget.order import AccountCharge, Receipt
from proxy.budget.stored_answer import StoredAnswer
from proxy.dp.local.unary import Octets
from proxy.dp.randomness import uniform_bits
from proxy.local_model.file_format import Header, LocalRelease, header_line
from proxy.local_model.question import LocalQuestion, LocalRequest, PublicValues, local_question, sized
from proxy.local_model.release import draft_header, release_rows
from proxy.postgres.source import Source
from proxy.postgres.transaction import SourceRequest
from proxy.query.limits import account_charge
from proxy.query.live_versions import LiveVersions
from proxy.query.source_request import source_request
from proxy.sql.planning.accounts import AccountPrice, paying_accounts
from proxy.sql.schema import Schema
from proxy.sql.source_queries.unit_rows import values_sql

OPERATOR: Final = "(operator)"
"""Who charged, in the ledger; not a possible login."""

_SETTINGS: Final = {"TimeZone": "UTC", "DateStyle": "ISO, YMD", "IntervalStyle": "postgres"}


@dataclass(frozen=True)
class LocalExport:
    """A release to write.

    Attributes:
        release: its header and records.
        receipts: of the charges made now; empty if the release was recalled and everybody had paid for it.
        recalled: was it released before?
    """

    release: LocalRelease
    receipts: tuple[Receipt, ...]
    recalled: bool


class LocalExporter:
    """Makes local releases.

    Args:
        schema: policy and catalog.
        source: where rows are read.
        ledger: the accounts, open.
        analysts: those who may see the file; whoever of them has an account of their own pays, too.
    """

    def __init__(self, schema: Schema, source: Source, ledger: Ledger, analysts: Sequence[str]) -> None:
        self._schema = schema
        self._source = source
        self._ledger = ledger
        self._answers = Answers(ledger.database)
        self._versions = LiveVersions(source)
        self._analysts = tuple(dict.fromkeys(analysts))

    async def export(self, request: LocalRequest) -> LocalExport:
        """Recall the release, or charge for it and make it.

        Raises:
            DpproxyError: a refusal (nothing is charged), an exhausted budget, or a ledger or source that fails.
        """
        question = local_question(request, self._schema)
        domains = [await self._domain(question, index) for index in range(len(request.columns))]
        versions = await self._versions.of(question.rows.footprint.tables)
        block = question.hash(self._schema, domains, versions)
        known = await self._answers.find(block)
        if known is not None:
            return LocalExport(_decode(known), await self._charge_for_recall(question, block), recalled=True)
        draft = draft_header(question, domains)
        # An unaffordable release is refused without the source; the charge below decides.
        await self._ledger.check(self._charges(question))
        async with (
            self._source.place(OPERATOR),
            self._source.transaction(self._rows_request(question)) as transaction,
        ):
            receipt = await self._charge(question, block)
            rows = (await transaction.run()).results[0]
        made = release_rows(draft, question.privacy, rows)
        # If another export of the same question is faster, its release is the one that is shown.
        kept = await self._answers.store(block, OPERATOR, _encode(made))
        return LocalExport(_decode(kept), (receipt,), recalled=False)

    async def _domain(self, question: LocalQuestion, index: int) -> tuple[str, ...]:
        """The declared values of a column; a public table's are read now."""
        domain = question.domains[index]
        if not isinstance(domain, PublicValues):
            return domain
        sql = values_sql(domain.table, domain.column)
        measured = await self._source.run(SourceRequest((sql,), _SETTINGS, (domain.table.name,)))
        rows = measured.results[0]
        return sized(question.request, question.request.columns[index], tuple(row[0] or "" for row in rows))

    def _rows_request(self, question: LocalQuestion) -> SourceRequest:
        sql = question.rows.sql(question.request.values_per_unit, uniform_bits(62))
        return source_request([sql], question.rows.footprint, _SETTINGS)

    async def _charge(self, question: LocalQuestion, block: str) -> Receipt:
        return await self._ledger.charge(OPERATOR, self._charges(question), block, question.label)

    def _charges(self, question: LocalQuestion) -> list[AccountCharge]:
        """The shared accounts and those of all analysts in one charge: all of them or none."""
        accounts = {account.name: account for account in self._shared(question)}
        for analyst in self._analysts:
            accounts |= {account.name: account for account in self._own(question, analyst)}
        return [_account_charge(account, question) for account in accounts.values()]

    async def _charge_for_recall(self, question: LocalQuestion, block: str) -> tuple[Receipt, ...]:
        """Charge the accounts of analysts and groups who see an earlier release for the first time."""
        receipts = []
        for analyst in self._analysts:
            own = self._own(question, analyst)
            owed = [account for account in own if not await self._answers.paid(block, account.shown_for)]
            if owed:
                charges = [_account_charge(account, question) for account in owed]
                receipts.append(await self._ledger.charge(analyst, charges, block, question.label))
        return tuple(receipts)

    def _shared(self, question: LocalQuestion) -> list[AccountPrice]:
        accounts = paying_accounts(question.rows.relation.private_tables, self._schema.policy, OPERATOR)
        return [account for account in accounts if account.payer is None]

    def _own(self, question: LocalQuestion, analyst: str) -> list[AccountPrice]:
        accounts = paying_accounts(question.rows.relation.private_tables, self._schema.policy, analyst)
        return [account for account in accounts if account.payer is not None]


def _account_charge(account: AccountPrice, question: LocalQuestion) -> AccountCharge:
    return account_charge(account, question.privacy.price)


def _encode(release: LocalRelease) -> StoredAnswer:
    """Header and records, as one row of keys."""
    records = base64.b64encode(release.records.tobytes()).decode()
    return StoredAnswer(((header_line(release.header), records),), ((),))


def _decode(answer: StoredAnswer) -> LocalRelease:
    # Earlier releases kept further parts there.
    line, content, *_ = (part or "" for part in answer.keys[0])
    header = Header.model_validate_json(line)
    records: Octets = np.frombuffer(base64.b64decode(content), dtype=np.uint8).reshape(-1, header.octets)
    return LocalRelease(header, records)
