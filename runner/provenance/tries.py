"""What a run finds before it begins: how often the steward's log shows that the same was tried, and a nonce."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from runner.documents import Document

Count = Annotated[int, Field(ge=0)]
Head = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
#: What nobody could know before a witness gave it out.
NONCE = r"^[0-9a-f]{32}$"
Nonce = Annotated[str, Field(pattern=NONCE)]
#: It names a folder, and stands in commands and on terminals.
RunId = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9-]*$")]


class Tries(Document):
    """Runs that were begun, up to this one and with it: of its partition, and of its manifest.

    `unsealed` are those of the partition that came before and left no signed result: void, stopped or killed.
    """

    partition: Annotated[int, Field(ge=1)]
    manifest: Annotated[int, Field(ge=1)]
    unsealed: Count

    @property
    def sentence(self) -> str:
        """For people."""
        return (
            f"Run {self.partition} of this partition and {self.manifest} of this manifest in the steward's log; "
            f"{self.unsealed} before it left no signed result."
        )


class LogPlace(Document):
    """Where the steward's log has the start of a run: which entry, after which head."""

    index: Count
    head: Head
    tries: Tries
