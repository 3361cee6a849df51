"""Reads what the gate asks of an object file: sections, symbols, contents. The file was made from hostile source, so
every offset is checked; a file that is not as it should be is an error, never a crash."""
import struct
from dataclasses import dataclass
from pathlib import Path

from . import untrusted

SECTION = struct.Struct("<IIQQQQIIQQ")
SYMBOL = struct.Struct("<IBBHQQ")
SEGMENT = struct.Struct("<IIQQQQQQ")
ENTRY = struct.Struct("<qQ")
SYMTAB, STRTAB, DYNSYM = 2, 3, 11
DYNAMIC, STACK = 6, 0x6474E551  # types of a section, of a segment
KEPT = (SYMTAB, STRTAB, DYNSYM, DYNAMIC)  # types of sections whose contents are looked at
EXECUTABLE, WRITABLE = 1, 2                     # flags of a segment
SHF_EXECINSTR = 4                               # flag of a section
MOST_BYTES = 64 << 20  # read at once; some graders may share a machine, and several objects are read at a time
MOST_SECTIONS, MOST_SYMBOLS = 50_000, 200_000  # each is an object here; honest objects have some thousands
GLOBAL, WEAK, UNIQUE = 1, 2, 10
OBJECT, IFUNC = 1, 10  # types of a symbol
UNDEFINED, RESERVED = 0, 0xFF00


class NotAnObject(Exception):
    """Words for staff: what is wrong with the file."""


@dataclass(frozen=True)
class Section:
    name: str
    type: int
    flags: int
    offset: int
    size: int
    link: int
    content: bytes  # of the types in KEPT

    @property
    def executable(self) -> bool:
        return bool(self.flags & SHF_EXECINSTR)


@dataclass(frozen=True)
class Symbol:
    name: str
    binding: int
    type: int
    section: int  # index
    value: int    # address; in an object: its place in the section
    size: int

    @property
    def undefined(self) -> bool:
        return self.section == UNDEFINED

    @property
    def exported(self) -> bool:
        return not self.undefined and self.binding in (GLOBAL, WEAK, UNIQUE)


@dataclass(frozen=True)
class Object:
    machine: int
    sections: tuple[Section, ...]
    symbols: tuple[Symbol, ...]
    segments: tuple[tuple[int, int], ...] = ()  # type and flags; of a linked file

    def dynamic_tags(self) -> set[int]:
        return {tag for section in self.sections if section.type == DYNAMIC
                for tag, _ in ENTRY.iter_unpack(_whole(section.content, ENTRY.size))}

    def named(self, prefix: str) -> list[Section]:
        return [section for section in self.sections if section.name == prefix or section.name.startswith(prefix + ".")]


def read(path: Path) -> Object:
    try:
        data = untrusted.read(path, MOST_BYTES)
    except untrusted.Refused as error:
        raise NotAnObject(str(error)) from error
    if len(data) < 64 or data[:6] != b"\x7fELF\x02\x01":
        raise NotAnObject("it is no 64-bit little-endian ELF file")
    machine, = struct.unpack_from("<H", data, 18)
    table, = struct.unpack_from("<Q", data, 40)
    entry, count, names = struct.unpack_from("<HHH", data, 58)
    fits = entry == SECTION.size and 0 < count <= MOST_SECTIONS and table + count * entry <= len(data) and names < count
    if not fits:
        raise NotAnObject("its section table is not as it should be")
    raw = [SECTION.unpack_from(data, table + index * entry) for index in range(count)]
    contents = [_slice(data, item[4], item[5]) if item[1] in KEPT else b"" for item in raw]
    sections = tuple(Section(_text(contents[names], item[0]), item[1], item[2], item[4], item[5], item[6], content)
                     for item, content in zip(raw, contents))
    return Object(machine, sections, tuple(_symbols(sections)), tuple(_segments(data)))


def called_names(path: Path) -> set[str] | str:
    """What a program or library takes from others; or why it cannot be read."""
    try:
        return {symbol.name.split("@")[0] for symbol in read(path).symbols if symbol.undefined and symbol.name}
    except (NotAnObject, OSError) as error:
        return str(error)


def _segments(data: bytes) -> list[tuple[int, int]]:
    table, = struct.unpack_from("<Q", data, 32)
    entry, count = struct.unpack_from("<HH", data, 54)
    if count and (entry != SEGMENT.size or table + count * entry > len(data)):
        raise NotAnObject("its segment table is not as it should be")
    return [SEGMENT.unpack_from(data, table + index * entry)[:2] for index in range(count)]


def _whole(content: bytes, size: int) -> bytes:
    """Without what is left behind the last entry."""
    return content[:len(content) // size * size]


def _slice(data: bytes, offset: int, size: int) -> bytes:
    if offset + size > len(data):
        raise NotAnObject("a section lies outside the file")
    return data[offset:offset + size]


def _text(strings: bytes, offset: int) -> str:
    end = strings.find(b"\0", offset)
    if offset > len(strings) or end < 0:
        raise NotAnObject("a name lies outside its table")
    return strings[offset:end].decode("utf-8", "backslashreplace")


def _symbols(sections: tuple[Section, ...]) -> list[Symbol]:
    found: list[Symbol] = []
    for section in sections:
        if section.type not in (SYMTAB, DYNSYM):
            continue
        if section.link >= len(sections):
            raise NotAnObject("its symbol table is not as it should be")
        if len(section.content) > MOST_SYMBOLS * SYMBOL.size:
            raise NotAnObject(f"it has more than {MOST_SYMBOLS} symbols")
        strings = sections[section.link].content
        for index in range(len(section.content) // SYMBOL.size):
            name, info, _, place, value, size = SYMBOL.unpack_from(section.content, index * SYMBOL.size)
            found.append(Symbol(_text(strings, name), info >> 4, info & 15, place, value, size))
    return found
