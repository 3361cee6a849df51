"""What a key must not be, whoever made it: the rules between the options of one question."""
from collections.abc import Iterable

from .instance import Instance, Option


def key_reasons(instance: Instance, keyed: Iterable[int]) -> list[str]:
    """Why these places (from 1) cannot be the key, on their own and against what is computed."""
    keyed = sorted(set(keyed))
    count = len(instance.options)
    outside = [place for place in keyed if not 1 <= place <= count]
    if outside:
        return [f"key names option {outside[0]}, but there are {count}"]
    chosen = [instance.options[place - 1] for place in keyed]
    return [*_counts(instance, chosen), *_groups(instance, keyed), *_against_solver(instance, keyed)]


def _counts(instance: Instance, chosen: list[Option]) -> list[str]:
    if instance.kind in ("mc", "tf") and len(chosen) != 1:
        return [f"a question with one answer has {len(chosen)} keyed options"]
    if instance.kind == "ms" and not chosen:
        return ["no option is keyed"]
    if instance.kind == "ms" and len(chosen) == len(instance.options) and not instance.template.all_true:
        return ["every option is keyed, and the question gives no reason (all_true_because)"]
    return []


def _groups(instance: Instance, keyed: list[int]) -> list[str]:
    """Options of one group are claims about the same thing that cannot both be true."""
    reasons = []
    groups: dict[str, list[int]] = {}
    for place, option in enumerate(instance.options, start=1):
        if option.group:
            groups.setdefault(option.group, []).append(place)
    for name, members in groups.items():
        both = [place for place in members if place in keyed]
        if len(both) > 1:
            words = " and ".join(f"option {place} (\"{instance.options[place - 1].text.strip()}\")" for place in both)
            reasons.append(f"contradictory: {words} cannot both be true")
        declared = sum(spec.group == name for spec in instance.template.options)
        if not both and name in instance.template.exhaustive and declared == len(members):
            reasons.append(f"one of the options {', '.join(map(str, members))} must be true, but none is keyed")
    return reasons


def _against_solver(instance: Instance, keyed: list[int]) -> list[str]:
    wrong = [place for place in keyed if place not in instance.key]
    missing = [place for place in instance.key if place not in keyed]
    reasons = [f"option {place} is keyed, but {_why_not(instance, place)}" for place in wrong]
    return reasons + [f"option {place} is true, but not keyed" for place in missing]


def _why_not(instance: Instance, place: int) -> str:
    option = instance.options[place - 1]
    why = f" ({option.why})" if option.why else ""
    by_list = any(spec.id == option.id and spec.fact is not None for spec in instance.template.options)
    return f"the {'fact list' if by_list else 'solver'} says it is false{why}"


def number_reasons(instance: Instance, part: int, value) -> list[str]:
    """Is `value` an acceptable key of the part (from 1)?"""
    asked = instance.parts[part - 1]
    if asked.value is None:
        return [] if str(value) in asked.accept else [f"key '{value}' is none of {', '.join(asked.accept)}"]
    if not isinstance(value, str) and abs(value - asked.value) <= asked.tolerance:
        return []
    said = value if isinstance(value, str) else f"{float(value):g}"
    what = f"{instance.template.title}" + (f", blank {part}" if len(instance.parts) > 1 else "")
    return [f"{what}: key says {said}, the solver says {asked.shown}"]
