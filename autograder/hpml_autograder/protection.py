"""What can be put between student code and this machine, as a level of the ladder L0 to L4."""
from dataclasses import dataclass, replace

LEVELS = ("L0", "L1", "L2", "L3", "L4")
# What a level leaves open, besides what the levels above it do.
OPEN = {"L4": "errors of the kernel", "L3": "short peaks of memory and processes: they are counted some times a second",
        "L2": "reading what every user here may read", "L1": "the network",
        "L0": "anything that you may do yourself"}


@dataclass(frozen=True)
class Protection:
    uid_drop: bool
    bwrap: str | None   # version
    unshare: bool
    cgroup: str         # "v2", "v1", "none"
    seccomp: bool = False  # programs may ask the kernel only for what syscalls.py lists; needs bubblewrap

    @property
    def level(self) -> str:
        if not self.uid_drop:
            return "L0"
        if self.bwrap:
            return "L4" if self.cgroup != "none" else "L3"
        return "L2" if self.unshare else "L1"

    @property
    def network(self) -> str:
        return "none" if self.bwrap or self.unshare else "host"

    def at_most(self, level: str) -> "Protection":
        """Without what the levels above need."""
        lowered = self
        if level < "L4":
            lowered = replace(lowered, cgroup="none")
        if level < "L3":
            lowered = replace(lowered, bwrap=None, seccomp=False)
        if level < "L2":
            lowered = replace(lowered, unshare=False)
        return replace(lowered, uid_drop=False) if level < "L1" else lowered

    def describe(self) -> dict[str, object]:
        """The record's sandbox block."""
        return {"level": self.level, "uid_drop": self.uid_drop, "bwrap": self.bwrap or "none", "cgroup": self.cgroup,
                "seccomp": self.seccomp, "net": self.network}

    def banner(self) -> str:
        """One line: the level, what it is made of, what it does not protect from."""
        parts = ["own user" if self.uid_drop else "as your own user", f"bubblewrap {self.bwrap}" if self.bwrap else "",
                 "seccomp" if self.seccomp else "", f"cgroup {self.cgroup}" if self.cgroup != "none" else ""]
        here = f"sandbox: {self.level} ({', '.join(part for part in parts if part)})"
        if self.level == "L0":
            reach = "your files are hidden, but nothing else keeps" if self.bwrap else "nothing keeps"
            return f"{here}: feedback only, no score of record; {reach} a program from what you may do yourself"
        unguarded = [OPEN[level] for level in reversed(LEVELS) if level >= self.level]
        return f"{here}; it does not protect from {', '.join(reversed(unguarded))}"
