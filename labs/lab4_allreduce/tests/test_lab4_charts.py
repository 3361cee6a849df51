"""Every series has a chart, and the charts can be drawn from tables as the series make them."""
import lab4_charts
import lab4_series as series
import pytest

TABLES = {
    "size": [("algorithm", "ranks", "bytes", "seconds", "theory_seconds", "busbw_bytes_per_s"), ("ring", 64, 4, 1e-3, 1e-3, 1),
             ("ring", 64, 16, 1e-3, 1e-3, 2)],
    "ranks": [("algorithm", "ranks", "bytes", "seconds", "theory_seconds", "cpu_us_per_message", "kib_per_rank"),
              ("ps", 2, 4 << 20, 2, 2, 1, 9), ("ring", 2, 4 << 20, 1, 1, 1, 9), ("ring", 4096, 4 << 20, "", 1, "", "")],
    "agreement": [("algorithm", "network", "ranks", "bytes", "relay_seconds", "smpi_seconds", "theory_seconds", "difference"),
                  ("ring", "crossbar", 64, 4, 2, 2, 2, 0)],
    "matrix": [("algorithm", "from", "to", "bytes", "messages"), ("ring", 0, 1, 8, 1), ("tree", 1, 0, 8, 1)],
    "topology": [("network", "algorithm", "seconds", "theory_seconds"), ('"fat tree, natural"', "ring", 1, ""),
                 ('"fat tree, natural"', "hier", 1, 1)],
    "buckets": [("bucket_MiB", "overlap", "seconds", "theory_seconds"), (1, 1, 2, 2), (50, 0, 3, "")],
    "server": [("workers", "samples_per_s", "theory_samples_per_s", "mean_staleness", "theory_staleness"), (1, 2, 2, 0, 0)],
    "staleness": [("slow_factor", "staleness", "pushes", "theory_mean"), (1, 7, 9, 6.98), (5, 8, 3, "")],
    "losses": [("training", "steps", "seconds", "loss"), ('"synchronous, one slow"', 1, 1, 2)],
    "compressors": [("compressor", "fraction", "error_feedback", "payload_bytes", "loss"), ("dense", "", "", 2560, 0.6)],
    "namespaces": [("algorithm", "ranks", "bytes", "seconds", "theory_seconds", "times_theory"), ("ring", 4, 1 << 20, 0.065, 0.063, 1.03)],
}


def test_every_series_has_a_chart_and_a_table_here():
    assert {"namespaces", *(one.name for one in series.ALL)} == set(lab4_charts.CHARTS) == set(TABLES)


def drawn(name, folder):
    source = folder / f"{name}.csv"
    source.write_text("".join(",".join(map(str, row)) + "\n" for row in TABLES[name]))
    return [path.read_bytes() for path in lab4_charts.draw(name, source, folder)]


@pytest.mark.parametrize("name", sorted(TABLES))
def test_every_chart_can_be_drawn(name, tmp_path):
    assert all(b"</svg>" in picture for picture in drawn(name, tmp_path))


def test_a_chart_is_the_same_bytes_every_time(tmp_path):
    assert drawn("buckets", tmp_path) == drawn("buckets", tmp_path)


def test_simulated_message_counts_keep_a_ring_of_4096_ranks_out():
    assert series.messages("ring", 1024) == 2 * 1024 * 1023 <= series.MOST_MESSAGES < 2 * 4096 * 4095
