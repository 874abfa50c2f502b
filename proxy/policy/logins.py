"""Rules on how analysts log in beside their passwords: whose certificate, and from where."""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import ip_network
from typing import Final

from proxy.policy.findings import Finding, PolicyPath, SourceMap
from proxy.policy.model import Login, Policy

_SUBJECT: Final = re.compile(r"(?:^|[,/])\s*CN\s*=", re.IGNORECASE)
_LONGEST_COMMON_NAME: Final = 64  # characters; RFC 5280, ub-common-name


def logins(policy: Policy) -> Iterator[tuple[PolicyPath, str, Login]]:
    """Where each login of a policy stands, its name, and the login."""
    for name, analyst in policy.analysts.items():
        yield ("analysts", name), name, analyst
    for name, steward in policy.stewards.items():
        yield ("stewards", name), name, steward


def check_certificates(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """A certificate is one analyst's."""
    owners: dict[str, str] = {}
    for place, name, login in logins(policy):
        common_name = login.certificate
        if common_name is None:
            continue
        path = (*place, "certificate")
        if not 1 <= len(common_name) <= _LONGEST_COMMON_NAME or _SUBJECT.search(common_name):
            hint = f"common names have 1 to {_LONGEST_COMMON_NAME} characters: write the CN of the subject alone"
            yield source_map.error("DP214", path, "not a possible common name of a certificate", hint)
        elif common_name in owners:
            other = owners[common_name]
            message = f"this certificate is also that of {other!r}"
            yield source_map.error("DP214", path, message, "give each analyst a certificate of their own")
        owners.setdefault(common_name, name)


def check_networks(policy: Policy, source_map: SourceMap) -> Iterator[Finding]:
    """Networks are written as Postgres's `cidr` wants them, without bits to the right of the netmask."""
    for place, _, analyst in logins(policy):
        path = (*place, "networks")
        if analyst.networks == ():
            message = "no network is listed, so nobody can log in"
            yield source_map.error("DP215", path, message, "list one, or leave it out")
        for index, text in enumerate(analyst.networks or ()):
            finding = _fault(text)
            if finding is not None:
                yield source_map.error("DP215", (*path, index), *finding)


def _fault(text: str) -> tuple[str, str] | None:
    """What is wrong with a network, and what to write."""
    try:
        meant = ip_network(text, strict=False)
    except ValueError:
        return "not a network in CIDR notation", "write for example 10.0.0.0/8, 192.0.2.7/32 or 2001:db8::/32"
    if meant.version == 6 and meant.network_address.ipv4_mapped is not None:
        return "an IPv4 network inside IPv6", "write the IPv4 network: clients of both kinds of sockets are in it"
    try:
        ip_network(text)
    except ValueError:
        return "the network has bits to the right of its mask", f"write {meant}"
    return None
