"""Is lateness right to the second, whatever the calendar does, and are late days spent as well as they can be?"""
import datetime
import itertools
import random
from zoneinfo import ZoneInfo

import pytest
from hpml_class.errors import UsageError
from hpml_class.late import LateLab, Policy, allocate, deduct, late_days, lateness, utc

DUE = utc("2026-11-20T23:59:00Z")
SECOND = datetime.timedelta(seconds=1)
DAY = datetime.timedelta(days=1)
PERCENT = Policy("percent_per_day", percent=10)


@pytest.mark.parametrize("after, grace, days", [
    (-DAY, 0, 0), (0 * DAY, 0, 0), (SECOND, 0, 1), (DAY, 0, 1), (DAY + SECOND, 0, 2), (3 * DAY, 0, 3),
    (15 * 60 * SECOND, 15, 0), (15 * 60 * SECOND + SECOND, 15, 1), (DAY + 15 * 60 * SECOND, 15, 1),
    (DAY + 15 * 60 * SECOND + SECOND, 15, 2), (datetime.timedelta(microseconds=1), 0, 1)])
def test_a_day_begins_with_its_first_second(after, grace, days):
    assert late_days(DUE + after, DUE, grace) == days


@pytest.mark.parametrize("zone, before, after", [
    ("America/New_York", "2026-03-07T23:59:00", "2026-03-08T23:59:00"),   # 23 hours: the clocks go forward
    ("America/New_York", "2026-10-31T23:59:00", "2026-11-01T23:59:00")])  # 25 hours
def test_a_day_is_24_hours_across_a_change_of_clocks(zone, before, after):
    due, later = (datetime.datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(datetime.timezone.utc)
                  for text in (before, after))
    hours = (later - due) / datetime.timedelta(hours=1)
    assert late_days(later, due) == (1 if hours == 23 else 2)
    assert late_days(due + DAY, due) == 1 and late_days(due + DAY + SECOND, due) == 2


def test_leap_days_and_new_year_are_days():
    assert late_days(utc("2028-03-01T00:00:00Z"), utc("2028-02-28T00:00:00Z")) == 2
    assert late_days(utc("2027-01-01T00:00:00Z"), utc("2026-12-31T00:00:00Z")) == 1


@pytest.mark.parametrize("text", ["2026-11-20T23:59:00", "2026-11-20", "yesterday", "", "2026-13-01T00:00:00Z"])
def test_a_time_without_zone_or_sense_is_refused(text):
    with pytest.raises(UsageError, match="2026-11-20T23:59:00Z"):
        utc(text)


def test_an_offset_is_the_same_instant():
    assert utc("2026-11-20T18:59:00-05:00") == DUE == utc("2026-11-21T00:59:00+01:00")


@pytest.mark.parametrize("policy, days, lost", [
    (Policy(), 5, 0), (PERCENT, 0, 0), (PERCENT, 1, 1990), (PERCENT, 3, 5990), (PERCENT, 11, 19990),
    (Policy("percent_per_day", percent=10, of="maximum"), 1, 2500),
    (Policy("points_per_day", millipoints=1500), 2, 3000), (Policy("points_per_day", millipoints=15000), 2, 19990),
    (Policy("cutoff"), 1, 19990), (Policy("percent_per_day", percent=10, max_days=2), 2, 3990),
    (Policy("percent_per_day", percent=10, max_days=2), 3, 19990)])
def test_what_late_days_cost(policy, days, lost):
    assert deduct(policy, days, 19990, 25000) == lost


def test_a_deduction_is_whole_centipoints_and_never_more_than_was_earned():
    draw = random.Random(1)
    for _ in range(2000):
        policy = Policy("percent_per_day", percent=draw.choice((5, 7.5, 10, 33.3)), of=draw.choice(("earned", "maximum")))
        earned = draw.randrange(0, 100_000, 10)
        lost = deduct(policy, draw.randrange(20), earned, 100_000)
        assert 0 <= lost <= earned and (lost % 10 == 0)


def test_an_extension_moves_the_due_time_and_never_back():
    late = lateness(DUE + 2 * DAY, DUE, PERCENT, 10_000, 10_000)
    assert (late.days, late.deduction) == (2, 2000) and "due 2026-11-20T23:59:00Z" in late.reason
    assert lateness(DUE + 2 * DAY, DUE, PERCENT, 10_000, 10_000, DUE + 2 * DAY).reason == "on time by extension"
    assert lateness(DUE + 2 * DAY, DUE, PERCENT, 10_000, 10_000, DUE + DAY).days == 1
    assert lateness(DUE, DUE, PERCENT, 10_000, 10_000, DUE - DAY).days == 0


def test_no_receipt_is_not_late_and_says_so():
    assert lateness(None, DUE, PERCENT, 10_000, 10_000).reason == "no receipt time: not counted as late"
    assert lateness(DUE + DAY, None, PERCENT, 10_000, 10_000).days == 0


def test_a_budget_charges_nothing_at_once():
    late = lateness(DUE + DAY, DUE, Policy("budget", percent=10, budget_days=3), 10_000, 10_000)
    assert (late.days, late.deduction) == (1, 0)


def by_trying_all(labs, policy):
    ways = itertools.product(*(range(lab.days + 1) for lab in labs))
    return min(sum(deduct(policy, lab.days - free, lab.earned, lab.maximum) for lab, free in zip(labs, way))
               for way in ways if sum(way) <= policy.budget_days)


def test_late_days_are_spent_where_they_save_most():
    draw = random.Random(2)
    for _ in range(300):
        policy = Policy("budget", percent=draw.choice((5, 10, 50)), budget_days=draw.randrange(7),
                        max_days=draw.choice((None, 2, 3)))
        labs = [LateLab(f"lab{number}", draw.randrange(4), draw.randrange(0, 100_000, 10), 100_000)
                for number in range(draw.randrange(5))]
        charged = allocate(labs, policy)
        assert sum(one.deduction for one in charged) == (by_trying_all(labs, policy) if labs else 0)
        assert sum(one.free_days for one in charged) <= policy.budget_days
        assert all(0 <= one.free_days <= lab.days for one, lab in zip(charged, labs))


def test_unneeded_free_days_are_kept_and_earlier_labs_served_first():
    policy = Policy("budget", percent=10, budget_days=2)
    same = [LateLab("lab1", 1, 10_000, 10_000), LateLab("lab2", 1, 10_000, 10_000), LateLab("lab3", 1, 10_000, 10_000)]
    assert [one.free_days for one in allocate(same, policy)] == [1, 1, 0]
    assert [one.free_days for one in allocate([LateLab("lab1", 2, 0, 10_000)], policy)] == [0]


@pytest.mark.parametrize("fields", [{"policy": "never"}, {"policy": "percent_per_day", "of": "all"}, {"percent": -1.0}])
def test_a_policy_that_is_none_is_refused(fields):
    with pytest.raises(UsageError, match="late policy"):
        Policy(**fields)
