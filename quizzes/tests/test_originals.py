"""Do the templates give the numbers of the original questions, which were computed for the content specification?"""
import json
import random
import subprocess
from fractions import Fraction

import pytest
from hpml_quizzes import draw
from hpml_quizzes.paths import ROOT
from hpml_quizzes.rng import Draws

T26 = {"batch": 64, "t1": "0.3", "thousands": 128}
ORIGINALS = [  # question, parameters, what the parts show or the key reads
    ("w02_scaling_efficiency", {"serial": 200, "time": 25, "p": 16}, ["50.0"]),
    ("w02_throughput", {"millions": 1000, "times": ["4.1", "1.8", "6.1"]}, ["250.0"]),
    ("w02_amdahl_days", {"days": 100, "serial": 1, "gpus": 100, "overhead": "0.02"}, ["50.25", "1.99", "3.99"]),
    ("w02_dot_product", {"size": 8, "rate": 100, "more": 50}, ["0.125", "800.0", "33.3"]),
    ("w10_sum_work_depth", {"n": 64}, ["63", "6", "10.50"]),
    ("w10_sum_work_depth", {"n": 8}, ["7", "3", "2.33"]),
    ("w10_wide_additions", {"arity": 4, "levels": 5}, ["341", "5"]),
    ("w06_conv_shape", {"n": 63, "c": 16, "k": 32, "f": 7}, ["29x29x32", "63x63x32", "31x31x16"]),
    ("w06_fully_connected", {"n": 200, "c": 3, "k": 200}, ["24,000,200 parameters"]),
    ("w06_conv_parameters", {"k": 200, "f": 5, "c": 3, "n": 32}, ["15200"]),
    ("w06_stack_of_small", {"layers": 3, "a": 10, "b": 20}, ["9800", "3600", "7"]),
    ("w06_receptive_field", {"f1": 5, "f2": 3, "f3": 1, "s1": 1, "s2": 1}, ["7"]),
    ("w06_bottleneck", {"f": 5, "r": 2}, ["3.448"]),
    ("w06_im2col", {"n": 5, "f": 3}, ["9x25", "9x9"]),
    ("w06_winograd", {"m": 4, "r": 3}, ["6"]),  # 12 direct, 6 by Winograd: 6 fewer
    ("w06_pools", {"image": [7, 7, 5, 5, 5, 7, 7, 5, 5, 7, 8, 8, 5, 5, 7, 8, 8, 6, 6, 7, 8, 8, 6, 6, 6]}, ["8", "7.667"]),
    ("w03_cross_entropy", {"thousands": 64}, ["11.07"]),
    ("w03_learning_rate_decay", {"rate": "0.01", "decay": "0.1", "step": 200}, ["0.4762"]),
    ("w03_learning_rate_decay", {"rate": "0.01", "decay": "0.01", "step": 200}, ["3.333"]),
    ("w03_learning_rate_decay", {"rate": "0.01", "decay": "0.001", "step": 200}, ["8.333"]),
    ("w03_learning_rate_decay", {"rate": "0.01", "decay": "0.0001", "step": 200}, ["9.804"]),
    ("w11_staleness", {"server": 100, "behind": [2, 2, 5, 3, 2, 4]}, ["4", "5", "3.00"]),
    ("w11_update_times", {"l1": ["1.5", ".9", "2.5", "1.2", "1.8", ".9"], "l2": [3, "2.5", "1.7", 3, ".7", ".8"],
                          "l3": ["2.5", "1.5", ".7", ".9", 2, "2.2"], "updates": 3}, ["8.0", "5.7", "2.5", "5.8"]),
    ("w11_gpu_price", {"t1": 100, "tn": "70.71", "n": 2, "price": "1.2"}, ["0.85"]),
    ("w11_gpu_price", {"t1": 100, "tn": 50, "n": 4, "price": "1.2"}, ["0.60"]),
    ("w11_gpu_price", {"t1": 100, "tn": "35.36", "n": 8, "price": "1.2"}, ["0.42"]),
    ("w11_gpu_price", {"t1": 100, "tn": 25, "n": 16, "price": "1.2"}, ["0.30"]),
    ("w12_epoch_time", T26 | {"s": 32, "ts": "0.37"}, ["2.960", "44.28", "81.1"]),
    ("w12_epoch_time", T26 | {"s": 128, "ts": "0.41"}, ["0.8200", "159.8", "73.2"]),
    ("w12_linear_scaling", {"rate": "0.1", "per": 32, "k": 2}, ["8", "0.80"]),
    ("w12_linear_scaling", {"rate": "0.1", "per": 32, "k": 16}, ["64", "6.40"]),
    ("w12_linear_scaling", {"rate": "0.1", "per": 32, "k": 32}, ["128", "12.80"]),
    ("w12_linear_scaling", {"rate": "0.1", "per": 32, "k": 64}, ["256", "25.60"]),
    ("w10_link_utilisation", {"ms": 400, "megabytes": 420, "p": 10, "gbs": 5}, ["37.80"]),
    ("w10_link_utilisation", {"ms": 400, "megabytes": 420, "p": 100, "gbs": 5}, ["41.58"]),
    ("w06_stochastic_depth", {"layers": 23, "last": "0.75"}, ["20.00"]),
    ("w06_stochastic_depth", {"layers": 29, "last": "0.4"}, ["20.00"]),
    ("w03_gradient_memory", {"millions": 25, "bits": 32, "optimiser": "Adam"}, ["100.0"]),
    ("w06_batch_and_parameters", {"f": 3, "c": 3, "k": 5, "n": 32, "batch": 10}, ["135", "135", "51.200"]),
    ("w07_transaction", {"size": 8, "used": [1, 5, 7]}, ["37.50"]),
    ("w01_training_compute", {"doubling": "3.5", "months": 12}, ["10.77"]),
    ("w01_gpt3_days", {"flop": 31 * 10**22, "devices": 10000, "peak": 125, "use": 30}, ["9.568"]),
    ("w07_float_sum", {"step": 1, "millions": 300}, ["16.777"]),
    ("w07_float_sum", {"step": 4, "millions": 300}, ["67.109"]),
    *[("w07_sectors", {"size": 4, "stride": stride, "offset": offset}, [count])
      for stride, offset, count in ((1, 0, "4"), (2, 0, "8"), (4, 0, "16"), (8, 0, "32"), (16, 0, "32"), (1, 1, "5"))],
    ("w07_sectors", {"size": 8, "stride": 1, "offset": 0}, ["8"]),
    *[("w07_bank_conflicts", {"stride": stride, "base": 0}, [ways])
      for stride, ways in ((1, "1"), (2, "2"), (3, "1"), (4, "4"), (8, "8"), (32, "32"), (33, "1"))],
    ("w07_occupancy", {"threads": 256, "registers": 40, "shared": 0}, ["4", "100.00"]),
    ("w07_occupancy", {"threads": 256, "registers": 72, "shared": 2048}, ["3", "75.00"]),
    ("w07_occupancy", {"threads": 324, "registers": 48, "shared": 7992}, ["2", "68.75"]),
    *[("w08_unified_memory", {"megabytes": size}, [count]) for size, count in ((4, "12"), (20, "59"), (400, "1146"))],
    ("w10_ring_bytes", {"p": 4, "megabytes": "44.7"}, ["67.0 MB"]),  # 67.05, a tie rounded to even
    ("w03_data_loader", {"gpus": 4, "batch": 32, "workers": 80, "fetch": 100, "transform": 20}, ["200.0", "40.00"]),  # the course divides: 160 and 32,
    ("w03_training_memory", {"billions": 7, "optimiser": "Adam", "bits": 32}, ["112.0"]),
    ("w13_lora", {"rows": 4096, "columns": 4096, "rank": 8}, ["65536", "0.39"]),
    ("w08_peak_and_time", {"chips": 2, "sms": 13, "lanes": 192, "mhz": 875, "gflop": "30.94"}, ["8.736", "3.542"]),
    ("w08_peak_and_time", {"chips": 2, "sms": 13, "lanes": 64, "mhz": 875, "gflop": "30.94"}, ["2.912", "10.62"]),
    ("w02_search", {"e": 33}, ["4295", "33"]),
    ("w10_pipeline", {"p": 4, "m": 8}, ["2.91", "27.3"]),
    *[("w01_network_transfer", {"net": {"name": "n", "gbit": gbit, "latency": latency}, "megabytes": "44.7"}, [ms])
      for gbit, latency, ms in ((10, 4, "35.76"), (40, 4, "8.944"), (100, 1, "3.577"), (400, "0.2", "0.8942"))],
    *[("w01_ridge_of_accelerators", {"gpu": {"name": "g", "format": "f", "peak": peak, "bw": bw}, "share": 100}, [ridge])
      for peak, bw, ridge in (("7.8", 900, "8.667"), ("15.7", 900, "17.44"), (125, 900, "138.9"), ("9.7", 1600, "6.062"),
                              ("19.5", 1600, "12.19"), (156, 1600, "97.50"), (312, 1600, "195.0"), (180, 2400, "75.00"))],
    *[("w01_top500_efficiency", {"system": {"name": "s", "rmax": rmax, "rpeak": rpeak}, "scale": 2, "loss": 0}, [percent])
      for rmax, rpeak, percent in (("1206.00", "1714.81", "70.3"), ("1012.00", "1980.01", "51.1"), ("561.20", "846.84", "66.3"),
                                   ("442.01", "537.21", "82.3"), ("379.70", "531.51", "71.4"))],
    *[("w10_server_and_ring", {"p": p, "millions": 1}, [server, ring])
      for p, server, ring in ((2, "2.000", "1.000"), (4, "6.000", "1.500"), (8, "14.00", "1.750"), (16, "30.00", "1.875"),
                              (64, "126.0", "1.969"))],
    ("q03_harmonic_mean", {"ops": 10000, "times": [12, 13, 10, "12.5", 11, "11.25", "10.25", 14, "13.75", "14.25"]}, ["820 FLOPS"]),
    ("q08_speedup_of_a_part", {"total": 15, "p1": 30, "p2": 50, "target": 9}, ["5 times"]),
    ("q14_geometric_mean", {"r": 15, "firsts": [5, "7.5", 15, 3, 6]}, ["√15"]),
]

