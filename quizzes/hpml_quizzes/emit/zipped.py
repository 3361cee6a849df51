"""Zip files that are the same bytes everywhere: stored, fixed order, fixed time and mode."""
import io
import zipfile


def stored(files: dict[str, bytes]) -> bytes:
    """A name that ends in / is an empty folder."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as package:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.create_system = 3
            entry.external_attr = (0o40755 << 16 | 0x10) if name.endswith("/") else 0o100644 << 16
            package.writestr(entry, content)
    return out.getvalue()
