"""The bench's tables against published values, and how simulated kernels find their layers."""
import lab2_compare as compare
import lab2_costs as costs
import lab2_gpu as gpu
import lab2_page as page
import lab2_published as published
import lab2_tables as tables
import pytest
from hpml_autograder.lab import InfraError
from lab2_networks import resnet_cifar

COUNTS = {name: dict(zip(("convolutions", "conv_macs", "conv_outputs", "macs", "parameters"), row)) for name, row in costs.NETWORKS.items()}


def test_every_published_count_agrees_or_says_why():
    found = published.rows(COUNTS)[1:]
    assert len(found) == len(published.PUBLISHED)
    assert [row[0] for row in found if row[4] != "yes"] == ["resnet50-v1", "googlenet"]


def test_times_of_a_k80_are_those_of_its_data_sheet_s_peaks():
    """8.74 and 2.91 TFLOP/s with boost."""
    rows = {row[0]: row[1:] for row in published.k80_rows(COUNTS)}
    assert rows["vgg16"] == ("30.941", "3.542 / 10.625", "7.083 / 21.250", "5.514 / 16.543")
    assert rows["googlenet"] == ("3.165", "0.362 / 1.087", "0.725 / 2.174", "0.564 / 1.692")
    assert rows["resnet50-v1"] == ("7.716", "0.883 / 2.650", "1.766 / 5.299", "1.375 / 4.125")


@pytest.mark.parametrize("name, widths, blocks", [("resnet18", (64, 128, 256, 512), 2), ("resnet8", (16, 32, 64), 1)])
def test_the_judge_s_own_networks_have_the_published_counts(name, widths, blocks):
    layers = resnet_cifar(widths, blocks)
    assert sum(layer.macs for layer in layers) == COUNTS[name]["macs"]
    assert sum(layer.parameters for layer in layers) == COUNTS[name]["parameters"]


def test_a_table_is_the_sum_of_its_rows():
    found = compare.expected("resnet8 2 1e12 1e11 1e9 0.5 gpu:0:0:5 gpu:0:0:7 gpu:3:1:2 cpu:3:1:9".split())
    assert found["forward", 0][2] == pytest.approx(12e-6) and found["backward", 3][2:] == pytest.approx((2e-6, 9e-6))
    assert found["total", 0] == pytest.approx([sum(row[i] for key, row in found.items() if key[0] != "total") for i in range(4)])
    macs = 32 * 32 * 16 * 9 * 3  # the first layer: its backward pass has the forward pass's work, not twice of it
    assert found["forward", 0][0] == found["backward", 0][0] == pytest.approx(
        2 * 2 * macs / (1e12 * 0.5) + 4 * (2 * 32 * 32 * (3 + 16) + 432) / 1e11)


def kernel(us, start):
    return {"duration_us": us, "start_us": start, "metrics": {"dram__bytes_read.sum": 3, "dram__bytes_write.sum": 4,
                                                              "sm__warps_active.avg.pct_of_peak_sustained_active": 25.0}}


def test_kernels_are_joined_by_launch_order():
    plan = "stem conv2d forward 1\nrelu relu forward 1\nstem conv2d weights 1\n"
    printed = "stem forward 1 9.9\nrelu forward 1 9.9\nstem weights 2 9.9\n"
    found = gpu.join(plan, printed, [kernel(1.0, 50), kernel(2.0, 52), kernel(3.0, 55), kernel(4.0, 60)])
    assert found == [(0, 0, 1.0, 0, 7, 0.25), (1, 0, 2.0, 2, 7, 0.25), (0, 1, 3.0, 5, 7, 0.25), (0, 1, 4.0, 10, 7, 0.25)]
    with pytest.raises(InfraError, match="4 launches, the simulator counted 3"):
        gpu.join(plan, printed, [kernel(1.0, 50)] * 3)


def test_no_simulated_kernel_is_faster_than_its_bound():
    """The reference's times, layer by layer and pass by pass, for every GPU and batch."""
    reference = gpu.read()
    for name, batches in reference["kernels"].items():
        peak, bandwidth, clock = reference["devices"][name]
        for batch in batches:
            words = f"resnet18 {batch} {peak} {bandwidth} {clock} 1".split() + compare.simulated(name, int(batch))
            total = compare.expected(words)["total", 0]
            assert total[2] > total[1] > 0, (name, batch)


def test_charts_keep_their_names_apart_on_one_page(tmp_path):
    chart = tmp_path / "a.svg"
    chart.write_text('<?xml version="1.0"?><svg><path id="p"/><use href="#p" clip-path="url(#p)"/></svg>', encoding="utf-8")
    text = page.page("t", ["f"], [page.section("s", "w <", [chart, [("h",), ("1 < 2",)]])])
    assert 'id="a_p"' in text and 'href="#a_p"' in text and "url(#a_p)" in text and "1 &lt; 2" in text and "<?xml" not in text


def test_the_model_of_an_epoch_has_a_knee_where_a_batch_loads_as_fast_as_a_step():
    """40 batches of 8 samples of 5 ms; a step of 10 ms: four workers load a batch in 10 ms."""
    found = {workers: tables.model(workers, 0.010) for workers in tables.WORKERS}
    assert found == pytest.approx({0: 2.0, 1: 1.64, 2: 0.84, 4: 0.44, 8: 0.44, 12: 0.44, 16: 0.44})
    assert tables.best(found) == 4


def test_figures_of_the_gpus_and_the_time_of_a_step_are_read_from_the_programs_output():
    assert tables.devices_of("t4 8.1408e+12 3.2e+11 1.59e+09\n") == {"t4": (8.1408e12, 320e9, 1590e6)}
    assert tables.step_of("layer forward ms backward ms\nsum 1.5 2.5\n") == pytest.approx(0.004)
