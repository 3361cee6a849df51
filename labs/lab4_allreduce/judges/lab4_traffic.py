"""Who has sent how much to whom: compared, message by message and byte by byte, with the exact table."""
from collections import Counter
from collections.abc import Sequence

import lab4_correct
import lab4_table as table
from hpml_autograder.lab import Case, Context, Outcome, Run, Test, Verdict, accepted, wrong
from lab4_cases import keys_of, measured_case, measured_cells, shared_seed
from lab4_observation import Observation, Sent, sent
from lab4_shape import wrong_shape
from lab4_sums import names, wrong_sample
from lab4_table import FLOAT, PARTIAL, Flow
from lab4_waiting import observe

RANKS = (2, 3, 5, 8, 12)
SAFE_RANKS, SAFE_SIZES = (2, 5, 8), (1, 1000, 65537)
BESIDE = (5, 8)  # runs on Open MPI whose messages must be the same
FORMULA = {"ps": "server n (P-1), worker n", "ps_last": "server n (P-1), worker n", "tree": "n for each child, and n to the parent",
           "ring": "2 n - c(r+1) - c(r+2)", "rd": "n for each of the L steps", "rabenseifner": "halves: n/2, n/4, ...",
           "reduce_scatter": "n - c(r+1)", "allgather": "n - c(r+2)", "sharded": "c(j) and c(r) to each other rank j",
           "dtree": "n/2 over each edge of each tree, in both directions"}
SWEPT = {"hier": lambda ranks: (2, 3, ranks), "dtree": lambda ranks: (1, 3)}  # ranks per node; segments


def sizes(ranks: int) -> list[int]:
    return sorted({0, 1, 2, ranks - 1, ranks, ranks + 1, 13, 1000, 1001} | set(SAFE_SIZES if ranks in SAFE_RANKS else ()))


def operations_of(test: Test, ranks: int) -> list[str]:
    """With "hier": nodes of two ranks, of all ranks, and one size that does not divide P."""
    return [f"{one}{number}" for one in test.params["operations"]
            for number in (SWEPT[one](ranks) if one in SWEPT else ("",))]


def case_of(test: Test, context: Context, program: str, ranks: int) -> Case:
    return measured_case(program, ranks, [f"{one}:{n}" for one in operations_of(test, ranks) for n in sizes(ranks)],
                         seed=shared_seed(program, context))


def plan(test: Test, context: Context) -> list[Case]:
    program, operations = test.params["program"].rpartition("_")[0], test.params["operations"]
    on_open_mpi = test.params.get("correct", operations)
    beside = [lab4_correct.public_case(program, on_open_mpi, ranks, context) for ranks in BESIDE if on_open_mpi]
    return [case_of(test, context, test.params["program"], ranks) for ranks in RANKS] + beside


def plan_safe(test: Test, context: Context) -> list[Case]:
    """Also behind the relay, where a send waits as well. There no rank can make a sum without the others; on SMPI it can."""
    program = test.params["program"]
    programs = (program, program.replace("_smpi", "_relay")) if program.endswith("_smpi") else (program,)
    return [case_of(test, context, one, ranks) for one in programs for ranks in SAFE_RANKS]


