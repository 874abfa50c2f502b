"""The documents of an export: a single file, those of a folder, or of an archive that is read where it lies."""

from __future__ import annotations

import gzip
import tarfile
import zlib
from collections.abc import Iterator
from lzma import LZMAError
from pathlib import Path
from typing import BinaryIO, Final, cast
from zipfile import BadZipFile, ZipFile

DOCUMENTS: Final = (".yaml", ".yml", ".json")
_ZIP: Final = ".zip"
_TAR: Final = (".tgz", ".tar.gz")
ARCHIVES: Final = (_ZIP, *_TAR)
_LARGEST: Final = 4 << 20
"""Octets of a document that are read."""
_LARGEST_TAR: Final = 256 << 20
"""Octets of a tar file that are unpacked: unlike a ZIP file, it has to be read from its beginning."""


def documents(path: Path, left_out: list[str]) -> Iterator[tuple[str, str]]:
    """The names and texts of an export's documents, in the order of the names; what is damaged is added to `left_out`.

    Raises:
        OSError: it cannot be read.
    """
    if path.name.endswith(ARCHIVES) and not path.is_dir():
        members = _members_of_zip(path, left_out) if path.name.endswith(_ZIP) else _members_of_tar(path, left_out)
        yield from ((name, octets.decode(errors="replace")) for name, octets in members)
        return
    for file in [path] if path.is_file() else sorted(path.rglob("*")):
        if file.suffix in DOCUMENTS and file.is_file():
            with file.open("rb") as opened:
                name = str(file.relative_to(path)) if file != path else file.name
                yield name, opened.read(_LARGEST).decode(errors="replace")


def _members_of_zip(path: Path, left_out: list[str]) -> Iterator[tuple[str, bytes]]:
    try:
        archive = ZipFile(path)
    except BadZipFile as error:
        left_out.append(f"{path.name}: {error}")
        return
    with archive:
        try:
            for name in sorted(archive.namelist()):
                if name.endswith(DOCUMENTS):
                    with archive.open(name) as member:
                        yield name, member.read(_LARGEST)
        # Of members that are damaged, compressed in unknown ways, or have a password.
        except (BadZipFile, EOFError, LZMAError, NotImplementedError, OSError, RuntimeError, zlib.error) as error:
            left_out.append(f"{path.name}: {error}")


def _members_of_tar(path: Path, left_out: list[str]) -> Iterator[tuple[str, bytes]]:
    found: dict[str, bytes] = {}
    with path.open("rb") as compressed:
        try:
            with tarfile.open(fileobj=cast("BinaryIO", _Limited(gzip.GzipFile(fileobj=compressed))), mode="r|") as tar:
                for member in tar:
                    file = tar.extractfile(member) if member.isfile() and member.name.endswith(DOCUMENTS) else None
                    if file is not None:
                        found[member.name] = file.read(_LARGEST)
        except (EOFError, OSError, tarfile.TarError, zlib.error) as error:
            left_out.append(f"{path.name}: {error}")
    yield from sorted(found.items())


class _Limited:
    """As much of a stream as is unpacked, whatever sizes its headers promise."""

    def __init__(self, stream: gzip.GzipFile) -> None:
        self._stream = stream
        self._left = _LARGEST_TAR

    def read(self, size: int) -> bytes:
        octets = self._stream.read(min(size, self._left + 1))
        self._left -= len(octets)
        if self._left < 0:
            raise OSError(f"more than {_LARGEST_TAR >> 20} MB; unpack it")
        return octets
