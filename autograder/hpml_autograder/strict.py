"""Fills a frozen dataclass from a TOML table: unknown key, missing key or wrong type is an error that names itself."""
import dataclasses
import difflib
import types
import typing
from typing import Any, TypeVar

from .errors import UsageError

T = TypeVar("T")


def fill(cls: type[T], table: dict[str, Any], where: str) -> T:
    fields = {field.name: field for field in dataclasses.fields(cls)}  # type: ignore[arg-type]
    for key in table:
        if key not in fields:
            near = difflib.get_close_matches(key, fields, n=1)
            hint = f"; did you mean '{near[0]}'?" if near else f"; known keys: {', '.join(sorted(fields))}"
            raise UsageError(f"{where}: unknown key '{key}'{hint}")
    hints = typing.get_type_hints(cls)
    values: dict[str, Any] = {}
    for name, field in fields.items():
        if name in table:
            values[name] = _convert(hints[name], table[name], f"{where}.{name}")
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            raise UsageError(f"{where}: missing key '{name}'")
    return cls(**values)


def _convert(hint: Any, value: Any, where: str) -> Any:
    origin = typing.get_origin(hint)
    if dataclasses.is_dataclass(hint):
        if not isinstance(value, dict):
            raise UsageError(f"{where}: expected a table, got {value!r}")
        return fill(hint, value, where)  # type: ignore[arg-type]
    if origin is tuple:
        if not isinstance(value, list):
            raise UsageError(f"{where}: expected a list, got {value!r}")
        element = typing.get_args(hint)[0]
        return tuple(_convert(element, item, f"{where}[{index}]") for index, item in enumerate(value))
    if origin in (typing.Union, types.UnionType):
        return _convert(typing.get_args(hint)[0], value, where)
    if hint is Any:
        return value
    if origin is dict:
        if not isinstance(value, dict):
            raise UsageError(f"{where}: expected a table, got {value!r}")
        element = typing.get_args(hint)[1]
        return {key: _convert(element, item, f"{where}.{key}") for key, item in value.items()}
    if origin is list:
        if not isinstance(value, list):
            raise UsageError(f"{where}: expected a list, got {value!r}")
        return [_convert(typing.get_args(hint)[0], item, f"{where}[{index}]") for index, item in enumerate(value)]
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if type(value) is not hint:
        raise UsageError(f"{where}: expected {hint.__name__}, got {value!r}")
    return value
