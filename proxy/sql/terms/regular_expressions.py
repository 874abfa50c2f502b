"""How long a regular expression can run on a worst-case text, and so how many characters of a text it sees.

PostgreSQL's matcher builds the states of a deterministic automaton as it reaches them, and keeps twice as many as the
pattern itself has. A pattern with no more than that takes a few nanoseconds per character, whatever the text. Another
one can reach a new state at every character, each of which costs in proportion to the pattern's length. So the states
are counted here, in an automaton that ignores anchors (these only remove states), except that a pattern that begins
with ^ begins nowhere else.

Functions that locate matches start anew at each character where none has begun, so that their time grows with the
square of the text, and each captured group is searched for again. A repeated group that is captured can take
exponential time: '^(c|ca|aa|aaaa)*$' ran for minutes on a hundred characters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

MATCHED = 10_000
"""The characters that a pattern with few states sees."""

MATCHED_BY_MANY_STATES = 400
"""The characters that any other pattern sees."""

LOCATED = 250
"""The characters that a pattern sees where it is located: to capture, replace, count or split."""

_KEPT_STATES = 39
_MOST_KEPT = 100
"""More states are not counted, since counting takes time too."""
_FEW_POSITIONS, _FEW_KINDS = 17, 14
_PER_CHARACTER = 12
_NEW_STATE = 300
_NEW_STATE_PER_POSITION = 16
_PER_CAPTURE = 450
_MOST_POSITIONS = 300
_UNREADABLE = "\\y"
_SAMPLES = "aZ5_ -é\n一\x01"


@dataclass(frozen=True)
class Shape:
    """The properties that decide how long a pattern can run.

    Attributes:
        positions: its characters and classes; in counted repetitions as often as these count.
        deterministic: its automaton has so few states that the matcher keeps all of them.
        captures: the number of captured groups.
        repeats_a_capture: is a captured group inside a repetition?
        anchored: does it match at the beginning of a text only?
    """

    positions: int
    deterministic: bool
    captures: int
    repeats_a_capture: bool
    anchored: bool = False

    @property
    def new_state(self) -> int:
        """Nanoseconds of a character that leads to a state that is not kept."""
        return _NEW_STATE + _NEW_STATE_PER_POSITION * self.positions


def seen(pattern: str) -> int:
    """The number of characters of a text that the pattern sees when it is only matched."""
    return MATCHED if shape(pattern).deterministic else MATCHED_BY_MANY_STATES


def of_similar_to(pattern: str, escape: str | None) -> str:
    """A pattern of SIMILAR TO as a regular expression, close enough to tell how long it can run."""
    if escape is not None or any(mark in pattern for mark in "\\^$."):
        return _UNREADABLE + pattern
    return f"^(?:{pattern.replace('%', '.*').replace('_', '.').replace('(', '(?:')})$"


def matching(pattern: str, characters: int) -> int:
    """Nanoseconds to find out whether the pattern matches a text of `characters`."""
    found = shape(pattern)
    characters = min(characters, seen(pattern))
    return characters * (_PER_CHARACTER if found.deterministic else found.new_state)


def locating(pattern: str, characters: int, *, by_lines: bool = False) -> int:
    """Nanoseconds to find all matches of the pattern, with the groups that it captures.

    Args:
        pattern: the pattern.
        characters: of the text.
        by_lines: ^ matches at each line.
    """
    found = shape(pattern)
    beginnings = 2 if found.anchored and not by_lines else max(2, characters // 2)
    search = characters * beginnings * (5 if found.deterministic else found.new_state)
    return search + found.captures * _PER_CAPTURE * characters


@lru_cache(maxsize=1024)
def shape(pattern: str) -> Shape:
    """The properties that decide how long a pattern can run."""
    reader = _Reader(pattern)
    try:
        tree = reader.alternatives()
        known = reader.done
    except _UnknownError:
        known = False
    if not known:
        # Brackets may be part of a class here; counting too many groups is safe.
        groups = pattern.count("(") - pattern.count("(?:")
        return Shape(_counted_length(pattern), False, groups, groups > 0 and _has_repetition(pattern))
    branches = tree.parts if tree.kind == "choice" else (tree,)
    anchored = all(branch.parts[:1] == (_BEGINNING,) for branch in branches)
    deterministic = _few_states(tree, reader.alphabet, reader.kept_states, anchored=anchored)
    return Shape(reader.positions, deterministic, reader.captures, reader.repeats_a_capture, anchored)


def _counted_length(pattern: str) -> int:
    """An upper bound of the positions of a pattern that is not understood: counts are at most 50."""
    return len(pattern) + 50 * pattern.count("{")


def _has_repetition(pattern: str) -> bool:
    return any(mark in pattern for mark in ("*", "+", "{"))


class _UnknownError(Exception):
    """The pattern has a part that is not understood here."""


Members = Callable[[str], bool]


@dataclass(frozen=True)
class _Node:
    """A part of a pattern: a character class, or a sequence, choice or repetition of parts."""

    kind: str
    parts: tuple[_Node, ...] = ()
    members: Members | None = None


_EMPTY = _Node("sequence")
_BEGINNING = _Node("sequence", (_EMPTY,))
_CLASSES: dict[str, Members] = {
    "alpha": str.isalpha,
    "digit": str.isdigit,
    "alnum": str.isalnum,
    "upper": str.isupper,
    "lower": str.islower,
    "space": str.isspace,
    "punct": lambda c: not c.isalnum() and not c.isspace() and c.isprintable(),
    "xdigit": lambda c: c in "0123456789abcdefABCDEF",
    "word": lambda c: c.isalnum() or c == "_",
    "blank": lambda c: c in " \t",
}
_ESCAPED_CLASSES = {"d": "digit", "w": "word", "s": "space"}
_ESCAPED_CHARACTERS = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v"}


@dataclass
class _Reader:
    """Reads a pattern of the usual parts. Upper and lower case are taken as the same, which adds no state."""

    pattern: str
    place: int = 0
    positions: int = 0
    captures: int = 0
    repeats_a_capture: bool = False
    letters: set[str] = field(default_factory=lambda: set(_SAMPLES))

    @property
    def done(self) -> bool:
        return self.place == len(self.pattern)

    @property
    def alphabet(self) -> list[str]:
        """A character of each kind that the pattern distinguishes, and more."""
        return sorted(self.letters | set(self.pattern))

    @property
    def kept_states(self) -> int:
        """How many states the matcher keeps at least: twice its own number, and 40 for small patterns."""
        if self.positions <= _FEW_POSITIONS and len(set(self.pattern)) <= _FEW_KINDS:
            return _KEPT_STATES
        return min(self.positions + self.positions // 2 + 4, _MOST_KEPT)

    def _peek(self) -> str:
        return self.pattern[self.place] if self.place < len(self.pattern) else ""

    def _take(self) -> str:
        if self.done:
            raise _UnknownError
        self.place += 1
        return self.pattern[self.place - 1]

    def alternatives(self) -> _Node:
        branches = [self._branch()]
        while self._peek() == "|":
            self._take()
            branches.append(self._branch())
        return branches[0] if len(branches) == 1 else _Node("choice", tuple(branches))

    def _branch(self) -> _Node:
        pieces = []
        while self._peek() and self._peek() not in "|)":
            pieces.append(self._piece())
        return _Node("sequence", tuple(pieces))

    def _piece(self) -> _Node:
        captures, positions = self.captures, self.positions
        atom = self._atom()
        mark = self._peek()
        if not mark or mark not in "*+?{":
            return atom
        self._take()
        least, most = self._counts() if mark == "{" else {"*": (0, None), "+": (1, None), "?": (0, 1)}[mark]
        if self._peek() == "?":
            self._take()
        if self._peek() and self._peek() in "*+?{":
            raise _UnknownError
        if self.captures > captures and (most is None or most > 1):
            self.repeats_a_capture = True
        copies = max(least, most or 0, 1)
        self.positions += (self.positions - positions) * (copies - 1)
        if self.positions > _MOST_POSITIONS:
            raise _UnknownError
        optional = _Node("choice", (atom, _EMPTY))
        rest = [_Node("repeat", (atom,))] if most is None else [optional] * (most - least)
        return _Node("sequence", (*([atom] * least), *rest))

    def _counts(self) -> tuple[int, int | None]:
        text = ""
        while self._peek() != "}":
            text += self._take()
        self._take()
        least, comma, most = text.partition(",")
        if not least.isdigit() or (most and not most.isdigit()):
            raise _UnknownError
        return int(least), (int(most) if most else None) if comma else int(least)

    def _atom(self) -> _Node:
        letter = self._take()
        if letter == "(":
            if self.pattern.startswith("?:", self.place):
                self.place += 2
            else:
                self.captures += 1
            inside = self.alternatives()
            if self._take() != ")":
                raise _UnknownError
            return inside
        if letter in "^$":
            return _BEGINNING if letter == "^" else _EMPTY
        if letter in "*+?{)":
            raise _UnknownError
        self.positions += 1
        if letter == ".":
            return _Node("one", members=lambda _: True)
        if letter == "[":
            return _Node("one", members=self._bracket())
        if letter == "\\":
            return _Node("one", members=self._escape())
        return _Node("one", members=_same(letter))

    def _escape(self) -> Members:
        letter = self._take()
        if letter.lower() in _ESCAPED_CLASSES:
            members = _CLASSES[_ESCAPED_CLASSES[letter.lower()]]
            return members if letter.islower() else _other_than(members)
        if letter in _ESCAPED_CHARACTERS:
            self.letters.add(_ESCAPED_CHARACTERS[letter])
            return _same(_ESCAPED_CHARACTERS[letter])
        if letter.isalnum():
            raise _UnknownError
        return _same(letter)

    def _bracket(self) -> Members:
        negated = self._peek() == "^"
        if negated:
            self._take()
        found: list[Members] = []
        first = True
        while first or self._peek() != "]":
            first = False
            letter = self._take()
            if letter == "[":
                found.append(self._named_class())
            elif letter == "\\":
                found.append(self._escape())
            elif self._peek() == "-" and self.pattern[self.place + 1 : self.place + 2] not in ("]", ""):
                self._take()
                found.append(self._range(letter, self._take()))
            else:
                found.append(_same(letter))
        self._take()
        members = _any_of(found)
        return _other_than(members) if negated else members

    def _named_class(self) -> Members:
        end = self.pattern.find(":]", self.place)
        if self._peek() != ":" or end < 0 or self.pattern[self.place + 1 : end] not in _CLASSES:
            raise _UnknownError
        name = self.pattern[self.place + 1 : end]
        self.place = end + 2
        return _CLASSES[name]

    def _range(self, low: str, high: str) -> Members:
        if high in "[\\" or low > high:
            raise _UnknownError
        self.letters |= {chr(code) for code in (ord(low) - 1, ord(low) + 1, ord(high) - 1, ord(high) + 1) if code > 0}
        return lambda c: any(low <= form <= high for form in (c, c.lower(), c.upper()))


def _same(letter: str) -> Members:
    return lambda c: c == letter or c.lower() == letter.lower()


def _any_of(found: list[Members]) -> Members:
    return lambda c: any(members(c) for members in found)


def _other_than(members: Members) -> Members:
    return lambda c: not members(c)


@dataclass
class _Automaton:
    """Nondeterministic: states are numbers, `moves` go on a character, `free` without one."""

    moves: list[list[tuple[Members, int]]] = field(default_factory=list)
    free: list[list[int]] = field(default_factory=list)

    def state(self) -> int:
        self.moves.append([])
        self.free.append([])
        return len(self.moves) - 1

    def add(self, node: _Node, start: int) -> int:
        """Add a part that begins at a state; returns the state where it ends."""
        if node.members is not None:
            end = self.state()
            self.moves[start].append((node.members, end))
            return end
        if node.kind == "sequence":
            for part in node.parts:
                start = self.add(part, start)
            return start
        end = self.state()
        if node.kind == "repeat":
            inside = self.state()
            self.free[start].append(inside)
            last = self.add(node.parts[0], inside)
            self.free[last].append(inside)
            self.free[inside].append(end)
            return end
        for part in node.parts:
            begin = self.state()
            self.free[start].append(begin)
            self.free[self.add(part, begin)].append(end)
        return end

    def closed(self, states: Iterator[int]) -> frozenset[int]:
        """The states reached from these without a character, themselves included, from which characters lead on."""
        found, open_ = set[int](), list(states)
        while open_:
            state = open_.pop()
            if state not in found:
                found.add(state)
                open_.extend(self.free[state])
        return frozenset(found)


def _few_states(tree: _Node, alphabet: list[str], most: int, *, anchored: bool) -> bool:
    """Are there at most `most` sets of states, both where a match may begin anywhere and where it may not?"""
    automaton = _Automaton()
    start = automaton.state()
    automaton.add(tree, start)
    accepts = [[[members(c) for members, _ in moves] for moves in automaton.moves] for c in alphabet]
    first = automaton.closed(iter([start]))
    for begins in (frozenset[int](),) if anchored else (first, frozenset[int]()):
        known, open_ = {first}, [first]
        while open_:
            states = open_.pop()
            for accepted in accepts:
                reached = [
                    target
                    for state in states
                    for (_, target), meets in zip(automaton.moves[state], accepted[state], strict=True)
                    if meets
                ]
                following = automaton.closed(iter(reached)) | begins
                if following not in known:
                    known.add(following)
                    open_.append(following)
                    if len(known) > most:
                        return False
    return True