def judge_safe(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    """No exchange may rely on a buffer that MPI does not promise: here MPI_Send always waits for its receive. The relay, which
    student code cannot reach, also sees here which ranks exchange messages."""
    checked = f"sums, and no deadlock with unbuffered sends, P = {', '.join(map(str, SAFE_RANKS))}"
    for run in runs:
        observed, problem = observe(run, context)
        if problem or observed is None:
            return problem or wrong("no results", checked)
        for index, (operation, n, seed) in enumerate(measured_cells(run.case)):
            where = f"{operation}, P = {observed.ranks}, n = {n}"
            records = observed.all_json(index)
            for rank, record in records.items():
                if record["leftover"] is not None:
                    return wrong(f"{where}: rank {rank} has not received a message from rank "
                                 f"{record['leftover']}", checked)
                sentence = "" if operation in PARTIAL else wrong_sample(record, rank, observed.ranks, n, seed, keys_of(run.case))
                if sentence:
                    return wrong(f"{where}: {sentence}", checked)
            if sentence := wrong_shape(operation, observed.ranks, n, {rank: sent(record) for rank, record in records.items()}):
                return wrong(f"{where}: {sentence}", checked)
    return accepted(checked)


def judge(test: Test, context: Context, runs: Sequence[Run]) -> Outcome:
    beside = "; the same on Open MPI" if test.params.get("correct", True) else ""
    checked = f"every rank's messages and bytes, P = {', '.join(map(str, RANKS))}{beside}"
    cells = 0
    small: Outcome | None = None  # the first cell that fails, of vectors so small that some messages are empty: it teaches less
    for run in runs:
        observed, problem = observe(run, context)
        if problem or observed is None:
            return problem or wrong("no results", checked)
        for index, word in enumerate(run.case.args.split()):
            operation, n, *kind = word.split(":")
            if not (kind[0].isdecimal() or kind[0] in ("int", "mixed")):
                continue  # on Open MPI: two calls, or a communicator of other ranks
            cells += 1
            outcome = _judge_cell(observed, index, operation, int(n), checked)
            if outcome and int(n) >= observed.ranks:
                return outcome
            small = small or outcome
    return small or accepted(checked, cells=cells)


def _judge_cell(observed: Observation, index: int, operation: str, n: int, checked: str) -> Outcome | None:
    ranks = observed.ranks
    records = observed.all_json(index)
    flows = {rank: sent(record) for rank, record in records.items()}
    where = f"{operation}, P = {ranks}, n = {n}: "
    for rank in range(ranks):
        problem = wrong_rank(operation, ranks, n, rank, flows.get(rank, {}))
        if problem:
            below = too_little(flows, ranks, n) if operation not in PARTIAL else ""
            return Outcome(Verdict.PV, where + below, checked) if below else wrong(where + problem, checked)
    return None


def too_little(flows: dict[int, dict[int, Sent]], ranks: int, n: int) -> str:
    """Why no sum can have been made of these messages; empty if one can. Each rank needs n elements at least, and all
    together send 2 n (P - 1)."""
    into: Counter[int] = Counter()
    for by_receiver in flows.values():
        for receiver, flow in by_receiver.items():
            into[receiver] += flow.bytes
    for rank in range(ranks if ranks > 1 else 0):
        if into[rank] < n * FLOAT:
            return (f"rank {rank} has received {into[rank]} bytes by MPI; a sum of all ranks needs {n * FLOAT} at least, so its "
                    "numbers came another way")
    total, least = sum(into.values()), 2 * n * (ranks - 1) * FLOAT
    if total < least:
        return (f"all ranks together have sent {total} bytes by MPI; a sum of all ranks needs {least} at least, so numbers came "
                "another way")
    return ""


def wrong_rank(operation: str, ranks: int, n: int, rank: int, got: dict[int, Sent]) -> str:
    """One sentence, or empty. Empty messages may be sent or left out."""
    expected = table.flows(operation, ranks, n, rank)
    for peer in sorted(expected.keys() | got.keys()):
        flow, found = expected.get(peer, Flow(0, 0, 0, 0)), got.get(peer, Sent(0, 0, 0, 0))
        if found.bytes == flow.elements * FLOAT and _counts_fit(flow, found):
            continue
        if peer not in expected:
            if not found.bytes and found.messages == found.empty:
                what = _messages(found.empty, "empty ")
            else:
                what = f"{found.bytes} bytes in {_messages(found.messages)}"
            allowed = names(list(expected)) if expected else "no rank"
            return f"rank {rank} sends {what} to rank {peer}; the table says 0 bytes: in this algorithm it sends to {allowed}"
        return _difference(operation, rank, peer, flow, found)
    return ""


def _counts_fit(flow: Flow, found: Sent) -> bool:
    full = flow.messages - flow.empty
    return (found.messages - found.empty == full and full <= found.messages <= flow.messages
            and found.largest == flow.largest * FLOAT)


def _difference(operation: str, rank: int, peer: int, flow: Flow, found: Sent) -> str:
    formula = FORMULA.get(operation.rstrip("0123456789"), "section \"What each algorithm sends\"")
    size = flow.elements * FLOAT
    if found.bytes != size:
        ratio = f", {found.bytes / size:.2f} times as many" if size and found.bytes > size else ""
        return (f"rank {rank} sends {found.bytes} bytes to rank {peer}; the table says {size} bytes{ratio} "
                f"({flow.elements} floats; {formula})")
    if found.messages - found.empty != flow.messages - flow.empty:
        return (f"rank {rank} sends its {size} bytes to rank {peer} in {_messages(found.messages - found.empty)}; the table says "
                f"{flow.messages - flow.empty}")
    if found.largest != flow.largest * FLOAT:
        return (f"the largest message of rank {rank} to rank {peer} has {found.largest} bytes; the table says "
                f"{flow.largest * FLOAT}: are your chunks those of chunk_of?")
    return (f"rank {rank} sends {_messages(found.messages)}, {found.empty} of them empty, to rank {peer}; the table says "
            f"{flow.messages}, {flow.empty} of them empty")


def _messages(count: int, kind: str = "") -> str:
    return f"{count} {kind}message{'' if count == 1 else 's'}"
