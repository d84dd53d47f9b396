"""The bill of materials is CycloneDX 1.6 by the standard's own schema, and lists each file of the locks once."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from typing import Any

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

from runner.provenance.sbom import Built, sbom
from runner.shell import ROOT, tools

IMAGE, OTHER = "sha256:" + "1" * 64, "sha256:" + "2" * 64
LOCKS = {name: json.loads((ROOT / f"images/locks/{name}.json").read_bytes())["files"] for name in ("debian", "wheels")}


@pytest.fixture(scope="module")
def images() -> list[Built]:
    """Those of the three bundled systems, as if dense were built into another image."""
    systems = tools().inputs(ROOT / "manifests/official.json").systems
    return [Built(OTHER if one.manifest.name == "dense" else IMAGE, one) for one in systems]


@pytest.fixture(scope="module")
def found(images: list[Built]) -> dict[str, Any]:
    """The document."""
    value: dict[str, Any] = json.loads(sbom(images))
    return value


def test_the_standard_s_own_schema_takes_it(images: list[Built]) -> None:
    validator = JsonStrictValidator(SchemaVersion.V1_6)
    assert validator.validate_str(sbom(images).decode()) is None
    assert validator.validate_str(sbom(images).decode().replace('"CycloneDX"', '"Cyclone"')) is not None


def test_equal_locks_give_equal_bytes(images: list[Built]) -> None:
    again = tools().inputs(ROOT / "manifests/official.json").systems
    assert sbom(images) == sbom([Built(one.image, system) for one, system in zip(images, again, strict=True)])


@pytest.mark.parametrize(("lock", "kind"), [("debian", "deb"), ("wheels", "pypi")])
def test_each_locked_file_stands_there_with_its_digest(found: dict[str, Any], lock: str, kind: str) -> None:
    names = [
        (PackageURL.from_string(part["purl"]), part["hashes"][0]["content"])
        for part in found["components"]
        if part.get("scope") == "required"
    ]
    listed = {(url.name, url.version, content) for url, content in names if url.type == kind}
    wanted = {(one["name"].replace("_", "-"), one["version"], one["digest"][7:]) for one in LOCKS[lock]}
    assert listed == wanted


def test_each_reference_stands_once_and_leads_somewhere(found: dict[str, Any]) -> None:
    references = Counter(part["bom-ref"] for part in found["components"])
    assert set(references.values()) == {1}
    run, *images = found["dependencies"]
    assert run["dependsOn"] == [f"image:{IMAGE}", f"image:{OTHER}"] == [one["ref"] for one in images]
    assert all(set(one["dependsOn"]) <= references.keys() for one in images)


def test_a_model_stands_by_the_digest_of_what_lies_in_the_image(found: dict[str, Any]) -> None:
    """The edited one, whose file can be hashed where it is unpacked."""
    (model,) = [part for part in found["components"] if part["type"] == "machine-learning-model"]
    path = tools().models() / model["name"]
    assert hashlib.sha256(path.read_bytes()).hexdigest() == model["hashes"][0]["content"]
