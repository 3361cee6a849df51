"""The simulated clusters that a case may ask for, as SimGrid's platform files."""
from xml.etree import ElementTree

import pytest
from hpml_autograder.backends.smpi import platform_xml
from hpml_autograder.case import Network


def cluster(network: Network, ranks: int) -> dict[str, str]:
    found = ElementTree.fromstring(platform_xml(network, ranks)).find("cluster")
    assert found is not None
    return found.attrib


def seconds(text: str) -> float:
    return float(text.removesuffix("s"))


def test_one_switch_two_links_of_half_the_latency():
    found = cluster(Network(10e-6, 1.25e9), 64)
    assert "topology" not in found and found["radical"] == "0-63"
    assert seconds(found["lat"]) == pytest.approx(5e-6) and found["bw"] == "1250000000Bps"


def test_a_fat_tree_has_four_links_between_switches():
    found = cluster(Network(topology="FAT_TREE", wiring="2;8,8;1,1;1,1"), 64)
    assert (found["topology"], found["topo_parameters"]) == ("FAT_TREE", "2;8,8;1,1;1,1")
    assert seconds(found["lat"]) == pytest.approx(2.5e-6) and found["sharing_policy"] == "SPLITDUPLEX"
