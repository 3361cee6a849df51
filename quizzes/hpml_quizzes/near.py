"""Questions of one quiz that ask nearly the same: told when a set is drawn, for the instructor to decide."""
import re
from dataclasses import dataclass
from itertools import combinations

from .instance import Instance
from .quiz import Quiz

SAME_WORDS = 0.5     # of all words of two texts (Jaccard index): enough by themselves
SAME_MODEL = 0.3     # enough where one model computes both


@dataclass(frozen=True)
class NearPair:
    first: Instance
    second: Instance
    share: float     # of their words
    models: tuple[str, ...]

    def __str__(self) -> str:
        why = f", both from the model {' and '.join(self.models)}" if self.models else ""
        return (f"questions {self.first.number} and {self.second.number} ask nearly the same ({self.first.id}, {self.second.id}: "
                f"{self.share:.0%} of their words{why})")


def words(instance: Instance) -> frozenset[str]:
    text = " ".join([instance.stem, *(option.text for option in instance.options), *(part.label for part in instance.parts)])
    return frozenset(re.findall(r"[a-z]{3,}", re.sub(r"<[^>]*>", "", text).lower()))


def pairs(quiz: Quiz) -> list[NearPair]:
    """The nearest first."""
    known = {one.number: words(one) for one in quiz.instances}
    models = {one.number: {step.model for step in one.template.solve if step.model} for one in quiz.instances}
    found = []
    for first, second in combinations(quiz.instances, 2):
        union = known[first.number] | known[second.number]
        share = len(known[first.number] & known[second.number]) / len(union) if union else 0.0
        same = tuple(sorted(models[first.number] & models[second.number]))
        if share >= SAME_WORDS or same and share >= SAME_MODEL:
            found.append(NearPair(first, second, share, same))
    return sorted(found, key=lambda pair: (-pair.share, pair.first.number, pair.second.number))
