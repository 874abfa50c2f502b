"""The fixtures of the end-to-end tests."""

from tests.end_to_end.conftest import clinic_template, copy_clinic, proxies, stage_cluster

__all__ = ["clinic_template", "copy_clinic", "proxies", "stage_cluster"]
