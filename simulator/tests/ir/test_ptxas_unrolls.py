"""Does ptxas unroll the loops that listings/unrolled_loops.txt says it unrolls, and no longer ones?"""
import shutil
import struct
import subprocess
from pathlib import Path

import pytest

LISTINGS = Path(__file__).parent / "listings"
PTXAS = shutil.which("ptxas", path="/usr/bin:/usr/local/cuda/bin")
LOOPS = [(int(most), body.strip()) for most, body in
         (line.split("|") for line in (LISTINGS / "unrolled_loops.txt").read_text().splitlines() if not line.startswith("#"))]
FFMA = {0x223, 0x423, 0x823}  # the twelve low bits of machine code: of registers, with immediates

pytestmark = pytest.mark.skipif(PTXAS is None, reason="no ptxas here")


def version() -> str:
    return subprocess.run([PTXAS, "--version"], capture_output=True, text=True, check=True).stdout if PTXAS else ""


def machine_code(cubin: bytes) -> bytes:
    """The bytes of section .text.k (ELF64)."""
    table, count, names = struct.unpack_from("<Q", cubin, 40)[0], *struct.unpack_from("<HH", cubin, 60)
    sections = [struct.unpack_from("<IIQQQQ", cubin, table + 64 * i) for i in range(count)]
    strings = sections[names][4]
    for name, _, _, _, offset, size in sections:
        if cubin[strings + name:].startswith(b".text.k\0"):
            return cubin[offset:offset + size]
    raise AssertionError("no section .text.k")


def ffmas(body: str, count: int, folder: Path) -> int:
    text = (LISTINGS / "unrolled_loop.ptx").read_text().replace("  START", "").replace("BODY", body)
    text = text.replace("  FFMA", "  fma.rn.f32 %f1, %f1, 0f3F800001, 0f3F000000;\n" * count)
    text = text.replace("END", "add.s32 %r1, %r1, -4; setp.ne.s32 %p1, %r1, 0;")
    (folder / "k.ptx").write_text(text)
    subprocess.run([PTXAS, "-arch=sm_90", "-o", folder / "k.cubin", folder / "k.ptx"], check=True)
    code = machine_code((folder / "k.cubin").read_bytes())
    return sum(struct.unpack_from("<H", code, at)[0] & 0xfff in FFMA for at in range(0, len(code), 16))


@pytest.mark.skipif("release 13.0" not in version(), reason="the limits are those of ptxas 13.0")
@pytest.mark.parametrize("most, body", LOOPS, ids=range(len(LOOPS)))
def test_the_limits_are_those_of_ptxas(most, body, tmp_path):
    assert ffmas(body, most, tmp_path) == 7 * most  # four rounds, two, and the loop itself
    assert ffmas(body, most + 1, tmp_path) == most + 1
