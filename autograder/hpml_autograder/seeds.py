"""Seeds of seeded data (autograder specification, section 7)."""
import hashlib
import hmac

PUBLIC_KEY = b"public"
# Scopes: of the public data that students test with and of choices that are equal for a course; else a hand-in's SHA-256.
COURSE = "course"


def seed(key: bytes, lab: str, test: str, scope: str, iteration: int) -> int:
    message = f"v1|{lab}|{test}|{scope}|{iteration}".encode()
    return int.from_bytes(hmac.new(key, message, hashlib.sha256).digest()[:8], "little")


def seed_id(key: bytes) -> str:
    return hashlib.sha256(key).hexdigest()[:8]
