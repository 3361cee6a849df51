"""ResNet-8 in integers as an ONNX file: what other programs make of it. onnx.checker and ONNX Runtime where they are installed;
the tree's own interpreter (common/onnx) always."""
import importlib.util
import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from hpml_autograder.lab import InfraError, build_dir

DATA = Path(__file__).resolve().parent.parent / "data"
IMAGE = (3, 32, 32)
Found = dict[str, Any]


def measure(path: Path) -> Found:
    """Writes the file. "same": how many of "images" a program sees as the class that the integers see."""
    with tempfile.TemporaryDirectory() as folder:
        images = Path(folder) / "images"
        command = [build_dir() / "bin" / "lab5_export", DATA / "resnet8.f32", path, images]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            raise InfraError(f"lab5_export: exit code {done.returncode} (message above)")
        found: Found = json.loads(done.stdout)
        return found | {"file": path.name, "checker": checker(path), "runtime": runtime(path, images, found["images"])}


def checker(path: Path) -> str:
    if importlib.util.find_spec("onnx") is None:
        return "not run (apt-get install python3-onnx)"
    import onnx
    onnx.checker.check_model(str(path))
    return f"accepts it (onnx {onnx.__version__})"


def runtime(path: Path, images: Path, count: int) -> Found:
    """ONNX Runtime is no package of the distributions."""
    if importlib.util.find_spec("onnxruntime") is None:
        return {"version": None}
    import onnxruntime
    size = count * int(np.prod(IMAGE))
    pixels = np.fromfile(images, np.float32, size).reshape(count, *IMAGE)
    classes = np.fromfile(images, np.int32, count, offset=4 * size)
    logits = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"]).run(None, {"image": pixels})[0]
    return {"version": onnxruntime.__version__, "same": int((logits.argmax(axis=1) == classes).sum())}


def text_of(found: Found) -> str:
    own, runtime_of = found["same"] / found["images"], found["runtime"]
    lines = [f"{found['file']}: {found['bytes']} bytes; onnx.checker: {found['checker']}",
             f"interpreter of common/onnx: {100 * own:.1f} % of {found['images']} images get the class that the integers give"]
    lines.append("ONNX Runtime: not run (it is not installed)" if runtime_of["version"] is None else
                 f"ONNX Runtime {runtime_of['version']}: {100 * runtime_of['same'] / found['images']:.1f} %")
    return "\n".join(lines)
