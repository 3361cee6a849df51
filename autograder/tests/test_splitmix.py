"""Are the judges' numbers those of the published generator?"""
import numpy
from hpml_autograder.splitmix import GAMMA, MASK, mix, mix_one, outputs


def test_outputs_are_those_of_the_published_generator():
    """First outputs for the states 0 (java.util.SplittableRandom) and 1234567 (Vigna's reference implementation)."""
    assert outputs(0, 3).tolist() == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    assert outputs(1234567, 3).tolist() == [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert outputs(1234567, 1, start=2).tolist() == [9817491932198370423]


def test_a_state_counts_modulo_two_to_the_64():
    states = [0, 1, MASK, GAMMA]
    assert mix(numpy.array(states, numpy.uint64)).tolist() == [mix_one(state) for state in states]
    assert [mix_one(state + (1 << 64)) for state in states] == [mix_one(state) for state in states]
