"""Compresses image archives, and opens them whether they are compressed or not."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import zstandard

from runner.adapters.frames import WINDOW_LOG, framer
from runner.errors import BadInput

#: Far more than any image that was scored here comes to; what claims more is not unpacked.
LARGEST_BYTES = 16_000_000_000
LEVEL = 9
_CHUNK = 1 << 20
#: No header of a frame is longer.
_HEADER = 18


def compress(tar: Path, to: Path) -> None:
    """Write a file as one zstd frame that names its size; equal files give equal bytes."""
    size = tar.stat().st_size
    with tar.open("rb") as source, to.open("wb") as sink:
        framer(LEVEL, size).copy_stream(source, sink, size=size)


@contextmanager
def plain(path: Path) -> Iterator[IO[bytes]]:
    """An archive as it is without compression; BadInput where it comes to another size than it says."""
    with path.open("rb") as file:
        header = file.read(_HEADER)
        file.seek(0)
        if not header.startswith(zstandard.FRAME_HEADER):
            yield file
            return
        with tempfile.TemporaryFile(prefix="image-") as tar:
            try:
                _unpack(file, tar, zstandard.frame_content_size(header))
            except (zstandard.ZstdError, EOFError) as error:
                raise BadInput(f"{path}: not an image archive: {error}.", advice="Export it again.") from None
            tar.seek(0)
            yield tar


def _unpack(file: IO[bytes], to: IO[bytes], size: int) -> None:
    """Write what comes out, as long as it is no more than the frame said; ZstdError or EOFError where it is not."""
    if not 0 <= size <= LARGEST_BYTES:
        raise EOFError(f"it comes to more than {LARGEST_BYTES} bytes, or does not say to how much")
    decompressor = zstandard.ZstdDecompressor(max_window_size=1 << WINDOW_LOG)
    with decompressor.stream_reader(file, closefd=False) as reader:
        while to.tell() <= size and (chunk := reader.read(_CHUNK)):
            to.write(chunk)
    if to.tell() != size:
        raise EOFError(f"it is cut off, or says {size} bytes where it has others")
