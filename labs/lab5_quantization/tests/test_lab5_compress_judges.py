"""The judges' own arithmetic, on numbers worked by hand and on published figures."""
import lab5_blocks as blocks
import lab5_distill as distill
import lab5_flash as flash
import lab5_gptq as gptq
import lab5_gpu as gpu
import lab5_lora as lora
import lab5_prune as prune
import numpy as np
import pytest
from hpml_autograder.lab import Case


def sqnr_db(x, approximation):
    return 10 * np.log10((x.astype(np.float64) ** 2).sum() / ((x - approximation).astype(np.float64) ** 2).sum())


@pytest.mark.parametrize("make, published_db", [(blocks.q8_0, 45.43), (blocks.q4_0, 21.31)])
def test_block_formats_reach_the_published_sqnr_on_normal_numbers(make, published_db):
    x = np.random.default_rng(1).standard_normal((20000, 32)).astype(np.float32)
    stored, values = make(x)
    assert sqnr_db(x, values) == pytest.approx(published_db, abs=0.05)
    assert stored.shape[1] == (34 if make is blocks.q8_0 else 18)


def test_a_q4_0_block_worked_by_hand():
    x = np.zeros((1, 32), np.float32)
    x[0, :3] = -4, 3.9, 1
    stored, values = blocks.q4_0(x)
    assert stored[0, :5].tolist() == [0x00, 0x38, 0x80, 0x8F, 0x8A]  # d = 0.5; -4 -> 0, 3.9 -> 15, 1 -> 10; 0 -> 8 above
    assert values[0, :4].tolist() == [-4, 3.5, 1, 0]


def test_gptq_error_ratios_are_the_published_ones():
    for rho, published in ((0, 0.76), (50, 0.57), (90, 0.15), (99, 0.03)):
        w, x, width, _ = gptq.problem(["64", "128", "256", "3", str(rho), "7"])
        ratio = gptq.output_error(w, gptq.gptq(w, x, width, 0.01), x) / gptq.output_error(w, gptq.nearest(w, width), x)
        assert ratio == pytest.approx(published, rel=0.15, abs=0.01)
        assert ratio < gptq.AT_MOST[rho]


def test_gptq_without_correlation_rounds():
    w = np.random.default_rng(2).standard_normal((8, 16)).astype(np.float32)
    assert np.array_equal(gptq.gptq(w, np.eye(16, dtype=np.float32), 3, 0.0), gptq.nearest(w, 3))


def test_nf4_levels_are_quantiles_of_the_normal_distribution():
    statistics = pytest.importorskip("statistics")
    quantile = statistics.NormalDist().inv_cdf
    offset = (1 - 1 / 32 + 1 - 1 / 30) / 2  # Dettmers et al. 2023
    positive = [quantile(p) for p in np.linspace(offset, 0.5, 9)[:-1]]
    negative = [-quantile(p) for p in np.linspace(offset, 0.5, 8)[:-1]]
    levels = np.sort([*positive, 0, *negative]) / max(positive)
    assert np.allclose(levels, lora.LEVELS, atol=2e-6)


def test_nf4_codes_are_the_nearest_levels():
    codes, scales = lora.nf4(np.array([0, -2, 2, 0.16, 1.0], np.float32))
    assert codes.tolist() == [7, 0, 15, 8, 12] and scales.tolist() == [2]


def test_masks_worked_by_hand():
    assert prune.keep(np.array([.1, .7, .3, .2]), 0.5).tolist() == [0, 1, 1, 0]
    assert prune.keep(np.array([1.0, 1, 1]), 0.67).tolist() == [0, 0, 1]
    w = np.zeros((9, 4, 2), np.float32)
    w[:, :, 0], w[:, :, 1] = [1, 1, 1, 1], [1, 4, 2, 3]
    mask = prune.two_of_four(w.reshape(-1), 4, 2).reshape(9, 4, 2)
    assert mask[0, :, 0].tolist() == [1, 1, 0, 0] and mask[0, :, 1].tolist() == [0, 1, 0, 1]


def test_the_distillation_gradient_is_the_formula_of_the_handout():
    rng = np.random.default_rng(3)
    teacher, student, labels = rng.standard_normal((4, 5)), rng.standard_normal((4, 5)), np.array([0, 4, 2, 2])
    for temperature in (1, 4, 100):
        soft, wanted = (np.exp(distill.log_softmax(z / temperature)) for z in (student, teacher))
        assert np.allclose(distill.gradient(teacher, student, labels, temperature, 1), temperature * (soft - wanted) / 4, atol=1e-6)
    limit = ((student - teacher) - (student - teacher).mean(axis=1, keepdims=True)) / (5 * 4)
    assert np.allclose(distill.gradient(teacher, student, labels, 1000, 1), limit, atol=1e-3)


def test_products_are_those_of_integers():
    case = Case("qgemm_dp4a", "64,128,192", (("HPML_SEED", "5"),))
    a, bt = gpu.matrices(case)
    assert a.shape == (64, 192) and bt.shape == (128, 192) and a.min() == -128 and a.max() == 127
    whole = gpu.expected(case)
    assert whole[3, 7] == sum(int(x) * int(y) for x, y in zip(a[3], bt[7]))
    assert not np.array_equal(whole, gpu.expected(Case("qgemm_dp4a", "64,128,192", (("HPML_SEED", "6"),))))
    small = gpu.expected(Case("qgemm_dp4a", "64,128,192 fused", case.env))
    assert small.dtype == np.int8 and len(np.unique(small)) > 100


def test_rows_that_see_no_key_are_zero():
    o, _ = flash.attention(Case("flash", "128 128 1 -70 1", (("HPML_SEED", "1"),)))
    assert not o[:70].any() and o[70:].all()


def test_derivatives_of_attention_are_differences_of_its_output():
    case = Case("flash", "64 50 1 -5 1 backward", (("HPML_SEED", "3"),))
    q, k, v, by_o = (array.astype(np.float64) for array in flash.arrays(case))
    found = flash.attention(case)[0].reshape(3, 64, 64)
    rows, keys = np.arange(64)[:, None], np.arange(64)[None]
    seen = (keys < 50) & (keys <= rows - 5)

    def loss(*inputs):
        weights = np.where(seen, np.exp(inputs[0] @ inputs[1].T / 8), 0)
        return float((by_o * (weights @ inputs[2] / np.maximum(weights.sum(axis=1, keepdims=True), 1e-300))).sum())
    for which in range(3):
        for row, column in ((0, 0), (20, 7), (49, 63)):
            step = np.zeros((3, 64, 64))
            step[which, row, column] = 1e-4
            slope = (loss(q + step[0], k + step[1], v + step[2]) - loss(q - step[0], k - step[1], v - step[2])) / 2e-4
            assert found[which, row, column] == pytest.approx(slope, abs=1e-7)
