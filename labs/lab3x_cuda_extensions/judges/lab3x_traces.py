"""What each technique of the extensions leaves behind. A target that asks for little of something (loads, conflicts,
barriers) is reached by a kernel that does without, too; it counts only where the technique itself can be seen. Bounds leave
room for other shapes: tiles up to 128 x 128, 8 x 8 results per thread, four elements per access."""
from collections.abc import Callable

from hpml_autograder.lab import WARP, Metrics, Run, traffic, uncounted

FLOAT, SECTOR_FLOATS = 4, 8
MORE = 1.05           # than what must move: borders, partial sums
TAPS = 9
HEAD = 32             # length of a row of Q, K, V and O
PRODUCTS = tuple(kind + op for kind in "fdh" for op in ("fma", "mul"))
PER_BLOCK = 4         # requests for partial sums,
PER_REQUEST = 256     # or elements that have been added up before each
ATOMICS = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"  # one for all lanes that add to the same word
ADDED = 3             # additions of each thread behind its own sum, of the five that shuffles take
WATCHED = {"m6": "phases"}  # by program: what the simulator counts besides (gpusim --check)
STAGED = "gpusim__shared_staged_words{}.sum"
BESIDE = 0.75         # of the words behind a block's first slab, stored while others are taken
ONCE = 1.3            # words stored, of those that square tiles need


def naive(metrics: Metrics, args: str) -> str:
    """Four sectors of B and one of A for 32 products: not more, so that useless small loads dilute nothing."""
    products, loaded = int(args) ** 3, traffic(*metrics.kernels).sectors("ld")
    most = MORE * 5 * products / WARP
    return uncounted(metrics) or (
        "" if loaded <= most else f"{loaded:.0f} sectors are loaded, {most:.0f} at most are needed")


def shared(metrics: Metrics, args: str) -> str:
    """Elements go through tiles, and products take their factors from there."""
    n = int(args)
    return uncounted(metrics) or traffic(*metrics.kernels).untiled(n ** 3 / 64, n ** 3 / 4)


def tiled(metrics: Metrics, args: str) -> str:
    """All of them."""
    loaded, most = traffic(*metrics.kernels).sectors("ld"), MORE * 2 * int(args) ** 3 / 16 / SECTOR_FLOATS  # tiles of 16
    return shared(metrics, args) if loaded <= most else (
        f"{loaded:.0f} sectors are loaded, with tiles in shared memory at most {most:.0f}: what is there once serves all "
        "threads of the block")


def blocked(least: int) -> Callable[[Metrics, str], str]:
    """Tiles, and several results in the registers of each thread."""
    def trace(metrics: Metrics, args: str) -> str:
        return tiled(metrics, args) or traffic(*metrics.kernels).unblocked(int(args) ** 2, least)
    return trace


def double_buffered(metrics: Metrics, args: str) -> str:
    """Require that, between two barriers, a block loads one slab from shared memory and stores the next slab. Padding stores with
    unused words does not help, because the total of stored words is bounded by the size of the tiles."""
    missing = tiled(metrics, args)
    if missing:
        return missing
    words, first, beside = (metrics.total(STAGED.format(which)) for which in ("", "_first", "_beside"))
    n, blocks = int(args), sum(kernel.grid[0] * kernel.grid[1] * kernel.grid[2] for kernel in metrics.kernels)
    most = ONCE * 2 * n * n * blocks ** 0.5
    if words > most:
        return f"{words:.0f} words go through shared memory, {most:.0f} at most are needed for {blocks} tiles of C"
    return "" if words > first and beside >= BESIDE * (words - first) else (
        f"{words - first:.0f} words are stored in shared memory behind each block's first slab, {beside:.0f} of them while the slab "
        "before is used: store the next slab and use this one between the same two barriers")