TOP500_CORES = {"Frontier": 8_699_904, "Aurora": 9_264_128, "Eagle": 2_073_600, "Fugaku": 7_630_848, "LUMI": 2_752_704}


def number(value):
    if isinstance(value, dict):
        return {name: entry if name in ("name", "format") else number(entry) for name, entry in value.items()}
    if isinstance(value, list):
        return [number(entry) for entry in value]
    return value if isinstance(value, int) or any(c.isalpha() for c in value) else Fraction(value)


def instance_of(bank, solver, name, parameters):
    return draw.with_parameters(bank[name], {key: number(value) for key, value in parameters.items()}, Draws(1), solver)


@pytest.mark.parametrize(("name", "parameters", "shown"), ORIGINALS, ids=[f"{row[0]}-{n}" for n, row in enumerate(ORIGINALS)])
def test_original_numbers(bank, solver, name, parameters, shown):
    instance = instance_of(bank, solver, name, parameters)
    key = [part.shown for part in instance.parts] or [option.text for option in instance.options if option.correct]
    assert key == shown


def test_cores_of_the_top_five(bank, solver):
    systems = next(p for p in bank["w01_top500_cores"].parameters if p.name == "system").values
    for system in systems:
        instance = draw.with_parameters(bank["w01_top500_cores"], {"system": system, "extra": 0}, Draws(1), solver)
        assert instance.parts[0].value * 1000 == TOP500_CORES[system["name"]]


