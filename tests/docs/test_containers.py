"""The files of docker/: what the image installs, and how Compose and Kubernetes run it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from proxy.commands import serve
from proxy.policy.scalars import substitute
from tests.docs import constraints
from tests.docs.markdown import CHECKOUT

DOCKER = CHECKOUT / "docker"
DOCKERFILE = (DOCKER / "Dockerfile").read_text(encoding="utf-8")
KUBERNETES = {
    document["kind"]: document
    for document in YAML(typ="safe", pure=True).load_all((DOCKER / "kubernetes.yaml").read_text(encoding="utf-8"))
}
POD: dict[str, Any] = KUBERNETES["StatefulSet"]["spec"]["template"]["spec"]


def test_the_constraints_have_a_fitting_version_of_everything_that_the_image_installs() -> None:
    pinned, required = constraints.pinned(), constraints.required()
    assert required.keys() <= pinned.keys(), "python -m tests.docs.constraints"
    for name, requirements in required.items():
        for requirement in requirements:
            assert requirement.specifier.contains(pinned[name], prereleases=True), f"{requirement}: {pinned[name]}"
    assert "-c /usr/src/dpproxy/constraints.txt" in DOCKERFILE


def test_constraints_without_a_dependency_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    short = {name: version for name, version in constraints.pinned().items() if name != "cryptography"}
    monkeypatch.setattr(constraints, "pinned", lambda: short)
    with pytest.raises(AssertionError, match=r"tests\.docs\.constraints"):
        test_the_constraints_have_a_fitting_version_of_everything_that_the_image_installs()


def test_the_context_of_the_image_has_what_it_copies_and_nothing_else() -> None:
    lines = (CHECKOUT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    kept = {line.removeprefix("!") for line in lines if line.startswith("!")}
    copied = [line.split()[1:-1] for line in DOCKERFILE.splitlines() if line.startswith("COPY ")]
    assert "*" in lines
    assert kept == {path for paths in copied for path in paths}


@pytest.mark.parametrize("name", ["compose.yaml", "compose.citus.yaml"])
def test_compose_gives_a_container_nothing_that_it_does_not_need(name: str) -> None:
    service = YAML(typ="safe", pure=True).load(DOCKER / name)["services"]["dpproxy"]
    assert service["read_only"] is True
    assert service["tmpfs"] == ["/tmp"]
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["restart"] == "on-failure:5"


def test_kubernetes_runs_a_command_that_there_is_from_volumes_that_there_are() -> None:
    (container,) = POD["containers"]
    parser = serve.add_parser(argparse.ArgumentParser().add_subparsers())
    arguments = parser.parse_args(container["args"])
    mounts = {Path(mount["mountPath"]): mount["name"] for mount in container["volumeMounts"]}
    assert mounts[arguments.policy.parent] == "policy"
    assert mounts[arguments.state.parent] == "state"
    assert mounts[arguments.tls_cert.parent] == mounts[arguments.tls_key.parent] == "tls"
    claimed = [claim["metadata"]["name"] for claim in KUBERNETES["StatefulSet"]["spec"]["volumeClaimTemplates"]]
    volumes = {volume["name"] for volume in POD["volumes"]} | set(claimed)
    used = [mount["name"] for part in (container, *POD["initContainers"]) for mount in part["volumeMounts"]]
    assert set(used) == volumes
    assert claimed == ["state"]
    assert KUBERNETES["StatefulSet"]["spec"]["replicas"] == 1


def test_kubernetes_asks_and_exposes_the_port_that_dpproxy_listens_on() -> None:
    (container,) = POD["containers"]
    (port,) = container["ports"]
    assert f"--listen=0.0.0.0:{port['containerPort']}" in container["args"]
    probes = {container[f"{kind}Probe"]["tcpSocket"]["port"] for kind in ("startup", "readiness", "liveness")}
    (exposed,) = KUBERNETES["Service"]["spec"]["ports"]
    assert probes == {exposed["targetPort"]} == {port["name"]}
    labels = KUBERNETES["StatefulSet"]["spec"]["template"]["metadata"]["labels"]
    assert KUBERNETES["Service"]["spec"]["selector"] == labels


def test_kubernetes_runs_it_as_the_image_does_without_any_right() -> None:
    assert POD["securityContext"]["runAsNonRoot"] is True
    assert f"--uid {POD['securityContext']['runAsUser']} " in DOCKERFILE
    for part in (*POD["containers"], *POD["initContainers"]):
        assert part["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }


def test_the_policy_reads_the_secret_that_kubernetes_mounts(tmp_path: Path) -> None:
    text = (DOCKER / "kubernetes.yaml").read_text(encoding="utf-8")
    assert "source: ${file:/run/secrets/dpproxy/dsn}" in text
    assert {"name": "source", "mountPath": "/run/secrets/dpproxy", "readOnly": True} in POD["containers"][0][
        "volumeMounts"
    ]
    (tmp_path / "dsn").write_text("postgresql://reader@source/clinic\n")
    assert substitute(f"${{file:{tmp_path}/dsn}}", {}) == "postgresql://reader@source/clinic"
