"""What the processes around a proxy have computed, in seconds of their processors: other programs hardly change it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from proxy.postgres.databases import LEDGER_DATABASE

Who = Literal["proxy", "planning", "stage", "ledger", "source"]

WHO: Final[tuple[Who, ...]] = ("proxy", "planning", "stage", "ledger", "source")
_TICK: Final = os.sysconf("SC_CLK_TCK")
_LEDGER: Final = re.compile(rf"postgres: \S+ {LEDGER_DATABASE} ")


@dataclass(frozen=True)
class _Process:
    number: int
    parent: int
    name: str
    seconds: float

    @property
    def is_server(self) -> bool:
        return self.name.startswith("postgres")


def computed(number: int) -> float:
    """Seconds that a process has computed, without its children."""
    process = _process(number)
    return 0.0 if process is None else process.seconds


def computed_around(proxy: int, before: Mapping[Who, float] | None = None) -> dict[Who, float]:
    """Seconds by who computed them, with those of children that have ended.

    Args:
        proxy: the process of a proxy with an embedded server, a child of this one; another server that this process has
            started is its source.
        before: from what is counted; None for the beginning.
    """
    found = dict.fromkeys(WHO, 0.0)
    processes = [each for entry in Path("/proc").glob("[0-9]*") if (each := _process(int(entry.name))) is not None]
    children: dict[int, list[_Process]] = {}
    for each in processes:
        children.setdefault(each.parent, []).append(each)
    ours = {each.number: each for each in _below(proxy, children)}
    for each in ours.values():
        who: Who = "planning" if not each.is_server else "ledger" if _LEDGER.match(each.name) else "stage"
        found[who] += each.seconds
    for each in _below(os.getpid(), children):
        if each.is_server and each.number not in ours:
            found["source"] += each.seconds
    found["proxy"] = computed(proxy)
    return found if before is None else {who: found[who] - before[who] for who in WHO}


def _below(number: int, children: Mapping[int, list[_Process]]) -> Iterator[_Process]:
    for child in children.get(number, ()):
        yield child
        yield from _below(child.number, children)


def _process(number: int) -> _Process | None:
    """A process, whose seconds include those of its children that have ended only if it is a server; None if it ended."""
    try:
        fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
        command = Path(f"/proc/{number}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return None
    # A server's processes put a title in the place of their command: postgres: USER DATABASE ….
    program, _, title = command[0].decode(errors="replace").partition(" ")
    name = f"{Path(program).name} {title}"
    used = fields[11:15] if name.startswith("postgres") else fields[11:13]
    return _Process(number, int(fields[1]), name, sum(map(int, used)) / _TICK)
