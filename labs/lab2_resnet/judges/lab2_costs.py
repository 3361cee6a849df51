"""P2: FLOP, parameter and byte counts, exact: published networks, and layers counted here one product at a time."""
import random
from collections.abc import Collection, Sequence

from hpml_autograder.lab import Case, Context, Outcome, Run, Test, accepted, whole
from lab2_data import problem_of, wrong_at

# convolutions, MAC of these, their outputs, all MAC, trained parameters: the rows of common/nn/tests/cost_test.cpp. Networks of
# He et al. 2015, Simonyan and Zisserman 2014, Krizhevsky et al. 2012, Szegedy et al. 2014; parameters as torchvision has them.
NETWORKS = {
    "resnet18": (20, 555417600, 614400, 555422720, 11173962),
    "resnet8": (9, 12500992, 86016, 12501632, 78042),
    "resnet50": (53, 1297809408, 3432448, 1297829888, 23520842),
    "vgg19": (16, 19508428800, 14852096, 19632062464, 143667240),
    "vgg16": (13, 15346630656, 13547520, 15470264320, 138357544),
    "alexnet": (5, 665784864, 650080, 724406816, 60965224),
    "alexnet-one-tower": (5, 655566528, 484992, 714188480, 61100840),
    "googlenet": (57, 1581647872, 3226160, 1582671872, 6998552),
    "googlenet-torchvision": (57, 1497352192, 3226160, 1498376192, 6624904),
    "resnet18-224": (20, 1813561344, 2483712, 1814073344, 11689512),
    "resnet50-v1": (53, 3855925248, 10587136, 3857973248, 25557032),
    "resnet50-v1.5": (53, 4087136256, 11113984, 4089184256, 25557032),
    "vgg19-32": (16, 398131200, 303104, 398136320, 20029514),
}
RESNET18_OTHER = {"executed": 481854208 + 5120, "other_flop": 1228800 + 557056 + 245760 + 8192, "buffers": 9600}
FIELDS = ("macs", "executed_macs", "other_flop", "parameters", "buffers", "bytes_in", "bytes_w", "bytes_out")
SUMMED = ("macs", "parameters")  # of FIELDS, what a network's sums are compared by


def plan_networks(test: Test, context: Context) -> list[Case]:
    """In a score of record also drawn layers with products: a function that knows the networks does not know these."""
    drawn = context.also_drawn(test, [], lambda draw: drawn_layers(draw, ("conv2d", "linear")))
    return [Case("costs", f"network {' '.join(test.shapes)}"), *(Case("costs", f"layer {line}") for line in drawn)]


def judge_networks(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    checked = f"{len(test.shapes)} networks to the last digit"
    problem = problem_of(runs[0], context)
    if problem:
        return problem
    lines = {words[0]: words[1:] for words in map(str.split, runs[0].stdout.splitlines()) if len(words) == 12}
    for name in test.shapes:
        got = [whole(word) for word in lines.get(name, [])] or [-1] * 11
        convolutions, conv_macs, outputs, macs, parameters = NETWORKS[name]
        wanted = {"convolutions": (convolutions, got[0]), "MAC of the convolutions": (conv_macs, got[1]),
                  "outputs of the convolutions": (outputs, got[2]), "MAC": (macs, got[3]), "parameters": (parameters, got[6])}
        if name == "resnet18":
            wanted |= {"executed MAC": (RESNET18_OTHER["executed"], got[4]), "other FLOP": (RESNET18_OTHER["other_flop"], got[5]),
                       "buffers": (RESNET18_OTHER["buffers"], got[7])}
        for what, (expected, own) in wanted.items():
            if expected != own:
                return wrong_at(runs[0], f"{name}, {what}: expected {expected}, got {own}", checked)
    return judge_counts(context, runs[1:], SUMMED, checked)


def plan_layers(test: Test, context: Context) -> list[Case]:
    if test.params.get("data") == "hidden":
        lines = drawn_layers(random.Random(context.seed(test, 0)))
    else:
        ops = {line.split()[0] for line in test.shapes}
        lines = context.also_drawn(test, test.shapes, lambda draw: drawn_layers(draw, ops))
    return [Case("costs", f"layer {line}") for line in lines]


def drawn_layers(draw: random.Random, ops: Collection[str] = ()) -> list[str]:
    """Layers of every operator, or of those that are named."""
    lines = []
    for _ in range(4):
        k, groups = draw.choice((1, 3, 5)), draw.choice((1, 2, 4))
        lines.append(f"conv2d {draw.randint(5, 12)} {draw.randint(5, 12)} {4 * draw.randint(1, 4)} {4 * draw.randint(1, 4)} {k} "
                     f"{draw.randint(1, 3)} {draw.randint(0, k // 2)} {groups} {draw.randint(0, 1)}")
    h, c = draw.randint(2, 9), draw.randint(1, 20)
    lines += [f"{op} {h} {h} {c} {c} 1 1 0 1 0" for op in ("relu", "add", "batch_norm")]
    lines += [f"max_pool {h + 3} {h + 4} {c} {c} 3 2 1 1 0", f"linear 1 1 {c} {h} 1 1 0 1 1", f"linear 1 1 {c} {h} 1 1 0 1 0"]
    return [line for line in lines if not ops or line.split()[0] in ops]


def expected_layer(line: str) -> dict[str, int]:
    """Every product is visited and counted: slow, and another way than a formula's."""
    op, *words = line.split()
    h, w, ci, co, k, stride, pad, groups, bias = map(int, words)
    found = dict.fromkeys(FIELDS, 0)
    windowed = op in ("conv2d", "max_pool")
    oh, ow = ((size + 2 * pad - k) // stride + 1 if windowed else size for size in (h, w))
    if op == "linear":
        oh = ow = 1
    out = oh * ow * co
    if op == "conv2d":
        inside = sum(0 <= y * stride - pad + i < h and 0 <= x * stride - pad + j < w
                     for y in range(oh) for x in range(ow) for i in range(k) for j in range(k))
        found["executed_macs"] = inside * (ci // groups) * co
        found["macs"] = sum(ci // groups for _ in range(out) for _ in range(k * k))
        found["parameters"] = sum(1 for _ in range(co) for _ in range(ci // groups) for _ in range(k * k)) + bias * co
    elif op == "linear":
        found["macs"] = found["executed_macs"] = h * w * ci * co
        found["parameters"] = h * w * ci * co + bias * co
    elif op == "batch_norm":
        found["other_flop"], found["parameters"], found["buffers"] = 2 * out, 2 * co, 2 * co
    elif op == "max_pool":
        found["other_flop"] = out * k * k
    else:
        found["other_flop"] = out
    found["bytes_in"] = 4 * h * w * ci * (2 if op == "add" else 1)
    found["bytes_w"], found["bytes_out"] = 4 * found["parameters"], 4 * out
    return found


def judge_layers(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    return judge_counts(context, runs, FIELDS, f"{len(runs)} layers, eight counts each")


def judge_counts(context: Context, runs: Sequence[Run], fields: Collection[str], checked: str) -> Outcome:
    for run in runs:
        problem = problem_of(run, context)
        if problem:
            return problem
        words = run.stdout.split()
        got = dict(zip(FIELDS, map(whole, words[1:]))) if len(words) == 9 else {}
        for field, expected in expected_layer(run.case.args.split(maxsplit=1)[1]).items():
            if field in fields and got.get(field) != expected:
                return wrong_at(run, f"{field}: expected {expected}, got {got.get(field)}", checked)
    return accepted(checked)
