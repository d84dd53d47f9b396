"""A Docker engine agrees: on the id, on the settings, and on the file tree that its own `docker build` makes."""

from __future__ import annotations

import io
import os
import tarfile

import docker
import pytest

from runner.adapters.image.engine import DockerImages
from runner.adapters.progress import SilentProgress
from runner.errors import BadInput, Unavailable
from runner.workflows.build import build
from runner.workflows.image import export_image, import_image
from tests.image.tiny import make_project, workshop

pytestmark = pytest.mark.docker
SILENT = SilentProgress()
# Put into every container by the engine itself.
STUBS = {".dockerenv", "etc/hostname", "etc/hosts", "etc/resolv.conf", "etc/mtab", "dev/console", "dev/pts", "dev/shm"}


@pytest.fixture
def client():
    client = docker.from_env()
    yield client
    client.close()


@pytest.fixture
def built(tmp_path, client):
    shop = workshop(make_project(tmp_path / "project"))
    result = build(shop, DockerImages(client), SILENT)
    yield shop, result.image
    client.images.remove(result.image.tag, force=True)


def tree(client, image):
    """Path -> kind, mode, owner, size or target, of every file in a container of `image`."""
    container = client.containers.create(image)
    try:
        data = b"".join(container.export())
    finally:
        container.remove(force=True)
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        found = {entry.name.rstrip("/"): entry for entry in tar}
    return {
        name: (entry.type, oct(entry.mode), entry.uid, entry.gid, entry.size, entry.linkname)
        for name, entry in found.items()
        if name not in STUBS
    }


def context(shop, image, dockerfile):
    """What `docker build` gets: the Dockerfile and the layers' tars."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        tar.add(dockerfile, "Dockerfile")
        for layer in image.layers:
            tar.add(shop.path(layer), f"{layer.name}.tar")
    packed.seek(0)
    return packed


def test_the_engine_names_the_image_by_the_digest_that_was_foretold(client, built):
    _, image = built
    assert client.images.get(image.tag).id in {image.image, image.manifest}
    assert DockerImages(client).has(image)


def test_docker_build_of_the_same_dockerfile_gives_the_same_tree_and_settings(client, built, tmp_path):
    shop, image = built
    other, _ = client.images.build(
        fileobj=context(shop, image, tmp_path / "project/Dockerfile"), custom_context=True, rm=True, nocache=True
    )
    try:
        assert tree(client, other.id) == tree(client, image.tag)
        keys = ("Env", "Labels", "User", "WorkingDir", "Entrypoint")
        ours, theirs = client.images.get(image.tag).attrs["Config"], other.attrs["Config"]
        assert {key: ours[key] for key in keys} == {key: theirs[key] for key in keys}
    finally:
        client.images.remove(other.id, force=True)


def test_an_image_goes_out_and_comes_back_with_its_id(client, built, tmp_path):
    shop, image = built
    images = DockerImages(client)
    first, second = tmp_path / "first.tar.zst", tmp_path / "second.tar.zst"
    export_image(image.tag, first, shop, images, SILENT)
    client.images.remove(image.tag, force=True)
    assert not images.has(image)
    elsewhere = workshop(make_project(tmp_path / "elsewhere"))
    assert import_image(first, elsewhere, images, SILENT).image == image
    export_image(image.image, second, elsewhere, images, SILENT)
    assert first.read_bytes() == second.read_bytes()


def test_an_image_that_the_engine_does_not_hold_is_named(client, tmp_path):
    shop = workshop(make_project(tmp_path / "project"))
    with pytest.raises(Unavailable, match="holds no image mambomeme:none"):
        export_image("mambomeme:none", tmp_path / "x.tar", shop, DockerImages(client), SILENT)
    assert not (tmp_path / "x.tar").exists()


def test_another_programs_image_is_refused(client, tmp_path):
    layer = io.BytesIO()
    with tarfile.open(fileobj=layer, mode="w") as tar:
        tar.addfile(tarfile.TarInfo("a"))
    name = f"foreign:{os.getpid()}"
    client.api.import_image_from_data(layer.getvalue(), repository="foreign", tag=str(os.getpid()))
    shop = workshop(make_project(tmp_path / "project"))
    try:
        with pytest.raises(BadInput, match="was not made by this project"):
            export_image(name, tmp_path / "x.tar", shop, DockerImages(client), SILENT)
    finally:
        client.images.remove(name)
