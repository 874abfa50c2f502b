"""Cautions about secrets in a policy's file: more people read it than may read the database."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from collections.abc import Iterator
from ipaddress import ip_address
from typing import Final

from proxy.policy.findings import Finding, SourceMap
from proxy.policy.logins import logins
from proxy.policy.model import Policy
from proxy.policy.scalars import text_without_variables

_HIDDEN: Final = "\0"
"""Stands for what a variable says, which is not in the file."""
_PASSWORDS: Final = (
    re.compile(r"^postgres(?:ql)?://[^/?#@]*?:([^/?#@]*)@"),
    re.compile(r"(?:^|[\s?&])password\s*=\s*('(?:[^'\\]|\\.)*'|[^\s&]*)"),
)
_HOSTS: Final = (
    re.compile(r"^postgres(?:ql)?://(?:[^/?#@]*@)?(\[[^]]*\]|[^/?#:,]*)"),
    re.compile(r"(?:^|[\s?&])host\s*=\s*('(?:[^'\\]|\\.)*'|[^\s&,]*)"),
)
_MODE: Final = re.compile(r"(?:^|[\s?&])sslmode\s*=\s*'?([a-z-]+)")
_SETTING: Final = re.compile(r"\s*([A-Za-z_]+)\s*=\s*(?:'(?:[^'\\]|\\.)*'|[^\s']*)")
_KEYWORDS: Final = frozenset(
    """application_name channel_binding client_encoding connect_timeout dbname fallback_application_name gssdelegation
    gssencmode gsslib host hostaddr keepalives keepalives_count keepalives_idle keepalives_interval krbsrvname
    load_balance_hosts max_protocol_version min_protocol_version oauth_client_id oauth_client_secret oauth_issuer
    oauth_scope options passfile password port require_auth requirepeer scram_client_key scram_server_key service
    servicefile ssl_max_protocol_version ssl_min_protocol_version sslcert sslcertmode sslcompression sslcrl sslcrldir
    sslkey sslkeylogfile sslmode sslnegotiation sslpassword sslrootcert sslsni target_session_attrs
    tcp_user_timeout user""".split()
)
"""Of libpq 18 (PostgreSQL's manual, "Parameter Key Words")."""
_BARE_VARIABLE: Final = re.compile(r"\$\(?([A-Za-z_]\w*)\)?")
_SAFE_MODES: Final = ("require", "verify-ca", "verify-full")

_GUESSES: Final = ("password", "postgres", "secret", "admin", "test", "123456", "changeme", "change me", "qwerty")
_MOST_HASHES: Final = 1_000_000
"""About a third of a second: checks stay quick, and what makes guessing slow here makes it slow for attackers, too."""


def check_source(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """The connection string has no password that stands in the file, and leaves the machine by TLS only."""
    written = text_without_variables(source_map.written(("source",), policy.source or ""), _HIDDEN)
    if not written:
        return
    password = next((match[1].strip("'") for match in _found(_PASSWORDS, written)), "")
    if password and _HIDDEN not in password:
        message = "the password of the private database stands here, for all who can read this file or its history"
        hint = "take it from the environment or a secret's file, as in ${DATABASE_URL} or ${file:/run/secrets/dsn}"
        yield source_map.warning("DP218", ("source",), message, f"{hint}; and change it if the file was shared")
    if _HIDDEN not in written and not _is_connection_string(written):
        message = "not a connection string that PostgreSQL's clients understand"
        hint = "write postgresql://user@host/database?sslmode=verify-full, or `host=… dbname=… user=…`"
        name = _BARE_VARIABLE.fullmatch(written)
        hint = f"write ${{{name[1]}}}, with braces" if name is not None else hint
        yield source_map.warning("DP222", ("source",), message, hint)
    host = next((match[1].strip("'[]") for match in _found(_HOSTS, written) if match[1]), "")
    mode = _MODE.search(written)
    if host and _HIDDEN not in host and not _is_near(host) and (mode is None or mode[1] not in _SAFE_MODES):
        message = f"private rows may cross the network to {host} without TLS"
        hint = "add `sslmode=verify-full`, which also makes sure who answers (or `require`)"
        yield source_map.warning("DP219", ("source",), message, hint)


def _is_connection_string(text: str) -> bool:
    """Does it read as a URI, or as keywords that libpq knows?"""
    if re.match(r"postgres(?:ql)?://", text):
        return True
    named = [match[1] for match in _SETTING.finditer(text)]
    return bool(named) and set(named) <= _KEYWORDS and not _SETTING.sub("", text).strip()


def _found(patterns: tuple[re.Pattern[str], ...], text: str) -> Iterator[re.Match[str]]:
    return (match for pattern in patterns if (match := pattern.search(text)) is not None)


def _is_near(host: str) -> bool:
    """Is it this machine, by a socket's directory or the loopback?"""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.startswith(("/", "@", "%2F", "%2f")) or host == "localhost"


def check_guessed(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """Passwords are not the first that anybody would try, and nobody else's."""
    owners: dict[str, str] = {}
    hashes = 0
    for path, name, login in logins(policy):
        if login.password is None:
            continue
        place = (*path, "password")
        other = owners.setdefault(login.password, name)
        if other != name:
            message = f"the verifier of {other!r}, too: who has one of the passwords has both"
            yield source_map.warning("DP220", place, message, "run `dpproxy password` for each login")
            continue
        iterations = int(login.password.partition("$")[2].partition(":")[0])
        guesses = (name, *_GUESSES)
        hashes += iterations * len(guesses)
        if hashes <= _MOST_HASHES and any(_is_password(guess, login.password) for guess in guesses):
            message = "a password that everybody would try first"
            yield source_map.warning("DP220", place, message, "choose another one, and run `dpproxy password`")


def _is_password(password: str, verifier: str) -> bool:
    """Was a SCRAM-SHA-256 verifier made of this password (RFC 5802, section 3)?"""
    _, parameters, keys = verifier.split("$")
    iterations, salt = parameters.split(":")
    salted = hashlib.pbkdf2_hmac("sha256", password.encode(), base64.b64decode(salt), int(iterations))
    stored = hashlib.sha256(hmac.digest(salted, b"Client Key", "sha256")).digest()
    return hmac.compare_digest(stored, base64.b64decode(keys.split(":")[0]))
