"""How archives are compressed: one zstd frame that names its size (RFC 8878)."""

from __future__ import annotations

import zstandard

#: Casts, pages and layers repeat what stands far away: the widest window that `zstd -d` takes without a word.
WINDOW_LOG = 27


def framer(level: int, size: int) -> zstandard.ZstdCompressor:
    """A compressor for `size` bytes; equal bytes give equal frames."""
    settings = zstandard.ZstdCompressionParameters.from_level(
        level, source_size=size, window_log=WINDOW_LOG, enable_ldm=True, write_checksum=True
    )
    return zstandard.ZstdCompressor(compression_params=settings)
