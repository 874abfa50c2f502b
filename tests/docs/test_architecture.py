"""proxy/README.md and proxy/THREATS.md: packages and words are described, and what stands beside them exists."""

from __future__ import annotations

import re
import tomllib

from tests.docs.markdown import ARCHITECTURE, CHECKOUT, PAGES

DESCRIBED = [name for names, _ in ARCHITECTURE.table("package", "what it is") for name in names.split(", ")]


def test_every_package_is_described() -> None:
    parts = [path for path in (CHECKOUT / "proxy").iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()]
    assert set(DESCRIBED) == {f"proxy.{path.stem}" for path in parts if path.stem != "__init__"}


def test_packages_stand_in_the_order_of_the_import_contract() -> None:
    contracts = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    (layers,) = [contract["layers"] for contract in contracts if contract.get("containers") == ["proxy"]]
    layer = {name: number for number, names in enumerate(layers) for name in names.split(" | ")}
    order = [layer[name.removeprefix("proxy.")] for name in DESCRIBED]
    assert order == sorted(order)


def test_words_are_in_order_and_lead_to_files() -> None:
    rows = ARCHITECTURE.table("word", "meaning", "where")
    words = [word for word, *_ in rows]
    assert words == sorted(words, key=str.lower)
    for word, _, files in rows:
        assert files, word
        for file in files.split(", "):
            assert (ARCHITECTURE.directory / file).is_file(), (word, file)


def test_the_threat_model_names_files_that_exist() -> None:
    named = re.findall(r"`([a-z_/]+(?:\.py|/))`", PAGES["proxy/THREATS.md"].text)
    assert len(named) > 25
    assert [name for name in named if not (CHECKOUT / "proxy" / name).exists() and not (CHECKOUT / name).exists()] == []
