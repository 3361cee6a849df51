"""variants.csv: which student has which variant, and where both parts stand in the PDF."""
import csv
from dataclasses import dataclass
from pathlib import Path

import hpml_gradebook

from ..errors import UsageError
from ..paths import relative

NAME = "variants.csv"


@dataclass(frozen=True)
class Entry:
    student: str
    name: str
    variant: str        # as the sheet prints it
    sheet_page: int
    form_page: int


def to_csv(entries: list[Entry]) -> str:
    return hpml_gradebook.table([["student", "name", "variant", "page_of_sheet", "page_of_form"],
                                 *([one.student, one.name, one.variant, one.sheet_page, one.form_page] for one in entries)])


def read(folder: Path) -> dict[str, str]:
    """Variants by student. folder: of a quiz, as hpml quiz paper wrote it."""
    path = folder / NAME
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            return {row["student"]: row["variant"] for row in csv.DictReader(file)}
    except FileNotFoundError:
        raise UsageError(f"{relative(path)} is not there; `hpml quiz paper` writes it with the forms") from None
    except (csv.Error, KeyError, UnicodeDecodeError):
        raise UsageError(f"{relative(path)}:1: not a list of variants; it begins with: student,name,variant") from None
