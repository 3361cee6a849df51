"""JUnit XML: one suite per lab, one case per test; points are properties."""
import xml.etree.ElementTree as ElementTree

from ..marks import Record, bonus, decimal, deduction, is_bonus, net
from ..redact import detail
from .escape import one_line, xml_text

SKIPPED = ("INC", "SK")


def kind(test: Record) -> str:
    """What a test case holds: nothing, failure, error or skipped. Nobody fails for want of a bonus."""
    if test["verdict"] == "XX":
        return "error"
    if test["verdict"] in SKIPPED:
        return "skipped"
    if test["verdict"] == "AC" or test["millipoints"] == test["max_millipoints"] > 0:
        return ""
    return "skipped" if is_bonus(test) else "failure"


def render(record: Record, options: dict[str, str]) -> str:
    kinds = [kind(test) for test in record["tests"]]
    seconds = f"{record['volatile'].get('wall_s', {}).get('total', 0):.3f}"
    counts = {"tests": str(len(kinds)), "failures": str(kinds.count("failure")), "errors": str(kinds.count("error")),
              "skipped": str(kinds.count("skipped")), "time": seconds}
    root = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(root, "testsuite", {
        "name": xml_text(record["lab"]), **counts, "hostname": "grader",
        "timestamp": record["volatile"].get("started", "1970-01-01T00:00:00")[:19]})
    _properties(suite, {"hpml.points": decimal(net(record)), "hpml.max_points": decimal(record["max_millipoints"]),
                        "hpml.bonus_points": decimal(bonus(record)), "hpml.late_deduction": decimal(deduction(record)), "hpml.status": record["status"],
                        "hpml.record_sha256": record["record_sha256"]})
    for test, what in zip(record["tests"], kinds):
        _case(suite, record, test, what)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _case(suite: ElementTree.Element, record: Record, test: Record, what: str) -> None:
    case = ElementTree.SubElement(suite, "testcase", {
        "classname": xml_text(f"{record['lab']}.{test['exercise']}"), "name": xml_text(test["id"]), "time": "0"})
    _properties(case, {"hpml.points": decimal(test["millipoints"]), "hpml.max_points": decimal(test["max_millipoints"]),
                       "hpml.verdict": test["verdict"], "hpml.visibility": test["visibility"],
                       **({"hpml.bonus": "true"} if is_bonus(test) else {})})
    said = detail(test)
    if what:
        reason = xml_text(one_line(said)) or f"verdict {test['verdict']}"
        ElementTree.SubElement(case, what, {"message": reason, "type": test["verdict"]})
    if said:
        ElementTree.SubElement(case, "system-out").text = xml_text(said)


def _properties(parent: ElementTree.Element, values: dict[str, str]) -> None:
    properties = ElementTree.SubElement(parent, "properties")
    for name, value in values.items():
        ElementTree.SubElement(properties, "property", {"name": name, "value": xml_text(value)})
