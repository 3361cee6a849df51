"""Results that an H200 gave (driver 580, code of CUDA 13.0), where the steps of an approximation show in the bits:
arguments in fixed point, results cut off. Not computed here, so they hold the model to the hardware."""

from __future__ import annotations

from vector_rows import Row

MEASURED: dict[str, list[tuple[int, ...]]] = {
    # Arguments below 2^-25 turns and huge ones give 0, or 1; pi ends half a turn; the turns are cut off.
    "sin.approx.f32": [(0x8B207433, 0x80000000), (0xA89EB150, 0x80000000), (0xC9B0D090, 0), (0x4D74AB61, 0),
                       (0x40490FDB, 0), (0xC0490FDB, 0x80000000)],
    "sin.approx.ftz.f32": [(0x32D03984, 0), (0xBFF9C595, 0xBF6DAFAF), (0x9D1BBC39, 0x80000000)],
    "cos.approx.f32": [(0x40256145, 0xBF593B7E), (0xD82F98BB, 0x3F800000), (0xC044EAE3, 0xBF7F76A3), (0x3FC90FDB, 0)],
    "cos.approx.ftz.f32": [(0xCC8BA1DE, 0x3F800000), (0x3DCFF439, 0x3F7EAE70), (0x574DF7C6, 0x3F800000)],
    # a * (1 / b), rounded twice.
    "div.approx.f32": [(0x3085B886, 0x276CCC86, 0x4890904E), (0x7007D180, 0xB9E49F18, 0xF5981552),
                       (0x80800000, 0x80000001, 0x4B000000)],
    "div.full.f32": [(0xBEF354ED, 0x40FB2EE3, 0xBD77FF7E), (0xED9D6357, 0xD3774BF3, 0x59A2ED58)],
    "div.full.ftz.f32": [(0x240A377F, 0x9D13502F, 0xC6703138), (0x3E48ADF0, 0xC0DF5AFF, 0xBCE60280)],
    # Cut off toward zero, the table a little high; 1 is exact.
    "lg2.approx.f32": [(0x7F7FFFFF, 0x42FFFFFF), (0x00800000, 0xC2FBFFFF), (0x33800000, 0xC1BFFFFF), (0x3F800000, 0),
                       (0x3E5CB9ED, 0xC00DB04C), (0x19B86C2F, 0xC296F23D), (0x007FFFFF, 0xC2FC0000), (1, 0xC3150000)],
    # 23 bits of the argument's fraction; ones' complement below zero.
    "ex2.approx.f32": [(0xB3800000, 0x3F800000), (0xBF800001, 0x3EFFFFFE), (0xBF800000, 0x3F000000)],
    "ex2.approx.f16": [(0x3C01, 0x4000), (0xBC01, 0x37FE), (0x8001, 0x3C00), (0x1400, 0x3C00), (0x9400, 0x3BFE),
                       (0x4C00, 0x7C00), (0xCB00, 0x0400)],
    "ex2.approx.ftz.bf16": [(0x3F81, 0x4000), (0xBF81, 0x3EFE), (0xB339, 0x3F80)],
    # The operand itself near zero, 1 from 8 on; the 16-bit forms cut off.
    "tanh.approx.f32": [(0xBA64F6B1, 0xBA64F6B1), (0xC102015A, 0xBF800000), (0x3B4CA6C6, 0x3B4CA6C6)],
    "tanh.approx.f16": [(0x3C00, 0x3A17), (0x45CD, 0x3BFF), (0x26A7, 0x26A6), (0x337C, 0x3359)],
    "tanh.approx.bf16": [(0x3F80, 0x3F42), (0x3B80, 0x3B80), (0xBD90, 0xBD8F)],
    # 24 bits, of which 21 fit in the upper word; one step of third order; NaNs as arithmetic has them.
    "rcp.approx.ftz.f64": [(0xBFFDE773EC32DDEB, 0xBFE11F1400000000), (0xC91528105E194CE7, 0xB6C8335B00000000)],
    "rsqrt.approx.ftz.f64": [(0x55241F96E0BC2849, 0x35542D2B00000000), (0x5B7C147BA70FDC29, 0x322827BE00000000)],
    "rsqrt.approx.f64": [(0x3FF0000000000001, 0x3FEFFFFFFFFFFFFF), (0x3FEFFFFFFFFFFFFF, 0x3FF0000000000000),
                         (0x8CA1F590883B33D2, 0xFFF8000000000000), (0x7FF238307BF095D3, 0x7FFA38307BF095D3)],
}


def rows() -> list[Row]:
    return [Row(op, row[:-1], row[-1:]) for op, found in MEASURED.items() for row in found]
