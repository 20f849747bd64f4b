"""Durations and instants that are written out (DEF-duration, DEF-instant): milliseconds, or none."""

from __future__ import annotations

import re
from datetime import date

MAX_DURATION = 36_500 * 86_400_000
MAX_INSTANT = 253_402_300_799_999
EPOCH = date(1970, 1, 1).toordinal()

_WEEKS = re.compile(r"P([0-9]+)W")
_PARTS = re.compile(r"P(?:([0-9]+)D)?(T(?:([0-9]+)H)?(?:([0-9]+)M)?(?:([0-9]+)(?:\.([0-9]{1,3}))?S)?)?")
_INSTANT = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,3}))?"
    r"(?:Z|([+-])([0-9]{2}):([0-9]{2}))"
)


def duration(text: object) -> int | None:
    """Milliseconds of an ISO 8601 duration in one of the accepted forms, else None."""
    if type(text) is not str or len(text) > 64:
        return None
    weeks = _WEEKS.fullmatch(text)
    if weeks:
        total = int(weeks[1]) * 7 * 86_400_000
        return total if total <= MAX_DURATION else None
    parts = _PARTS.fullmatch(text)
    if not parts:
        return None
    days, clock, hours, minutes, seconds, fraction = parts.groups()
    if clock == "T" or (days is None and clock is None):
        return None
    total = int(days or 0) * 86_400_000 + int(hours or 0) * 3_600_000 + int(minutes or 0) * 60_000
    total += int(seconds or 0) * 1000 + int((fraction or "").ljust(3, "0"))
    return total if total <= MAX_DURATION else None


def instant(text: object) -> int | None:
    """Milliseconds since 1970 of an RFC 3339 instant in one of the accepted forms, else None."""
    found = _INSTANT.fullmatch(text) if type(text) is str else None
    if not found:
        return None
    year, month, day, hour, minute, second = (int(part) for part in found.groups()[:6])
    offset_hours, offset_minutes = int(found[9] or 0), int(found[10] or 0)
    if hour > 23 or minute > 59 or second > 59 or offset_hours > 23 or offset_minutes > 59:
        return None
    try:
        days = date(year, month, day).toordinal() - EPOCH
    except ValueError:
        return None
    offset = (offset_hours * 60 + offset_minutes) * (-1 if found[8] == "-" else 1)
    total = ((days * 24 + hour) * 60 + minute - offset) * 60_000
    total += second * 1000 + int((found[7] or "").ljust(3, "0"))
    return total if 0 <= total <= MAX_INSTANT else None
