"""The conversation without sockets: any messages, in any pieces, at any time, get the replies of a plain server."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from proxy.errors import CancelledError, DpproxyError, UnsupportedError
from proxy.wire import frontend
from proxy.wire.channel import RouterQuestion
from proxy.wire.codec import HEADER, Inbox, frame
from proxy.wire.conversation import Conversation
from proxy.wire.frontend import PORTAL, STATEMENT, Bind, Close, Describe, Execute, Parse, Query
from proxy.wire.replies import Exchange
from proxy.wire.router import Answer, Notice
from proxy.wire.table import State
from tests.wire.model import Model, Reply, replies
from tests.wire.support import VisitsRouter

pytestmark = pytest.mark.statistical

SYNC = frame(frontend.SYNC)
TERMINATE = frame(frontend.TERMINATE)
END = Query(b"SELECT 'the end'").encode()
MAXIMUM = 1000

CLAIMED = (b"SELECT id FROM visits", b"SELECT $1 FROM visits", b"SELECT secrets")
PLAIN = (b"SELECT 1", b"SELECT $1", b"SELECT nosuch", b"BEGIN", b"ROLLBACK", b"COMMIT", b"", b"junk")
texts = st.sampled_from((*CLAIMED, *PLAIN))
names = st.sampled_from([b"", b"a"])
values = st.lists(st.none() | st.just(b"7"), max_size=1).map(tuple)
whats = st.sampled_from([STATEMENT, PORTAL])
extended = st.one_of(
    st.builds(Parse, names, texts | st.just(b"SELECT '\xff'")).map(Parse.encode),
    st.builds(Bind, names, names, st.just(()), values).map(Bind.encode),
    st.builds(Describe, whats, names).map(Describe.encode),
    st.builds(Execute, names).map(Execute.encode),
    st.builds(Close, whats, names).map(Close.encode),
)
queries = st.lists(texts, min_size=1, max_size=3).map(b";".join) | st.just(b"SELECT '\xff'")
others = st.sampled_from(
    [
        frame(frontend.FLUSH),
        frame(frontend.FUNCTION_CALL, bytes(10)),
        frame(frontend.COPY_DATA, b"x"),
        frame(frontend.COPY_DONE),
        frame(frontend.COPY_FAIL, b"\0"),
    ]
)


def run_of(name: bytes, text: bytes) -> bytes:
    """A statement from Parse to Execute, which gets far enough to matter more often than single messages do."""
    values = (b"7",) * text.count(b"$1")
    return Parse(name, text).encode() + Bind(b"", name, (), values).encode() + Execute(b"").encode()


runs = st.builds(run_of, names, texts)
messages = st.one_of(extended, runs, runs, queries.map(lambda text: Query(text).encode()), others, st.just(SYNC))
violations = st.sampled_from(
    [
        b"z\0\0\0\x04",
        frame(frontend.AUTHENTICATION, b"late"),
        HEADER.pack(frontend.QUERY, 3),
        HEADER.pack(frontend.PARSE, MAXIMUM + 1),
        HEADER.pack(frontend.SYNC, 10_001),
        frame(frontend.SYNC, b"x"),
    ]
)
answers: st.SearchStrategy[Answer | Exception] = st.sampled_from(
    [
        Answer("SELECT 'answered'", (Notice("it cost nothing"),)),
        Answer("SELECT nosuch"),
        Answer(None),
        UnsupportedError("too late", rule="late"),
        CancelledError("canceling statement due to user request"),
        RuntimeError("a bug"),
    ]
)
shares = st.sampled_from([1.0, 0.0, 0.3, 0.8])
claims = VisitsRouter().claims


def conversation() -> Conversation:
    return Conversation(VisitsRouter(), {"client_encoding": "UTF8"}, Inbox(), MAXIMUM, MAXIMUM)


class AnyConversation(RuleBasedStateMachine):
    """A client, a stage and a router that each act when they like.

    What the client has heard must be what one plain server says to the same messages: the same replies in the order of
    the requests, so one ReadyForQuery to each Sync and each query, one error and then silence up to the Sync.
    """

    def __init__(self) -> None:
        super().__init__()
        self.conversation = conversation()
        self.stage = Model()
        self.said = b""
        self.unheard = b""
        self.from_stage = b""
        self.heard: list[bytes] = []
        self.outcomes: list[Answer | Exception] = []
        self.asking: Exchange | None = None
        self.last_word: bytes | None = None

    @precondition(lambda self: self.last_word is None)
    @rule(some=st.lists(messages, min_size=1, max_size=4).map(b"".join), share=shares)
    def the_client_speaks(self, some: bytes, share: float) -> None:
        """The last bytes may come later."""
        self.said += some
        self._say(some, share)

    @precondition(lambda self: self.last_word is None)
    @rule(word=violations | st.just(TERMINATE), patience=st.integers(0, 9))
    def the_client_says_its_last_word(self, word: bytes, patience: int) -> None:
        """Seldom, since nothing happens afterwards."""
        if patience == 0:
            self.last_word = word
            self._say(word, 1)

    def _say(self, data: bytes, share: float) -> None:
        data = self.unheard + data
        cut = round(len(data) * share)
        self.unheard = data[cut:]
        self.conversation.hear(data[:cut])
        self._proceed()

    @rule()
    def everything_settles(self) -> None:
        self.the_stage_speaks(1)

    @rule(share=shares)
    def the_stage_speaks(self, share: float) -> None:
        cut = round(len(self.from_stage) * share)
        data, self.from_stage = self.from_stage[:cut], self.from_stage[cut:]
        self.conversation.hear_stage(data)
        self._proceed()

    @property
    def router_is_asked(self) -> bool:
        question = self.conversation.channel.question
        thinking = self.asking is not None and not self.asking.over
        return question is not None and not thinking and not self.conversation.ended

    @precondition(lambda self: self.router_is_asked)
    @rule()
    def the_router_asks_the_stage(self) -> None:
        question = self.conversation.channel.question
        assert question is not None
        name = self.conversation.channel.internal.name
        asked = (Parse(name, b"SELECT 1").encode(), Close(STATEMENT, name).encode())
        self.asking = self.conversation.channel.request(asked, in_pipeline=question.in_pipeline)
        self._proceed()

    @precondition(lambda self: self.router_is_asked)
    @rule(outcome=answers)
    def the_router_answers(self, outcome: Answer | Exception) -> None:
        question = self.conversation.channel.question
        assert question is not None
        assert claims(question.text), "the router is asked for what it claims"
        self.outcomes.append(outcome)
        if isinstance(outcome, Answer):
            question.result = outcome
        else:
            question.error = outcome
        self.conversation.take_answer(question)
        self._proceed()

    def _read(self, question: RouterQuestion) -> None:
        """What the router makes of a text, which takes no time here."""
        router = VisitsRouter()
        try:
            if question.what == "split":
                question.result = asyncio.run(router.split(question.text, "ana"))
            else:
                question.result = asyncio.run(router.check(question.text, "ana"))
        except DpproxyError as error:
            question.error = error
        self.conversation.take_answer(question)

    def _proceed(self) -> None:
        """What the session does with its sockets."""
        ended = self.conversation.ended
        more = self.conversation.proceed()
        channel = self.conversation.channel
        while more or (
            channel.question is not None and channel.question.what != "answer" and not self.conversation.ended
        ):
            if not more and channel.question is not None:
                self._read(channel.question)
            more = self.conversation.proceed()
        assert not (ended and channel.to_client), "nothing is said after the end"
        self.heard += channel.to_client
        channel.to_client.clear()
        self.from_stage += self.stage.hear(b"".join(channel.to_stage))
        channel.to_stage.clear()

    @invariant()
    def the_state_says_what_is_going_on(self) -> None:
        channel = self.conversation.channel
        assert self.conversation.listening == (channel.state in (State.READY, State.SKIPPING))
        if channel.question is not None and not self.conversation.ended:
            assert channel.state is State.WORKING

    def teardown(self) -> None:
        self.said += SYNC + END
        if self.last_word is None:
            self._say(SYNC + END, 1)
        self._let_everything_end()
        inside_row = self.conversation.ended and self.conversation.channel.replies.inside_row
        heard, expected = replies(b"".join(self.heard), cut=inside_row), self._expected()
        if self.last_word is None:
            assert heard == expected
            assert not self.outcomes, "the router was asked as often as a plain server would have"
            assert self.conversation.idle
            return
        assert self.conversation.ended
        if self.last_word != TERMINATE and not inside_row:
            assert heard.pop() == ("E", b"FATAL 08P01")
        assert heard == expected[: len(heard)]

    def _let_everything_end(self) -> None:
        while not self.conversation.ended and (self.from_stage or self.router_is_asked):
            self.the_stage_speaks(1)
            if self.router_is_asked:
                self.the_router_answers(Answer("SELECT 'in the end'"))

    def _expected(self) -> list[Reply]:
        def outcome(text: str) -> Answer | Exception:
            assert claims(text)
            return self.outcomes.pop(0) if self.outcomes else RuntimeError("the machine ended before")

        return replies(Model(outcome).hear(self.said))


AnyConversation.TestCase.settings = settings(max_examples=300, stateful_step_count=20, deadline=None)
TestAnyConversation = AnyConversation.TestCase


@pytest.mark.parametrize("text", [b"SELECT '\xff'", b"junk", b"SELECT nosuch", b""])
def test_the_unnamed_portal_outlives_a_query_of_which_nothing_runs(text: bytes) -> None:
    machine = AnyConversation()
    machine.the_client_speaks(run_of(b"", b"BEGIN"), 1)
    machine.the_client_speaks(Query(text).encode() + Describe(PORTAL, b"").encode() + SYNC, 1)
    machine._let_everything_end()
    kinds = [kind for kind, _ in replies(b"".join(machine.heard))]
    assert kinds[-2:] == ["n", "Z"]
    machine.teardown()


@settings(max_examples=500, deadline=None)
@given(st.lists(messages | st.binary(max_size=12), max_size=12).map(b"".join), st.lists(st.binary(), max_size=3))
def test_any_bytes_of_either_side_end_with_at_most_one_fatal_error(data: bytes, of_stage: Sequence[bytes]) -> None:
    machine = conversation()
    machine.hear(data)
    machine.proceed()
    for some in of_stage:
        machine.hear_stage(some)
        machine.proceed()
    fatal = [chunk for chunk in machine.channel.to_client if b"FATAL" in chunk]
    assert len(fatal) <= 1
    assert not any(b"XX000" in chunk for chunk in fatal)
