"""Generator names of lab.toml -> how to plan and judge them."""
import lab6_answers as answers
import lab6_attention as attention
import lab6_gru as gru
import lab6_loss as loss
import lab6_profile_checks as profile
import lab6_sweep_checks as sweep
import lab6_training as training
import lab6_vocab as vocab
from hpml_autograder.lab import Check


def no_runs(test, context):
    return []


CHECKS = {
    "corpus": Check(vocab.plan_corpus, vocab.judge_corpus),
    "refused": Check(vocab.plan_refused, vocab.judge_refused),
    "normalise": Check(vocab.plan_normalise, vocab.judge_normalise),
    "vocabulary": Check(vocab.plan_vocabulary, vocab.judge_vocabulary),
    "batch": Check(vocab.plan_batch, vocab.judge_batch),
    "gru": Check(gru.plan, gru.judge),
    "gru_structure": Check(gru.plan_structure, gru.judge_structure),
    "gru_allocations": Check(gru.plan, gru.judge_allocations),
    "attention": Check(attention.plan, attention.judge),
    "loss": Check(loss.plan, loss.judge),
    "padding": Check(loss.plan_padding, loss.judge_padding),
    "teacher": Check(loss.plan_teacher, loss.judge_teacher),
    "clip": Check(loss.plan, loss.judge_clip),
    "steps": Check(training.plan_steps, training.judge_steps),
    "resume": Check(training.plan_resume, training.judge_resume),
    "exact_match": Check(training.plan_exact, training.judge_exact),
    "operators": Check(profile.plan, profile.judge_operators),
    "trace": Check(profile.plan_trace, profile.judge_trace),
    "hot": Check(no_runs, answers.judge_hot),
    "q_trace": Check(no_runs, answers.question("q_trace_fails")),
    "q_state": Check(no_runs, answers.question("q_init_state")),
    "q_clip": Check(no_runs, answers.question("q_clip_zero", "q_clip_zero_runs")),
    "q_loss": Check(no_runs, answers.question("q_lowest_loss")),
    **sweep.CHECKS,
}
