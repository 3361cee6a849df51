"""One task of a Slurm array: python -m hpml_class.batch.task OUT PLAN TASK CHUNK. Skips what is settled, so it may run twice."""
import json
import sys
from pathlib import Path

from ..errors import InfraError, UsageError
from ..progress import Progress
from . import local, slurm
from . import plan as plans


def main(arguments: list[str]) -> int:
    out, pinned, task, chunk = Path(arguments[0]), arguments[1], int(arguments[2]), int(arguments[3])
    try:
        plan = plans.load(out, pinned)
        todo = json.loads(slurm.todo_path(out, pinned).read_text(encoding="utf-8"))[task * chunk:(task + 1) * chunk]
        left = local.unsettled(out, plan, todo)
        results = local.run(out, plan, left, slurm.jobs_of_node(), Progress(len(left), "graded"))
    except (UsageError, InfraError, OSError) as error:
        print(error, file=sys.stderr)
        return 3
    return 3 if any(result.problem for result in results) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
