"""Every model of common/models once more, by another way: exact fractions, brute force, simulation step by step.

Written from the formulas' sources, not from the C++: a function per model, from the same inputs to the same outputs.
"""
import heapq
import itertools
import math
import statistics
import struct
from fractions import Fraction as F

SECOND = {}


def model(function):
    SECOND[function.__name__.rstrip("_")] = function
    return function


def exact(value):
    return [exact(x) for x in value] if isinstance(value, list) else F(value) if isinstance(value, (int, float)) else value


@model
def amdahl(serial_fraction, processors, overhead_per_processor):
    s, p, k = map(F, (serial_fraction, processors, overhead_per_processor))
    time = s + (1 - s) / p + k * p
    return {"speedup": 1 / time, "efficiency": 1 / time / p}


@model
def amdahl_best(serial_fraction, overhead_per_processor):
    def time(p):
        return serial_fraction + (1 - serial_fraction) / p + overhead_per_processor * p
    low, high = 1, 2**40
    while high - low > 2:  # the time falls, then rises
        third = (high - low) // 3
        if time(low + third) <= time(high - third):
            high = high - third
        else:
            low = low + third
    best = min(range(low, high + 1), key=time)
    return {"processors": best, "speedup": 1 / time(best)}


@model
def gustafson(serial_fraction, processors):
    s, p = F(serial_fraction), F(processors)
    return {"speedup": s + (1 - s) * p, "efficiency": s / p + (1 - s)}


@model
def part_speedup(total, share, target):
    total, share, target = F(total), F(share), F(target)
    rest = total - share * total
    possible = target - rest > total * F(1, 10**12)
    return {"possible": possible, "speedup": (total - rest) / (target - rest) if possible else 0}


@model
def scaling_efficiency(time_1_s, time_p_s, processors):
    one, many = F(time_1_s), F(time_p_s)
    return {"speedup": one / many, "strong_efficiency": one / (many * F(processors)), "weak_efficiency": one / many}


@model
def cpu_time(real_s, user_s, sys_s):
    return {"cpu_s": F(user_s) + F(sys_s), "waiting_s": float(F(real_s)) - (user_s + sys_s),
            "busy_cpus": (F(user_s) + F(sys_s)) / F(real_s)}


@model
def elapsed_time(cpu_s, processors, wait_s):
    return {"elapsed_s": (F(cpu_s) + F(wait_s) * F(processors)) / F(processors)}


@model
def growth(time, doubling_time):
    return {"factor": math.exp(math.log(2) * time / doubling_time)}


@model
def pipeline(stages, micro_batches):
    finish = [[0] * (micro_batches + 1) for _ in range(stages + 1)]
    for stage, batch in itertools.product(range(1, stages + 1), range(1, micro_batches + 1)):
        finish[stage][batch] = 1 + max(finish[stage - 1][batch], finish[stage][batch - 1])
    total = finish[stages][micro_batches]
    return {"speedup": F(stages * micro_batches, total), "bubble": F(total - micro_batches, total)}


@model
def means(values):
    mean = F(sum(map(F, values)), 1) / len(values)
    return {"arithmetic": statistics.fmean(values), "harmonic": statistics.harmonic_mean(values),
            "geometric": math.prod(values) ** (1 / len(values)), "median": statistics.median(values),
            "variation": math.sqrt(sum((F(x) - mean) ** 2 for x in values) / len(values)) / mean}


@model
def throughput(operations_per_run, times_s):
    rates = [F(operations_per_run) / F(t) for t in times_s]
    return {"operations_per_s": len(rates) / sum(1 / rate for rate in rates)}


@model
def arithmetic_intensity(flop, bytes):  # noqa: A002 - the model's own name
    return {"flop_per_byte": F(flop) / F(bytes)}


@model
def roofline(peak_gflops, bandwidth_gbs, flop_per_byte):
    time_compute, time_memory = F(flop_per_byte) / F(peak_gflops), 1 / F(bandwidth_gbs)
    return {"ridge_flop_per_byte": F(peak_gflops) / F(bandwidth_gbs),
            "attainable_gflops": F(flop_per_byte) / max(time_compute, time_memory),
            "bound": "memory" if time_memory > time_compute else "compute"}


