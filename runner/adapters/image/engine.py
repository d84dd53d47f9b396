"""The images of a Docker engine."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import docker
from docker.errors import DockerException, ImageNotFound

from runner.adapters.engine import engine_answers
from runner.errors import Unavailable
from runner.provenance.images import ImageRef

_CHUNK = 1 << 20


class DockerImages:
    """See `runner.ports.Images`."""

    def __init__(self, client: docker.DockerClient) -> None:
        self._client = client

    def has(self, image: ImageRef) -> bool:
        """See `runner.ports.Images`. The id is the config's digest, or the manifest's in a containerd store."""
        try:
            with engine_answers():
                return self._client.images.get(image.tag).id in {image.image, image.manifest}
        except ImageNotFound:
            return False

    def load(self, archive: Path) -> None:
        """See `runner.ports.Images`."""
        try:
            with archive.open("rb") as file:
                self._client.images.load(file)
        except DockerException as error:
            raise Unavailable(f"The Docker engine does not load the image: {error}.") from None

    @contextmanager
    def saved(self, name: str) -> Iterator[Path]:
        """See `runner.ports.Images`."""
        with tempfile.NamedTemporaryFile(prefix="image-", suffix=".tar") as file:
            try:
                for chunk in self._client.images.get(name).save(chunk_size=_CHUNK):
                    file.write(chunk)
            except ImageNotFound:
                raise Unavailable(
                    f"The engine holds no image {name}.", advice="Make it: `./bench run build`."
                ) from None
            file.flush()
            yield Path(file.name)
