"""Quiz -> Markdown, for students and (with_key) for staff."""
from .. import markup
from ..instance import Instance
from ..quiz import Quiz, points_text
from .common import heading, instruction, key_value, label_of, precision, scorings, whys


def figure_name(instance: Instance) -> str:
    return f"figures/question{instance.number:02d}.svg"


def _options(instance: Instance, with_key: bool) -> list[str]:
    return [f"- [{'x' if with_key and option.correct else ' '}] ({place}) {markup.line_markdown(option.text)}"
            for place, option in enumerate(instance.options, start=1)]


def _parts(instance: Instance, with_key: bool) -> list[str]:
    lines = []
    for place, part in enumerate(instance.parts):
        value = f"**{markup.line_markdown(key_value(part))}**" if with_key else \
            "\\_" * 12 + f" {markup.line_markdown(part.unit_words)}".rstrip()
        lines.append(f"{markup.line_markdown(label_of(instance, place))} {value} {precision(part)}".strip())
    return ["\n\n".join(lines)] if lines else []


def _solution(instance: Instance) -> list[str]:
    lines = ["**Solution.** " + markup.to_markdown(instance.explanation)]
    lines += [f"- option {markup.line_markdown(why)}" for why in whys(instance)]
    return [lines[0]] + (["\n".join(lines[1:])] if len(lines) > 1 else []) + [f"Source: {instance.template.source}"]


def _question(instance: Instance, with_key: bool) -> str:
    title = f": {instance.template.title}" if with_key else ""
    blocks = [f"## {heading(instance)}{title}", markup.to_markdown(instance.stem)]
    if instance.figure is not None:
        blocks.append(f"![{instance.alt}]({figure_name(instance)})")
    if instance.options:
        blocks += [instruction(instance), "\n".join(_options(instance, with_key))]
    blocks += _parts(instance, with_key)
    return "\n\n".join(blocks + (_solution(instance) if with_key else []))


def to_markdown(quiz: Quiz, with_key: bool) -> str:
    variant = f", variant {quiz.variant}" if quiz.variant else ""
    head = [f"# {quiz.title}{': answer key' if with_key else ''}",
            f"{points_text(quiz.points_milli)} points, {len(quiz.instances)} questions{variant}.",
            *([] if with_key else ["Name: \\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_\\_"]), *scorings(quiz)]
    body = [_question(instance, with_key) for instance in quiz.instances]
    return "\n\n".join([*head, *body, f"<!-- quiz {quiz.sha256} -->"]) + "\n"
