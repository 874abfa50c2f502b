"""Columns that tell who somebody is: names, addresses, numbers that others know a person by. Found by name and type."""

from __future__ import annotations

import re
from typing import Final

BIRTH_DATE: Final = "an exact birth date"
_CODES: Final = frozenset({"zip", "zipcode", "zip_code", "postcode", "postal_code", "post_code", "plz"})

_WORDS: Final[dict[str, str]] = {
    **dict.fromkeys(("email", "mail", "phone", "telephone", "mobile", "fax", "cellphone"), "a way to reach somebody"),
    **dict.fromkeys(("ssn", "passport", "iban", "nino", "nhs", "licence", "license"), "an official number"),
    **dict.fromkeys(("surname", "lastname", "firstname", "fullname", "forename", "username", "nickname"), "a name"),
    **dict.fromkeys(("address", "street", "address1", "address2"), "an address"),
    **dict.fromkeys(("ip", "ipaddress", "mac"), "the address of a device"),
    **dict.fromkeys(("dob", "birthdate", "birthday"), BIRTH_DATE),
    **dict.fromkeys(("password", "passwd", "token", "secret"), "a secret"),
}
_PHRASES: Final = (
    (re.compile(r"(^|_)(first|last|full|middle|maiden|given|family|user|login|nick|display|legal)_name$"), "a name"),
    (re.compile(r"(^|_)name_(first|last|full|middle|maiden|given|family)$"), "a name"),
    (re.compile(r"(^|_)(social_security|national_id|tax_id|tax_number|social_insurance)"), "an official number"),
    (re.compile(r"(^|_)(birth_date|birth_day|date_of_birth|born_on)$"), BIRTH_DATE),
    (re.compile(r"(^|_)(credit_card|card_number|account_number|bank_account)"), "an account's number"),
)
_OF_SOMEBODY: Final[dict[str, str]] = {
    **dict.fromkeys(("salary", "salaries", "wage", "wages", "payroll", "income", "earnings"), "what somebody earns"),
    **dict.fromkeys(("diagnosis", "diagnoses", "disease", "medication", "prescription"), "somebody's health"),
    **dict.fromkeys(("religion", "ethnicity", "gender", "sex", "nationality", "birthplace"), "a trait of somebody"),
}
"""Words of what people have, which tell nobody's identity."""
_TYPES: Final = {
    **dict.fromkeys(("inet", "cidr"), "the address of a device"),
    **dict.fromkeys(("macaddr", "macaddr8"), "the address of a device"),
}
_NAMES_OF_NUMBERS: Final = ("_id", "_key", "_count")
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def words_of(name: str) -> list[str]:
    """The words of a column's or table's name, in lower case: `firstName`, `first_name` and `First-Name` have two."""
    return [word for word in re.split(r"[^a-z0-9]+", _CAMEL.sub("_", name).lower()) if word]


def is_postcode(name: str) -> bool:
    """Does a column seem to hold codes of small areas?"""
    words = words_of(name)
    return bool(_CODES & {*words, "_".join(words[-2:])})


def identifying(name: str, type_name: str) -> str | None:
    """What a column seems to hold that tells who somebody is; None if nothing of its name or type says so.

    Args:
        name: the column's name.
        type_name: of its type, as `Column.type_name`; empty if that is not known.
    """
    if type_name in _TYPES:
        return _TYPES[type_name]
    words = words_of(name)
    plain = "_".join(words)
    if plain == "name":
        return "a name"
    if plain.endswith(_NAMES_OF_NUMBERS) and plain not in ("national_id", "tax_id"):
        return None
    for pattern, meaning in _PHRASES:
        if pattern.search(plain):
            return meaning
    if type_name == "boolean":
        return None
    return next((_WORDS[word] for word in words if word in _WORDS), None)


def personal(name: str, type_name: str) -> str | None:
    """What a column seems to hold of somebody, whether it tells who that is or not; else None. As `identifying`."""
    said = identifying(name, type_name)
    return said or next((_OF_SOMEBODY[word] for word in words_of(name) if word in _OF_SOMEBODY), None)
