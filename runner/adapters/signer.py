"""The steward's key of this checkout; on first use a throw-away one, under a throw-away root, with a trust file."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from runner.adapters.keys import Ask, KeyFile, create, load_own_key, new_throw_away
from runner.errors import BadInput
from runner.provenance.public_key import PublicKey
from runner.provenance.trust import OFFICIAL, TRUST_TYPE, Role, Trust, TrustedKey

VALID_DAYS = 730
STEWARD, ROOT, TRUST = "steward.pem", "root.pem", "trust.json"
THROW_AWAY = "whoever holds this checkout"


def checkout_key(folder: Path, ask: Ask) -> KeyFile:
    """The key of this checkout: the encrypted one in `steward.pem`, if there is one.

    Else the first call makes one that is not encrypted, with a root key of the same kind and a trust file of both.
    """
    path, root = folder / STEWARD, folder / ROOT
    if not path.exists():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        new_throw_away(root)
        new_throw_away(path)
    key = load_own_key(path, ask)
    if root.exists() and not (folder / TRUST).exists():
        signer = load_own_key(root, ask)
        trust = checkout_trust(signer.public_key, key.public_key, path)
        create(folder / TRUST, signer.sign(trust.canonical(), TRUST_TYPE))
    return key


def checkout_trust(root: PublicKey, key: PublicKey, path: Path) -> Trust:
    """Trust in this checkout's own key. It asks for a witness too: alone, the key makes no result official.

    Valid from the day before, so that a run that was under way when its key was made can be signed.
    """
    made = datetime.fromtimestamp(int(path.stat().st_mtime), UTC)
    since, until = _stamp(made - timedelta(days=1)), _stamp(made + timedelta(days=VALID_DAYS))
    entry = TrustedKey(
        key=key, role=Role.STEWARD, person=THROW_AWAY, valid_from=since, valid_until=until, revoked_from=None
    )
    return Trust(
        format="mambomeme/trust/v1",
        version=1,
        root=root,
        issued_at=since,
        expires=until,
        policy=dict(OFFICIAL),
        keys={key.key_id: entry},
    )


def key_place(path: Path, checkout: Path) -> Path:
    """`path`, where a private key may lie: not in a checkout, but in its `.keys/`."""
    real = path.resolve()
    inside, own = real.is_relative_to(checkout.resolve()), (checkout / ".keys").resolve()
    if inside and not real.is_relative_to(own):
        raise BadInput(f"{path}: lies in the checkout.", advice="Keep keys in .keys/, or outside of it.")
    return path


def _stamp(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
