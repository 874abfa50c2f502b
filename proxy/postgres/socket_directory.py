"""Where the embedded server's Unix socket is: in a directory that only its user can enter, with a short path."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from pathlib import Path

from proxy.postgres.binaries import EmbeddedPostgresError
from proxy.postgres.server_user import SystemAccount, can_enter, make_private_directory

SOCKET_PATH_LIMIT = 103
"""The longest path of a Unix socket in bytes: 103 on macOS, 107 on Linux."""

PORT = 5432
"""Part of the socket's name; every server has a directory of its own, so the number is always free."""


def make_socket_directory(directory: Path, account: SystemAccount | None) -> Path:
    """`directory`/socket, or a short temporary directory (linked from there) if that path is too long for a socket.

    Raises:
        EmbeddedPostgresError: no temporary directory is short enough and open to `account`.
    """
    link = directory / "socket"
    remove_socket_directory(link)
    if _fits_socket(link, account):
        make_private_directory(link, account)
        return link
    for parent in (Path(tempfile.gettempdir()), Path("/tmp")):
        if not _fits_socket(parent / "dpproxy-12345678", account):
            continue
        short = Path(tempfile.mkdtemp(prefix="dpproxy-", dir=parent))
        if account is not None:
            os.chown(short, account.user, account.group)
        # The link lets the next start remove what a killed process left behind.
        link.symlink_to(short)
        return short
    raise EmbeddedPostgresError(f"no place for a Unix socket: {directory} is too long or closed, and so is /tmp")


def remove_socket_directory(link: Path) -> None:
    """Remove `link` (a socket directory or a link to one) with what a server leaves in it, and nothing else."""
    target = link.readlink() if link.is_symlink() else link
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        for name in (f".s.PGSQL.{PORT}", f".s.PGSQL.{PORT}.lock"):
            (target / name).unlink(missing_ok=True)
        target.rmdir()
    if link.is_symlink():
        link.unlink()


def _fits_socket(directory: Path, account: SystemAccount | None) -> bool:
    if account is not None and not can_enter(directory.parent, account.user, account.group):
        return False
    # libpq and Postgres split lists of hosts and directories at commas, and quote; plain paths avoid that.
    plain = re.fullmatch(r"[A-Za-z0-9_./+-]+", str(directory)) is not None
    return plain and len(os.fsencode(directory / f".s.PGSQL.{PORT}.lock")) <= SOCKET_PATH_LIMIT