def reduced(metrics: Metrics, args: str) -> str:
    """Whole warps load neighbours, each element once, and few of their threads go to the sum."""
    n, moved = int(args), traffic(*metrics.kernels)
    blocks = sum(kernel.grid[0] * kernel.grid[1] * kernel.grid[2] for kernel in metrics.kernels)
    own = PER_BLOCK * blocks + n / PER_REQUEST  # partial sums, written and read again
    if moved.requests("ld") > n / WARP * MORE + own or moved.sectors("ld") > n / SECTOR_FLOATS * MORE + own:
        return (f"{moved.requests('ld'):.0f} requests load {moved.sectors('ld'):.0f} sectors, {n // WARP} and "
                f"{n // SECTOR_FLOATS} do: let whole warps load neighbours, once, and bring the lanes' values together")
    if moved.requests("st") > own:
        return (f"{moved.requests('st'):.0f} requests go to the sum or to partial sums, {own:.0f} are enough for {blocks} blocks: bring the "
                "lanes' values together before that")
    added, least = metrics.executed("fadd", "ffma"), n + ADDED * moved.threads()
    return "" if added >= least or not any(kernel.metric(ATOMICS) for kernel in metrics.kernels) else (
        f"atomics in shared memory bring the lanes' values together, and {added:.0f} additions are made; with shuffles each thread makes "
        "five of its own")


def unfolded(metrics: Metrics, args: str) -> str:
    """The columns are written and read."""
    c, h, w, k = map(int, args.split(","))
    columns = FLOAT * TAPS * c * h * w
    return traffic(*metrics.kernels).unmoved(columns, columns + FLOAT * k * h * w)


def prefetched(metrics: Metrics, args: str) -> str:
    moved = metrics.unified["host_to_device_bytes"]
    return "" if moved >= FLOAT * int(args) else (
        f"{moved} bytes of managed memory were moved to the GPU, {FLOAT * int(args)} are needed")


def overlapped(metrics: Metrics, args: str) -> str:
    """Nothing but the data goes there and back, so that no other copy makes the sum of the times longer."""
    for kind in ("HtoD", "DtoH"):
        copied = sum(copy.bytes for copy in metrics.copies if copy.kind == kind)
        if not FLOAT * int(args) <= copied <= MORE * FLOAT * int(args):
            return f"{copied} bytes are copied {kind}, the data has {FLOAT * int(args)}"
    return ""


def one_pass(metrics: Metrics, args: str) -> str:
    """Nothing but O is written, at worst in halves of sectors: no n x n matrix. Registers may be spilled."""
    moved, n = traffic(*metrics.kernels), int(args)
    stored, most = moved.sectors("st", spilled=False), 2 * n * HEAD / SECTOR_FLOATS
    return uncounted(metrics) or moved.not_in_registers(n, HEAD) or ("" if stored <= most else
        f"{stored:.0f} sectors are stored, O has {most / 2:.0f}: K and V are read once per block of rows, and scores stay there")


def transformed(metrics: Metrics, args: str) -> str:
    """Winograd's F(4 x 4, 3 x 3) makes 36 multiplications for 16 results: a kernel with fewer of them does not compute its
    results in floating point."""
    c, h, w, k = map(int, args.split(","))
    made, least = metrics.executed(*PRODUCTS), 36 / 16 * c * h * w * k
    return "" if made >= least else f"{made:.0f} multiplications of floating-point numbers are made, {least:.0f} are needed"


def not_that_way(run: Run) -> str:
    """What the technique's counters show may be done for show: the result must come by its way (lab3x_ways)."""
    return "" if run.by_technique is not False else WAYS["reduction" if run.case.program == "reduction" else "tiles"]


WAYS = {"tiles": "its products do not take their factors from shared memory: when the grader changes the numbers that are loaded from "
                 "there, the result does not follow",
        "reduction": "its sum does not come by way of shuffles: when the grader changes what they deliver, the sum stays the same"}
TRACES: dict[str, Callable[[Metrics, str], str]] = {
    "m1": naive, "m2": shared, "m3": blocked(4), "m4": blocked(4), "m5": tiled, "m6": double_buffered, "reduction": reduced,
    "im2col": unfolded, "winograd": transformed, "prefetch": prefetched, "streams": overlapped,
    "flash": one_pass}