def test_power_of_the_green_five(bank, solver):
    power = {"JEDI": 61.9, "Isambard-AI phase 1": 107.8, "Helios GPU": 285.9, "Henri": 44.0, "preAlps": 240.3}
    systems = next(p for p in bank["w01_green500_power"].parameters if p.name == "system").values
    for system in systems:
        instance = draw.with_parameters(bank["w01_green500_power"], {"system": system, "hours": 1, "price": 10}, Draws(1), solver)
        assert float(instance.values["kw"]) == pytest.approx(power[system["name"]], abs=0.05)


OFFICIAL = [("w03_cross_entropy", {"thousands": 64}, ["10.37"], ["11.07"], "key says 10.37, the solver says 11.07"),
            ("w11_staleness", {"server": 100, "behind": [2, 2, 5, 3, 2, 4]}, ["4", "5", "8"], ["4", "5", "3.0"],
             "blank 3: key says 8, the solver says 3.00")]


@pytest.mark.parametrize(("name", "parameters", "wrong", "right", "says"), OFFICIAL)
def test_the_errors_of_official_keys_are_refused(tmp_path, name, parameters, wrong, right, says):
    """One took ln 32000 for 64,000 classes; the other has 8 where the mean staleness of six gradients is 3."""
    for parts, code in ((wrong, 1), (right, 0)):
        (tmp_path / "key.json").write_text(json.dumps({name: {"parameters": parameters, "parts": parts}}), encoding="utf-8")
        done = subprocess.run([ROOT / "tools/hpml", "quiz", "check-key", tmp_path / "key.json"], capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stderr
        assert (says in done.stdout and f"{name}.toml:" in done.stdout) == (parts is wrong)


def test_the_audit_page_tells_the_errors_of_official_keys():
    page = (ROOT / "docs/quiz1_audit.md").read_text(encoding="utf-8")
    for _, _, _, _, says in OFFICIAL:
        assert says in page


@pytest.mark.parametrize(("key", "says"), [
    ({"w99_none": {}}, "question w99_none: there is no such question"), ({"w02_search": {"parts": ["5"]}}, 'wants "parameters"'),
    ({"w02_search": {"parameters": {"x": 1}, "parts": ["5"]}}, "parameters: e, x missing or unknown"),
    ({"1": {"parts": ["5"]}}, 'question 1: write {"published_order": [places from 1]}'), ([], 'write {"1":')])
def test_a_key_that_cannot_be_read_is_one_line(tmp_path, key, says):
    (tmp_path / "key.json").write_text(json.dumps(key), encoding="utf-8")
    done = subprocess.run([ROOT / "tools/hpml", "quiz", "check-key", tmp_path / "key.json"], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and says in done.stderr and done.stderr.count("\n") == 1


def test_networks_of_the_specification(solver):
    nets = {name: solver("network", {"network": name}) for name in ("vgg16", "vgg19", "resnet18_cifar10")}
    share = {name: 100 * net["convolution_macs"] / net["macs"] for name, net in nets.items()}
    assert round(share["vgg19"], 2) == 99.37 and round(share["vgg16"], 2) == 99.20
    net = nets["resnet18_cifar10"]
    assert (net["parameters"], net["convolutions"], net["classifier_inputs"]) == (11_173_962, 20, 512)
    assert round(net["macs"] / 1e6, 1) == 555.4
    assert round(2 * nets["vgg16"]["macs"] / 1e9, 2) == 30.94


def test_order_of_the_variants_of_sgd_by_time(solver):
    """8 learners with exponential batch times, K = 4: time per 200,000 gradients, in thousands of mean batch times."""
    source, learners, updates = random.Random(11), 8, 900
    times = [[source.expovariate(1) for _ in range(4 * updates)] for _ in range(learners)]
    run = solver("update_times", {"batch_times": times, "updates": updates, "k": 4})
    per_gradient = {"k_batch_sync": run["k_batch_sync"] / 4, "k_sync": run["k_sync"] / 4, "sync": run["sync"] / learners,
                    "asynchronous": run["asynchronous"]}
    thousands = {name: 200 * time / updates for name, time in per_gradient.items()}
    expected = {"k_batch_sync": 25.0, "k_sync": 31.8, "sync": 68.2, "asynchronous": 25.0}
    for name, value in expected.items():
        assert thousands[name] == pytest.approx(value, rel=0.05), (name, thousands)
    assert thousands["k_batch_sync"] < thousands["k_sync"] < thousands["sync"]


def test_staleness_of_two_learners(solver):
    got = solver("staleness_of_arrivals", {"arrival_times": [[1, 2, 3, 4], [1.4, 2.8, 4.2]]})
    assert got["staleness"] == [0, 1, 1, 1, 1, 0, 2]
