"""Is every question of the bank sound in a thousand draws, and are there enough of them?"""
import json
from collections import Counter

import pytest
from hpml_quizzes import draw, load, models, validate
from hpml_quizzes.paths import BANK
from hpml_quizzes.rng import seed_of
from test_models import agreed

NAMES = [path.stem for path in sorted(BANK.rglob("*.toml"))]


@pytest.mark.parametrize("name", NAMES)
def test_a_thousand_draws_are_sound(bank, solver, name):
    result = validate.stress(bank[name], solver, 1000)
    assert result.problems == []
    assert result.draws == 1000


@pytest.mark.parametrize(("draws", "least"), [(100, 1000), (1000, 6000)])
def test_the_second_solver_agrees_on_the_draws(bank, draws, least):
    """What the models answered in the stress draws, once more by the tests' own implementation."""
    client, asked = models.Models(), 0
    for name in NAMES:
        if any(step.model for step in bank[name].solve):
            draw.draw_many(bank[name], [seed_of("stress", name, str(number)) for number in range(draws)], client)
    for request, answer in client.answers.items():
        call = json.loads(request)
        agreed(call["model"], call["in"], answer)
        asked += 1
    client.close()
    assert asked > least


def test_sixty_more_parametrised_questions_over_the_weeks(bank):
    more = [template for template in bank.values() if not template.published and template.parameters]
    assert len(more) >= 60
    weeks = Counter(template.week for template in bank.values())
    assert set(weeks) == set(range(1, 14))


def test_every_question_is_in_a_quiz(bank, sets):
    used = {template.id for quiz_set in sets.values() for template in quiz_set.questions}
    assert used == set(bank)


def test_the_key_does_not_stand_out_by_its_length(bank, solver):
    longest = total = 0
    for template in bank.values():
        if template.kind == "mc":
            for instance in draw.draw_many(template, [seed_of("length", template.id, str(n)) for n in range(20)], solver):
                lengths = [len(option.text) for option in instance.options]
                key = lengths[instance.key[0] - 1]
                longest += key == max(lengths) and lengths.count(key) == 1
                total += 1
    assert longest < 0.6 * total


def test_a_file_with_a_stored_wrong_key_is_refused(tmp_path, solver):
    """The published key of the partition model, written into the question."""
    text = (BANK / "quiz1/q09_partition_model.toml").read_text(encoding="utf-8")
    text = text.replace('fact = "partition_model: only applicable to software"',
                        'fact = "partition_model: only applicable to software"\ntrue = true')
    path = tmp_path / "q09_partition_model.toml"
    path.write_text(text, encoding="utf-8")
    template = load.load(path)
    with pytest.raises(Exception, match=r"q09_partition_model.toml:\d+: .*option software_only is keyed true, but its fact"):
        validate.stress(template, solver, 50)
