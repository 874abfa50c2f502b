"""How analysts log in, from what the policy and the certificate's files say."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Mapping
from ipaddress import ip_network

from proxy.policy.model import Policy
from proxy.wire.gate import Account
from proxy.wire.tls import Credentials, TlsFiles

logger = logging.getLogger(__name__)


def accounts_of(policy: Policy) -> Mapping[str, Account]:
    """The policy's analysts and stewards, as the wire knows them."""
    return {
        name: Account(
            login.password,
            login.certificate,
            None if login.networks is None else tuple(map(ip_network, login.networks)),
        )
        for name, login in policy.logins.items()
    }


def read_credentials(files: TlsFiles) -> Credentials:
    """Read the certificate's files, and log what the operator should know of them.

    Raises:
        CertificateError: they cannot be used.
    """
    credentials = Credentials.read(files)
    until = f"{credentials.expires:%Y-%m-%d %H:%M} UTC"
    if credentials.expires < dt.datetime.now(dt.UTC):
        logger.warning("the TLS certificate in %s was valid until %s: clients refuse it", files.certificate, until)
    else:
        logger.info("the TLS certificate in %s is valid until %s", files.certificate, until)
    if files.exposed:
        logger.warning("the private key in %s can be read by others than its owner", files.key)
    if credentials.binding is None:
        logger.warning("the TLS certificate in %s allows no channel binding", files.certificate)
    return credentials