@model
def roofline_point(peak_gflops, bandwidth_gbs, flop_per_byte, gflops):
    roof = roofline(peak_gflops, bandwidth_gbs, flop_per_byte)
    needed = F(gflops) / F(flop_per_byte)
    reach = "above_peak" if gflops > peak_gflops else "above_bandwidth" if needed > F(bandwidth_gbs) else "feasible"
    return {"attainable_gflops": roof["attainable_gflops"], "feasible": reach == "feasible", "reach": reach,
            "bound": roof["bound"]}


@model
def peak_flops(units, flop_per_cycle, clock_ghz):
    return {"gflops": F(clock_ghz) * F(units) * F(flop_per_cycle)}


@model
def parameter_server(elements, processes):
    return {"elements_at_server": sum((2 * F(elements) for _ in range(processes - 1)), F(0))}


@model
def ring_allreduce(elements, processes):
    return {"elements_per_process": 2 * F(elements) - 2 * F(elements) / processes}


@model
def alpha_beta(latency_us, bandwidth_gbs, bytes):  # noqa: A002
    return {"time_us": F(latency_us) + F(bytes) / F(bandwidth_gbs) / 1000}


@model
def allreduce_time(latency_us, bandwidth_gbs, bytes, processes):  # noqa: A002
    chunk = alpha_beta(latency_us, bandwidth_gbs, F(bytes) / processes)["time_us"]
    whole = alpha_beta(latency_us, bandwidth_gbs, bytes)["time_us"]
    holders, rounds = processes, 0
    while holders > 1:
        holders, rounds = (holders + 1) // 2, rounds + 1
    return {"ring_us": sum((chunk for _ in range(2 * (processes - 1))), F(0)), "tree_reduce_us": rounds * whole}


@model
def ring_link_utilisation(bandwidth_gbs, bytes, processes, compute_s):  # noqa: A002
    seconds = ring_allreduce(bytes, processes)["elements_per_process"] / (F(bandwidth_gbs) * 10**9)
    return {"utilisation": seconds / F(compute_s)}


@model
def allreduce_rounds(processes):
    levels = (processes - 1).bit_length()
    return {"one_to_all": 2 * processes - 2, "ring": 2 * processes - 2, "tree": 2 * levels, "butterfly": levels}


@model
def reduction(operands, arity):
    work, depth, left = 0, 0, operands
    while left > 1:
        full, rest = divmod(left, arity)
        left, depth = full + (1 if rest else 0), depth + 1
    left = operands
    while left > 1:
        left, work = left - min(arity, left) + 1, work + 1
    return {"work": work, "depth": depth}


@model
def convolution(width, in_channels, out_channels, filter, stride, padding, bias):  # noqa: A002
    out = len(range(-padding, width + padding - filter + 1, stride))
    weights = sum(in_channels for _ in range(filter * filter)) + bool(bias)
    taps = out * out * out_channels * (filter * filter * in_channels)
    return {"out_width": out, "parameters": weights * out_channels, "macs": taps, "flop": taps + taps}


@model
def fully_connected(inputs, outputs, bias):
    return {"parameters": inputs * outputs + (outputs if bias else 0), "macs": inputs * outputs}


@model
def receptive_field(filters, strides):
    low = high = 0
    for taps, stride in reversed(list(zip(filters, strides))):
        low, high = low * stride, high * stride + taps - 1
    return {"width": high - low + 1}


@model
def im2col(width, filter):  # noqa: A002
    outputs = [(r, c) for r in range(width - filter + 1) for c in range(width - filter + 1)]
    return {"rows": len(outputs), "sparse_columns": width**2, "dense_columns": filter**2}


@model
def winograd(outputs, taps):
    return {"multiplications": len(range(outputs + taps)) - 1, "direct": sum(taps for _ in range(outputs))}


@model
def pool(image, window, kind):
    width = math.isqrt(len(image))
    grid = [image[row * width:(row + 1) * width] for row in range(width)]
    out = []
    for r, c in itertools.product(range(width - window + 1), repeat=2):
        cells = [F(x) for row in grid[r:r + window] for x in row[c:c + window]]
        out.append(max(cells) if kind == "max" else sum(cells) / len(cells))
    return {"image": out}


def _vgg(config):
    """config: widths of layers, "M" for a pool (configurations D and E of the paper)."""
    side, channels, total, conv, work = 224, 3, 0, 0, 0
    for entry in config:
        if entry == "M":
            side //= 2
        else:
            total += (9 * channels + 1) * entry
            work += 9 * channels * entry * side * side
            channels, conv = entry, conv + 1
    dense = list(itertools.pairwise([side * side * channels, 4096, 4096, 1000]))
    total += sum((a + 1) * b for a, b in dense)
    return {"parameters": total, "convolutions": conv, "classifier_inputs": 4096, "convolution_macs": work,
            "macs": work + sum(a * b for a, b in dense)}


