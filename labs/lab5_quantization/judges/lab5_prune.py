"""P1: masks, allocation and storage, by a second implementation in NumPy."""
import math
from collections.abc import Sequence

import numpy as np
from lab5_compress import Results, bits, differs, judge, normal, number, take

PERCENT = (0, 25, 50, 90, 99)
FRACTIONS = (0, .25, .5, .75, .9)
BUDGETS = (10, 40, 70, 85)
BEFORE = 7  # of the bytes of a mask: prune_main.cpp


def weights(words: Sequence[str]) -> tuple[int, int, list[np.ndarray]]:
    """Channels, and the layers of harness/prune_main.cpp."""
    ci, co, seed = map(int, words)
    count = 9 * ci * co
    first = normal(seed, 0, count).astype(np.float64) * 8
    first = (np.sign(first) * np.floor(np.abs(first) + 0.5) / 8).astype(np.float32)  # half away, as std::round
    return ci, co, [first, normal(seed, 1, count // 3, 0.3), normal(seed, 2, 50, 3)]


def keep(values: np.ndarray, fraction: float) -> np.ndarray:
    """0 for the floor(fraction n) smallest, ties by place."""
    mask = np.ones(len(values), np.uint8)
    mask[np.argsort(values, kind="stable")[:math.floor(fraction * len(values))]] = 0
    return mask


def two_of_four(w: np.ndarray, ci: int, co: int) -> np.ndarray:
    groups = np.abs(w).reshape(9, ci // 4, 4, co)
    order = np.argsort(-groups, axis=2, kind="stable")
    mask = np.zeros(groups.shape, np.uint8)
    np.put_along_axis(mask, order[:, :, :2], 1, axis=2)
    return mask.reshape(-1)


def wrong_mask(results: Results, name: str, what: str, expected: np.ndarray) -> str:
    return differs(f"{what} ({name})", take(results, name, expected.size, np.uint8), expected, before=BEFORE)


def find_magnitude(results: Results, words: Sequence[str]) -> str:
    _, _, layers = weights(words)
    for percent in PERCENT:
        said = wrong_mask(results, f"layer{percent}", f"magnitude mask, {percent} % of one layer", keep(np.abs(layers[0]), percent / 100))
        whole = keep(np.abs(np.concatenate(layers)), percent / 100)
        for place, part in enumerate(np.split(whole, np.cumsum([len(layer) for layer in layers])[:-1])):
            said = said or wrong_mask(results, f"global{percent}_{place}", f"global mask, {percent} %, layer {place}", part)
        if said:
            return said
    return ""


def find_two_of_four(results: Results, words: Sequence[str]) -> str:
    ci, co, layers = weights(words)
    expected = two_of_four(layers[0], ci, co)
    said = wrong_mask(results, "two_of_four", "2:4 mask, four neighbours along the input channels", expected)
    said = said or differs("apply_mask", take(results, "masked", layers[0].size), layers[0] * expected)
    said = said or differs("two_of_four_bits of 4096 weights of 8, 16, 32 bits", take(results, "bits", 3, np.float64),
                           np.array([4096 / 4 * (2 * width + 4) for width in (8, 16, 32)]))
    if not said and number(results, "refuses_2_4") != 1:
        said = "six input channels cannot be pruned 2:4: std::invalid_argument is expected"
    return said


def find_channels(results: Results, words: Sequence[str]) -> str:
    ci, co, layers = weights(words)
    norms = np.abs(layers[0].astype(np.float64)).reshape(-1, co).cumsum(axis=0)[-1]  # one after the other, as a loop adds
    for percent in PERCENT:
        channels = keep(norms, percent / 100)
        expected = {"norm": channels, "conv1": np.tile(channels, 9 * ci),
                    "conv2": np.broadcast_to(channels[None, :, None], (9, co, 2 * ci)).reshape(-1)}
        for name, mask in expected.items():
            said = wrong_mask(results, f"{name}_{percent}", f"channel mask, {percent} %", mask)
            if said:
                return said
    return ""


def sensitivities(seed: int) -> list[tuple[int, list[float]]]:
    layers = []
    for layer in range(7):
        accuracy = [0.91]
        for drop in bits(seed, 4 + layer, len(FRACTIONS))[1:]:
            accuracy.append(accuracy[-1] - int(drop) % 100 / 1000)
        layers.append((1000 + int(bits(seed, 3, 7)[layer]) % 40000, accuracy))
    return layers


def allocation(layers: list[tuple[int, list[float]]], budget: int) -> list[int]:
    levels, done = [0] * len(layers), 0
    pruned = [[math.floor(fraction * count) for fraction in FRACTIONS] for count, _ in layers]
    while done < budget:
        able = [i for i, level in enumerate(levels) if level + 1 < len(FRACTIONS)]
        best = min(able, key=lambda i: (layers[i][1][levels[i]] - layers[i][1][levels[i] + 1])
                   / (pruned[i][levels[i] + 1] - pruned[i][levels[i]]))
        done += pruned[best][levels[best] + 1] - pruned[best][levels[best]]
        levels[best] += 1
    return levels


def find_allocation(results: Results, words: Sequence[str]) -> str:
    layers = sensitivities(int(words[2]))
    total = sum(count for count, _ in layers)
    for percent in BUDGETS:
        expected = np.array(allocation(layers, total * percent // 100))
        said = differs(f"allocate, {percent} % of all weights: level of each layer",
                       take(results, f"levels{percent}", len(layers), np.int32), expected)
        if said:
            return said
    return "" if number(results, "refuses_budget") == 1 else (
        "a budget that the last levels do not reach must be refused with std::invalid_argument")


judge_magnitude = judge("masks of one layer and of all, five fractions", find_magnitude)
judge_two_of_four = judge("2:4 mask, masked weights, storage", find_two_of_four)
judge_channels = judge("channel masks of a block, five fractions", find_channels)
judge_allocation = judge("levels for four budgets", find_allocation)
