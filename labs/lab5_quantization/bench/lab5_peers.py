"""The integer products of a hand-in beside a library's, in one run: oneDNN, where its headers are installed."""
import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

LAB = Path(__file__).resolve().parent.parent
HEADER = Path("/usr/include/dnnl.hpp")
Peers = dict[str, Any]


def measure(qgemm: Path) -> Peers:
    """Compiles qgemm.cpp, as it lies there, with peers.cpp. Errors of the compiler or of the run are said in "problem"."""
    if not HEADER.is_file():
        return {"rows": [], "problem": "oneDNN: not run (apt-get install libdnnl-dev)"}
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "peers"
        words = ["g++", "-std=c++20", "-O3", "-ffp-contract=off", f"-I{LAB / 'src'}", str(LAB / "bench" / "peers.cpp"), str(qgemm),
                 "-ldnnl", "-o", str(program)]
        for command in (words, [str(program)]):
            done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "OMP_NUM_THREADS": "1"})
            if done.returncode != 0:
                return {"rows": [], "problem": f"oneDNN: not run: {(done.stderr.strip() or 'no message').splitlines()[0]}"}
    return json.loads(done.stdout)


def text_of(peers: Peers) -> str:
    lines = [f"{row['what']}: {row['ms']:.3f} ms, {peers['peer']} {row['peer_ms']:.3f} ms; the least times: {row['ratio']:.2f} times as long"
             for row in peers["rows"]]
    return "\n".join([*lines, *[peers[name] for name in ("problem",) if name in peers]])


if __name__ == "__main__":
    import sys
    print(text_of(measure(Path(sys.argv[1]))))
