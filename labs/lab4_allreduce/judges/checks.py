"""Generator names of lab.toml -> how to plan and judge them."""
import lab4_bonus as bonus
import lab4_correct as correct
import lab4_downpour as downpour
import lab4_model as model
import lab4_overlap as overlap
import lab4_schedule as schedule
import lab4_time as time
import lab4_traffic as traffic
import lab4_training as training
import lab4_wall as wall
from hpml_autograder.lab import Check

CHECKS = {
    "chunks": Check(correct.plan_chunks, correct.judge_chunks),
    "sums": Check(correct.plan, correct.judge),
    "unbuffered": Check(traffic.plan_safe, traffic.judge_safe),
    "traffic": Check(traffic.plan, traffic.judge),
    "time": Check(time.plan, time.judge),
    "fit": Check(model.plan_fit, model.judge_fit),
    "predict": Check(model.plan_predict, model.judge_predict),
    "choose": Check(model.plan_choose, model.judge_choose),
    "ring_op": Check(overlap.plan_ring, overlap.judge_sums),
    "buckets": Check(overlap.plan_buckets, overlap.judge_sums),
    "overlap_time": Check(overlap.plan_time, overlap.judge_time),
    "overlap_gain": Check(overlap.plan_gain, overlap.judge_gain),
    "dense": Check(training.plan_dense, training.judge_dense),
    "codec": Check(training.plan_codec, training.judge_codec),
    "feedback": Check(training.plan_feedback, training.judge_feedback),
    "straggler": Check(training.plan_slow, training.judge_slow),
    "staleness": Check(downpour.plan_staleness, downpour.judge_staleness),
    "throughput": Check(downpour.plan_throughput, downpour.judge_throughput),
    "remedies": Check(downpour.plan_remedies, downpour.judge_remedies),
    "bonus_sums": Check(traffic.plan_safe, bonus.judge_sums),
    "schedules": Check(schedule.plan, schedule.judge_verdicts),
    "schedule_times": Check(schedule.plan, schedule.judge_times),
    "leaderboard": Check(bonus.plan_leaderboard, bonus.judge_leaderboard),
    "wall": Check(wall.plan, wall.judge),
}
