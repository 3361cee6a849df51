"""The random numbers of the given programs (common/nn/random.hpp), made a second time: Philox 4x32-10 (Salmon et al. 2011)."""
import numpy
from hpml_autograder.splitmix import mix_one

U64 = numpy.uint64


def stream_id(purpose: str, a: int = 0, b: int = 0) -> int:
    identity = 0
    for letter in purpose.encode():
        identity = mix_one(identity ^ letter)
    return mix_one(mix_one(identity ^ a) ^ b)


def uniforms(seed: int, stream: int, count: int) -> numpy.ndarray:
    """The first numbers of a stream, in [0, 1): 53 bits of every 64."""
    block = numpy.arange((count + 1) // 2, dtype=U64)
    low, shift = U64(0xFFFFFFFF), U64(32)
    words = [block & low, block >> shift, numpy.full_like(block, stream & 0xFFFFFFFF), numpy.full_like(block, stream >> 32)]
    key = [seed & 0xFFFFFFFF, seed >> 32]
    for _ in range(10):
        first, second = U64(0xD2511F53) * words[0], U64(0xCD9E8D57) * words[2]
        words = [(second >> shift) ^ words[1] ^ U64(key[0]), second & low,
                 (first >> shift) ^ words[3] ^ U64(key[1]), first & low]
        key = [(key[0] + 0x9E3779B9) & 0xFFFFFFFF, (key[1] + 0xBB67AE85) & 0xFFFFFFFF]
    bits = numpy.stack([words[1] << shift | words[0], words[3] << shift | words[2]], axis=1).ravel()[:count]
    return (bits >> U64(11)).astype(numpy.float64) * 2.0**-53


def permutation(n: int, seed: int, stream: int) -> list[int]:
    draws = uniforms(seed, stream, n)
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        j = int(draws[i] * (i + 1))
        order[i], order[j] = order[j], order[i]
    return order