def _resnet18():
    """(in, out, side of the output, taps) of each convolution."""
    layers = [(3, 64, 32, 9)]
    for stage, (a, b, side) in enumerate([(64, 64, 32), (64, 128, 16), (128, 256, 8), (256, 512, 4)]):
        layers += [(a, b, side, 9), (b, b, side, 9), (b, b, side, 9), (b, b, side, 9)]
        layers += [(a, b, side, 1)] if stage else []
    work = sum(a * b * side**2 * taps for a, b, side, taps in layers)
    return {"parameters": sum(a * b * taps + 2 * b for a, b, _, taps in layers) + 512 * 10 + 10,
            "convolutions": len(layers), "classifier_inputs": 512, "convolution_macs": work, "macs": work + 5120}


@model
def network(network):
    heads = [64, 64, "M", 128, 128, "M"]
    if network == "resnet18_cifar10":
        return _resnet18()
    each = 3 if network == "vgg16" else 4
    return _vgg(heads + [256] * each + ["M"] + [512] * each + ["M"] + [512] * each + ["M"])


@model
def sectors(lanes, element_bytes, stride, offset):
    touched = {byte // 32 for lane in range(lanes) for byte in range((offset + lane * stride) * element_bytes,
                                                                    (offset + lane * stride + 1) * element_bytes)}
    used = len({byte for lane in range(lanes) for byte in range((offset + lane * stride) * element_bytes,
                                                                (offset + lane * stride + 1) * element_bytes)})
    return {"sectors": len(touched), "useful_bytes": used, "moved_bytes": 32 * len(touched),
            "efficiency": F(used, 32 * len(touched))}


