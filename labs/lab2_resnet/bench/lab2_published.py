"""Counts and times as others print them, beside the exact ones: which agree, which do not, and why."""
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Counts = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class Published:
    network: str   # of common/nn/graph/networks.cpp
    field: str     # "macs", "parameters", "conv_outputs"
    value: float
    digits: int    # that the source prints
    source: str
    why: str = ""  # it differs


HE, TORCHVISION = "He et al. 2015, table 1", "torchvision, num_params and _ops of its weights"
V1 = "the stride lies in the first 1 x 1 convolution (v1)"
PUBLISHED = (
    Published("resnet18-224", "macs", 1.8e9, 2, HE),
    Published("resnet50-v1", "macs", 3.8e9, 2, HE, "3.86: the table cuts the last digit off instead of rounding; " + V1),
    Published("vgg19", "macs", 19.6e9, 3, HE),
    Published("resnet18-224", "macs", 1.814e9, 4, TORCHVISION),
    Published("resnet50-v1.5", "macs", 4.089e9, 4, TORCHVISION),
    Published("vgg16", "macs", 15.470e9, 5, TORCHVISION),
    Published("vgg19", "macs", 19.632e9, 5, TORCHVISION),
    Published("alexnet-one-tower", "macs", 0.714e9, 3, TORCHVISION),
    Published("googlenet-torchvision", "macs", 1.498e9, 4, TORCHVISION),
    Published("resnet18-224", "parameters", 11689512, 8, TORCHVISION),
    Published("resnet50-v1.5", "parameters", 25557032, 8, TORCHVISION),
    Published("vgg16", "parameters", 138357544, 9, TORCHVISION),
    Published("vgg19", "parameters", 143667240, 9, TORCHVISION),
    Published("alexnet-one-tower", "parameters", 61100840, 8, TORCHVISION),
    Published("googlenet-torchvision", "parameters", 6624904, 7, TORCHVISION),
    Published("alexnet", "conv_outputs", 650000, 2, "Krizhevsky et al. 2012, neurons"),
    Published("alexnet", "parameters", 60e6, 1, "Krizhevsky et al. 2012, abstract"),
    Published("googlenet", "macs", 1.5e9, 2, "Szegedy et al. 2014, section 1",
              "1.58: a budget that the network was designed for, not a count of it"),
)
# A K80 is a board of two GPUs: FLOP/s of both, single and double precision (13 SMs x 192 or 64 lanes x 2 FLOP each).
LANES = {"FP32": 192, "FP64": 64}
K80 = {"board, boost 875 MHz": (2, 875e6), "one GPU, boost 875 MHz": (1, 875e6), "board, base 562 MHz": (2, 562e6)}
K80_NETWORKS = ("vgg16", "googlenet", "resnet50-v1")


def rounded(value: float, digits: int) -> float:
    return float(f"{value:.{digits - 1}e}")


def rows(counts: Counts) -> list[Sequence[str]]:
    found: list[Sequence[str]] = [("network", "count", "published", "exact", "agrees", "source")]
    for one in PUBLISHED:
        exact = counts[one.network][one.field]
        same = rounded(exact, one.digits) == one.value
        assert same != bool(one.why), f"{one.network}, {one.field}: a reason belongs to the entries that differ"
        found.append((one.network, {"macs": "MAC", "conv_outputs": "outputs"}.get(one.field, one.field), f"{one.value:,.0f}", f"{exact:,}",
                      "yes" if same else one.why, one.source))
    return found


def k80_rows(counts: Counts) -> list[Sequence[str]]:
    """ms = FLOP / peak, FP32 / FP64."""
    found: list[Sequence[str]] = [("network", "GFLOP", *K80)]
    for network in K80_NETWORKS:
        flop = 2 * counts[network]["macs"]
        times = [" / ".join(f"{1e3 * flop / (gpus * 13 * lanes * 2 * hertz):.3f}" for lanes in LANES.values()) for gpus, hertz in K80.values()]
        found.append((network, f"{flop / 1e9:.3f}", *times))
    return found
