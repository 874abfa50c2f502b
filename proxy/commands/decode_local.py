"""`dpproxy decode-local`: frequencies with intervals from the file of a local release, without database or policy."""

from __future__ import annotations

import argparse
import csv
import dataclasses
import io
import json
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Final

from proxy.commands import ExitCode, failed

if TYPE_CHECKING:
    from proxy.local_model.decoding import Frequency
    from proxy.local_model.file_format import LocalRelease

_COMMAND: Final = "decode-local"
_MOST_CANDIDATES: Final = 1_000_000


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Declare `decode-local`."""
    parser = subparsers.add_parser(
        _COMMAND,
        help="estimate frequencies from a local release",
        description="Estimate how many rows have which value, from a file that `dpproxy export-local` wrote. Neither "
        "the database nor the policy is needed.",
    )
    parser.add_argument("file", metavar="FILE", type=Path, help="what export-local wrote")
    parser.add_argument("--column", metavar="NAME", help="one column (default: all)")
    parser.add_argument(
        "--confidence", metavar="C", type=float, default=0.95, help="of the intervals, between 0 and 1 (default: 0.95)"
    )
    parser.add_argument(
        "--candidates",
        metavar="FILE",
        type=Path,
        help="for a sketch: values to ask about, one in a line (default: the declared ones)",
    )
    parser.add_argument(
        "--non-negative",
        action="store_true",
        help="nearest estimates that are not negative and add up, instead of unbiased ones",
    )
    parser.add_argument("--format", choices=tuple(FORMATS), default="text", help="how to print (default: text)")
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Estimate and print."""
    from proxy.local_model.decoding import NoCandidatesError, frequencies
    from proxy.local_model.file_format import LocalFileError, read_release

    if not 0 < arguments.confidence < 1:
        return failed(_COMMAND, f"--confidence: between 0 and 1, not {arguments.confidence}", ExitCode.WRONG_INPUT)
    try:
        release = read_release(arguments.file)
        chosen = _chosen(release, arguments.column)
        candidates = _candidates(arguments.candidates) if arguments.candidates is not None else None
        if candidates is not None and (release.header.mechanism != "sketch" or len(chosen) > 1):
            return failed(
                _COMMAND, "--candidates: for one column of a sketch; name it with --column", ExitCode.WRONG_INPUT
            )
        found = [
            frequency
            for index in chosen
            for frequency in frequencies(
                release, index, arguments.confidence, candidates, consistent=arguments.non_negative
            )
        ]
    except NoCandidatesError as error:
        return failed(_COMMAND, f"{error} with --candidates FILE", ExitCode.WRONG_INPUT)
    except (LocalFileError, UnknownColumnError) as error:
        return failed(_COMMAND, str(error), ExitCode.WRONG_INPUT)
    except OSError as error:
        return failed(_COMMAND, f"{error.filename}: {error.strerror}", ExitCode.WRONG_INPUT)
    print(FORMATS[arguments.format](release, found, arguments.confidence), end="")
    return ExitCode.OK


class UnknownColumnError(ValueError):
    """A column that the file does not have, or a candidate that cannot be used."""


def _chosen(release: LocalRelease, name: str | None) -> list[int]:
    names = [column.name for column in release.header.columns]
    if name is None:
        return list(range(len(names)))
    if name not in names:
        raise UnknownColumnError(f"--column: the file has {', '.join(names)}, not {name}")
    return [names.index(name)]


def _candidates(path: Path) -> list[str]:
    """The non-empty lines of a file."""
    try:
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line]
    except UnicodeDecodeError as error:
        raise UnknownColumnError(f"{path}: not UTF-8 text at byte {error.start}") from None
    if len(lines) > _MOST_CANDIDATES:
        raise UnknownColumnError(f"{path}: more than {_MOST_CANDIDATES} candidates")
    return lines


def _as_text(release: LocalRelease, found: Sequence[Frequency], confidence: float) -> str:
    from proxy.terminal import table_lines

    header = release.header
    rows = [
        (
            frequency.column,
            frequency.value if frequency.value is not None else f"({frequency.kind})",
            f"{frequency.count:.0f}",
            f"{frequency.low:.0f} to {frequency.high:.0f}",
            f"{frequency.share:.1%}",
        )
        for frequency in found
    ]
    titles = ("column", "value", "rows", f"{100 * confidence:.6g} % interval", "share")
    per_unit = "one row of each" if header.values_per_unit == 1 else f"at most {header.values_per_unit} rows of each"
    rest = f" (a random {header.records} of them in this file)" if header.records < header.total else ""
    report, whole = float(Fraction(header.report_epsilon)), float(Fraction(header.epsilon))
    lines = [
        *table_lines(titles, [[_visible(entry) for entry in row] for row in rows], texts=2),
        _visible(f"{header.table}, {per_unit} {header.unit}: about {header.total} rows{rest}"),
        _visible(f"{header.mechanism}, epsilon {whole:g} in all, {report:.4g} for each value"),
    ]
    return "".join(f"{line}\n" for line in lines)


def _visible(text: str) -> str:
    """A text of the file on one line, without control characters that a terminal would obey."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def _as_csv(_release: LocalRelease, found: Sequence[Frequency], _confidence: float) -> str:
    printed = io.StringIO()
    writer = csv.writer(printed, lineterminator="\n")
    writer.writerow(["column", "kind", "value", "count", "low", "high", "share"])
    writer.writerows(dataclasses.astuple(frequency) for frequency in found)
    return printed.getvalue()


def _as_json(release: LocalRelease, found: Sequence[Frequency], confidence: float) -> str:
    header = release.header.model_dump(mode="json", exclude={"columns", "format", "version"})
    frequencies = [dataclasses.asdict(frequency) for frequency in found]
    content = {**header, "confidence": confidence, "frequencies": frequencies}
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


FORMATS: Final[Mapping[str, Callable[[LocalRelease, Sequence[Frequency], float], str]]] = {
    "text": _as_text,
    "csv": _as_csv,
    "json": _as_json,
}
