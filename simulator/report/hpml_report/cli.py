"""`gpusim roofline METRICS.json -o FILE.svg|png|html` and `gpusim profile METRICS.json [-o FILE.html]`.

Exit codes: 0 done, 2 usage or bad input (one line), 3 the file could not be written."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import NoReturn

from hpml_report import metrics as files
from hpml_report import text
from hpml_report.metrics import BadInput, Metrics

DONE, USAGE, MACHINE = 0, 2, 3
CHART_SUFFIXES = (".svg", ".png", ".html")


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise BadInput(f"{self.prog.split(' ')[-1]}: {message}; see gpusim {self.prog.split(' ')[-1]} --help")


def parser() -> Parser:
    top = Parser(prog="gpusim")
    actions = top.add_subparsers(dest="action", required=True)
    roofline = actions.add_parser("roofline", help="draw the roofline of every kernel of a metrics file")
    roofline.add_argument("metrics", metavar="METRICS.json")
    roofline.add_argument("-o", "--output", required=True, metavar="FILE.svg|png|html")
    roofline.add_argument("--baseline", metavar="OTHER.json", help="draw these kernels, too, in grey")
    profile = actions.add_parser("profile", help="what bounds each kernel, the evidence, and what to try next")
    profile.add_argument("metrics", metavar="METRICS.json")
    profile.add_argument("-o", "--output", metavar="FILE.html", help="one self-contained page instead of text")
    profile.add_argument("--baseline", metavar="OTHER.json", help="compare with this file")
    profile.add_argument("--metric", action="append", default=[], metavar="NAME",
                         help="only this metric, one line per launch; `list`: their names")
    return top


def write(path: str, content: str | bytes) -> None:
    """Whole or not at all: through a temporary file beside it."""
    temporary = Path(f"{path}.{os.getpid()}.tmp")
    data = content.encode("utf-8") if isinstance(content, str) else content
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise OSError(f"{path}: cannot be written: {error.strerror}") from None


def check_output(path: str, suffixes: tuple[str, ...]) -> None:
    if Path(path).suffix.lower() not in suffixes:
        raise BadInput(f"-o {path}: the name must end in {' or '.join(suffixes)}")
    folder = Path(path).resolve().parent
    if not folder.is_dir():
        raise BadInput(f"-o {path}: there is no folder {folder}")


def draw(options: argparse.Namespace, metrics: Metrics, baseline: Metrics | None) -> str | bytes:
    from hpml_report import chart, page  # matplotlib takes a second to load
    suffix = Path(options.output).suffix.lower()
    if suffix == ".html":
        return page.roofline_page(metrics, baseline)
    return chart.png(metrics, baseline) if suffix == ".png" else chart.svg(metrics, baseline, chart.WIDE)


def run_roofline(options: argparse.Namespace, metrics: Metrics, baseline: Metrics | None) -> None:
    check_output(options.output, CHART_SUFFIXES)
    write(options.output, draw(options, metrics, baseline))


def metric_text(options: argparse.Namespace, metrics: Metrics) -> str:
    if options.metric == ["list"]:
        return "".join(f"{name}\n" for name in sorted({name for launch in metrics.launches for name in launch.metrics}))
    for name in options.metric:
        files.check_metric(metrics, name)
    return text.metric_lines(metrics, options.metric)


def run_profile(options: argparse.Namespace, metrics: Metrics, baseline: Metrics | None) -> None:
    if options.metric:
        sys.stdout.write(metric_text(options, metrics))
    elif options.output:
        check_output(options.output, (".html",))
        from hpml_report import page
        write(options.output, page.report(metrics, baseline))
    else:
        sys.stdout.write(text.profile(metrics))
        if baseline is not None:
            sys.stdout.write(text.comparison(metrics, baseline))


def main(arguments: list[str]) -> int:
    try:
        options = parser().parse_args(arguments)
        metrics = files.read(options.metrics)
        files.need_kernels(metrics)
        baseline = files.read(options.baseline) if options.baseline else None
        if baseline is not None:
            files.need_kernels(baseline)
        (run_roofline if options.action == "roofline" else run_profile)(options, metrics, baseline)
        sys.stdout.flush()
    except BadInput as error:
        print(f"gpusim: {error}", file=sys.stderr)
        return USAGE
    except BrokenPipeError:  # `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except OSError as error:
        print(f"gpusim: {error}", file=sys.stderr)
        return MACHINE
    except ModuleNotFoundError as error:
        if error.name != "matplotlib":
            raise
        print("gpusim: charts are drawn by matplotlib, which is not installed: apt-get install python3-matplotlib", file=sys.stderr)
        return MACHINE
    return DONE
