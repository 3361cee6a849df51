"""Generator names of lab.toml -> how to plan and judge them."""
import lab5_answers as answers
import lab5_codebook as codebook
import lab5_compress_checks as compress
import lab5_fake as fake
import lab5_gemm as gemm
import lab5_lowering as lowering
import lab5_observers as observers
import lab5_weights as weights
from hpml_autograder.lab import Check


def no_runs(test, context):
    return []


CHECKS = {
    "choose": Check(weights.plan_choose, weights.judge_choose),
    "refused": Check(weights.plan_refused, weights.judge_refused),
    "quantize": Check(weights.plan_quantize, weights.judge_quantize),
    "random_tensors": Check(weights.plan_random, weights.judge_random),
    "weights": Check(weights.plan_weights, weights.judge_weights),
    "min_max": Check(observers.plan_min_max, observers.judge_min_max),
    "percentile": Check(observers.plan_percentile, observers.judge_percentile),
    "mse": Check(observers.plan_mse, observers.judge_mse),
    "kl": Check(observers.plan_kl, observers.judge_kl),
    "entropy": Check(observers.plan_entropy, observers.judge_entropy),
    "calibration": Check(observers.plan_calibration, observers.judge_calibration),
    "codebook": Check(codebook.plan, codebook.judge),
    "codebook_gaussian": Check(codebook.plan, codebook.judge_gaussian),
    "arrays": Check(lowering.plan_arrays, lowering.judge_arrays),
    "bias": Check(lowering.plan_bias, lowering.judge_bias),
    "multiplier": Check(lowering.plan_multiplier, lowering.judge_multiplier),
    "requantise": Check(lowering.plan_scalar, lowering.judge_scalar),
    "net": Check(lowering.plan_net, lowering.judge_net),
    "products": Check(gemm.plan, gemm.judge),
    "speed": Check(gemm.plan_speed, gemm.judge_speed),
    "fake_quant": Check(fake.plan_forward, fake.judge_forward),
    "fake_weights": Check(fake.plan_weights, fake.judge_weights),
    "e3_answers": Check(no_runs, answers.question(
        "e3_one_outlier_in_million", "e3_one_outlier_in_100000_total", "e3_one_outlier_in_100000_inliers")),
    "e5_answers": Check(no_runs, answers.question("e5_bytes", "e5_ratio")),
    "e6_answers": Check(no_runs, answers.question("e6_largest_pair", "e6_safe_k")),
    **compress.COMPRESS,
}
DATA = compress.DATA
