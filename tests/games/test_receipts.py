"""The register's head, stamped by somebody else: a local authority of openssl, as any other would answer."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from games.errors.faults import Refused
from games.site.experiments import receipts
from games.site.experiments.registering import hash_of, register
from games.site.models import RegisterEntry, RegisterKind
from simsite.commands.register import _receipt, _stamp

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl here to stand for an authority"),
]
CONFIG = """
[tsa]
default_tsa = here
[here]
serial = serial
crypto_device = builtin
signer_cert = tsa.pem
signer_key = tsa.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
ess_cert_id_chain = no
ess_cert_id_alg = sha256
[usage]
extendedKeyUsage = critical,timeStamping
[ca]
basicConstraints = critical,CA:TRUE
keyUsage = critical,keyCertSign,cRLSign
"""


def openssl(place: Path, *args: str) -> None:
    subprocess.run(["openssl", *args], cwd=place, check=True, capture_output=True)


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("authority")
    (place / "tsa.conf").write_text(CONFIG)
    (place / "serial").write_text("01")
    key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    for name in ("ca", "other"):
        openssl(place, "req", "-x509", *key, "-keyout", f"{name}.key", "-out", f"{name}.pem", "-subj", f"/CN={name}",
                "-config", "tsa.conf", "-extensions", "ca", "-section", "ca")  # fmt: skip
    openssl(place, "req", *key, "-keyout", "tsa.key", "-out", "tsa.csr", "-subj", "/CN=clock", "-config", "tsa.conf",
            "-section", "ca")  # fmt: skip
    openssl(place, "x509", "-req", "-in", "tsa.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-out",
            "tsa.pem", "-extfile", "tsa.conf", "-extensions", "usage")  # fmt: skip
    return place


def entered(number: int) -> RegisterEntry:
    return register(kind=RegisterKind.DECLARED, subject=f"experiment e{number}", document={"experiment": f"e{number}"})


def answered(authority: Path, place: Path) -> Path:
    assert _stamp(place / "head.tsq") == 0
    asked, answer = str(place / "head.tsq"), str(place / "head.tsr")
    openssl(authority, "ts", "-reply", "-config", "tsa.conf", "-queryfile", asked, "-out", answer)
    return place / "head.tsr"


def test_an_authority_s_answer_dates_every_entry_up_to_the_stamped_one(
    authority: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entered(1)
    entered(2)
    answer = answered(authority, tmp_path)
    entered(3)
    capsys.readouterr()
    assert _receipt(answer, [authority / "ca.pem"]) == 0
    assert capsys.readouterr().out.startswith("entries 1 to 2 stood there at 2")
    assert _receipt(answer, []) == 0
    assert "was not looked at" in capsys.readouterr().out
    openssl(
        authority, "ts", "-verify", "-in", str(answer), "-queryfile", str(tmp_path / "head.tsq"), "-CAfile", "ca.pem"
    )


def test_a_chain_that_was_made_anew_does_not_hold_what_was_stamped(authority: Path, tmp_path: Path) -> None:
    entry = entered(1)
    answer = answered(authority, tmp_path)
    anew = hash_of(1, entry.at.replace(year=2020).isoformat(), entry.kind, entry.subject, entry.digest, "0" * 32)
    RegisterEntry.objects.filter(number=1).update(at=entry.at.replace(year=2020), hash=anew)
    assert _receipt(answer, [authority / "ca.pem"]) == 1
    assert receipts.read(answer.read_bytes()).entry == 0


def test_another_authority_and_an_altered_answer_are_refused(authority: Path, tmp_path: Path) -> None:
    entered(1)
    answer = answered(authority, tmp_path)
    with pytest.raises(Refused, match="signature does not hold"):
        _receipt(answer, [authority / "other.pem"])
    data = bytearray(answer.read_bytes())
    data[-10] ^= 1
    with pytest.raises(Refused, match="signature does not hold"):
        receipts.read(bytes(data), [(authority / "ca.pem").read_bytes()])
    with pytest.raises(Refused, match="no answer of a time stamp authority"):
        receipts.read(b"nothing")


def test_an_empty_register_has_nothing_to_stamp(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="nothing to stamp"):
        _stamp(tmp_path / "head.tsq")
