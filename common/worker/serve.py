"""A worker in Python (protocol.hpp): serve.py INPUT_SIZES OUTPUT_SIZES ADAPTER [ARGUMENT...]

ADAPTER is a Python file of the lab. It loads the student's module while it is imported (sys.argv holds ADAPTER and the
ARGUMENTs) and has a function serve(operation, words, inputs, outputs), which is called for each request. inputs and
outputs are lists of memoryviews of bytes, one for each buffer, inputs read-only; content lies at the end of each.
"""
import mmap
import os
import runpy
import struct
import sys

REQUESTS, ANSWERS, INPUTS, OUTPUTS = 3, 4, 5, 6
MAGIC = 0x3162616C6C6D7068
REQUEST, ANSWER = struct.Struct("<QQII5q"), struct.Struct("<Q")


def buffers(file: int, sizes: str, writable: bool) -> list[memoryview]:
    """Each fills whole pages, and a page that is nobody's follows."""
    view = memoryview(mmap.mmap(file, 0, prot=mmap.PROT_READ | (mmap.PROT_WRITE if writable else 0)))
    found, begin = [], 0
    for size in map(int, filter(None, sizes.split(","))):
        end = begin + -(-size // mmap.PAGESIZE) * mmap.PAGESIZE
        found.append(view[begin:end])
        begin = end + mmap.PAGESIZE
    return found


def main() -> None:
    inputs, outputs = buffers(INPUTS, sys.argv[1], False), buffers(OUTPUTS, sys.argv[2], True)
    sys.argv = sys.argv[3:]
    serve = runpy.run_path(sys.argv[0])["serve"]
    os.write(ANSWERS, ANSWER.pack(0))
    while len(request := os.read(REQUESTS, REQUEST.size)) == REQUEST.size:
        magic, sequence, operation, _, *words = REQUEST.unpack(request)
        if magic != MAGIC:
            return
        serve(operation, words, inputs, outputs)
        os.write(ANSWERS, ANSWER.pack(sequence))


main()
