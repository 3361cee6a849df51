"""Generators of E8, P1 to P4, X and everything that is trained, and the data of their CUDA programs; checks.py takes them in."""
from dataclasses import replace

import lab5_blocks as blocks
import lab5_compress as compress
import lab5_distill as distill
import lab5_flash as flash
import lab5_gptq as gptq
import lab5_gpu as gpu
import lab5_lora as lora
import lab5_prune as prune
import lab5_training as training
import numpy as np
from hpml_autograder.lab import Case, Check, Data, Expected

COMPRESS = {
    "qgemm": Check(gpu.plan, gpu.judge_correct),
    "qgemm_refused": Check(gpu.plan_refused, gpu.judge_refused),
    "qgemm_instructions": Check(gpu.plan, gpu.judge_instructions),
    "qgemm_sectors": Check(gpu.plan, gpu.judge_sectors),
    "qgemm_cycles": Check(gpu.plan, gpu.judge_cycles),
    "prune_magnitude": Check(compress.plan, prune.judge_magnitude),
    "prune_two_of_four": Check(compress.plan, prune.judge_two_of_four),
    "prune_channels": Check(compress.plan, prune.judge_channels),
    "prune_allocation": Check(compress.plan, prune.judge_allocation),
    "train_quantised": Check(training.plan, training.judge_quantised),
    "convert": Check(training.plan, training.judge_converted),
    "prune_untrained": Check(training.plan, training.judge_untrained),
    "prune_tuned": Check(training.plan, training.judge_tuned),
    "prune_half": Check(training.plan, training.judge_two_of_four),
    "distill_loss": Check(compress.plan, distill.judge_loss),
    "distill_gain": Check(training.plan, training.judge_distilled),
    "lora_start": Check(compress.plan, lora.judge_start),
    "lora_gradient": Check(compress.plan, lora.judge_gradient),
    "lora_training": Check(compress.plan, lora.judge_training),
    "nf4": Check(compress.plan, lora.judge_nf4),
    "nf4_double": Check(compress.plan, lora.judge_double),
    "gptq_nearest": Check(compress.plan, gptq.judge_nearest),
    "gptq_error": Check(compress.plan, gptq.judge_error),
    "gptq_special": Check(compress.plan, gptq.judge_special),
    "gptq_smooth": Check(compress.plan, gptq.judge_smooth),
    "halves": Check(compress.plan, blocks.judge_halves),
    "q8_0": Check(compress.plan, blocks.judge_q8),
    "q4_0": Check(compress.plan, blocks.judge_q4),
    "flash": Check(flash.plan, flash.judge_correct),
    "flash_traffic": Check(flash.plan, flash.judge_traffic),
}


def inputs(case: Case) -> list[bytes]:
    """What a CUDA program of this lab may upload to its GPU."""
    return flash.inputs(case) if case.program == "flash" else gpu.inputs(case)


def other(case: Case, seed: int) -> Case:
    return replace(case, env=(("HPML_SEED", str(seed)),)) if case.program == "flash" else gpu.other(case, seed)


def result(case: Case) -> Expected:
    if case.program != "flash":
        return Expected(gpu.expected(case))
    values, score = flash.attention(case)
    return Expected(values.astype(np.float32), flash.bound(score))


def technique(case: Case, seed: int) -> tuple[tuple[str, str], Expected] | None:
    """E8 is about the instructions that multiply; flash may multiply as it likes."""
    if case.program == "flash":
        return None
    words, changed = gpu.by_technique(case, seed)
    return words, Expected(changed)


DATA = Data(inputs, other, result, technique=technique)