@model
def bank_conflicts(stride_words):
    return {"ways": 32 // (32 // math.gcd(stride_words, 32)) if stride_words else 1}


@model
def occupancy(sm_warps, sm_blocks, sm_registers, register_unit_per_warp, sub_partitions, sm_shared_bytes,
              shared_unit_bytes, threads, registers_per_thread, shared_bytes):
    """Places blocks one by one until something runs out; warps go to the partition with most room."""
    warps = -(-threads // 32)
    registers = -(-registers_per_thread * 32 // register_unit_per_warp) * register_unit_per_warp
    shared = -(-shared_bytes // shared_unit_bytes) * shared_unit_bytes
    if registers * -(-warps // sub_partitions) * sub_partitions > sm_registers:
        return {"blocks": 0, "warps": 0, "occupancy": F(0)}
    slots = sub_partitions * (sm_registers // sub_partitions // registers) if registers else 10**9
    blocks = 0
    while blocks < sm_blocks and (blocks + 1) * warps <= min(sm_warps, slots) and (blocks + 1) * shared <= sm_shared_bytes:
        blocks += 1
    return {"blocks": blocks, "warps": blocks * warps, "occupancy": F(blocks * warps, sm_warps)}


@model
def unified_memory(bytes, threshold_percent):  # noqa: A002
    """Pages of 4 KiB, one set per 2 MiB block; a fault grows to 64 KiB, then to the largest dense power of two."""
    moves = []
    for base in range(0, bytes, 2**21):
        pages = -(-min(2**21, bytes - base) // 4096)
        here: set[int] = set()
        for page in range(pages):
            if page in here:
                continue
            leaf = set(range(page // 16 * 16, min(page // 16 * 16 + 16, pages)))
            best = leaf
            for size in (32, 64, 128, 256, 512):
                span = set(range(page // size * size, min(page // size * size + size, pages)))
                if 100 * len(span & (here | leaf)) > threshold_percent * len(span):
                    best = span
            moves.append(len((best | leaf) - here) * 4)
            here |= best | leaf
    return {"migrations": len(moves), "total_kib": sum(moves), "first_block_kib": moves[:6]}


def _as_float(value):
    return struct.unpack("f", struct.pack("f", value))[0]


@model
def float_counter(count, step):
    """Every sum below the point where it stands still is exact; that point is found by bisection."""
    def stands_still(steps):
        return _as_float(steps * step + step) == _as_float(steps * step)
    low, high = 0, 2**40
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if stands_still(middle) else (middle, high)
    return {"sum": min(count, high) * step}


def _quantised(scale, zero, low, high, x):
    q = max(low, min(high, round(F(x) / scale) + zero))
    return {"scale": scale, "zero_point": zero, "quantised": q, "dequantised": scale * (q - zero)}


@model
def quantise_asymmetric(x_min, x_max, bits, signed, x):
    low, high = min(F(x_min), 0), max(F(x_max), 0)
    scale = (high - low) / (2**bits - 1)
    q_min = -(2 ** (bits - 1)) if signed else 0
    return _quantised(scale, round(q_min - low / scale), q_min, q_min + 2**bits - 1, x)


@model
def quantise_symmetric(largest, bits, x):
    top = 2 ** (bits - 1) - 1
    return _quantised(F(largest) / top, 0, -top, top, x)


@model
def learning_rate_decay(rate_0, decay, step):
    return {"rate": F(rate_0) / (1 + F(decay) * F(step))}


@model
def initial_cross_entropy(classes):
    return {"loss": -math.log2(1 / classes) / math.log2(math.e)}


@model
def stochastic_depth(layers, survival_of_last):
    return {"expected_layers": sum(1 - F(block, layers) * (1 - F(survival_of_last)) for block in range(1, layers + 1))}


@model
def training_memory(parameters, bytes_per_value, optimiser):
    kept = ["weights", "gradients", *{"sgd": [], "momentum": ["velocity"], "adam": ["m", "v"]}[optimiser]]
    each = F(parameters) * F(bytes_per_value)
    return {"gradient_bytes": each, "total_bytes": sum(each for _ in kept)}


@model
def training_time(flop, devices, peak_tflops, utilisation):
    return {"days": F(flop) / 10**12 / (F(devices) * F(peak_tflops) * F(utilisation)) / (24 * 60 * 60)}


@model
def low_rank(rows, columns, rank):
    return {"parameters": rank * rows + rank * columns, "share": F(rank, rows) + F(rank, columns)}


def _ages(ages):
    return {"staleness": ages, "largest": max(ages), "smallest": min(ages), "mean": F(sum(ages), len(ages))}


@model
def staleness(server_version, versions_read):
    return _ages([server_version + place - read for place, read in enumerate(versions_read)])


@model
def staleness_of_arrivals(arrival_times):
    pending = [(times[0], learner, 0) for learner, times in enumerate(arrival_times)]
    heapq.heapify(pending)
    log, ages = [], []
    while pending:
        time, learner, place = heapq.heappop(pending)
        mine = max((i for i, who in enumerate(log) if who == learner), default=-1)
        ages.append(len(log) - 1 - mine if mine >= 0 else len(log))
        log.append(learner)
        if place + 1 < len(arrival_times[learner]):
            heapq.heappush(pending, (arrival_times[learner][place + 1], learner, place + 1))
    return _ages(ages)


def _k_batch(times, updates, k, retried):
    """A clock that runs from event to event: (time, did another gradient arrive with one that makes an update?)."""
    place, total, tie = [0] * len(times), F(0), False
    for _ in range(updates):
        clock = [(times[who][place[who]], who) for who in range(len(times))]
        heapq.heapify(clock)
        arrived, now, before = 0, F(0), None
        while arrived < k:
            before = now if arrived else None
            now, who = heapq.heappop(clock)
            arrived, place[who] = arrived + 1, place[who] + 1
            if place[who] < len(times[who]):
                heapq.heappush(clock, (now + times[who][place[who]], who))
        total += now
        tie = tie or (now == before and not retried) or bool(clock) and clock[0][0] == now
        if not retried:
            for other in range(len(times)):
                place[other] += 0 if other == who else 1
    return total, tie


@model
def update_times(batch_times, updates, k):
    times = [[F(repr(time)) for time in row] for row in batch_times]
    rounds = [sorted(row[i] for row in times) for i in range(updates)]
    ends = sorted(itertools.chain(*(itertools.accumulate(row) for row in times)))
    skipped, retried = (_k_batch(times, updates, k, again) for again in (False, True))
    return {"sync": sum(r[-1] for r in rounds), "k_sync": sum(r[k - 1] for r in rounds), "asynchronous": ends[updates - 1],
            "k_batch_sync": skipped[0], "k_batch_sync_retried": retried[0], "tie": skipped[1] or retried[1]}
