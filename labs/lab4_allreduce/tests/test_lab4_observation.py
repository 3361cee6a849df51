"""The file of a run, as the harness's C++ writes it, and files that it does not write."""
import lab4_observation as observations
import pytest

RECORDS = observations.HEADER.size + 2 * observations.SLOT.size


def file(tmp_path, records: bytes, magic: int = observations.MAGIC, end: int | None = None):
    slots = b"".join(observations.SLOT.pack(call, to, -1, 3, 0, 16, done, deadlock, 7, 2) for call, to, done, deadlock in
                     ((b"MPI_Send", 1, 0, 1), (b"", -1, 1, 0)))
    head = observations.HEADER.pack(magic, 2, observations.SLOT.size, RECORDS, RECORDS + len(records) if end is None else end)
    path = tmp_path / "dump"
    path.write_bytes(head + slots + records)
    return path


def record(kind: int, rank: int, cell: int, payload: bytes) -> bytes:
    return observations.RECORD.pack(kind, rank, cell, 0, len(payload)) + payload


def test_slots_and_records_by_cell_and_rank(tmp_path):
    found = observations.load(file(tmp_path, record(1, 1, 0, b'{"sent":[[0,2,1,8,8]]}') + record(2, 0, 5, b"\0\0\x80\x3f")))
    assert (found.slots[0].call, found.slots[0].to, found.slots[0].bytes) == ("MPI_Send", 1, 16)
    assert not found.finished and found.slots[1].finished
    assert found.deadlock and not found.slots[1].deadlock
    assert observations.sent(found.json(0, 1)) == {0: observations.Sent(2, 1, 8, 8)}
    assert list(found.floats(5, 0)) == [1.0] and found.floats(5, 1) is None


@pytest.mark.parametrize("spoil", [
    lambda path: file(path, b"", magic=1), lambda path: file(path, record(1, 0, 0, b"{not json")),
    lambda path: file(path, record(1, 0, 0, b"{}")[:-1]), lambda path: file(path, b"", end=1 << 40)])
def test_a_file_that_the_harness_does_not_write_is_refused(tmp_path, spoil):
    with pytest.raises(observations.Unreadable):
        observations.load(spoil(tmp_path))
